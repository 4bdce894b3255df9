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
      {"null structure", call(clover, [](auto &a) { a.no_gauge = true; }), bad, {c, "null"}},
      {"null structure", call(clover, [](auto &a) { a.no_invert = true; }), bad, {c, "null"}},
      {"null momentum", call(clover, [](auto &a) { a.momentum = nullptr; }), bad, {c, "mom = null"}},
      {"no solutions", call(clover, [](auto &a) { a.x = nullptr; }), bad, {c, "x = null"}},
      {"null solution", call(clover, [&](auto &a) { a.x = lacking; }), bad, {c, "x[1] = null"}},
      {"solution", call(clover, [&](auto &a) { a.x = infinite; }), bad, {c, "x[1]", "infinite"}},
      {"no weights", call(clover, [](auto &a) { a.coeff = nullptr; }), bad, {c, "coeff = null"}},
      {"weight", call(clover, [&](auto &a) { a.coeff = no_weights; }), bad, {c, "coeff[1] = nan"}},
      {"number", call(clover, [](auto &a) { a.count = 0; }), bad, {c, "nvector = 0"}},
      {"step", call(clover, [](auto &a) { a.dt = NAN; }), bad, {c, "dt = nan"}},
      {"kappa2", call(clover, [](auto &a) { a.kappa2 = INFINITY; }), bad, {c, "kappa2 = inf"}},
      {"ck", call(clover, [](auto &a) { a.ck = NAN; }), bad, {c, "ck = nan"}},
      {"multiplicity", call(clover, [](auto &a) { a.multiplicity = NAN; }), bad, {c, "multiplicity = nan"}},
      {"operator", with(clover, [](auto &p) { p.dslash_type = QUDA_STAGGERED_DSLASH; }), unsupported, {c, "STAGGERED"}},
      {"operator",
       with(clover,
            [](auto &p) {
              p.dslash_type = QUDA_DOMAIN_WALL_4D_DSLASH;
              p.mass = 0.1;
              p.m5 = -1.8;
              p.Ls = 4;
            }),
       unsupported,
       {c, "DOMAIN_WALL_4D"}},
      {"kappa", with(clover, [](auto &p) { p.kappa = NAN; }), bad, {c, "kappa"}},
      {"solution type",
       with(clover, [](auto &p) { p.solution_type = QUDA_MATPC_SOLUTION; }),
       bad,
       {c, "MATPC_SOLUTION"}},
      {"form", with(clover, [](auto &p) { p.matpc_type = QUDA_MATPC_ODD_ODD; }), bad, {c, "matpc_type", "ASYMMETRIC"}},
      {"precision", with(clover, [](auto &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; }), bad, {c, "cuda_prec"}},
      {"order", with(clover, [](auto &p) { p.dirac_order = QUDA_LEX_DIRAC_ORDER; }), unsupported, {c, "dirac_order"}},
      {"no resident solution",
       with(clover, [](auto &p) { p.use_resident_solution = 1; }),
       bad,
       {c, "use_resident_solution = 1", "make_resident_solution"}},
      {"extent", of_gauge([](auto &p) { p.X[3] = 8; }), bad, {c}},
      {"order of momenta", of_gauge([](auto &p) { p.gauge_order = QUDA_CPS_WILSON_GAUGE_ORDER; }), unsupported, {c}},
      {"no solutions", call(twisted, [](auto &a) { a.x = nullptr; }), bad, {t, "h_x = null"}},
      {"weight", call(twisted, [&](auto &a) { a.coeff = no_weights; }), bad, {t, "coeff[1] = nan"}},
      {"ratio", call(twisted, [](auto &a) { a.ratio = 2; }), bad, {t, "detratio = 2"}},
      {"no x0", call(twisted, [](auto &a) { a.ratio = 1, a.x0 = nullptr; }), bad, {t, "h_x0 = null"}},
      {"null x0", call(twisted, [&](auto &a) { a.ratio = 1, a.x0 = lacking; }), bad, {t, "h_x0[1] = null"}},
      {"kappa", with(twisted, [](auto &p) { p.kappa = 0; }), bad, {t, "kappa = 0"}},
      {"csw", with(twisted, [](auto &p) { p.clover_csw = NAN; }), bad, {t, "clover_csw"}},
      {"Hasenbusch's operator",
       with(twisted, [](auto &p) { p.dslash_type = QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH; }),
       unsupported,
       {t, "HASENBUSCH"}},
      {"largest eigenvalue",
       with(twisted,
            [](auto &p) {
              p.dslash_type = QUDA_TWISTED_CLOVER_DSLASH;
              p.twist_flavor = QUDA_TWIST_NONDEG_DOUBLET;
              p.evmax = 0;
            }),
       bad,
       {t, "evmax"}},
      {"step", call(quark, [](auto &a) { a.dt = INFINITY; }), bad, {q, "dt = inf"}},
      {"null x0", call(quark, [&](auto &a) { a.x0 = lacking; }), bad, {q, "x0[1] = null"}},
      {"x0", call(quark, [&](auto &a) { a.x0 = infinite; }), bad, {q, "x0[1]", "infinite"}},
      {"twist",
       with(quark,
            [](auto &p) {
              p.dslash_type = QUDA_TWISTED_MASS_DSLASH;
              p.mu = NAN;
            }),
       bad,
       {q, "mu"}},
      {"x0 of domain walls",
       with(quark, of_domain_wall),
       unsupported,
       {q, "x0", "MOBIUS", "computeQuarkPairForceQuda"}},
      {"solution type",
       call(quark,
            [&](auto &a) {
              a.x0 = nullptr;
              a.of_invert = [&](auto &p) { of_domain_wall(p), p.dslash_type = QUDA_MOBIUS_DWF_EOFA_DSLASH; };
            }),
       bad,
       {q, "MATPCDAG_MATPC_SOLUTION", "QUDA_MAT_SOLUTION"}},
      {"operator", with(quark, [](auto &p) { p.dslash_type = QUDA_STAGGERED_DSLASH; }), unsupported, {q, "STAGGERED"}},
      {"null structure", call(pair, [](auto &a) { a.no_invert = true; }), bad, {r, "null"}},
      {"null momentum", call(pair, [](auto &a) { a.momentum = nullptr; }), bad, {r, "mom = null"}},
      {"no fields", call(pair, [](auto &a) { a.x = nullptr; }), bad, {r, "left = null"}},
      {"no fields", call(pair, [](auto &a) { a.x0 = nullptr; }), bad, {r, "right = null"}},
      {"null field", call(pair, [&](auto &a) { a.x0 = lacking; }), bad, {r, "right[1] = null"}},
      {"field", call(pair, [&](auto &a) { a.x = infinite; }), bad, {r, "left[1]", "infinite"}},
      {"field", call(pair, [&](auto &a) { a.x0 = infinite; }), bad, {r, "right[1]", "infinite"}},
      {"no weights", call(pair, [](auto &a) { a.coeff = nullptr; }), bad, {r, "coeff = null"}},
      {"weight", call(pair, [&](auto &a) { a.coeff = no_weights; }), bad, {r, "coeff[1] = nan"}},
      {"number", call(pair, [](auto &a) { a.count = 0; }), bad, {r, "npairs = 0"}},
      {"step", call(pair, [](auto &a) { a.dt = NAN; }), bad, {r, "dt = nan"}},
      {"solution type",
       with(pair, [](auto &p) { p.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION; }),
       bad,
       {r, "MATPCDAG_MATPC_SOLUTION"}},
      {"form", with(pair, [](auto &p) { p.matpc_type = QUDA_MATPC_ODD_ODD; }), bad, {r, "matpc_type", "ASYMMETRIC"}},
      {"operator", with(pair, [](auto &p) { p.dslash_type = QUDA_STAGGERED_DSLASH; }), unsupported, {r, "STAGGERED"}},
      {"MILC without a layout",
       [&] { qudaCloverForce(mom.pointer(), 0.1, both, nullptr, weights, kappa, 0, 2, 1, nullptr, 2, {}); },
       bad,
       {"qudaCloverForce", "qudaInit"}},
  });
  freeCloverQuda();
  expect_refused({{"no clover term", with(clover, [](auto &) {}), bad, {c, "clover"}}});
}

} // namespace test
