/// Twisted-mass and twisted-clover fermions through the C interface, of one flavour and of two, and clover fermions
/// with a Hasenbusch twist, against the plain reference: operators, loads of clover terms, solutions, and what is
/// refused.

#include "operators.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/environment_support.h"
#include "reference/dirac/clover.h"
#include "reference/dirac/twisted.h"

namespace
{

using reference::Flavours;
using reference::Spinors;
using reference::Twisted;
using test::all_matpc;
using test::deviation;
using test::distance;
using test::is_odd;
using test::is_symmetric;

constexpr double kappa = 0.12, coefficient = 0.18, mu = 1.1, epsilon = 0.7, rho = 0.3;
constexpr double a = 2 * kappa * mu, e = 2 * kappa * epsilon;

/// Links and clover term, resident, and the operator of the reference.
struct Case {
  Case(bool clover, int flavours, const reference::Coords &X = {4, 2, 4, 6})
      : clover(clover)
      , flavours(flavours)
      , links(reference::random_gauge(reference::Lattice(X), 41, reference::Kind::su3))
  {
    reference::set_up_links(links, 1, -1);
    test::Storage storage;
    storage.t_boundary = -1;
    test::load_links(links, storage);
    if (!clover) return;
    QudaInvertParam param = parameters();
    param.compute_clover = param.compute_clover_inverse = 1;
    loadCloverQuda(nullptr, nullptr, &param);
    trlog[0] = param.trlogA[0], trlog[1] = param.trlogA[1];
  }
  Case(const Case &) = delete;

  QudaInvertParam parameters() const
  {
    QudaInvertParam param = test::wilson_param(QUDA_DOUBLE_PRECISION, kappa);
    param.dslash_type = clover ? QUDA_TWISTED_CLOVER_DSLASH : QUDA_TWISTED_MASS_DSLASH;
    param.twist_flavor = flavours == 2 ? QUDA_TWIST_NONDEG_DOUBLET : QUDA_TWIST_SINGLET;
    param.mu = mu;
    if (flavours == 2)
      param.epsilon = epsilon;
    else
      param.tm_rho = rho;
    param.cpu_prec = param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
    param.clover_order = QUDA_PACKED_CLOVER_ORDER;
    param.clover_coeff = coefficient;
    param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
    param.verbosity = QUDA_SILENT;
    return param;
  }
  /// rho belongs to twisted clover of one flavour.
  Twisted expected() const
  {
    return {links,
            clover ? coefficient : 0,
            {a, flavours == 2 ? e : 0, clover && flavours == 1 ? 2 * kappa * rho : 0, flavours}};
  }

  Flavours source(int parity = -1) const
  {
    Flavours psi;
    for (int f = 0; f < flavours; f++) {
      psi.push_back(reference::random_spinors(links.lattice, 3 + f));
      if (parity >= 0) psi.back() = reference::half_of(psi.back(), parity);
    }
    return psi;
  }
  /// The plain operator, of expected().
  test::PlainOperator plain(const Twisted &M) const
  {
    return {kappa, [&](const Flavours &psi, bool dagger) { return M.matrix(psi, kappa, dagger); },
            [&](int parity, bool symmetric, const Flavours &half, bool dagger) {
              return M.matrix_pc(parity, symmetric, half, kappa, dagger);
            },
            [&](int parity, bool symmetric, const Flavours &other, bool dagger) {
              const auto divided = [&](const Flavours &in, int on) {
                return M.local(in, on, dagger, Twisted::Form::inverse);
              };
              return dagger && symmetric ? M.hop_to(parity, divided(other, 1 - parity), dagger)
                                         : divided(M.hop_to(parity, other, dagger), parity);
            }};
  }
  /// (parity, flavour, x_cb, spin, color)
  std::vector<double> host(const Flavours &psi) const { return test::PlainOperator().to_host(psi, is_full(psi)); }
  Flavours result(const Flavours &psi, const test::HostCall &call) const
  {
    return test::PlainOperator().result(psi, is_full(psi), call);
  }
  bool is_full(const Flavours &psi) const { return psi[0].size() == links.lattice.volume(); }

  const bool clover;
  const int flavours;
  reference::GaugeField links;
  double trlog[2];
};

void on_cases(const std::function<void(const Case &)> &body)
{
  for (const bool clover : {false, true})
    for (const int flavours : {1, 2}) {
      SCOPED_TRACE(testing::Message() << (clover ? "twisted clover, " : "twisted mass, ") << flavours);
      body(Case(clover, flavours));
    }
}

} // namespace

using TwistedCalls = test::Untuned;

TEST_F(TwistedCalls, Operators)
{
  on_cases([&](const Case &on) {
    const Twisted M = on.expected();
    expect_operator(on.plain(M), on.parameters(), on.source(), 1e-13, 1e-13);
  });
}

