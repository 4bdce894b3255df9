/// Bad calls of MILC's gauge part, of staggered phases and of fields held by a handle.

#include "bad_calls.h"

#include "quda_milc_interface.h"

#include <cmath>

namespace test
{

TEST_F(BadCalls, StaggeredPhases)
{
  const auto phases = [&](const OfGauge &spoil) {
    return [this, spoil] {
      QudaGaugeParam param = good_gauge();
      param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
      spoil(param);
      staggeredPhaseQuda(links.pointer(), &param);
    };
  };
  QudaGaugeObservableParam remove = newQudaGaugeObservableParam();
  remove.remove_staggered_phase = QUDA_BOOLEAN_TRUE;
  expect_refused({
      {"convention",
       phases([](auto &p) { p.staggered_phase_type = QUDA_STAGGERED_PHASE_NO; }),
       bad,
       {"staggeredPhaseQuda", "staggered_phase_type = 0", "QUDA_STAGGERED_PHASE_MILC"}},
      {"no such convention",
       phases([](auto &p) { p.staggered_phase_type = static_cast<QudaStaggeredPhase>(7); }),
       bad,
       {"staggered_phase_type = 7"}},
      {"two rows", phases([](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_12; }), bad, {"reconstruct = 12"}},
      {"chemical potential", phases([](auto &p) { p.i_mu = NAN; }), bad, {"staggeredPhaseQuda", "i_mu = nan"}},
      {"null structure", [&] { staggeredPhaseQuda(links.pointer(), nullptr); }, bad, {"staggeredPhaseQuda", "null"}},
      {"none to remove", [&] { gaugeObservablesQuda(&remove); }, bad, {"remove_staggered_phase", "carry no"}},
  });
}

TEST_F(BadCalls, HeldFields)
{
  QudaGaugeParam good = good_gauge();
  int not_a_handle = 0;
  expect_refused({
      {"matrices a site",
       [&] { createGaugeFieldQuda(links.pointer(), 3, &good); },
       bad,
       {"createGaugeFieldQuda", "geometry = 3", "1, 4"}},
      {"no handle",
       [&] { saveGaugeFieldQuda(links.pointer(), &not_a_handle, &good); },
       bad,
       {"saveGaugeFieldQuda", "inGauge"}},
      {"no handle", [&] { destroyGaugeFieldQuda(&not_a_handle); }, bad, {"destroyGaugeFieldQuda", "gauge"}},
      {"no handle",
       [&] { copyExtendedResidentGaugeQuda(&not_a_handle); },
       bad,
       {"copyExtendedResidentGaugeQuda", "resident_gauge"}},
  });
}

TEST_F(BadCalls, Milc)
{
  const int one[4] = {1, 1, 1, 1};
  double plaq[3], weights[3] = {1, 0, 0}, trace[2], not_numbers[3] = {1, NAN, 0};
  int step = 9, *loop = &step, length = 1;
  const std::vector<double> array(72 * lattice.volume());
  const auto site_of = [&](auto &&spoil) {
    QudaMILCSiteArg_t arg {};
    arg.link = const_cast<double *>(array.data());
    arg.mom = mom.all().data();
    spoil(arg);
    return arg;
  };
  QudaMILCSiteArg_t good = site_of([](auto &) {});
  QudaMILCSiteArg_t none = site_of([](auto &a) { a.link = a.mom = nullptr; });
  QudaMILCSiteArg_t narrow = site_of([&](auto &a) {
    a.site = a.link;
    a.size = 500;
  });
  QudaMILCSiteArg_t beyond = site_of([&](auto &a) {
    a.site = a.link;
    a.size = 896;
    a.link_offset = 328;
    a.mom_offset = 640;
  });
  QudaInvertArgs_t args {};
  const double good_weights[6] = {1, 1, 1, 1, 1, 1}, bad_weights[6] = {1, 1, 1, 1, 1, INFINITY};
  expect_refused({
      {"before a layout", [&] { qudaMomAction(2, &good); }, bad, {"qudaMomAction", "qudaInit()"}},
  });
  qudaSetLayout({lattice.X.data(), one, -1});
  expect_refused({
      {"precision", [&] { qudaMomAction(3, &good); }, bad, {"qudaMomAction", "precision = 3"}},
      {"null argument", [&] { qudaMomLoad(2, nullptr); }, bad, {"qudaMomLoad", "arg = null"}},
      {"no momenta", [&] { qudaMomAction(2, &none); }, bad, {"qudaMomAction", "arg->mom"}},
      {"none resident", [&] { qudaMomSave(1, nullptr); }, bad, {"qudaMomSave", "arg = null"}},
      {"beyond the site", [&] { qudaMomLoad(2, &beyond); }, bad, {"qudaMomLoad", "arg->mom_offset = 640", "= 576"}},
      {"no links", [&] { qudaPlaquettePhased(2, plaq, &none, 0); }, bad, {"qudaPlaquettePhased", "arg->link"}},
      {"narrow site", [&] { qudaPlaquettePhased(2, plaq, &narrow, 0); }, bad, {"arg->size = 500", "576"}},
      {"beyond the site", [&] { qudaPlaquettePhased(2, plaq, &beyond, 1); }, bad, {"arg->link_offset = 328", "= 320"}},
      {"null result", [&] { qudaPlaquettePhased(2, nullptr, &good, 0); }, bad, {"plaq = null"}},
      {"phases", [&] { qudaPlaquettePhased(2, plaq, &good, 2); }, bad, {"phase_in = 2"}},
      {"direction", [&] { qudaPolyakovLoopPhased(2, plaq, 1, &good, 0); }, bad, {"qudaPolyakovLoopPhased", "dir = 1"}},
      {"step of a loop",
       [&] { qudaGaugeLoopTracePhased(2, trace, &loop, &length, weights, 1, 1, 1, &good, 0); },
       bad,
       {"qudaGaugeLoopTracePhased", "input_path_buf[0][0] = 9"}},
      {"factor",
       [&] { qudaGaugeMeasurementsPhased(2, plaq, plaq, 3, trace, &loop, &length, weights, 1, 1, INFINITY, &good, 0); },
       bad,
       {"qudaGaugeMeasurementsPhased", "factor = inf"}},
      {"loop types", [&] { qudaGaugeForce(2, 4, weights, 1, &good); }, bad, {"qudaGaugeForce", "num_loop_types = 4"}},
      {"null weights", [&] { qudaGaugeForcePhased(2, 1, nullptr, 1, &good, 1); }, bad, {"milc_loop_coeff = null"}},
      {"weight", [&] { qudaGaugeForcePhased(2, 2, not_numbers, 1, &good, 1); }, bad, {"milc_loop_coeff[1] = nan"}},
      {"step", [&] { qudaUpdateU(2, NAN, &good); }, bad, {"qudaUpdateU", "eps = nan"}},
      {"no links", [&] { qudaUpdateUPhased(2, 0.1, &none, 0); }, bad, {"qudaUpdateUPhased", "arg->link"}},
      {"pipeline",
       [&] { qudaUpdateUPhasedPipeline(2, 0.1, &good, 0, 5); },
       bad,
       {"qudaUpdateUPhasedPipeline", "want_gaugepipe = 5"}},
      {"tolerance", [&] { qudaUnitarizeSU3(2, 0, &good); }, bad, {"qudaUnitarizeSU3", "tol = 0"}},
      {"links of zeros",
       [&] { qudaUnitarizeSU3Phased(2, 1e-14, &good, 1); },
       bad,
       {"qudaUnitarizeSU3Phased", "cannot be projected"}},
      {"no links", [&] { qudaGaugeFixingOVR(2, 4, 1, 1, 1.5, 0, 1, 1, &none); }, bad, {"qudaGaugeFixingOVR", "link"}},
      {"steps", [&] { qudaGaugeFixingOVR(2, 4, -1, 1, 1.5, 0, 1, 1, &good); }, bad, {"Nsteps = -1"}},
      {"directions", [&] { qudaGaugeFixingOVR(2, 5, 1, 1, 1.5, 0, 1, 1, &good); }, bad, {"gauge_dir = 5"}},
      {"null links", [&] { qudaGaugeFixingFFT(2, 4, 1, 1, 0.1, 0, 0, 1, nullptr); }, bad, {"milc_sitelink = null"}},
      {"step",
       [&] { qudaGaugeFixingFFT(2, 4, 1, 1, NAN, 0, 0, 1, mom.all().data()); },
       bad,
       {"qudaGaugeFixingFFT", "alpha = nan"}},
      {"flag", [&] { qudaRephase(2, links.pointer(), 2, 0); }, bad, {"qudaRephase", "flag = 2"}},
      {"null links", [&] { qudaRephase(2, nullptr, 1, 0); }, bad, {"qudaRephase", "gauge = null"}},
      {"null weights",
       [&] { qudaLoadKSLink(2, {}, nullptr, links.pointer(), plaq, nullptr); },
       bad,
       {"qudaLoadKSLink", "path_coeff = null"}},
      {"weight",
       [&] { qudaLoadKSLink(2, {}, bad_weights, links.pointer(), plaq, nullptr); },
       bad,
       {"qudaLoadKSLink", "path_coeff[5] = inf"}},
      {"precision",
       [&] { qudaLoadUnitarizedLink(4, {}, good_weights, links.pointer(), nullptr, plaq); },
       bad,
       {"qudaLoadUnitarizedLink", "precision = 4"}},
      {"null links",
       [&] { qudaLoadUnitarizedLink(2, {}, good_weights, nullptr, nullptr, plaq); },
       bad,
       {"qudaLoadUnitarizedLink", "inlink = null"}},
      {"flag",
       [&] {
         qudaHisqParamsInit({1, 3, 0, 0, 0});
       },
       bad,
       {"qudaHisqParamsInit", "reunit_svd_only = 3"}},
      {"filter",
       [&] {
         qudaHisqParamsInit({1, 0, 0, 0, NAN});
       },
       bad,
       {"qudaHisqParamsInit", "force_filter = nan"}},
      {"null links", [&] { qudaLoadGaugeField(2, 2, args, nullptr); }, bad, {"qudaLoadGaugeField", "milc_link = null"}},
      {"precision", [&] { qudaLoadGaugeField(2, 3, args, &good); }, bad, {"quda_precision = 3"}},
      {"matrices a site", [&] { qudaCreateGaugeField(nullptr, 2, 2); }, bad, {"qudaCreateGaugeField", "geometry = 2"}},
      {"matrices a site",
       [&] { qudaCreateExtendedGaugeField(nullptr, 0, 2); },
       bad,
       {"qudaCreateExtendedGaugeField", "geometry = 0"}},
      {"matrices a site",
       [&] { qudaResidentExtendedGaugeField(nullptr, 1, 2); },
       bad,
       {"qudaResidentExtendedGaugeField", "geometry = 1"}},
      {"no handle", [&] { qudaSaveGaugeField(plaq, plaq); }, bad, {"qudaSaveGaugeField", "inGauge"}},
      {"no handle", [&] { qudaDestroyGaugeField(plaq); }, bad, {"qudaDestroyGaugeField", "gauge"}},
  });
}

TEST_F(BadCalls, MilcClover)
{
  const int one[4] = {1, 1, 1, 1};
  QudaInvertArgs_t good {}, half = good, forever = good, kept = good;
  good.max_iter = half.max_iter = kept.max_iter = 10;
  half.mixed_precision = 3;
  forever.max_iter = -1;
  kept.make_resident_solution = 2;
  void *const psi = in.data(), *x[2] = {out.data(), out.data()};
  double residual[2], fermilab, offset[2] = {0.1, 0.2}, negative[2] = {0.1, -0.2}, targets[2] = {1e-8, 1e-8},
                                none[2] = {1e-8, 0};
  int n = 0;
  const auto load = [&](int precision, const QudaInvertArgs_t &args, int trlog, double coefficient) {
    return [=] {
      qudaLoadCloverField(precision, 2, args, nullptr, nullptr, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, coefficient,
                          trlog, nullptr);
    };
  };
  const auto solve = [&, psi](int inner, double k, const QudaInvertArgs_t &args, double target, void *source) {
    return [&, inner, k, args, target, source] {
      qudaCloverInvert(2, inner, k, 0.1, args, target, 0, nullptr, nullptr, nullptr, source, out.data(), residual,
                       &fermilab, &n);
    };
  };
  const auto in_sequence = [&, psi](int number, int last, const std::function<void(QudaEigArgs_t &)> &spoil) {
    return [&, psi, number, last, spoil] {
      QudaEigArgs_t args {};
      args.prec_ritz = QUDA_SINGLE_PRECISION;
      args.nev = 8;
      args.max_search_dim = 64;
      args.deflation_grid = 2;
      spoil(args);
      qudaEigCGCloverInvert(2, 2, 0.1, 0.1, good, 1e-8, 0, nullptr, nullptr, nullptr, psi, out.data(), args, number,
                            last, residual, &fermilab, &n);
    };
  };
  char name[] = "vectors";
  const auto shifts = [&](int number, double *at, const double *target, const QudaInvertArgs_t &args, void **to) {
    return [&, number, at, target, args, to] {
      qudaCloverMultishiftInvert(2, 2, number, at, 0.1, 0.1, args, target, psi, to, residual, &n);
    };
  };
  expect_refused({
      {"before a layout", solve(2, 0.1, good, 1e-8, psi), bad, {"qudaCloverInvert", "qudaInit()"}},
  });
  qudaSetLayout({lattice.X.data(), one, -1});
  expect_refused({
      {"precision", load(3, good, 0, 0.1), bad, {"qudaLoadCloverField", "external_precision = 3"}},
      {"sloppy precision", load(2, half, 0, 0.1), bad, {"qudaLoadCloverField", "mixed_precision = 3"}},
      {"nowhere to write", load(2, good, 1, 0.1), bad, {"qudaLoadCloverField", "trlog = null"}},
      {"coefficient", load(2, good, 0, NAN), bad, {"qudaLoadCloverField", "clover_coeff = nan"}},
      {"no coefficient", load(2, good, 0, 0), bad, {"clover_coeff = 0", "qudaLoadCloverField"}},
      {"precision", solve(0, 0.1, good, 1e-8, psi), bad, {"qudaCloverInvert", "quda_precision = 0"}},
      {"hopping", solve(2, NAN, good, 1e-8, psi), bad, {"qudaCloverInvert", "kappa = nan"}},
      {"iterations", solve(2, 0.1, forever, 1e-8, psi), bad, {"qudaCloverInvert", "max_iter = -1"}},
      {"no target", solve(2, 0.1, good, 0, psi), bad, {"qudaCloverInvert", "target_fermilab_residual = 0"}},
      {"target", solve(2, 0.1, good, -1, psi), bad, {"qudaCloverInvert", "target_residual = -1"}},
      {"null source", solve(2, 0.1, good, 1e-8, nullptr), bad, {"qudaCloverInvert", "source = null"}},
      {"no term", solve(2, 0.1, good, 1e-8, psi), bad, {"loadCloverQuda"}},
      {"not the first", in_sequence(3, 0, [](auto &) {}), bad, {"qudaEigCGCloverInvert", "rhs_idx = 3", "allowed: 0"}},
      {"before the first", in_sequence(-1, 0, [](auto &) {}), bad, {"rhs_idx = -1"}},
      {"the last", in_sequence(0, 2, [](auto &) {}), bad, {"last_rhs_flag = 2"}},
      {"vectors in half precision",
       in_sequence(0, 0, [](auto &a) { a.prec_ritz = QUDA_HALF_PRECISION; }),
       bad,
       {"eig_args.prec_ritz", "QUDA_HALF_PRECISION"}},
      {"no vectors", in_sequence(0, 0, [](auto &a) { a.nev = 0; }), bad, {"eig_args.nev = 0"}},
      {"a narrow window",
       in_sequence(0, 0, [](auto &a) { a.max_search_dim = 16; }),
       bad,
       {"eig_args.max_search_dim = 16", "17"}},
      {"no sources", in_sequence(0, 0, [](auto &a) { a.deflation_grid = 0; }), bad, {"eig_args.deflation_grid = 0"}},
      {"restarts", in_sequence(0, 0, [](auto &a) { a.max_restart_num = -1; }), bad, {"eig_args.max_restart_num = -1"}},
      {"all the time", in_sequence(0, 0, [](auto &a) { a.tol_restart = 1; }), bad, {"eig_args.tol_restart = 1"}},
      {"not a number", in_sequence(0, 0, [](auto &a) { a.inc_tol = NAN; }), bad, {"eig_args.inc_tol = nan"}},
      {"no good", in_sequence(0, 0, [](auto &a) { a.eigenval_tol = -1; }), bad, {"eig_args.eigenval_tol = -1"}},
      {"a file", in_sequence(0, 0, [&](auto &a) { a.vec_infile = name; }), unsupported, {"eig_args.vec_infile", name}},
      {"no term", in_sequence(0, 0, [](auto &) {}), bad, {"loadCloverQuda"}},
      {"no shifts", shifts(0, offset, targets, good, x), bad, {"qudaCloverMultishiftInvert", "num_offsets = 0"}},
      {"shifts", shifts(33, offset, targets, good, x), bad, {"qudaCloverMultishiftInvert", "num_offsets = 33"}},
      {"shift", shifts(2, negative, targets, good, x), bad, {"qudaCloverMultishiftInvert", "offset = -0.2"}},
      {"target", shifts(2, offset, none, good, x), bad, {"qudaCloverMultishiftInvert", "target_residual[1] = 0"}},
      {"null solutions", shifts(2, offset, targets, good, nullptr), bad, {"solutionArray = null"}},
      {"flag", shifts(2, offset, targets, kept, x), bad, {"make_resident_solution = 2"}},
  });
}

} // namespace test
