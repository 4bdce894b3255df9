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
      {"null loop", [] { polyakovLoopQuda(nullptr, 3); }, bad, {"polyakovLoopQuda", "ploop = null"}},
      {"direction of the loop", [&] { polyakovLoopQuda(numbers, 2); }, bad, {"polyakovLoopQuda", "dir = 2"}},
      {"rectangles", [&] { gaugeObservablesQuda(&wrong); }, unsupported, {"compute_rectangle"}},
      {"null traces",
       [&] { computeGaugeLoopTraceQuda(nullptr, &loop, &length, &weight, 1, 1, 1); },
       bad,
       {"computeGaugeLoopTraceQuda", "traces = null"}},
      {"a step of a loop",
       [&] { computeGaugeLoopTraceQuda(traces, &loop, &length, &weight, 1, 1, 1); },
       bad,
       {"input_path_buf[0][0] = 9"}},
      {"longer than the longest",
       [&] { computeGaugeLoopTraceQuda(traces, &loop, &length, &weight, 1, 0, 1); },
       bad,
       {"max_length = 0"}},
      {"factor", [&] { computeGaugeLoopTraceQuda(traces, &loop, &length, &weight, 1, 1, NAN); }, bad, {"= nan"}},
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
      {"order",
       force_of([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; }),
       unsupported,
       {"gauge_order", "NATIVE"}},
      {"half", force_of([](auto &p) { p.cuda_prec = QUDA_HALF_PRECISION; }), unsupported, {"cuda_prec", "HALF"}},
      {"phases", force_of([](auto &p) { p.staggered_phase_applied = 1; }), bad, {"staggered_phase_type = 0"}},
      {"a flag", force_of([](auto &p) { p.use_resident_mom = 2; }), bad, {"use_resident_mom = 2"}},
      {"odd extent", force_of([](auto &p) { p.X[2] = 5; }), bad, {"computeGaugeForceQuda", "X[2] = 5"}},
      {"weight", [&] { force(infinite, good); }, bad, {"loop_coeff[0] = inf"}},
      {"step", path(computeGaugeForceQuda, paths.n(), NAN), bad, {"computeGaugeForceQuda", "dt = nan"}},
      {"number of paths", path(gaugeForceQuda, -1, 1), bad, {"gaugeForceQuda", "num_paths = -1"}},
      {"step of a path sum",
       path(computeGaugePathQuda, paths.n(), INFINITY),
       bad,
       {"computeGaugePathQuda", "dt = inf"}},
      {"null paths",
       [&] {
         computeGaugePathQuda(links.pointer(), links.pointer(), nullptr, paths.length(), paths.coefficient(), 1, 3, 1,
                              &good);
       },
       bad,
       {"computeGaugePathQuda", "input_path_buf = null"}},
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
      {"both ways", [&] { momResidentQuda(mom.pointer(), &both); }, bad, {"momResidentQuda", "make_resident_mom = 1"}},
      {"not a number", [&] { momResidentQuda(broken, &in); }, bad, {"momResidentQuda", "mom"}},
      {"null structure", [&] { momResidentQuda(mom.pointer(), nullptr); }, bad, {"momResidentQuda", "null"}},
      {"null momentum", [&] { momActionQuda(nullptr, &good); }, bad, {"momActionQuda", "momentum = null"}},
      {"null links", update(nullptr, mom.pointer(), 0.1), bad, {"updateGaugeFieldQuda", "gauge = null"}},
      {"null momentum", update(links.pointer(), nullptr, 0.1), bad, {"updateGaugeFieldQuda", "momentum = null"}},
      {"time step", update(links.pointer(), mom.pointer(), NAN), bad, {"updateGaugeFieldQuda", "dt = nan"}},
      {"width", [] { gaussMomQuda(1, NAN); }, bad, {"gaussMomQuda", "sigma = nan"}},
      {"width", [] { gaussGaugeQuda(1, INFINITY); }, bad, {"gaussGaugeQuda", "sigma = inf"}},
      {"null structure", [] { heatbathQuda(nullptr); }, bad, {"heatbathQuda", "param = null"}},
      {"beta", heatbath([](auto &p) { p.beta = -1; }), bad, {"beta = -1"}},
      {"sweeps", heatbath([](auto &p) { p.n_sweeps = -3; }), bad, {"n_sweeps = -3"}},
      {"rectangles", heatbath([](auto &p) { p.rectangle = NAN; }), bad, {"rectangle = "}},
      {"anisotropy", heatbath([](auto &p) { p.anisotropy = -1; }), bad, {"anisotropy = -1"}},
      {"start", heatbath([](auto &p) { p.start = static_cast<QudaHeatbathStart>(9); }), bad, {"start = 9"}},
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
      {"interval", smearing([](auto &p) { p.meas_interval = 0; }), bad, {"meas_interval = 0"}},
      {"weight", smearing([](auto &p) { p.rho = NAN; }), bad, {"performGaugeSmearQuda", "rho"}},
      {"kind", smearing([](auto &p) { p.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW; }), bad, {"WILSON_FLOW"}},
      {"weight of APE",
       smearing([](auto &p) {
         p.smear_type = QUDA_GAUGE_SMEAR_APE;
         p.alpha = NAN;
       }),
       bad,
       {"performGaugeSmearQuda", "alpha = nan"}},
      {"weight of HYP",
       smearing([](auto &p) {
         p.smear_type = QUDA_GAUGE_SMEAR_HYP;
         p.alpha2 = INFINITY;
       }),
       bad,
       {"alpha2 = inf"}},
      {"size", smearing([](auto &p) { p.struct_size = 8; }), bad, {"performGaugeSmearQuda", "struct_size = 8"}},
      {"null structure", [&] { performGaugeSmearQuda(nullptr, observables); }, bad, {"performGaugeSmearQuda", "null"}},
      {"null results", [&] { performGaugeSmearQuda(&right, nullptr); }, bad, {"obs_param = null"}},
      {"null output", stout(nullptr, links.pointer(), 0.1, 3), bad, {"stoutQuda", "h_out = null"}},
      {"null input", stout(links.pointer(), nullptr, 0.1, 3), bad, {"stoutQuda", "h_in = null"}},
      {"weight", stout(links.pointer(), links.pointer(), INFINITY, 3), bad, {"stoutQuda", "rho = inf"}},
      {"direction", stout(links.pointer(), links.pointer(), 0.1, 4), bad, {"stoutQuda", "dir_ignore = 4"}},
      {"tolerance", [&] { projectSU3Quda(links.pointer(), 0, &good); }, bad, {"projectSU3Quda", "tol = 0"}},
      {"null links", [&] { projectSU3Quda(nullptr, 1e-14, &good); }, bad, {"projectSU3Quda", "gauge_h = null"}},
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
      {"null structure", [&] { performWFlowQuda(nullptr, observables); }, bad, {function, "null"}},
      {"null results",
       [&] {
         QudaGaugeSmearParam param = newQudaGaugeSmearParam();
         param.smear_type = QUDA_GAUGE_SMEAR_SYMANZIK_FLOW;
         performWFlowQuda(&param, nullptr);
       },
       bad,
       {function, "obs_param = null"}},
      {"kind", flow([](auto &p) { p.smear_type = QUDA_GAUGE_SMEAR_STOUT; }), bad, {function, "QUDA_GAUGE_SMEAR_STOUT"}},
      {"step", flow([](auto &p) { p.epsilon = NAN; }), bad, {function, "epsilon = nan"}},
      {"order", flow([](auto &p) { p.rk_order = 2; }), bad, {function, "rk_order = 2"}},
      {"interval", flow([](auto &p) { p.meas_interval = 0; }), bad, {function, "meas_interval = 0"}},
      {"anisotropy", flow([](auto &p) { p.smear_anisotropy = -1; }), bad, {function, "smear_anisotropy = -1"}},
      {"restart", flow([](auto &p) { p.restart = QUDA_BOOLEAN_TRUE; }), bad, {function, "restart"}},
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
      {"null structure", [&] { gradientFlowQuda(nullptr, observables); }, bad, {function, "param = null"}},
      {"null results", flow(as_it_is, nullptr), bad, {function, "obs_param = null"}},
      {"rectangles", flow(as_it_is, wrong), unsupported, {function, "compute_rectangle"}},
      {"size", with([](auto &p) { p.struct_size--; }), bad, {function, "struct_size"}},
      {"action",
       with([](auto &p) {
         const int none = 3;
         std::memcpy(&p.action, &none, sizeof none);
       }),
       bad,
       {function, "action = 3"}},
      {"order", with([](auto &p) { p.rk_order = 2; }), bad, {function, "rk_order = 2"}},
      {"order of steps that adapt",
       with([](auto &p) {
         p.rk_order = 4;
         p.tolerance = 1e-3;
       }),
       bad,
       {function, "rk_order = 4"}},
      {"restart", with([](auto &p) { p.restart = 1; }), bad, {function, "restart = 1", "no smeared links"}},
      {"restart", with([](auto &p) { p.restart = 2; }), bad, {function, "restart = 2"}},
      {"intervals", with([](auto &p) { p.n_intervals = -1; }), bad, {function, "n_intervals = -1"}},
      {"interval", with([](auto &p) { p.interval = 0; }), bad, {function, "interval = 0"}},
      {"step", with([](auto &p) { p.epsilon = NAN; }), bad, {function, "epsilon = nan"}},
      {"tiny step", with([](auto &p) { p.epsilon = 1e-12; }), bad, {function, "epsilon = 1e-12"}},
      {"tolerance", with([](auto &p) { p.tolerance = -1; }), bad, {function, "tolerance = -1"}},
      {"beyond rounding", with([](auto &p) { p.tolerance = 1e-15; }), bad, {function, "tolerance = 1e-15"}},
      {"anisotropy", with([](auto &p) { p.anisotropy = 0; }), bad, {function, "anisotropy = 0"}},
      {"anisotropy of the Zeuthen flow",
       with([](auto &p) {
         p.action = QUDA_FLOW_ZEUTHEN;
         p.anisotropy = 2;
       }),
       unsupported,
       {function, "anisotropy = 2"}},
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
      {"null structure", [] { stoutGaugeQuda(nullptr); }, bad, {smearing, "null"}},
      {"kind",
       smear([](auto &p) { p.smear_type = QUDA_GAUGE_SMEAR_OVRIMP_STOUT; }),
       unsupported,
       {smearing, "QUDA_GAUGE_SMEAR_OVRIMP_STOUT"}},
      {"steps", smear([](auto &p) { p.n_steps = 0; }), bad, {smearing, "n_steps = 0"}},
      {"weight", smear([](auto &p) { p.rho = NAN; }), bad, {smearing, "rho = nan"}},
      {"anisotropy", smear([](auto &p) { p.smear_anisotropy = -1; }), bad, {smearing, "smear_anisotropy = -1"}},
      {"nothing kept", [] { thinGaugeQuda(); }, bad, {"thinGaugeQuda", "no thin links are kept"}},
      {"null structure", [&] { stoutForceQuda(mom.pointer(), mom.pointer(), 1, nullptr); }, bad, {force, "null"}},
      {"nothing kept",
       [&, good = good_gauge()]() mutable { stoutForceQuda(mom.pointer(), mom.pointer(), 1, &good); },
       bad,
       {force, "no smearing is kept"}},
      {"step",
       [&, good = good_gauge()]() mutable { stoutForceQuda(mom.pointer(), mom.pointer(), NAN, &good); },
       bad,
       {force, "dt = nan"}},
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
      {"null momentum", of(nullptr, mom.pointer(), as_it_is), bad, {force, "mom = null"}},
      {"null force and a resident momentum",
       of(mom.pointer(), nullptr, [](auto &p) { p.use_resident_mom = 1; }),
       bad,
       {force, "use_resident_mom = 1"}},
      {"not a number", of(mom.pointer(), broken, as_it_is), bad, {force, "smeared_force"}},
      {"precision",
       of(mom.pointer(), mom.pointer(), [](auto &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; }),
       bad,
       {force, "QUDA_SINGLE_PRECISION"}},
      {"lattice", of(mom.pointer(), mom.pointer(), [](auto &p) { p.X[1] = 8; }), bad, {force, "X = "}},
      {"order",
       of(mom.pointer(), mom.pointer(), [](auto &p) { p.gauge_order = QUDA_CPS_WILSON_GAUGE_ORDER; }),
       unsupported,
       {force, "gauge_order"}},
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
      {"null structure", [&] { performGFlowQuda(outs, ins, &good, nullptr, observables, 1); }, bad, {function, "null"}},
      {"null structure",
       [&] { performGFlowQuda(outs, ins, nullptr, &smear, observables, 1); },
       bad,
       {function, "null"}},
      {"null results", [&] { performGFlowQuda(outs, ins, &good, &smear, nullptr, 1); }, bad, {function, "obs_param"}},
      {"no fields", flow(outs, ins, 0, as_it_is), bad, {function, "nSpinors = 0"}},
      {"null list", flow(nullptr, ins, 1, as_it_is), bad, {function, "h_out = null"}},
      {"null list", flow(outs, nullptr, 1, as_it_is), bad, {function, "h_in = null"}},
      {"null field", flow(outs, gap, 2, as_it_is), bad, {function, "h_in[1] = null"}},
      {"kind",
       flow(outs, ins, 1, [](auto &p, auto &) { p.smear_type = QUDA_GAUGE_SMEAR_APE; }),
       bad,
       {function, "APE"}},
      {"step", flow(outs, ins, 1, [](auto &p, auto &) { p.epsilon = NAN; }), bad, {function, "epsilon = nan"}},
      {"restart",
       flow(outs, ins, 1, [](auto &p, auto &) { p.restart = QUDA_BOOLEAN_TRUE; }),
       bad,
       {function, "restart"}},
      {"precision",
       flow(outs, ins, 1, [](auto &, auto &q) { q.cuda_prec = QUDA_INVALID_PRECISION; }),
       bad,
       {function, "cuda_prec"}},
      {"half",
       flow(outs, ins, 1, [](auto &, auto &q) { q.cuda_prec = QUDA_HALF_PRECISION; }),
       unsupported,
       {function, "QUDA_HALF_PRECISION"}},
  });
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
      {"null links", relax(nullptr, 4, 1, 1.5, 0, 1, as_it_is), bad, {relaxation, "gauge = null"}},
      {"directions", relax(u, 2, 1, 1.5, 0, 1, as_it_is), bad, {relaxation, "gauge_dir = 2"}},
      {"interval", relax(u, 4, 0, 1.5, 0, 1, as_it_is), bad, {relaxation, "verbose_interval = 0"}},
      {"boost", relax(u, 4, 1, 2.5, 0, 1, as_it_is), bad, {relaxation, "relax_boost = 2.5"}},
      {"tolerance", relax(u, 4, 1, 1.5, NAN, 1, as_it_is), bad, {relaxation, "tolerance = nan"}},
      {"interval", relax(u, 4, 1, 1.5, 0, 0, as_it_is), bad, {relaxation, "reunit_interval = 0"}},
      {"type", relax(u, 4, 1, 1.5, 0, 1, [](auto &p) { p.type = QUDA_SMEARED_LINKS; }), bad, {relaxation, "SMEARED"}},
      {"phases",
       relax(u, 4, 1, 1.5, 0, 1, [](auto &p) { p.staggered_phase_applied = 1; }),
       unsupported,
       {relaxation, "staggered_phase_applied"}},
      {"half",
       relax(u, 4, 1, 1.5, 0, 1, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_8; }),
       unsupported,
       {relaxation, "RECONSTRUCT_8"}},
      {"null links", descend(nullptr, 4, 0.08), bad, {descent, "gauge = null"}},
      {"directions", descend(u, 5, 0.08), bad, {descent, "gauge_dir = 5"}},
      {"step", descend(u, 4, 0), bad, {descent, "alpha = 0"}},
      {"null rotation",
       [&, param = good_gauge()]() mutable { gaugeFixingOVRRotationQuda(u, nullptr, 4, 2, 1, 1.5, 0, 1, &param); },
       bad,
       {"gaugeFixingOVRRotationQuda", "rotation = null"}},
      {"null structure",
       [&] { gaugeFixingFFTRotationQuda(u, rotation.data(), 4, 2, 1, 0.08, 1, 0, 1, nullptr); },
       bad,
       {"gaugeFixingFFTRotationQuda", "null"}},
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
      {"null weights", call(nullptr, u, [](auto &) {}), bad, {"computeKSLinkQuda", "path_coeff = null"}},
      {"weight", call(&not_numbers, u, [](auto &) {}), bad, {"path_coeff[3] = nan"}},
      {"null links", call(&good, nullptr, [](auto &) {}), bad, {"computeKSLinkQuda", "inlink = null"}},
      {"null array", call(&good, no_arrays, [](auto &) {}), bad, {"inlink[0] = null"}},
      {"half", of([](auto &p) { p.cuda_prec = QUDA_HALF_PRECISION; }), unsupported, {"QudaGaugeParam.cuda_prec = "}},
      {"extent", of([](auto &p) { p.X[2] = 3; }), bad, {"computeKSLinkQuda", "X[2] = 3"}},
      {"order", of([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; }), unsupported, {"gauge_order"}},
      {"phases", of([](auto &p) { p.staggered_phase_applied = 2; }), bad, {"staggered_phase_applied = 2"}},
      {"null output array",
       [&] {
         QudaGaugeParam param = good_gauge();
         computeKSLinkQuda(nullptr, no_arrays, nullptr, u, const_cast<double *>(good.data()), &param);
       },
       bad,
       {"computeKSLinkQuda", "longlink[0] = null"}},
      {"null structure",
       [&] { computeKSLinkQuda(u, nullptr, nullptr, u, const_cast<double *>(good.data()), nullptr); },
       bad,
       {"computeKSLinkQuda", "null"}},
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
      {"null x", call(nullptr, in.data(), contracted.data(), open, X), bad, {"contractQuda", "x = null"}},
      {"null y", call(in.data(), nullptr, contracted.data(), open, X), bad, {"contractQuda", "y = null"}},
      {"null result", call(in.data(), in.data(), nullptr, open, X), bad, {"contractQuda", "result = null"}},
      {"null extents", call(in.data(), in.data(), contracted.data(), open, nullptr), bad, {"contractQuda", "X = null"}},
      {"no such type", call(in.data(), in.data(), contracted.data(), 17, X), bad, {"cType = 17"}},
      {"odd extent", call(in.data(), in.data(), contracted.data(), open, odd), bad, {"X[1] = 3"}},
      {"precision", contraction([](auto &p) { p.cpu_prec = QUDA_HALF_PRECISION; }), bad, {"cpu_prec = 2"}},
      {"size", contraction([](auto &p) { p.struct_size = 8; }), bad, {"contractQuda", "struct_size"}},
  });
}

} // namespace test
