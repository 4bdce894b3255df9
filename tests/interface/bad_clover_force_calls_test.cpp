/// Calls of forces of Wilson-type fermions that are wrong in one thing.

#include "bad_calls.h"

#include "quda_milc_interface.h"

#include <cmath>

namespace test
{

TEST_F(BadCalls, CloverForces)
{
  constexpr double kappa = 0.12, coefficient = 0.15;
  const auto half = static_cast<std::ptrdiff_t>(24 * lattice.half());
  const std::vector<double> x(in.begin(), in.begin() + half);
  std::vector<double> first = x, second = x, wild = x;
  wild[5] = INFINITY;
  void *both[] = {first.data(), second.data()}, *lacking[] = {first.data(), nullptr},
       *infinite[] = {first.data(), wild.data()};
  double weights[] = {0.3, 0.2}, no_weights[] = {0.3, NAN};
  const auto operator_of = [&] {
    QudaInvertParam param = wilson_param(QUDA_DOUBLE_PRECISION, kappa);
    param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
    param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
    param.matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
    param.dagger = QUDA_DAG_YES;
    param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
    param.clover_order = QUDA_PACKED_CLOVER_ORDER;
    param.clover_coeff = coefficient;
    param.clover_csw = coefficient / kappa;
    param.compute_clover = param.compute_clover_inverse = 1;
    param.twist_flavor = QUDA_TWIST_SINGLET;
    param.mu = param.epsilon = param.tm_rho = 0.1;
    param.evmax = 1;
    return param;
  };
  QudaInvertParam term = operator_of();
  loadCloverQuda(nullptr, nullptr, &term);
  struct Arguments {
    void *momentum, **x, **x0;
    double *coeff;
    int count = 2, ratio = 0;
    double dt = 0.1, kappa2 = -kappa * kappa, ck = -coefficient / 8, multiplicity = 1;
    bool no_gauge = false, no_invert = false;
    OfGauge of_gauge = [](auto &) {};
    OfInvert of_invert = [](auto &) {};
  };
  const Arguments right {.momentum = mom.pointer(), .x = both, .x0 = both, .coeff = weights};
  enum Function { clover, twisted, quark, pair };
  const auto call = [&](Function function, const std::function<void(Arguments &)> &wrong) {
    Arguments a = right;
    wrong(a);
    return [=, this] {
      QudaGaugeParam gauge = good_gauge();
      QudaInvertParam invert = operator_of();
      if (function == pair) invert.solution_type = QUDA_MATPC_SOLUTION;
      a.of_gauge(gauge);
      a.of_invert(invert);
      QudaGaugeParam *const g = a.no_gauge ? nullptr : &gauge;
      QudaInvertParam *const i = a.no_invert ? nullptr : &invert;
      if (function == clover)
        computeCloverForceQuda(a.momentum, a.dt, a.x, nullptr, a.coeff, a.kappa2, a.ck, a.count, a.multiplicity,
                               nullptr, g, i);
      else if (function == twisted)
        computeTMCloverForceQuda(a.momentum, a.x, a.x0, a.coeff, a.count, g, i, a.ratio);
      else if (function == quark)
        computeQuarkForceQuda(a.momentum, a.dt, a.x, a.x0, a.coeff, a.count, a.multiplicity, g, i);
      else
        computeQuarkPairForceQuda(a.momentum, a.dt, a.x, a.x0, a.coeff, a.count, g, i);
    };
  };
  const auto with = [&](Function function, const OfInvert &spoil) {
    return call(function, [&](auto &a) { a.of_invert = spoil; });
  };
  const auto of_gauge = [&](const OfGauge &spoil) { return call(clover, [&](auto &a) { a.of_gauge = spoil; }); };
  const char *const c = "computeCloverForceQuda", *const t = "computeTMCloverForceQuda",
                    *const q = "computeQuarkForceQuda", *const r = "computeQuarkPairForceQuda";
  const auto of_domain_wall = [](QudaInvertParam &p) {
    p.dslash_type = QUDA_MOBIUS_DWF_DSLASH;
    p.mass = 0.1;
    p.m5 = -1.8;
    p.Ls = 1;
    p.b_5[0] = 1.5;
    p.c_5[0] = 0.5;
    p.eofa_pm = 1;
    p.eofa_shift = p.mq1 = p.mq2 = p.mq3 = 0.1;
  };
  expect_refused({
      fault("null structure", {c, "null"}, call(clover, [](auto &a) { a.no_gauge = true; })),
      fault("null structure", {c, "null"}, call(clover, [](auto &a) { a.no_invert = true; })),
      fault("null momentum", {c, "mom = null"}, call(clover, [](auto &a) { a.momentum = nullptr; })),
      fault("no solutions", {c, "x = null"}, call(clover, [](auto &a) { a.x = nullptr; })),
      fault("null solution", {c, "x[1] = null"}, call(clover, [&](auto &a) { a.x = lacking; })),
      fault("solution", {c, "x[1]", "infinite"}, call(clover, [&](auto &a) { a.x = infinite; })),
      fault("no weights", {c, "coeff = null"}, call(clover, [](auto &a) { a.coeff = nullptr; })),
      fault("weight", {c, "coeff[1] = nan"}, call(clover, [&](auto &a) { a.coeff = no_weights; })),
      fault("number", {c, "nvector = 0"}, call(clover, [](auto &a) { a.count = 0; })),
      fault("step", {c, "dt = nan"}, call(clover, [](auto &a) { a.dt = NAN; })),
      fault("kappa2", {c, "kappa2 = inf"}, call(clover, [](auto &a) { a.kappa2 = INFINITY; })),
      fault("ck", {c, "ck = nan"}, call(clover, [](auto &a) { a.ck = NAN; })),
      fault("multiplicity", {c, "multiplicity = nan"}, call(clover, [](auto &a) { a.multiplicity = NAN; })),
      beyond("operator", {c, "STAGGERED"}, with(clover, [](auto &p) { p.dslash_type = QUDA_STAGGERED_DSLASH; })),
      beyond("operator", {c, "DOMAIN_WALL_4D"},
             with(clover,
                  [](auto &p) {
                    p.dslash_type = QUDA_DOMAIN_WALL_4D_DSLASH;
                    p.mass = 0.1;
                    p.m5 = -1.8;
                    p.Ls = 4;
                  })),
      fault("kappa", {c, "kappa"}, with(clover, [](auto &p) { p.kappa = NAN; })),
      fault("solution type", {c, "MATPC_SOLUTION"},
            with(clover, [](auto &p) { p.solution_type = QUDA_MATPC_SOLUTION; })),
      fault("form", {c, "matpc_type", "ASYMMETRIC"}, with(clover, [](auto &p) { p.matpc_type = QUDA_MATPC_ODD_ODD; })),
      fault("precision", {c, "cuda_prec"}, with(clover, [](auto &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; })),
      beyond("order", {c, "dirac_order"}, with(clover, [](auto &p) { p.dirac_order = QUDA_LEX_DIRAC_ORDER; })),
      fault("no resident solution", {c, "use_resident_solution = 1", "make_resident_solution"},
            with(clover, [](auto &p) { p.use_resident_solution = 1; })),
      fault("extent", {c}, of_gauge([](auto &p) { p.X[3] = 8; })),
      beyond("order of momenta", {c}, of_gauge([](auto &p) { p.gauge_order = QUDA_CPS_WILSON_GAUGE_ORDER; })),
      fault("no solutions", {t, "h_x = null"}, call(twisted, [](auto &a) { a.x = nullptr; })),
      fault("weight", {t, "coeff[1] = nan"}, call(twisted, [&](auto &a) { a.coeff = no_weights; })),
      fault("ratio", {t, "detratio = 2"}, call(twisted, [](auto &a) { a.ratio = 2; })),
      fault("no x0", {t, "h_x0 = null"}, call(twisted, [](auto &a) { a.ratio = 1, a.x0 = nullptr; })),
      fault("null x0", {t, "h_x0[1] = null"}, call(twisted, [&](auto &a) { a.ratio = 1, a.x0 = lacking; })),
      fault("kappa", {t, "kappa = 0"}, with(twisted, [](auto &p) { p.kappa = 0; })),
      fault("csw", {t, "clover_csw"}, with(twisted, [](auto &p) { p.clover_csw = NAN; })),
      beyond("Hasenbusch's operator", {t, "HASENBUSCH"},
             with(twisted, [](auto &p) { p.dslash_type = QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH; })),
      fault("largest eigenvalue", {t, "evmax"},
            with(twisted,
                 [](auto &p) {
                   p.dslash_type = QUDA_TWISTED_CLOVER_DSLASH;
                   p.twist_flavor = QUDA_TWIST_NONDEG_DOUBLET;
                   p.evmax = 0;
                 })),
      fault("step", {q, "dt = inf"}, call(quark, [](auto &a) { a.dt = INFINITY; })),
      fault("null x0", {q, "x0[1] = null"}, call(quark, [&](auto &a) { a.x0 = lacking; })),
      fault("x0", {q, "x0[1]", "infinite"}, call(quark, [&](auto &a) { a.x0 = infinite; })),
      fault("twist", {q, "mu"},
            with(quark,
                 [](auto &p) {
                   p.dslash_type = QUDA_TWISTED_MASS_DSLASH;
                   p.mu = NAN;
                 })),
      beyond("x0 of domain walls", {q, "x0", "MOBIUS", "computeQuarkPairForceQuda"}, with(quark, of_domain_wall)),
      fault("solution type", {q, "MATPCDAG_MATPC_SOLUTION", "QUDA_MAT_SOLUTION"},
            call(quark,
                 [&](auto &a) {
                   a.x0 = nullptr;
                   a.of_invert = [&](auto &p) { of_domain_wall(p), p.dslash_type = QUDA_MOBIUS_DWF_EOFA_DSLASH; };
                 })),
      beyond("operator", {q, "STAGGERED"}, with(quark, [](auto &p) { p.dslash_type = QUDA_STAGGERED_DSLASH; })),
      fault("null structure", {r, "null"}, call(pair, [](auto &a) { a.no_invert = true; })),
      fault("null momentum", {r, "mom = null"}, call(pair, [](auto &a) { a.momentum = nullptr; })),
      fault("no fields", {r, "left = null"}, call(pair, [](auto &a) { a.x = nullptr; })),
      fault("no fields", {r, "right = null"}, call(pair, [](auto &a) { a.x0 = nullptr; })),
      fault("null field", {r, "right[1] = null"}, call(pair, [&](auto &a) { a.x0 = lacking; })),
      fault("field", {r, "left[1]", "infinite"}, call(pair, [&](auto &a) { a.x = infinite; })),
      fault("field", {r, "right[1]", "infinite"}, call(pair, [&](auto &a) { a.x0 = infinite; })),
      fault("no weights", {r, "coeff = null"}, call(pair, [](auto &a) { a.coeff = nullptr; })),
      fault("weight", {r, "coeff[1] = nan"}, call(pair, [&](auto &a) { a.coeff = no_weights; })),
      fault("number", {r, "npairs = 0"}, call(pair, [](auto &a) { a.count = 0; })),
      fault("step", {r, "dt = nan"}, call(pair, [](auto &a) { a.dt = NAN; })),
      fault("solution type", {r, "MATPCDAG_MATPC_SOLUTION"},
            with(pair, [](auto &p) { p.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION; })),
      fault("form", {r, "matpc_type", "ASYMMETRIC"}, with(pair, [](auto &p) { p.matpc_type = QUDA_MATPC_ODD_ODD; })),
      beyond("operator", {r, "STAGGERED"}, with(pair, [](auto &p) { p.dslash_type = QUDA_STAGGERED_DSLASH; })),
      fault("MILC without a layout", {"qudaCloverForce", "qudaInit"},
            [&] { qudaCloverForce(mom.pointer(), 0.1, both, nullptr, weights, kappa, 0, 2, 1, nullptr, 2, {}); }),
  });
  freeCloverQuda();
  expect_refused({fault("no clover term", {c, "clover"}, with(clover, [](auto &) {}))});
}

} // namespace test
