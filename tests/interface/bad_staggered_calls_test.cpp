/// Calls of staggered operators that are wrong in one thing.

#include "bad_calls.h"

#include "quda_milc_interface.h"

#include <cmath>

namespace test
{

TEST_F(BadCalls, Staggered)
{
  using P = QudaInvertParam;
  using Spoil = std::function<void(P &)>;
  const auto param_of = [](QudaDslashType type, const Spoil &spoil) {
    P param = wilson_param();
    param.dslash_type = type;
    param.mass = 0.1;
    param.mass_normalization = QUDA_MASS_NORMALIZATION;
    param.inv_type = QUDA_CG_INVERTER;
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    param.tol = 1e-6;
    param.maxiter = 100;
    param.reliable_delta = 0.1;
    spoil(param);
    return param;
  };
  constexpr auto naive = QUDA_STAGGERED_DSLASH, improved = QUDA_ASQTAD_DSLASH;
  const auto one_hop = [&](QudaDslashType type, const Spoil &spoil) {
    return [this, param = param_of(type, spoil)]() mutable {
      dslashQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY);
    };
  };
  const auto one_matrix = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable { MatQuda(out.data(), in.data(), &param); };
  };
  const auto square = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable { MatDagMatQuda(out.data(), in.data(), &param); };
  };
  const auto solve = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable { invertQuda(out.data(), in.data(), &param); };
  };
  const auto shifts = [&](const Spoil &spoil) {
    const auto good = [spoil](P &p) {
      p.solution_type = QUDA_MATPC_SOLUTION;
      p.num_offset = 2;
      for (int k = 0; k < 2; k++) p.offset[k] = p.tol_offset[k] = 1e-3 * (k + 1);
      spoil(p);
    };
    return [this, param = param_of(naive, good)]() mutable {
      void *x[] = {out.data(), out.data()};
      invertMultiShiftQuda(x, in.data(), &param);
    };
  };
  const auto sources = [&](const Spoil &spoil) {
    return [this, param = param_of(naive, spoil)]() mutable {
      void *x[] = {out.data(), out.data()}, *b[] = {in.data(), in.data()};
      invertMultiSrcQuda(x, b, &param);
    };
  };
  const auto load_of = [&](QudaLinkType type, const OfGauge &spoil) {
    return load([type, spoil](QudaGaugeParam &p) {
      p.type = type;
      p.scale = 1;
      spoil(p);
    });
  };
  const double unset = newQudaInvertParam().mass;
  expect_refused({
      {"no fat links", one_hop(improved, [](auto &) {}), bad, {"dslashQuda", "QUDA_ASQTAD_FAT_LINKS are resident"}},
      {"fat links of 13 numbers",
       load_of(QUDA_ASQTAD_FAT_LINKS, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_13; }),
       unsupported,
       {"loadGaugeQuda", "QudaGaugeParam.reconstruct", "QUDA_RECONSTRUCT_13"}},
      {"long links of 12 numbers",
       load_of(QUDA_ASQTAD_LONG_LINKS, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_12; }),
       bad,
       {"loadGaugeQuda", "reconstruct = 12"}},
      {"mass unset", one_matrix([=](auto &p) { p.mass = unset; }), bad, {"MatQuda", "QudaInvertParam.mass", "unset"}},
      {"mass not a number", one_matrix([](auto &p) { p.mass = NAN; }), bad, {"QudaInvertParam.mass = "}},
      {"mass of a hop",
       one_hop(naive,
               [](auto &p) {
                 p.mass = 0;
                 p.mass_normalization = QUDA_KAPPA_NORMALIZATION;
               }),
       bad,
       {"dslashQuda", "mass = 0 with mass_normalization = QUDA_KAPPA_NORMALIZATION"}},
      {"square on one parity",
       square([](auto &p) { p.solution_type = QUDA_MATPC_SOLUTION; }),
       bad,
       {"MatDagMatQuda", "QUDA_MATPC_SOLUTION", "QUDA_STAGGERED_DSLASH"}},
      {"normal equations on one parity",
       solve([](auto &p) { p.solve_type = QUDA_NORMOP_PC_SOLVE; }),
       bad,
       {"invertQuda", "QUDA_NORMOP_PC_SOLVE", "QUDA_DIRECT_PC_SOLVE"}},
      {"a square on one parity to be solved",
       solve([](auto &p) { p.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION; }),
       bad,
       {"invertQuda", "QUDA_MATPCDAG_MATPC_SOLUTION"}},
      {"CG of what is not Hermitian",
       solve([](auto &p) { p.solve_type = QUDA_DIRECT_SOLVE; }),
       bad,
       {"invertQuda", "not Hermitian"}},
      {"shifts of a full system",
       shifts([](auto &p) { p.solution_type = QUDA_MAT_SOLUTION; }),
       bad,
       {"invertMultiShiftQuda", "QUDA_MAT_SOLUTION", "QUDA_MATPC_SOLUTION, of staggered fermions"}},
      {"shifts by normal equations",
       shifts([](auto &p) { p.solve_type = QUDA_NORMOP_PC_SOLVE; }),
       bad,
       {"invertMultiShiftQuda", "QUDA_NORMOP_PC_SOLVE", "QUDA_DIRECT_PC_SOLVE, of staggered fermions"}},
      {"a negative shift",
       shifts([](auto &p) { p.offset[1] = -1; }),
       bad,
       {"invertMultiShiftQuda", "QudaInvertParam.offset[1] = -1"}},
      {"shifts by another inverter",
       shifts([](auto &p) { p.inv_type = QUDA_BICGSTAB_INVERTER; }),
       bad,
       {"invertMultiShiftQuda", "QUDA_BICGSTAB_INVERTER"}},
      {"a split grid of sources",
       sources([](auto &p) {
         p.num_src = 2;
         p.split_grid[1] = 2;
       }),
       unsupported,
       {"invertMultiSrcQuda", "split_grid[1] = 2"}},
      {"sources of a system that is not Hermitian",
       sources([](auto &p) {
         p.num_src = 2;
         p.solve_type = QUDA_DIRECT_SOLVE;
       }),
       bad,
       {"invertMultiSrcQuda", "not Hermitian"}},
      {"no mass to reconstruct with", solve([](auto &p) { p.mass = 0; }), bad, {"invertQuda", "mass = 0"}},
  });

  // fat links alone, and long ones of another precision
  QudaGaugeParam param = good_gauge();
  param.type = QUDA_ASQTAD_FAT_LINKS;
  loadGaugeQuda(links.pointer(), &param);
  expect_refused({{"no long links", one_hop(improved, [](auto &) {}), bad, {"QUDA_ASQTAD_LONG_LINKS are resident"}}});
  param.type = QUDA_ASQTAD_LONG_LINKS;
  param.scale = 1;
  param.cuda_prec = QUDA_SINGLE_PRECISION;
  loadGaugeQuda(links.pointer(), &param);
  expect_refused({{"long links of low precision",
                   one_hop(improved, [](auto &) {}),
                   bad,
                   {"long links are of 4 (QUDA_SINGLE_PRECISION)", "QUDA_DOUBLE_PRECISION"}}});
  const reference::Lattice other({4, 4, 4, 4});
  HostLinks<double> shorter(reference::GaugeField {other}, reference::Part {other}, QUDA_QDP_GAUGE_ORDER);
  param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.X[3] = 4;
  loadGaugeQuda(shorter.pointer(), &param);
  expect_refused({{"long links of another lattice",
                   one_hop(improved, [](auto &) {}),
                   bad,
                   {"long links have extents 4 4 4 4", "4 4 4 6"}}});
}

