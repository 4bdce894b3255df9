/// Messages as late as they may be (support/watching_communicator.h): the same bits, every request waited for, and the
/// hop works on its interior meanwhile.

#include "on_grids.h"

#include "comms/communicator.h"
#include "core/environment_support.h"
#include "support/watching_communicator.h"
#include "tune/kernel_profile.h"

namespace
{

using test::ranks;

const reference::Lattice global({4, 4, 4, 8});

/// Results of calls that exchange halos, of this rank's part.
std::vector<std::vector<double>> results(const support::Grid &grid)
{
  const reference::Part part = support::part_on(grid, global);
  test::HostLinks<double> host(reference::random_gauge(global, 3, reference::Kind::weak), part, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(part.local.X);
  loadGaugeQuda(host.pointer(), &param);

  std::vector<std::vector<double>> all;
  std::vector<double> plaq(3);
  plaqQuda(plaq.data());
  all.push_back(plaq);
  QudaInvertParam wilson = test::wilson_param();
  const auto psi = reference::random_spinors(global, 4);
  const auto odd = reference::to_host<double>(psi, global, part, 1),
             full = reference::to_host<double>(psi, global, part);
  for (const QudaDagType dagger : {QUDA_DAG_NO, QUDA_DAG_YES}) {
    wilson.dagger = dagger;
    std::vector<double> out(odd.size());
    dslashQuda(out.data(), const_cast<double *>(odd.data()), &wilson, QUDA_EVEN_PARITY);
    all.push_back(out);
    out.resize(full.size());
    MatQuda(out.data(), const_cast<double *>(full.data()), &wilson);
    all.push_back(out);
  }
  stoutQuda(host.pointer(), host.pointer(), 2, 0.1, -1, &param);
  all.push_back(host.all());
  QudaHeatbathParam heatbath = newQudaHeatbathParam();
  heatbath.beta = 6;
  heatbathQuda(&heatbath);
  plaqQuda(plaq.data());
  all.push_back(plaq);
  saveGaugeQuda(host.pointer(), &param);
  all.push_back(host.all());
  return all;
}

/// The library on a grid, its communicator watched.
class Watched
{
public:
  explicit Watched(const support::Grid &grid)
      : session_(grid.data())
  {
    communicator = std::make_shared<support::WatchingCommunicator>(quda::default_communicator());
    quda::set_default_communicator(communicator);
  }

  std::shared_ptr<support::WatchingCommunicator> communicator;

private:
  test::Session session_;
};

TEST(Messages, AsLateAsTheyMayBe)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  for (const support::Grid &grid : support::grids_of(ranks())) {
    SCOPED_TRACE(support::named(grid));
    std::vector<std::vector<double>> plain;
    {
      const test::Session session(grid.data());
      plain = results(grid);
    }
    const Watched watched(grid);
    const auto late = results(grid);
    const auto &counts = watched.communicator->counts();
    ASSERT_EQ(plain.size(), late.size());
    for (std::size_t i = 0; i < plain.size(); i++) EXPECT_TRUE(test::same_bits(plain[i], late[i])) << "result " << i;
    EXPECT_EQ(counts.sends > 0, ranks() > 1);
    EXPECT_EQ(counts.sends, counts.receives);
    EXPECT_EQ(counts.finished, counts.sends + counts.receives);
    EXPECT_EQ(counts.dropped, 0) << "never waited for";
    EXPECT_EQ(counts.changed, 0) << "written while it was sent";
  }
}

/// When the first message of a hop is waited for, most of the hop's work has been done.
TEST(Messages, OfAHopTravelWhileTheInteriorIsDone)
{
  if (ranks() == 1) GTEST_SKIP() << "one rank sends no messages";
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  test::Handler handler;
  const reference::Lattice large({8, 8, 8, 16});
  const support::Grid grid {1, 1, 1, ranks()};
  const Watched watched(grid);
  reference::Part part(large, {1, 1, 1, ranks()}, {0, 0, 0, 0});
  test::HostLinks<double> host(reference::GaugeField(large), part, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(part.local.X);
  loadGaugeQuda(host.pointer(), &param);
  QudaInvertParam wilson = test::wilson_param();
  std::vector<double> in(24 * part.local.half(), 1), out(in.size());
  const auto hop = [&] { dslashQuda(out.data(), in.data(), &wilson, QUDA_EVEN_PARITY); };
  const auto flops = [] {
    long long sum = 0;
    for (const quda::KernelTime *time : quda::kernel_times()) sum += time->flops;
    return sum;
  };
  std::vector<long long> at_wait;
  watched.communicator->on_wait = [&] { at_wait.push_back(flops()); };
  quda::reset_kernel_times();
  hop();
  watched.communicator->on_wait = nullptr;
  ASSERT_FALSE(at_wait.empty());
  // of 16 / ranks slices two touch the border; the rest is the interior
  const double interior = 1 - 2.0 * ranks() / large.X[3];
  EXPECT_GE(static_cast<double>(at_wait[0]), 0.9 * interior * 1320 * static_cast<double>(part.local.half()));
}

} // namespace
