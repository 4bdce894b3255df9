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
      fault("no fat links", {"dslashQuda", "QUDA_ASQTAD_FAT_LINKS are resident"}, one_hop(improved, [](auto &) {})),
      beyond("fat links of 13 numbers", {"loadGaugeQuda", "QudaGaugeParam.reconstruct", "QUDA_RECONSTRUCT_13"},
             load_of(QUDA_ASQTAD_FAT_LINKS, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_13; })),
      fault("long links of 12 numbers", {"loadGaugeQuda", "reconstruct = 12"},
            load_of(QUDA_ASQTAD_LONG_LINKS, [](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_12; })),
      fault("mass unset", {"MatQuda", "QudaInvertParam.mass", "unset"}, one_matrix([=](auto &p) { p.mass = unset; })),
      fault("mass not a number", {"QudaInvertParam.mass = "}, one_matrix([](auto &p) { p.mass = NAN; })),
      fault("mass of a hop", {"dslashQuda", "mass = 0 with mass_normalization", "QUDA_KAPPA_NORMALIZATION"},
            one_hop(naive,
                    [](auto &p) {
                      p.mass = 0;
                      p.mass_normalization = QUDA_KAPPA_NORMALIZATION;
                    })),
      fault("square on one parity", {"MatDagMatQuda", "QUDA_MATPC_SOLUTION", "QUDA_STAGGERED_DSLASH"},
            square([](auto &p) { p.solution_type = QUDA_MATPC_SOLUTION; })),
      fault("normal equations on one parity", {"invertQuda", "QUDA_NORMOP_PC_SOLVE", "QUDA_DIRECT_PC_SOLVE"},
            solve([](auto &p) { p.solve_type = QUDA_NORMOP_PC_SOLVE; })),
      fault("a square on one parity to be solved", {"invertQuda", "QUDA_MATPCDAG_MATPC_SOLUTION"},
            solve([](auto &p) { p.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION; })),
      fault("CG of what is not Hermitian", {"invertQuda", "not Hermitian"},
            solve([](auto &p) { p.solve_type = QUDA_DIRECT_SOLVE; })),
      fault("shifts of a full system",
            {"invertMultiShiftQuda", "QUDA_MAT_SOLUTION", "QUDA_MATPC_SOLUTION, of staggered fermions"},
            shifts([](auto &p) { p.solution_type = QUDA_MAT_SOLUTION; })),
      fault("shifts by normal equations",
            {"invertMultiShiftQuda", "QUDA_NORMOP_PC_SOLVE", "QUDA_DIRECT_PC_SOLVE, of staggered fermions"},
            shifts([](auto &p) { p.solve_type = QUDA_NORMOP_PC_SOLVE; })),
      fault("a negative shift", {"invertMultiShiftQuda", "QudaInvertParam.offset[1] = -1"},
            shifts([](auto &p) { p.offset[1] = -1; })),
      fault("shifts by another inverter", {"invertMultiShiftQuda", "QUDA_BICGSTAB_INVERTER"},
            shifts([](auto &p) { p.inv_type = QUDA_BICGSTAB_INVERTER; })),
      fault("more sub-grids than ranks",
            {"invertMultiSrcQuda", "QudaInvertParam.split_grid[1] = 2 on 1 rank in that direction", "allowed: 1"},
            sources([](auto &p) {
              p.num_src = 2;
              p.split_grid[1] = 2;
            })),
      fault("no sub-grid", {"invertMultiSrcQuda", "QudaInvertParam.split_grid[3] = 0"}, sources([](auto &p) {
              p.num_src = 2;
              p.split_grid[3] = 0;
            })),
      fault("sources of a system that is not Hermitian", {"invertMultiSrcQuda", "not Hermitian"}, sources([](auto &p) {
              p.num_src = 2;
              p.solve_type = QUDA_DIRECT_SOLVE;
            })),
      fault("no mass to reconstruct with", {"invertQuda", "mass = 0"}, solve([](auto &p) { p.mass = 0; })),
  });

  // fat links alone, and long ones of another precision
  QudaGaugeParam param = good_gauge();
  param.type = QUDA_ASQTAD_FAT_LINKS;
  loadGaugeQuda(links.pointer(), &param);
  expect_refused({fault("no long links", {"QUDA_ASQTAD_LONG_LINKS are resident"}, one_hop(improved, [](auto &) {}))});
  param.type = QUDA_ASQTAD_LONG_LINKS;
  param.scale = 1;
  param.cuda_prec = QUDA_SINGLE_PRECISION;
  loadGaugeQuda(links.pointer(), &param);
  expect_refused(
      {fault("long links of low precision", {"long links are of 4 (QUDA_SINGLE_PRECISION)", "QUDA_DOUBLE_PRECISION"},
             one_hop(improved, [](auto &) {}))});
  const reference::Lattice other({4, 4, 4, 4});
  HostLinks<double> shorter(reference::GaugeField {other}, reference::Part {other}, QUDA_QDP_GAUGE_ORDER);
  param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.X[3] = 4;
  loadGaugeQuda(shorter.pointer(), &param);
  expect_refused({fault("long links of another lattice", {"long links have extents 4 4 4 4", "4 4 4 6"},
                        one_hop(improved, [](auto &) {}))});
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
      fault(
          "null structure", {"computeHISQForceQuda", "null"},
          [&] { computeHISQForceQuda(momenta, 0.1, good.data(), good.data(), u, u, u, quarks, 2, 1, coeff, nullptr); }),
      fault("null weights", {"computeHISQForceQuda", "fat7_coeff = null"}, hisq([](auto &a) { a.fat7 = nullptr; })),
      fault("weight", {"level2_coeff[3] = nan"}, hisq([&](auto &a) { a.level2 = not_numbers.data(); })),
      fault("null links", {"v_link = null"}, hisq([](auto &a) { a.v = nullptr; })),
      fault("null array", {"w_link[0] = null"}, hisq([&](auto &a) { a.w = no_arrays; })),
      fault("no quarks", {"quark = null"}, hisq([](auto &a) { a.quark = nullptr; })),
      fault("null quark", {"quark[1] = null"}, hisq([&](auto &a) { a.quark = lacking; })),
      fault("quark", {"computeHISQForceQuda", "quark[1]", "infinite"}, hisq([&](auto &a) { a.quark = wild; })),
      fault("terms", {"num_terms = 0"}, hisq([](auto &a) { a.terms = 0; })),
      fault("Naik terms", {"num_naik_terms = 3"}, hisq([](auto &a) { a.naik_terms = 3; })),
      fault("no weights", {"coeff = null"}, hisq([](auto &a) { a.coeff = nullptr; })),
      fault("weight of a quark", {"coeff[1][1] = nan"}, hisq([&](auto &a) { a.coeff = spoilt; })),
      fault("null weight of a quark", {"coeff[2] = null"}, hisq([&](auto &a) { a.coeff = missing; })),
      fault("step", {"dt = nan"}, hisq([](auto &a) { a.dt = NAN; })),
      fault("momentum", {"momentum = null"}, hisq([](auto &a) { a.momentum = nullptr; })),
      fault("reconstruct", {"reconstruct = ", "_13"}, param([](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_12; })),
      fault("extent", {"computeHISQForceQuda", "X[2] = 3"}, param([](auto &p) { p.X[2] = 3; })),
      beyond("order", {"gauge_order"}, param([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; })),
      fault("half", {"cpu_prec"}, param([](auto &p) { p.cpu_prec = QUDA_HALF_PRECISION; })),
      fault("MILC without a layout", {"qudaHisqForce", "qudaInit"},
            [&] { qudaHisqForce(2, 2, 1, 0.1, coeff, quarks, good.data(), good.data(), u, u, u, momenta); }),
      fault("null structure", {"computeStaggeredForceQuda", "null"},
            [&] { computeStaggeredForceQuda(momenta, 0.1, 1, nullptr, nullptr, nullptr, nullptr); }),
      fault("links of the host", {"computeStaggeredForceQuda", "use_resident_gauge = 0"},
            staggered([](auto &p) { p.use_resident_gauge = 0; }, as_it_is)),
      fault("no phases", {"staggered_phase_type", "staggeredPhaseQuda()"}, staggered(as_it_is, as_it_is)),
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
      fault("no solutions", {"use_resident_solution = 1", "invertMultiShiftQuda()"}, with_phases(as_it_is)),
      fault("solutions of the host", {"use_resident_solution = 0"},
            with_phases([](auto &p) { p.use_resident_solution = 0; })),
      fault("no shifts", {"num_offset = 0"}, with_phases([](auto &p) { p.num_offset = 0; })),
      fault("residue", {"residue"}, with_phases([](auto &p) { p.residue[0] = NAN; })),
      fault("solve type", {"computeStaggeredForceQuda", "solve_type"},
            with_phases([](auto &p) { p.solve_type = QUDA_NORMOP_SOLVE; })),
  });
}

} // namespace test
