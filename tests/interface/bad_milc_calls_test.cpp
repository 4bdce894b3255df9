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
      fault("convention", {"staggeredPhaseQuda", "staggered_phase_type = 0", "QUDA_STAGGERED_PHASE_MILC"},
            phases([](auto &p) { p.staggered_phase_type = QUDA_STAGGERED_PHASE_NO; })),
      fault("no such convention", {"staggered_phase_type = 7"},
            phases([](auto &p) { p.staggered_phase_type = static_cast<QudaStaggeredPhase>(7); })),
      fault("two rows", {"reconstruct = 12"}, phases([](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_12; })),
      fault("chemical potential", {"staggeredPhaseQuda", "i_mu = nan"}, phases([](auto &p) { p.i_mu = NAN; })),
      fault("null structure", {"staggeredPhaseQuda", "null"}, [&] { staggeredPhaseQuda(links.pointer(), nullptr); }),
      fault("none to remove", {"remove_staggered_phase", "carry no"}, [&] { gaugeObservablesQuda(&remove); }),
  });
}

TEST_F(BadCalls, HeldFields)
{
  QudaGaugeParam good = good_gauge();
  int not_a_handle = 0;
  expect_refused({
      fault("matrices a site", {"createGaugeFieldQuda", "geometry = 3", "1, 4"},
            [&] { createGaugeFieldQuda(links.pointer(), 3, &good); }),
      fault("no handle", {"saveGaugeFieldQuda", "inGauge"},
            [&] { saveGaugeFieldQuda(links.pointer(), &not_a_handle, &good); }),
      fault("no handle", {"destroyGaugeFieldQuda", "gauge"}, [&] { destroyGaugeFieldQuda(&not_a_handle); }),
      fault("no handle", {"copyExtendedResidentGaugeQuda", "resident_gauge"},
            [&] { copyExtendedResidentGaugeQuda(&not_a_handle); }),
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
  QudaMILCSiteArg_t outside = site_of([&](auto &a) {
    a.site = a.link;
    a.size = 896;
    a.link_offset = 328;
    a.mom_offset = 640;
  });
  QudaInvertArgs_t args {};
  const double good_weights[6] = {1, 1, 1, 1, 1, 1}, bad_weights[6] = {1, 1, 1, 1, 1, INFINITY};
  expect_refused({
      fault("before a layout", {"qudaMomAction", "qudaInit()"}, [&] { qudaMomAction(2, &good); }),
  });
  qudaSetLayout({lattice.X.data(), one, -1});
  expect_refused({
      fault("precision", {"qudaMomAction", "precision = 3"}, [&] { qudaMomAction(3, &good); }),
      fault("null argument", {"qudaMomLoad", "arg = null"}, [&] { qudaMomLoad(2, nullptr); }),
      fault("no momenta", {"qudaMomAction", "arg->mom"}, [&] { qudaMomAction(2, &none); }),
      fault("none resident", {"qudaMomSave", "arg = null"}, [&] { qudaMomSave(1, nullptr); }),
      fault("beyond the site", {"qudaMomLoad", "arg->mom_offset = 640", "= 576"}, [&] { qudaMomLoad(2, &outside); }),
      fault("no links", {"qudaPlaquettePhased", "arg->link"}, [&] { qudaPlaquettePhased(2, plaq, &none, 0); }),
      fault("narrow site", {"arg->size = 500", "576"}, [&] { qudaPlaquettePhased(2, plaq, &narrow, 0); }),
      fault("beyond the site", {"arg->link_offset = 328", "= 320"}, [&] { qudaPlaquettePhased(2, plaq, &outside, 1); }),
      fault("null result", {"plaq = null"}, [&] { qudaPlaquettePhased(2, nullptr, &good, 0); }),
      fault("phases", {"phase_in = 2"}, [&] { qudaPlaquettePhased(2, plaq, &good, 2); }),
      fault("direction", {"qudaPolyakovLoopPhased", "dir = 1"}, [&] { qudaPolyakovLoopPhased(2, plaq, 1, &good, 0); }),
      fault("step of a loop", {"qudaGaugeLoopTracePhased", "input_path_buf[0][0] = 9"},
            [&] { qudaGaugeLoopTracePhased(2, trace, &loop, &length, weights, 1, 1, 1, &good, 0); }),
      fault("factor", {"qudaGaugeMeasurementsPhased", "factor = inf"},
            [&] {
              qudaGaugeMeasurementsPhased(2, plaq, plaq, 3, trace, &loop, &length, weights, 1, 1, INFINITY, &good, 0);
            }),
      fault("loop types", {"qudaGaugeForce", "num_loop_types = 4"}, [&] { qudaGaugeForce(2, 4, weights, 1, &good); }),
      fault("null weights", {"milc_loop_coeff = null"}, [&] { qudaGaugeForcePhased(2, 1, nullptr, 1, &good, 1); }),
      fault("weight", {"milc_loop_coeff[1] = nan"}, [&] { qudaGaugeForcePhased(2, 2, not_numbers, 1, &good, 1); }),
      fault("step", {"qudaUpdateU", "eps = nan"}, [&] { qudaUpdateU(2, NAN, &good); }),
      fault("no links", {"qudaUpdateUPhased", "arg->link"}, [&] { qudaUpdateUPhased(2, 0.1, &none, 0); }),
      fault("pipeline", {"qudaUpdateUPhasedPipeline", "want_gaugepipe = 5"},
            [&] { qudaUpdateUPhasedPipeline(2, 0.1, &good, 0, 5); }),
      fault("tolerance", {"qudaUnitarizeSU3", "tol = 0"}, [&] { qudaUnitarizeSU3(2, 0, &good); }),
      fault("links of zeros", {"qudaUnitarizeSU3Phased", "cannot be projected"},
            [&] { qudaUnitarizeSU3Phased(2, 1e-14, &good, 1); }),
      fault("no links", {"qudaGaugeFixingOVR", "link"}, [&] { qudaGaugeFixingOVR(2, 4, 1, 1, 1.5, 0, 1, 1, &none); }),
      fault("steps", {"Nsteps = -1"}, [&] { qudaGaugeFixingOVR(2, 4, -1, 1, 1.5, 0, 1, 1, &good); }),
      fault("directions", {"gauge_dir = 5"}, [&] { qudaGaugeFixingOVR(2, 5, 1, 1, 1.5, 0, 1, 1, &good); }),
      fault("null links", {"milc_sitelink = null"}, [&] { qudaGaugeFixingFFT(2, 4, 1, 1, 0.1, 0, 0, 1, nullptr); }),
      fault("step", {"qudaGaugeFixingFFT", "alpha = nan"},
            [&] { qudaGaugeFixingFFT(2, 4, 1, 1, NAN, 0, 0, 1, mom.all().data()); }),
      fault("flag", {"qudaRephase", "flag = 2"}, [&] { qudaRephase(2, links.pointer(), 2, 0); }),
      fault("null links", {"qudaRephase", "gauge = null"}, [&] { qudaRephase(2, nullptr, 1, 0); }),
      fault("null weights", {"qudaLoadKSLink", "path_coeff = null"},
            [&] { qudaLoadKSLink(2, {}, nullptr, links.pointer(), plaq, nullptr); }),
      fault("weight", {"qudaLoadKSLink", "path_coeff[5] = inf"},
            [&] { qudaLoadKSLink(2, {}, bad_weights, links.pointer(), plaq, nullptr); }),
      fault("precision", {"qudaLoadUnitarizedLink", "precision = 4"},
            [&] { qudaLoadUnitarizedLink(4, {}, good_weights, links.pointer(), nullptr, plaq); }),
      fault("null links", {"qudaLoadUnitarizedLink", "inlink = null"},
            [&] { qudaLoadUnitarizedLink(2, {}, good_weights, nullptr, nullptr, plaq); }),
      fault("flag", {"qudaHisqParamsInit", "reunit_svd_only = 3"},
            [&] {
              qudaHisqParamsInit({1, 3, 0, 0, 0});
            }),
      fault("filter", {"qudaHisqParamsInit", "force_filter = nan"},
            [&] {
              qudaHisqParamsInit({1, 0, 0, 0, NAN});
            }),
      fault("null links", {"qudaLoadGaugeField", "milc_link = null"}, [&] { qudaLoadGaugeField(2, 2, args, nullptr); }),
      fault("precision", {"quda_precision = 3"}, [&] { qudaLoadGaugeField(2, 3, args, &good); }),
      fault("matrices a site", {"qudaCreateGaugeField", "geometry = 2"}, [&] { qudaCreateGaugeField(nullptr, 2, 2); }),
      fault("matrices a site", {"qudaCreateExtendedGaugeField", "geometry = 0"},
            [&] { qudaCreateExtendedGaugeField(nullptr, 0, 2); }),
      fault("matrices a site", {"qudaResidentExtendedGaugeField", "geometry = 1"},
            [&] { qudaResidentExtendedGaugeField(nullptr, 1, 2); }),
      fault("no handle", {"qudaSaveGaugeField", "inGauge"}, [&] { qudaSaveGaugeField(plaq, plaq); }),
      fault("no handle", {"qudaDestroyGaugeField", "gauge"}, [&] { qudaDestroyGaugeField(plaq); }),
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
      fault("before a layout", {"qudaCloverInvert", "qudaInit()"}, solve(2, 0.1, good, 1e-8, psi)),
  });
  qudaSetLayout({lattice.X.data(), one, -1});
  expect_refused({
      fault("precision", {"qudaLoadCloverField", "external_precision = 3"}, load(3, good, 0, 0.1)),
      fault("sloppy precision", {"qudaLoadCloverField", "mixed_precision = 3"}, load(2, half, 0, 0.1)),
      fault("nowhere to write", {"qudaLoadCloverField", "trlog = null"}, load(2, good, 1, 0.1)),
      fault("coefficient", {"qudaLoadCloverField", "clover_coeff = nan"}, load(2, good, 0, NAN)),
      fault("no coefficient", {"clover_coeff = 0", "qudaLoadCloverField"}, load(2, good, 0, 0)),
      fault("precision", {"qudaCloverInvert", "quda_precision = 0"}, solve(0, 0.1, good, 1e-8, psi)),
      fault("hopping", {"qudaCloverInvert", "kappa = nan"}, solve(2, NAN, good, 1e-8, psi)),
      fault("iterations", {"qudaCloverInvert", "max_iter = -1"}, solve(2, 0.1, forever, 1e-8, psi)),
      fault("no target", {"qudaCloverInvert", "target_fermilab_residual = 0; allowed: one of them above 0"},
            solve(2, 0.1, good, 0, psi)),
      fault("target", {"qudaCloverInvert", "target_residual = -1"}, solve(2, 0.1, good, -1, psi)),
      fault("null source", {"qudaCloverInvert", "source = null"}, solve(2, 0.1, good, 1e-8, nullptr)),
      fault("no term", {"loadCloverQuda"}, solve(2, 0.1, good, 1e-8, psi)),
      fault("not the first", {"qudaEigCGCloverInvert", "rhs_idx = 3", "allowed: 0"}, in_sequence(3, 0, [](auto &) {})),
      fault("before the first", {"rhs_idx = -1"}, in_sequence(-1, 0, [](auto &) {})),
      fault("the last", {"last_rhs_flag = 2"}, in_sequence(0, 2, [](auto &) {})),
      fault("vectors in half precision", {"eig_args.prec_ritz", "QUDA_HALF_PRECISION"},
            in_sequence(0, 0, [](auto &a) { a.prec_ritz = QUDA_HALF_PRECISION; })),
      fault("no vectors", {"eig_args.nev = 0"}, in_sequence(0, 0, [](auto &a) { a.nev = 0; })),
      fault("a narrow window", {"eig_args.max_search_dim = 16", "17"},
            in_sequence(0, 0, [](auto &a) { a.max_search_dim = 16; })),
      fault("no sources", {"eig_args.deflation_grid = 0"}, in_sequence(0, 0, [](auto &a) { a.deflation_grid = 0; })),
      fault("restarts", {"eig_args.max_restart_num = -1"}, in_sequence(0, 0, [](auto &a) { a.max_restart_num = -1; })),
      fault("all the time", {"eig_args.tol_restart = 1"}, in_sequence(0, 0, [](auto &a) { a.tol_restart = 1; })),
      fault("not a number", {"eig_args.inc_tol = nan"}, in_sequence(0, 0, [](auto &a) { a.inc_tol = NAN; })),
      fault("no good", {"eig_args.eigenval_tol = -1"}, in_sequence(0, 0, [](auto &a) { a.eigenval_tol = -1; })),
      beyond("a file", {"eig_args.vec_infile", name}, in_sequence(0, 0, [&](auto &a) { a.vec_infile = name; })),
      fault("no term", {"loadCloverQuda"}, in_sequence(0, 0, [](auto &) {})),
      fault("no shifts", {"qudaCloverMultishiftInvert", "num_offsets = 0"}, shifts(0, offset, targets, good, x)),
      fault("shifts", {"qudaCloverMultishiftInvert", "num_offsets = 33"}, shifts(33, offset, targets, good, x)),
      fault("shift", {"qudaCloverMultishiftInvert", "offset = -0.2"}, shifts(2, negative, targets, good, x)),
      fault("target", {"qudaCloverMultishiftInvert", "target_residual[1] = 0"}, shifts(2, offset, none, good, x)),
      fault("null solutions", {"solutionArray = null"}, shifts(2, offset, targets, good, nullptr)),
      fault("flag", {"make_resident_solution = 2"}, shifts(2, offset, targets, kept, x)),
  });
}

} // namespace test
