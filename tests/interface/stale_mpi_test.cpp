/// Whatever the library keeps of the resident links is made anew when they change: copies with a border and smeared
/// links, by a list of all that changes links and a list of all that looks at them. The judge is the same call on the
/// same links after everything was freed.

#include "session.h"

#include "core/environment_support.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <functional>

namespace
{

using reference::Coords;

const reference::Lattice global({4, 4, 4, 8});

class Stale : public testing::Test
{
protected:
  void begin(const std::vector<int> &grid)
  {
    Coords extents, coord;
    int rest = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rest);
    for (int d = 3; d >= 0; d--) {
      extents[d] = grid[d];
      coord[d] = rest % grid[d];
      rest /= grid[d];
    }
    part_ = reference::Part(global, extents, coord);
    param_ = test::gauge_param(part_.local.X);
  }

  void load(std::uint64_t seed)
  {
    test::HostLinks<double> host(reference::random_gauge(global, seed, reference::Kind::weak), part_,
                                 QUDA_QDP_GAUGE_ORDER);
    loadGaugeQuda(host.pointer(), &param_);
  }
  test::HostLinks<double> saved()
  {
    test::HostLinks<double> host(reference::GaugeField(global), part_, QUDA_QDP_GAUGE_ORDER);
    saveGaugeQuda(host.pointer(), &param_);
    return host;
  }
  QudaGaugeParam resident_to_resident() const
  {
    QudaGaugeParam param = param_;
    param.use_resident_gauge = param.make_resident_gauge = 1;
    param.return_result_gauge = 0;
    return param;
  }

  /// What is seen of the resident links.
  std::vector<double> plaquette()
  {
    std::vector<double> plaq(3);
    plaqQuda(plaq.data());
    return plaq;
  }
  std::vector<double> observables()
  {
    QudaGaugeObservableParam param = newQudaGaugeObservableParam();
    param.compute_plaquette = param.compute_polyakov_loop = param.compute_qcharge = QUDA_BOOLEAN_TRUE;
    gaugeObservablesQuda(&param);
    return {param.plaquette[0], param.plaquette[1], param.ploop[0], param.ploop[1], param.qcharge, param.energy[0]};
  }
  std::vector<double> force()
  {
    int steps[4][3], *path[4], **paths[4], length = 3;
    double weight = 1;
    for (int mu = 0; mu < 4; mu++) {
      const int nu = (mu + 1) % 4;
      steps[mu][0] = nu;
      steps[mu][1] = 7 - mu;
      steps[mu][2] = 7 - nu;
      path[mu] = steps[mu];
      paths[mu] = &path[mu];
    }
    QudaGaugeParam param = param_;
    param.use_resident_gauge = param.overwrite_mom = param.return_result_mom = 1;
    std::vector<double> momenta(40 * part_.local.volume());
    void *arrays[4];
    for (int mu = 0; mu < 4; mu++) arrays[mu] = &momenta[10 * mu * part_.local.volume()];
    computeGaugeForceQuda(arrays, nullptr, paths, &length, &weight, 1, 3, 1, &param);
    return momenta;
  }
  std::vector<double> loops()
  {
    int steps[8] = {3, 3, 0, 0, 4, 4, 7, 7}, *loop = steps, length = 8;
    double weight = 1;
    std::complex<double> trace;
    computeGaugeLoopTraceQuda(reinterpret_cast<decltype(QudaGaugeObservableParam::traces)>(&trace), &loop, &length,
                              &weight, 1, 8, 1);
    return {trace.real(), trace.imag()};
  }
  std::vector<double> hop()
  {
    QudaInvertParam wilson = test::wilson_param();
    const auto psi = reference::to_host<double>(reference::random_spinors(global, 4), global, part_);
    std::vector<double> out(psi.size());
    MatQuda(out.data(), const_cast<double *>(psi.data()), &wilson);
    return out;
  }
  std::vector<double> smeared()
  {
    QudaGaugeSmearParam param = newQudaGaugeSmearParam();
    param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
    param.n_steps = param.meas_interval = 1;
    param.rho = 0.1;
    param.dir_ignore = 4;
    QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
    performGaugeSmearQuda(&param, observed);
    std::vector<double> seen = observables();
    // smeared links that are there when they are made again
    param.rho = 0.05;
    performGaugeSmearQuda(&param, observed);
    const std::vector<double> again = observables();
    seen.insert(seen.end(), again.begin(), again.end());
    freeGaugeSmearedQuda();
    return seen;
  }
  std::vector<std::vector<double>> all()
  {
    return {plaquette(), observables(), force(), loops(), hop(), smeared(), plaquette()};
  }

  reference::Part part_ {global};
  QudaGaugeParam param_ {};
};

} // namespace

TEST_F(Stale, NothingIsWhenLinksChange)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  test::Handler handler;
  const auto heatbath = [](QudaHeatbathStart start) {
    QudaHeatbathParam param = newQudaHeatbathParam();
    param.beta = 6;
    param.start = start;
    heatbathQuda(&param);
  };
  const struct {
    const char *name;
    std::function<void()> change;
  } changes[] = {
      {"loadGaugeQuda", [&] { load(2); }},
      {"heatbathQuda", [&] { heatbath(QUDA_HEATBATH_START_RESIDENT); }},
      {"heatbathQuda, cold", [&] { heatbath(QUDA_HEATBATH_START_COLD); }},
      {"heatbathQuda, hot", [&] { heatbath(QUDA_HEATBATH_START_HOT); }},
      {"gaussGaugeQuda", [] { gaussGaugeQuda(7, 0.3); }},
      {"updateGaugeFieldQuda",
       [&] {
         QudaGaugeParam param = resident_to_resident();
         std::vector<double> momenta = force();
         void *arrays[4];
         for (int mu = 0; mu < 4; mu++) arrays[mu] = &momenta[10 * mu * part_.local.volume()];
         updateGaugeFieldQuda(nullptr, arrays, 0.1, 0, 1, &param);
       }},
      {"projectSU3Quda",
       [&] {
         QudaGaugeParam param = resident_to_resident();
         test::HostLinks<double> host = saved(); // off SU(3), so that there is something to project
         for (int mu = 0; mu < 4; mu++)
           for (std::size_t i = 0; i < 18 * part_.local.volume(); i += 7) host.direction(mu)[i] += 0.01;
         loadGaugeQuda(host.pointer(), &param_);
         all();
         projectSU3Quda(nullptr, 1e-6, &param);
       }},
  };
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const std::vector<int> grid = n == 4 ? std::vector<int> {1, 1, 2, 2} : std::vector<int> {1, 1, 1, n};
  begin(grid);
  test::Session session(grid.data());
  load(1);
  auto before = all();
  for (const auto &[name, change] : changes) {
    change();
    const auto seen = all();
    test::HostLinks<double> host = saved();
    freeGaugeQuda();
    loadGaugeQuda(host.pointer(), &param_);
    const auto fresh = all();
    for (std::size_t i = 0; i < seen.size(); i++) {
      EXPECT_TRUE(test::same_bits(seen[i], fresh[i])) << "after " << name << ", view " << i;
      EXPECT_FALSE(test::same_bits(seen[i], before[i])) << name << " changes nothing, view " << i;
    }
    before = seen;
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}
