/// Heat bath through the C interface on several ranks: the same plaquette on every grid; ranks that disagree are
/// refused together.

#include "on_grids.h"

namespace
{

using reference::Coords;
using test::Handler;
using test::HostLinks;
using test::rank;
using test::ranks;

const reference::Lattice global({4, 4, 4, 16});

void load(const Coords &grid, const Coords &coord)
{
  const reference::Part part(global, grid, coord);
  HostLinks<double> host(reference::random_gauge(global, 3), part, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(part.local.X);
  loadGaugeQuda(host.pointer(), &param);
}

QudaHeatbathParam sweeps()
{
  QudaHeatbathParam param = newQudaHeatbathParam();
  param.beta = 5.9;
  param.n_sweeps = 2;
  param.seed = 5;
  param.start = QUDA_HEATBATH_START_HOT;
  return param;
}

TEST(HeatbathOnRanks, TheSamePlaquette)
{
  double alone[3], together[3];
  const QudaHeatbathParam param = sweeps();
  {
    const test::Alone session;
    load(test::Alone::grid, test::Alone::place);
    heatbathQuda(&param);
    plaqQuda(alone);
  }
  const Coords grid {1, 1, 1, ranks()};
  const test::Session session(grid.data());
  load(grid, {0, 0, 0, rank()});
  heatbathQuda(&param);
  plaqQuda(together);
  for (int i = 0; i < 3; i++) EXPECT_EQ(alone[i], together[i]);
}

TEST(HeatbathOnRanks, DisagreementIsRefused)
{
  if (ranks() == 1) return; // which agrees with itself
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  const Coords grid {1, 1, 1, ranks()};
  initCommsGridQuda(4, grid.data(), nullptr, nullptr);
  initQuda(-1);
  load(grid, {0, 0, 0, rank()});
  double before[3], after[3];
  plaqQuda(before);
  const auto refused = [&](const std::string &words) {
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
    handler.forget();
  };
  QudaHeatbathParam param = sweeps();
  param.seed += static_cast<unsigned>(rank());
  heatbathQuda(&param);
  refused("QudaHeatbathParam.seed differs between ranks");
  param.seed = sweeps().seed + (static_cast<unsigned long long>(rank()) << 63);
  heatbathQuda(&param);
  refused("QudaHeatbathParam.seed differs between ranks");
  param = sweeps();
  param.beta += 1e-15 * rank();
  heatbathQuda(&param);
  refused("QudaHeatbathParam.beta differs between ranks, from ");
  param = sweeps();
  param.rectangle = -1e-3 * rank();
  heatbathQuda(&param);
  refused("QudaHeatbathParam.rectangle differs between ranks, from ");
  param = sweeps();
  param.anisotropy += rank();
  heatbathQuda(&param);
  refused("QudaHeatbathParam.anisotropy differs between ranks, from ");
  param = sweeps();
  if (rank() == 0) param.n_overrelax = -1;
  heatbathQuda(&param);
  refused("QudaHeatbathParam.n_overrelax = -1");
  gaussGaugeQuda(1, 1 + rank());
  refused("sigma differs between ranks, from 1 to " + std::to_string(ranks()));
  plaqQuda(after);
  for (int i = 0; i < 3; i++) EXPECT_EQ(before[i], after[i]);
  gaussGaugeQuda(1 + static_cast<unsigned>(rank()), 0.1); // as PyQUDA calls it
  endQuda();
}

/// plaqQuda makes the copy with a border; what changes the links in place must not leave it stale.
TEST(HeatbathOnRanks, BordersFollowLinksChangedInPlace)
{
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  const auto series = [](const Coords &grid, const Coords &coord) {
    std::vector<double> r;
    initCommsGridQuda(4, grid.data(), nullptr, nullptr);
    initQuda(-1);
    load(grid, coord);
    const auto look = [&] {
      double p[3];
      plaqQuda(p);
      r.insert(r.end(), p, p + 3);
    };
    look();
    QudaHeatbathParam param = sweeps();
    param.start = QUDA_HEATBATH_START_RESIDENT;
    for (int i = 0; i < 2; i++) {
      heatbathQuda(&param);
      look();
    }
    gaussGaugeQuda(7, 0.3);
    look();
    endQuda();
    return r;
  };
  MPI_Comm self = MPI_COMM_SELF;
  setMPICommHandleQuda(&self);
  const auto alone = series({1, 1, 1, 1}, {0, 0, 0, 0});
  setMPICommHandleQuda(nullptr);
  const auto together = series({1, 1, 1, ranks()}, {0, 0, 0, rank()});
  EXPECT_EQ(alone, together);
}

} // namespace