TEST_F(TwistedCalls, CloverTermsAndTheirSquares)
{
  for (const int flavours : {1, 2}) {
    const Case on(true, flavours);
    reference::SiteMatrices squares = reference::clover_term(on.links, coefficient);
    for (auto &m : squares) m = m * m + (a * a - (flavours == 2 ? e * e : 0)) * reference::SiteMatrix::Identity();
    for (const int parity : {0, 1}) EXPECT_NEAR(on.trlog[parity], reference::log_determinant(squares, parity), 1e-10);
    QudaInvertParam param = on.parameters();
    const Flavours psi = on.source(1);
    const Flavours found =
        on.result(psi, [&](double *out, double *in) { cloverQuda(out, in, &param, QUDA_ODD_PARITY, 1); });
    for (int f = 0; f < flavours; f++)
      EXPECT_LE(reference::deviation(found[f], reference::times(reference::inverse(squares), psi[f], 1)), 1e-12);
  }
}

TEST_F(TwistedCalls, Solutions)
{
  on_cases([&](const Case &on) {
    const Twisted M = on.expected();
    const struct {
      QudaInverterType inverter;
      QudaSolutionType solution;
      QudaSolveType solve;
      QudaMatPCType matpc;
      QudaPrecision sloppy;
      QudaDagType dagger;
    } systems[] = {
        {QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_MATPC_EVEN_EVEN, QUDA_SINGLE_PRECISION,
         QUDA_DAG_NO},
        {QUDA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_MATPC_ODD_ODD_ASYMMETRIC,
         QUDA_HALF_PRECISION, QUDA_DAG_YES},
        {QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_MATPC_EVEN_EVEN_ASYMMETRIC,
         QUDA_SINGLE_PRECISION, QUDA_DAG_NO},
        {QUDA_GCR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_MATPC_ODD_ODD, QUDA_SINGLE_PRECISION,
         QUDA_DAG_YES},
        {QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_SOLVE, QUDA_MATPC_ODD_ODD, QUDA_DOUBLE_PRECISION,
         QUDA_DAG_NO},
        {QUDA_BICGSTABL_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_MATPC_EVEN_EVEN, QUDA_HALF_PRECISION,
         QUDA_DAG_NO},
        {QUDA_CA_GCR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_SOLVE, QUDA_MATPC_EVEN_EVEN, QUDA_SINGLE_PRECISION,
         QUDA_DAG_YES},
    };
    for (const auto &[inverter, solution, solve, matpc, sloppy, dagger] : systems) {
      SCOPED_TRACE(testing::Message() << "inverter " << inverter << " solve " << solve << " matpc " << matpc);
      QudaInvertParam param = on.parameters();
      param.inv_type = inverter;
      param.solution_type = solution;
      param.solve_type = solve;
      param.matpc_type = matpc;
      param.cuda_prec_sloppy = sloppy;
      param.dagger = dagger;
      param.tol = 1e-10;
      param.maxiter = 2000;
      param.reliable_delta = 0.1;
      param.gcrNkrylov = inverter == QUDA_GCR_INVERTER ? 16 : 4;
      if (solution == QUDA_MAT_SOLUTION) param.tm_rho = 0; // with it the even-odd form is another matrix
      const bool full = solution == QUDA_MAT_SOLUTION, adjoint = dagger == QUDA_DAG_YES;
      const int parity = full ? -1 : is_odd(matpc);
      const Flavours b = on.source(parity),
                     x = on.result(b, [&](double *out, double *in) { invertQuda(out, in, &param); });
      const auto times = [&](const Flavours &in, bool with) {
        return full ? M.matrix(in, kappa, with) : M.matrix_pc(parity, is_symmetric(matpc), in, kappa, with);
      };
      const Flavours found = full ? times(x, adjoint) : times(times(x, adjoint), !adjoint);
      EXPECT_LE(distance(found, b), 2e-10);
      EXPECT_LE(param.true_res[0], 1e-10);
      EXPECT_LT(param.iter, param.maxiter);
    }
  });
}

/// After new links a term is loaded without its inverse: the inverses of solves are that term's all the same.
TEST_F(TwistedCalls, NewLinksWithoutAnInverse)
{
  Case on(true, 1);
  const auto solve = [&] {
    QudaInvertParam param = on.parameters();
    param.tm_rho = 0;
    param.inv_type = QUDA_BICGSTAB_INVERTER;
    param.solution_type = QUDA_MAT_SOLUTION;
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    param.tol = 1e-10;
    param.maxiter = 2000;
    param.reliable_delta = 0.1;
    const Flavours b = on.source(), x = on.result(b, [&](double *out, double *in) { invertQuda(out, in, &param); });
    return distance(on.expected().matrix(x, kappa, false), b);
  };
  EXPECT_LE(solve(), 2e-10);
  on.links = reference::random_gauge(on.links.lattice, 47, reference::Kind::su3);
  test::load_links(on.links);
  QudaInvertParam param = on.parameters();
  param.compute_clover = 1;
  param.compute_clover_inverse = 0;
  loadCloverQuda(nullptr, nullptr, &param);
  EXPECT_LE(solve(), 2e-10);
}