TEST_F(BadCalls, QuarkForces)
{
  const std::vector<double> good {1, 1, 1, 1, 1, 1}, not_numbers {1, 1, 1, NAN, 1, 1};
  void *const u = links.pointer(), *const momenta = mom.pointer();
  std::vector<double> numbers(6 * lattice.volume(), 1), no_numbers = numbers;
  no_numbers[7] = INFINITY;
  double pair[] = {1, 2}, no_pair[] = {1, NAN};
  double *coeff[] = {pair, pair, pair}, *spoilt[] = {pair, no_pair, pair}, *missing[] = {pair, pair, nullptr};
  void *quarks[] = {numbers.data(), numbers.data()}, *lacking[] = {numbers.data(), nullptr},
       *wild[] = {numbers.data(), no_numbers.data()}, *no_arrays[4] = {};
  struct Arguments {
    const double *level2, *fat7;
    void *w, *v, *u, **quark;
    int terms = 2, naik_terms = 1;
    double **coeff;
    double dt = 0.1;
    void *momentum;
    OfGauge spoil = [](auto &) {};
  };
  const Arguments right {.level2 = good.data(),
                         .fat7 = good.data(),
                         .w = u,
                         .v = u,
                         .u = u,
                         .quark = quarks,
                         .coeff = coeff,
                         .momentum = momenta};
  const auto hisq = [&](const std::function<void(Arguments &)> &wrong) {
    Arguments a = right;
    wrong(a);
    return [this, a] {
      QudaGaugeParam param = good_gauge();
      a.spoil(param);
      computeHISQForceQuda(a.momentum, a.dt, a.level2, a.fat7, a.w, a.v, a.u, a.quark, a.terms, a.naik_terms, a.coeff,
                           &param);
    };
  };
  const auto param = [&](const OfGauge &spoil) { return hisq([&](auto &a) { a.spoil = spoil; }); };
  const auto staggered = [&](const OfGauge &of_gauge, const OfInvert &of_invert) {
    return [=, this] {
      QudaGaugeParam gauge = good_gauge();
      gauge.use_resident_gauge = 1;
      of_gauge(gauge);
      QudaInvertParam invert = wilson_param();
      invert.num_offset = 1;
      invert.residue[0] = 1;
      invert.solve_type = QUDA_DIRECT_PC_SOLVE;
      invert.use_resident_solution = 1;
      of_invert(invert);
      computeStaggeredForceQuda(momenta, 0.1, 1, nullptr, nullptr, &gauge, &invert);
    };
  };
  const auto as_it_is = [](auto &) {};
  expect_refused({
      {"null structure",
       [&] { computeHISQForceQuda(momenta, 0.1, good.data(), good.data(), u, u, u, quarks, 2, 1, coeff, nullptr); },
       bad,
       {"computeHISQForceQuda", "null"}},
      {"null weights", hisq([](auto &a) { a.fat7 = nullptr; }), bad, {"computeHISQForceQuda", "fat7_coeff = null"}},
      {"weight", hisq([&](auto &a) { a.level2 = not_numbers.data(); }), bad, {"level2_coeff[3] = nan"}},
      {"null links", hisq([](auto &a) { a.v = nullptr; }), bad, {"v_link = null"}},
      {"null array", hisq([&](auto &a) { a.w = no_arrays; }), bad, {"w_link[0] = null"}},
      {"no quarks", hisq([](auto &a) { a.quark = nullptr; }), bad, {"quark = null"}},
      {"null quark", hisq([&](auto &a) { a.quark = lacking; }), bad, {"quark[1] = null"}},
      {"quark", hisq([&](auto &a) { a.quark = wild; }), bad, {"computeHISQForceQuda", "quark[1]", "infinite"}},
      {"terms", hisq([](auto &a) { a.terms = 0; }), bad, {"num_terms = 0"}},
      {"Naik terms", hisq([](auto &a) { a.naik_terms = 3; }), bad, {"num_naik_terms = 3"}},
      {"no weights", hisq([](auto &a) { a.coeff = nullptr; }), bad, {"coeff = null"}},
      {"weight of a quark", hisq([&](auto &a) { a.coeff = spoilt; }), bad, {"coeff[1][1] = nan"}},
      {"null weight of a quark", hisq([&](auto &a) { a.coeff = missing; }), bad, {"coeff[2] = null"}},
      {"step", hisq([](auto &a) { a.dt = NAN; }), bad, {"dt = nan"}},
      {"momentum", hisq([](auto &a) { a.momentum = nullptr; }), bad, {"momentum = null"}},
      {"reconstruct", param([](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_12; }), bad, {"reconstruct = ", "_13"}},
      {"extent", param([](auto &p) { p.X[2] = 3; }), bad, {"computeHISQForceQuda", "X[2] = 3"}},
      {"order", param([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; }), unsupported, {"gauge_order"}},
      {"half", param([](auto &p) { p.cpu_prec = QUDA_HALF_PRECISION; }), bad, {"cpu_prec"}},
      {"MILC without a layout",
       [&] { qudaHisqForce(2, 2, 1, 0.1, coeff, quarks, good.data(), good.data(), u, u, u, momenta); },
       bad,
       {"qudaHisqForce", "qudaInit"}},
      {"null structure",
       [&] { computeStaggeredForceQuda(momenta, 0.1, 1, nullptr, nullptr, nullptr, nullptr); },
       bad,
       {"computeStaggeredForceQuda", "null"}},
      {"links of the host",
       staggered([](auto &p) { p.use_resident_gauge = 0; }, as_it_is),
       bad,
       {"computeStaggeredForceQuda", "use_resident_gauge = 0"}},
      {"no phases", staggered(as_it_is, as_it_is), bad, {"staggered_phase_type", "staggeredPhaseQuda()"}},
  });
  // links with phases, until the others are loaded again
  const auto with_phases = [&](const OfInvert &spoil) {
    return [=, this] {
      QudaGaugeParam gauge = good_gauge();
      gauge.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
      gauge.staggered_phase_applied = 1;
      loadGaugeQuda(links.pointer(), &gauge);
      staggered([](auto &p) { p.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC; }, spoil)();
      gauge = good_gauge();
      loadGaugeQuda(links.pointer(), &gauge);
    };
  };
  expect_refused({
      {"no solutions", with_phases(as_it_is), bad, {"use_resident_solution = 1", "invertMultiShiftQuda()"}},
      {"solutions of the host",
       with_phases([](auto &p) { p.use_resident_solution = 0; }),
       bad,
       {"use_resident_solution = 0"}},
      {"no shifts", with_phases([](auto &p) { p.num_offset = 0; }), bad, {"num_offset = 0"}},
      {"residue", with_phases([](auto &p) { p.residue[0] = NAN; }), bad, {"residue"}},
      {"solve type",
       with_phases([](auto &p) { p.solve_type = QUDA_NORMOP_SOLVE; }),
       bad,
       {"computeStaggeredForceQuda", "solve_type"}},
  });
}

} // namespace test
