/// Bad calls of what reads, moves and smears links: observables, forces, momenta, random fields, contractions.

#include "bad_calls.h"

#include <cmath>
#include <cstring>

namespace test
{

TEST_F(BadCalls, Observables)
{
  double numbers[2] = {0, 0};
  QudaGaugeObservableParam wrong = newQudaGaugeObservableParam();
  wrong.compute_rectangle = QUDA_BOOLEAN_TRUE;
  int step = 9, *loop = &step, length = 1;
  double weight = 1;
  std::complex<double> trace;
  auto *traces = reinterpret_cast<double _Complex *>(&trace);
  expect_refused({
      fault("null loop", {"polyakovLoopQuda", "ploop = null"}, [] { polyakovLoopQuda(nullptr, 3); }),
      fault("direction of the loop", {"polyakovLoopQuda", "dir = 2"}, [&] { polyakovLoopQuda(numbers, 2); }),
      beyond("rectangles", {"compute_rectangle"}, [&] { gaugeObservablesQuda(&wrong); }),
      fault("null traces", {"computeGaugeLoopTraceQuda", "traces = null"},
            [&] { computeGaugeLoopTraceQuda(nullptr, &loop, &length, &weight, 1, 1, 1); }),
      fault("a step of a loop", {"input_path_buf[0][0] = 9"},
            [&] { computeGaugeLoopTraceQuda(traces, &loop, &length, &weight, 1, 1, 1); }),
      fault("longer than the longest", {"max_length = 0"},
            [&] { computeGaugeLoopTraceQuda(traces, &loop, &length, &weight, 1, 0, 1); }),
      fault("factor", {"= nan"}, [&] { computeGaugeLoopTraceQuda(traces, &loop, &length, &weight, 1, 1, NAN); }),
  });
}

TEST_F(BadCalls, Forces)
{
  QudaGaugeParam good = good_gauge();
  CPaths infinite(reference::force_paths(reference::images(reference::plaquette_loop), INFINITY));
  const auto path = [&](auto call, int n, double dt) {
    return [this, call, n, dt, &good] {
      call(mom.pointer(), links.pointer(), paths.steps(), paths.length(), paths.coefficient(), n, paths.longest(), dt,
           &good);
    };
  };
  expect_refused({
      beyond("order", {"gauge_order", "NATIVE"}, force_of([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; })),
      beyond("half", {"cuda_prec", "HALF"}, force_of([](auto &p) { p.cuda_prec = QUDA_HALF_PRECISION; })),
      fault("phases", {"staggered_phase_type = 0"}, force_of([](auto &p) { p.staggered_phase_applied = 1; })),
      fault("a flag", {"use_resident_mom = 2"}, force_of([](auto &p) { p.use_resident_mom = 2; })),
      fault("odd extent", {"computeGaugeForceQuda", "X[2] = 5"}, force_of([](auto &p) { p.X[2] = 5; })),
      fault("weight", {"loop_coeff[0] = inf"}, [&] { force(infinite, good); }),
      fault("step", {"computeGaugeForceQuda", "dt = nan"}, path(computeGaugeForceQuda, paths.n(), NAN)),
      fault("number of paths", {"gaugeForceQuda", "num_paths = -1"}, path(gaugeForceQuda, -1, 1)),
      fault("step of a path sum", {"computeGaugePathQuda", "dt = inf"},
            path(computeGaugePathQuda, paths.n(), INFINITY)),
      fault("null paths", {"computeGaugePathQuda", "input_path_buf = null"},
            [&] {
              computeGaugePathQuda(links.pointer(), links.pointer(), nullptr, paths.length(), paths.coefficient(), 1, 3,
                                   1, &good);
            }),
  });
}

TEST_F(BadCalls, Momenta)
{
  QudaGaugeParam good = good_gauge();
  QudaGaugeParam both = good;
  both.make_resident_mom = both.return_result_mom = 1;
  std::vector<double> spoilt = mom.all();
  spoilt[17] = NAN;
  void *broken[4];
  for (int mu = 0; mu < 4; mu++) broken[mu] = spoilt.data() + 10 * lattice.volume() * mu;
  QudaGaugeParam in = good;
  in.make_resident_mom = 1;
  in.return_result_mom = 0;
  const auto update = [&](void *gauge, void *momenta, double dt) {
    return [=, param = good]() mutable { updateGaugeFieldQuda(gauge, momenta, dt, 0, 1, &param); };
  };
  expect_refused({
      fault("both ways", {"momResidentQuda", "make_resident_mom = 1"}, [&] { momResidentQuda(mom.pointer(), &both); }),
      fault("not a number", {"momResidentQuda", "mom"}, [&] { momResidentQuda(broken, &in); }),
      fault("null structure", {"momResidentQuda", "null"}, [&] { momResidentQuda(mom.pointer(), nullptr); }),
      fault("null momentum", {"momActionQuda", "momentum = null"}, [&] { momActionQuda(nullptr, &good); }),
      fault("null links", {"updateGaugeFieldQuda", "gauge = null"}, update(nullptr, mom.pointer(), 0.1)),
      fault("null momentum", {"updateGaugeFieldQuda", "momentum = null"}, update(links.pointer(), nullptr, 0.1)),
      fault("time step", {"updateGaugeFieldQuda", "dt = nan"}, update(links.pointer(), mom.pointer(), NAN)),
      fault("width", {"gaussMomQuda", "sigma = nan"}, [] { gaussMomQuda(1, NAN); }),
      fault("width", {"gaussGaugeQuda", "sigma = inf"}, [] { gaussGaugeQuda(1, INFINITY); }),
      fault("null structure", {"heatbathQuda", "param = null"}, [] { heatbathQuda(nullptr); }),
      fault("beta", {"beta = -1"}, heatbath([](auto &p) { p.beta = -1; })),
      fault("sweeps", {"n_sweeps = -3"}, heatbath([](auto &p) { p.n_sweeps = -3; })),
      fault("rectangles", {"rectangle = "}, heatbath([](auto &p) { p.rectangle = NAN; })),
      fault("anisotropy", {"anisotropy = -1"}, heatbath([](auto &p) { p.anisotropy = -1; })),
      fault("start", {"start = 9"}, heatbath([](auto &p) { p.start = static_cast<QudaHeatbathStart>(9); })),
  });
}

TEST_F(BadCalls, Smearing)
{
  QudaGaugeParam good = good_gauge();
  QudaGaugeSmearParam right = good_smearing();
  QudaGaugeObservableParam observables[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
  const auto stout = [&](void *out, void *in, double rho, int ignored) {
    return [=, param = good]() mutable { stoutQuda(out, in, 1, rho, ignored, &param); };
  };
  expect_refused({
      fault("interval", {"meas_interval = 0"}, smearing([](auto &p) { p.meas_interval = 0; })),
      fault("weight", {"performGaugeSmearQuda", "rho"}, smearing([](auto &p) { p.rho = NAN; })),
      fault("kind", {"WILSON_FLOW"}, smearing([](auto &p) { p.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW; })),
      fault("weight of APE", {"performGaugeSmearQuda", "alpha = nan"}, smearing([](auto &p) {
              p.smear_type = QUDA_GAUGE_SMEAR_APE;
              p.alpha = NAN;
            })),
      fault("weight of HYP", {"alpha2 = inf"}, smearing([](auto &p) {
              p.smear_type = QUDA_GAUGE_SMEAR_HYP;
              p.alpha2 = INFINITY;
            })),
      fault("size", {"performGaugeSmearQuda", "struct_size = 8"}, smearing([](auto &p) { p.struct_size = 8; })),
      fault("null structure", {"performGaugeSmearQuda", "null"}, [&] { performGaugeSmearQuda(nullptr, observables); }),
      fault("null results", {"obs_param = null"}, [&] { performGaugeSmearQuda(&right, nullptr); }),
      fault("null output", {"stoutQuda", "h_out = null"}, stout(nullptr, links.pointer(), 0.1, 3)),
      fault("null input", {"stoutQuda", "h_in = null"}, stout(links.pointer(), nullptr, 0.1, 3)),
      fault("weight", {"stoutQuda", "rho = inf"}, stout(links.pointer(), links.pointer(), INFINITY, 3)),
      fault("direction", {"stoutQuda", "dir_ignore = 4"}, stout(links.pointer(), links.pointer(), 0.1, 4)),
      fault("tolerance", {"projectSU3Quda", "tol = 0"}, [&] { projectSU3Quda(links.pointer(), 0, &good); }),
      fault("null links", {"projectSU3Quda", "gauge_h = null"}, [&] { projectSU3Quda(nullptr, 1e-14, &good); }),
  });
}

TEST_F(BadCalls, Flow)
{
  QudaGaugeObservableParam observables[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
  const auto flow = [&](auto spoil) {
    return [spoil, &observables] {
      QudaGaugeSmearParam param = newQudaGaugeSmearParam();
      param.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
      param.n_steps = param.meas_interval = 1;
      param.epsilon = 0.01;
      spoil(param);
      performWFlowQuda(&param, observables);
    };
  };
  const char *function = "performWFlowQuda";
  expect_refused({
      fault("null structure", {function, "null"}, [&] { performWFlowQuda(nullptr, observables); }),
      fault("null results", {function, "obs_param = null"},
            [&] {
              QudaGaugeSmearParam param = newQudaGaugeSmearParam();
              param.smear_type = QUDA_GAUGE_SMEAR_SYMANZIK_FLOW;
              performWFlowQuda(&param, nullptr);
            }),
      fault("kind", {function, "QUDA_GAUGE_SMEAR_STOUT"}, flow([](auto &p) { p.smear_type = QUDA_GAUGE_SMEAR_STOUT; })),
      fault("step", {function, "epsilon = nan"}, flow([](auto &p) { p.epsilon = NAN; })),
      fault("order", {function, "rk_order = 2"}, flow([](auto &p) { p.rk_order = 2; })),
      fault("interval", {function, "meas_interval = 0"}, flow([](auto &p) { p.meas_interval = 0; })),
      fault("anisotropy", {function, "smear_anisotropy = -1"}, flow([](auto &p) { p.smear_anisotropy = -1; })),
      fault("restart", {function, "restart"}, flow([](auto &p) { p.restart = QUDA_BOOLEAN_TRUE; })),
  });
}

TEST_F(BadCalls, FlowWithEvenMeasurements)
{
  QudaGaugeObservableParam observables[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()}, wrong[2];
  for (auto &one : wrong) one = newQudaGaugeObservableParam();
  wrong[1].compute_rectangle = QUDA_BOOLEAN_TRUE;
  const auto flow = [&](auto spoil, QudaGaugeObservableParam *to) {
    return [spoil, to] {
      QudaGradientFlowParam param = newQudaGradientFlowParam();
      param.interval = 0.1;
      spoil(param);
      gradientFlowQuda(&param, to);
    };
  };
  const auto with = [&](auto spoil) { return flow(spoil, observables); };
  const auto as_it_is = [](auto &) {};
  const char *function = "gradientFlowQuda";
  expect_refused({
      fault("null structure", {function, "param = null"}, [&] { gradientFlowQuda(nullptr, observables); }),
      fault("null results", {function, "obs_param = null"}, flow(as_it_is, nullptr)),
      beyond("rectangles", {function, "compute_rectangle"}, flow(as_it_is, wrong)),
      fault("size", {function, "struct_size"}, with([](auto &p) { p.struct_size--; })),
      fault("action", {function, "action = 3"}, with([](auto &p) {
              const int none = 3;
              std::memcpy(&p.action, &none, sizeof none);
            })),
      fault("order", {function, "rk_order = 2"}, with([](auto &p) { p.rk_order = 2; })),
      fault("order of steps that adapt", {function, "rk_order = 4"}, with([](auto &p) {
              p.rk_order = 4;
              p.tolerance = 1e-3;
            })),
      fault("restart", {function, "restart = 1", "no smeared links"}, with([](auto &p) { p.restart = 1; })),
      fault("restart", {function, "restart = 2"}, with([](auto &p) { p.restart = 2; })),
      fault("intervals", {function, "n_intervals = -1"}, with([](auto &p) { p.n_intervals = -1; })),
      fault("interval", {function, "interval = 0"}, with([](auto &p) { p.interval = 0; })),
      fault("step", {function, "epsilon = nan"}, with([](auto &p) { p.epsilon = NAN; })),
      fault("tiny step", {function, "epsilon = 1e-12"}, with([](auto &p) { p.epsilon = 1e-12; })),
      fault("tolerance", {function, "tolerance = -1"}, with([](auto &p) { p.tolerance = -1; })),
      fault("beyond rounding", {function, "tolerance = 1e-15"}, with([](auto &p) { p.tolerance = 1e-15; })),
      fault("anisotropy", {function, "anisotropy = 0"}, with([](auto &p) { p.anisotropy = 0; })),
      beyond("anisotropy of the Zeuthen flow", {function, "anisotropy = 2"}, with([](auto &p) {
               p.action = QUDA_FLOW_ZEUTHEN;
               p.anisotropy = 2;
             })),
  });
}

TEST_F(BadCalls, ActionsOfSmearedLinks)
{
  const auto smear = [](auto spoil) {
    return [spoil] {
      QudaGaugeSmearParam param = newQudaGaugeSmearParam();
      param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
      param.n_steps = 1;
      param.rho = 0.1;
      spoil(param);
      stoutGaugeQuda(&param);
    };
  };
  const char *smearing = "stoutGaugeQuda", *force = "stoutForceQuda";
  expect_refused({
      fault("null structure", {smearing, "null"}, [] { stoutGaugeQuda(nullptr); }),
      beyond("kind", {smearing, "QUDA_GAUGE_SMEAR_OVRIMP_STOUT"},
             smear([](auto &p) { p.smear_type = QUDA_GAUGE_SMEAR_OVRIMP_STOUT; })),
      fault("steps", {smearing, "n_steps = 0"}, smear([](auto &p) { p.n_steps = 0; })),
      fault("weight", {smearing, "rho = nan"}, smear([](auto &p) { p.rho = NAN; })),
      fault("anisotropy", {smearing, "smear_anisotropy = -1"}, smear([](auto &p) { p.smear_anisotropy = -1; })),
      fault("nothing kept", {"thinGaugeQuda", "no thin links are kept"}, [] { thinGaugeQuda(); }),
      fault("null structure", {force, "null"}, [&] { stoutForceQuda(mom.pointer(), mom.pointer(), 1, nullptr); }),
      fault("nothing kept", {force, "no smearing is kept"},
            [&, good = good_gauge()]() mutable { stoutForceQuda(mom.pointer(), mom.pointer(), 1, &good); }),
      fault("step", {force, "dt = nan"},
            [&, good = good_gauge()]() mutable { stoutForceQuda(mom.pointer(), mom.pointer(), NAN, &good); }),
  });
  // with a smearing that is kept
  smear([](auto &) {})();
  thinGaugeQuda();
  const auto of = [&](void *momentum, void *of_smeared, auto spoil) {
    return [=, good = good_gauge()]() mutable {
      spoil(good);
      stoutForceQuda(momentum, of_smeared, 1, &good);
    };
  };
  const auto as_it_is = [](QudaGaugeParam &) {};
  std::vector<double> spoilt = mom.all();
  spoilt[21] = NAN;
  void *broken[4];
  for (int mu = 0; mu < 4; mu++) broken[mu] = spoilt.data() + 10 * lattice.volume() * mu;
  expect_refused({
      fault("null momentum", {force, "mom = null"}, of(nullptr, mom.pointer(), as_it_is)),
      fault("null force and a resident momentum", {force, "use_resident_mom = 1"},
            of(mom.pointer(), nullptr, [](auto &p) { p.use_resident_mom = 1; })),
      fault("not a number", {force, "smeared_force"}, of(mom.pointer(), broken, as_it_is)),
      fault("precision", {force, "QUDA_SINGLE_PRECISION"},
            of(mom.pointer(), mom.pointer(), [](auto &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; })),
      fault("lattice", {force, "X = "}, of(mom.pointer(), mom.pointer(), [](auto &p) { p.X[1] = 8; })),
      beyond("order", {force, "gauge_order"},
             of(mom.pointer(), mom.pointer(), [](auto &p) { p.gauge_order = QUDA_CPS_WILSON_GAUGE_ORDER; })),
  });
}

TEST_F(BadCalls, FlowOfQuarks)
{
  QudaGaugeObservableParam observables[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
  void *ins[2] = {in.data(), in.data()}, *outs[2] = {out.data(), out.data()}, *gap[2] = {in.data(), nullptr};
  const auto flow = [&](void **to, void **from, std::size_t n, auto spoil) {
    return [=, &observables, good = wilson_param()]() mutable {
      QudaGaugeSmearParam param = newQudaGaugeSmearParam();
      param.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
      param.n_steps = param.meas_interval = 1;
      param.epsilon = 0.01;
      spoil(param, good);
      performGFlowQuda(to, from, &good, &param, observables, n);
    };
  };
  const auto as_it_is = [](auto &, auto &) {};
  const char *function = "performGFlowQuda";
  QudaInvertParam good = wilson_param();
  QudaGaugeSmearParam smear = newQudaGaugeSmearParam();
  smear.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
  expect_refused({
      fault("null structure", {function, "null"}, [&] { performGFlowQuda(outs, ins, &good, nullptr, observables, 1); }),
      fault("null structure", {function, "null"},
            [&] { performGFlowQuda(outs, ins, nullptr, &smear, observables, 1); }),
      fault("null results", {function, "obs_param"}, [&] { performGFlowQuda(outs, ins, &good, &smear, nullptr, 1); }),
      fault("interval", {function, "meas_interval = 0"},
            flow(outs, ins, 1, [](auto &p, auto &) { p.meas_interval = 0; })),
      fault("no fields", {function, "nSpinors = 0"}, flow(outs, ins, 0, as_it_is)),
      fault("null list", {function, "h_out = null"}, flow(nullptr, ins, 1, as_it_is)),
      fault("null list", {function, "h_in = null"}, flow(outs, nullptr, 1, as_it_is)),
      fault("null field", {function, "h_in[1] = null"}, flow(outs, gap, 2, as_it_is)),
      fault("kind", {function, "APE"},
            flow(outs, ins, 1, [](auto &p, auto &) { p.smear_type = QUDA_GAUGE_SMEAR_APE; })),
      fault("step", {function, "epsilon = nan"}, flow(outs, ins, 1, [](auto &p, auto &) { p.epsilon = NAN; })),
      fault("restart", {function, "restart"},
            flow(outs, ins, 1, [](auto &p, auto &) { p.restart = QUDA_BOOLEAN_TRUE; })),
      fault("precision", {function, "cuda_prec"},
            flow(outs, ins, 1, [](auto &, auto &q) { q.cuda_prec = QUDA_INVALID_PRECISION; })),
      beyond("half", {function, "QUDA_HALF_PRECISION"},
             flow(outs, ins, 1, [](auto &, auto &q) { q.cuda_prec = QUDA_HALF_PRECISION; })),
  });
}

TEST_F(BadCalls, AdjointFlowOfQuarks)
{
  void *ins[2] = {in.data(), in.data()}, *outs[2] = {out.data(), out.data()}, *gap[2] = {nullptr, out.data()};
  const struct {
    const char *name;
    void (*call)(void **, void **, QudaInvertParam *, QudaGaugeSmearParam *, size_t);
  } functions[] = {{"performAdjGFlowSafe", performAdjGFlowSafe}, {"performAdjGFlowHier", performAdjGFlowHier}};
  for (const auto &[function, call] : functions) {
    const auto flow = [&, call = call](void **to, void **from, std::size_t n, auto spoil) {
      return [=, good = wilson_param()]() mutable {
        QudaGaugeSmearParam param = newQudaGaugeSmearParam();
        param.smear_type = QUDA_GAUGE_SMEAR_SYMANZIK_FLOW;
        param.n_steps = 2;
        param.epsilon = 0.01;
        spoil(param, good);
        call(to, from, &good, &param, n);
      };
    };
    const auto as_it_is = [](auto &, auto &) {};
    QudaInvertParam good = wilson_param();
    QudaGaugeSmearParam smear = newQudaGaugeSmearParam();
    smear.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
    expect_refused({
        fault("null structure", {function, "null"}, [&, call = call] { call(outs, ins, &good, nullptr, 1); }),
        fault("null structure", {function, "null"}, [&, call = call] { call(outs, ins, nullptr, &smear, 1); }),
        fault("no fields", {function, "nSpinors = 0"}, flow(outs, ins, 0, as_it_is)),
        fault("null list", {function, "h_out = null"}, flow(nullptr, ins, 1, as_it_is)),
        fault("null list", {function, "h_in = null"}, flow(outs, nullptr, 1, as_it_is)),
        fault("null field", {function, "h_out[0] = null"}, flow(gap, ins, 2, as_it_is)),
        fault("kind", {function, "HYP"},
              flow(outs, ins, 1, [](auto &p, auto &) { p.smear_type = QUDA_GAUGE_SMEAR_HYP; })),
        fault("step", {function, "epsilon = inf"}, flow(outs, ins, 1, [](auto &p, auto &) { p.epsilon = INFINITY; })),
        fault("order", {function, "rk_order = 5"}, flow(outs, ins, 1, [](auto &p, auto &) { p.rk_order = 5; })),
        fault("anisotropy", {function, "smear_anisotropy = -1"},
              flow(outs, ins, 1, [](auto &p, auto &) { p.smear_anisotropy = -1; })),
        fault("restart", {function, "restart"},
              flow(outs, ins, 1, [](auto &p, auto &) { p.restart = QUDA_BOOLEAN_TRUE; })),
        fault("precision", {function, "cuda_prec"},
              flow(outs, ins, 1, [](auto &, auto &q) { q.cuda_prec = QUDA_INVALID_PRECISION; })),
        beyond("half", {function, "QUDA_HALF_PRECISION"},
               flow(outs, ins, 1, [](auto &, auto &q) { q.cuda_prec = QUDA_HALF_PRECISION; })),
    });
  }
}

TEST_F(BadCalls, GaugeFixing)
{
  std::vector<double> rotation(18 * lattice.volume());
  const auto relax = [this](void *gauge, unsigned dir, unsigned interval, double boost, double tolerance,
                            unsigned reunit, auto spoil) {
    return [=, param = good_gauge()]() mutable {
      spoil(param);
      computeGaugeFixingOVRQuda(gauge, dir, 2, interval, boost, tolerance, reunit, 1, &param);
    };
  };
  const auto descend = [this](void *gauge, unsigned dir, double alpha) {
    return [=, param = good_gauge()]() mutable { computeGaugeFixingFFTQuda(gauge, dir, 2, 1, alpha, 1, 0, 1, &param); };
  };
  const auto as_it_is = [](QudaGaugeParam &) {};
  void *const u = links.pointer();
  const char *relaxation = "computeGaugeFixingOVRQuda", *descent = "computeGaugeFixingFFTQuda";
  expect_refused({
      fault("null links", {relaxation, "gauge = null"}, relax(nullptr, 4, 1, 1.5, 0, 1, as_it_is)),
      fault("directions", {relaxation, "gauge_dir = 2"}, relax(u, 2, 1, 1.5, 0, 1, as_it_is)),
      fault("interval", {relaxation, "verbose_interval = 0"}, relax(u, 4, 0, 1.5, 0, 1, as_it_is)),
      fault("boost", {relaxation, "relax_boost = 2.5"}, relax(u, 4, 1, 2.5, 0, 1, as_it_is)),
      fault("tolerance", {relaxation, "tolerance = nan"}, relax(u, 4, 1, 1.5, NAN, 1, as_it_is)),
      fault("interval", {relaxation, "reunit_interval = 0"}, relax(u, 4, 1, 1.5, 0, 0, as_it_is)),
      fault("type", {relaxation, "SMEARED"}, relax(u, 4, 1, 1.5, 0, 1, [](auto &p) { p.type = QUDA_SMEARED_LINKS; })),
      beyond("phases", {relaxation, "staggered_phase_applied"},
             relax(u, 4, 1, 1.5, 0, 1, [](auto &p) { p.staggered_phase_applied = 1; })),
      beyond("half", {relaxation, "RECONSTRUCT_8"},
             relax(u, 4, 1, 1.5, 0, 1, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_8; })),
      fault("null links", {descent, "gauge = null"}, descend(nullptr, 4, 0.08)),
      fault("directions", {descent, "gauge_dir = 5"}, descend(u, 5, 0.08)),
      fault("step", {descent, "alpha = 0"}, descend(u, 4, 0)),
      fault(
          "null rotation", {"gaugeFixingOVRRotationQuda", "rotation = null"},
          [&, param = good_gauge()]() mutable { gaugeFixingOVRRotationQuda(u, nullptr, 4, 2, 1, 1.5, 0, 1, &param); }),
      fault("null structure", {"gaugeFixingFFTRotationQuda", "null"},
            [&] { gaugeFixingFFTRotationQuda(u, rotation.data(), 4, 2, 1, 0.08, 1, 0, 1, nullptr); }),
  });
}

TEST_F(BadCalls, StaggeredLinks)
{
  void *const u = links.pointer();
  const std::vector<double> good {1, 1, 1, 1, 1, 1}, not_numbers {1, 1, 1, NAN, 1, 1};
  const auto call = [&](const std::vector<double> *weights, void *in, const OfGauge &spoil) {
    return [=, this] {
      QudaGaugeParam param = good_gauge();
      spoil(param);
      computeKSLinkQuda(u, nullptr, nullptr, in, weights ? const_cast<double *>(weights->data()) : nullptr, &param);
    };
  };
  const auto of = [&](const OfGauge &spoil) { return call(&good, u, spoil); };
  void *no_arrays[4] = {};
  expect_refused({
      fault("null weights", {"computeKSLinkQuda", "path_coeff = null"}, call(nullptr, u, [](auto &) {})),
      fault("weight", {"path_coeff[3] = nan"}, call(&not_numbers, u, [](auto &) {})),
      fault("null links", {"computeKSLinkQuda", "inlink = null"}, call(&good, nullptr, [](auto &) {})),
      fault("null array", {"inlink[0] = null"}, call(&good, no_arrays, [](auto &) {})),
      beyond("half", {"QudaGaugeParam.cuda_prec = "}, of([](auto &p) { p.cuda_prec = QUDA_HALF_PRECISION; })),
      fault("extent", {"computeKSLinkQuda", "X[2] = 3"}, of([](auto &p) { p.X[2] = 3; })),
      beyond("order", {"gauge_order"}, of([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; })),
      fault("phases", {"staggered_phase_applied = 2"}, of([](auto &p) { p.staggered_phase_applied = 2; })),
      fault("null output array", {"computeKSLinkQuda", "longlink[0] = null"},
            [&] {
              QudaGaugeParam param = good_gauge();
              computeKSLinkQuda(nullptr, no_arrays, nullptr, u, const_cast<double *>(good.data()), &param);
            }),
      fault("null structure", {"computeKSLinkQuda", "null"},
            [&] { computeKSLinkQuda(u, nullptr, nullptr, u, const_cast<double *>(good.data()), nullptr); }),
  });
}

TEST_F(BadCalls, Contractions)
{
  QudaInvertParam good = wilson_param();
  const auto call = [&](const void *x, const void *y, void *result, int type, const int *X) {
    return [=, param = good]() mutable { contractQuda(x, y, result, static_cast<QudaContractType>(type), &param, X); };
  };
  const int *X = lattice.X.data();
  const int odd[4] = {4, 3, 4, 6};
  const int open = QUDA_CONTRACT_TYPE_OPEN;
  expect_refused({
      fault("null x", {"contractQuda", "x = null"}, call(nullptr, in.data(), contracted.data(), open, X)),
      fault("null y", {"contractQuda", "y = null"}, call(in.data(), nullptr, contracted.data(), open, X)),
      fault("null result", {"contractQuda", "result = null"}, call(in.data(), in.data(), nullptr, open, X)),
      fault("null extents", {"contractQuda", "X = null"}, call(in.data(), in.data(), contracted.data(), open, nullptr)),
      fault("no such type", {"cType = 17"}, call(in.data(), in.data(), contracted.data(), 17, X)),
      fault("odd extent", {"X[1] = 3"}, call(in.data(), in.data(), contracted.data(), open, odd)),
      fault("precision", {"cpu_prec = 2"}, contraction([](auto &p) { p.cpu_prec = QUDA_HALF_PRECISION; })),
      fault("size", {"contractQuda", "struct_size"}, contraction([](auto &p) { p.struct_size = 8; })),
  });
}

} // namespace test