/// On the sites that the even-odd form is of: mu as it stands, or halved for each clover term that it goes with; what is
/// solved for is the matrix that is applied.
TEST_F(TwistedCalls, HasenbuschTwist)
{
  const Case on(true, 1);
  const reference::CloverWilson plain(on.links, coefficient);
  QudaInvertParam param = on.parameters();
  param.dslash_type = QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH;
  param.compute_clover = param.compute_clover_inverse = 1;
  loadCloverQuda(nullptr, nullptr, &param);
  for (const QudaMatPCType matpc : all_matpc)
    for (const QudaDagType dagger : {QUDA_DAG_NO, QUDA_DAG_YES}) {
      SCOPED_TRACE(testing::Message() << "matpc " << matpc << " dagger " << dagger);
      const bool adjoint = dagger == QUDA_DAG_YES;
      const int parity = is_odd(matpc);
      const auto matrix = [&](const Flavours &psi, bool pc) {
        const bool symmetric = is_symmetric(matpc);
        Spinors out =
            pc ? plain.matrix_pc(parity, symmetric, psi[0], kappa, adjoint) : plain.matrix(psi[0], kappa, adjoint);
        Spinors added = reference::applied(reference::gamma5(reference::Basis::degrand_rossi),
                                           pc ? psi[0] : reference::half_of(psi[0], parity));
        double twist = adjoint ? -mu : mu;
        for (int n = 0; symmetric && n < (pc ? 1 : 2); n++, twist /= 2)
          added = reference::times(plain.A, added, parity);
        for (std::size_t i = 0; i < added.size(); i++)
          out[(pc ? 0 : parity * added.size()) + i] += reference::Complex(0, twist) * added[i];
        return Flavours {out};
      };
      param.matpc_type = matpc;
      param.dagger = dagger;
      for (const bool pc : {true, false}) {
        param.solution_type = pc ? QUDA_MATPC_SOLUTION : QUDA_MAT_SOLUTION;
        const Flavours b = pc ? Flavours {reference::half_of(on.source()[0], parity)} : on.source();
        EXPECT_LE(deviation(on.result(b, [&](double *out, double *in) { MatQuda(out, in, &param); }), matrix(b, pc)),
                  1e-13);
        param.tol = 1e-10;
        param.maxiter = 2000;
        param.reliable_delta = 0.1;
        for (const bool normal : {false, true}) {
          param.inv_type = normal ? QUDA_CG_INVERTER : QUDA_BICGSTAB_INVERTER;
          param.solve_type = normal ? QUDA_NORMOP_PC_SOLVE : QUDA_DIRECT_PC_SOLVE;
          param.cuda_prec_sloppy = normal ? QUDA_SINGLE_PRECISION : QUDA_HALF_PRECISION;
          const Flavours x = on.result(b, [&](double *out, double *in) { invertQuda(out, in, &param); });
          EXPECT_LE(distance(matrix(x, pc), b), 5e-10);
          EXPECT_LT(param.iter, param.maxiter);
        }
      }
    }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  param.mu = NAN;
  MatQuda(on.host(on.source()).data(), on.host(on.source()).data(), &param);
  EXPECT_TRUE(handler.says("QudaInvertParam.mu")) << handler.text();
}

/// Twice clover_rho where the term stands by itself.
TEST_F(TwistedCalls, CloverRho)
{
  const Case on(true, 1);
  QudaInvertParam param = on.parameters();
  param.compute_clover = 1;
  param.clover_rho = 0.1;
  loadCloverQuda(nullptr, nullptr, &param);
  param.solution_type = QUDA_MAT_SOLUTION;
  const Flavours psi = on.source();
  Flavours wanted = on.expected().matrix(psi, kappa, false);
  for (std::size_t i = 0; i < psi[0].size(); i++) wanted[0][i] += 0.2 * psi[0][i];
  EXPECT_LE(deviation(on.result(psi, [&](double *out, double *in) { MatQuda(out, in, &param); }), wanted), 1e-13);
}

TEST_F(TwistedCalls, Refused)
{
  const Case on(false, 1);
  std::vector<double> in = on.host(on.source()), out(in.size());
  const auto refused = [&](const std::function<void(QudaInvertParam &)> &spoil, const char *words) {
    handler.forget();
    QudaInvertParam param = on.parameters();
    param.solution_type = QUDA_MAT_SOLUTION;
    spoil(param);
    MatQuda(out.data(), in.data(), &param);
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
  };
  refused([](QudaInvertParam &param) { param.twist_flavor = QUDA_TWIST_NO; }, "QudaInvertParam.twist_flavor");
  refused([](QudaInvertParam &param) { param.twist_flavor = QUDA_TWIST_INVALID; }, "QudaInvertParam.twist_flavor");
  refused([](QudaInvertParam &param) { param.mu = NAN; }, "QudaInvertParam.mu");
  refused([](QudaInvertParam &param) { param.twist_flavor = QUDA_TWIST_NONDEG_DOUBLET; }, "QudaInvertParam.epsilon");
  refused(
      [](QudaInvertParam &param) {
        param.twist_flavor = QUDA_TWIST_NONDEG_DOUBLET;
        param.epsilon = 10;
      },
      "QudaInvertParam.epsilon = 10");
  refused([](QudaInvertParam &param) { param.dslash_type = QUDA_TWISTED_CLOVER_DSLASH; },
          "MatQuda: no clover term is resident");
}
