/// Twisted-mass and twisted-clover fermions, of one flavour and of two, and clover fermions with a Hasenbusch twist:
/// operators against the plain reference, the identities that they obey, and the simpler operators that they become.

#include "clover_case.h"
#include "dirac_checks.h"
#include "stored_links.h"

#include <cstdio>

#include "reference/dirac/clover.h"
#include "reference/dirac/twisted.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/entries.h"
#include "support/untuned.h"

using namespace quda;
using namespace dirac_test;
using reference::Flavours;
using reference::Spinors;

namespace
{

constexpr double kappa = 0.12, coefficient = 0.2;
constexpr TwistParam one_flavour = {.mu = 0.31, .rho = 0.05}, doublet = {.mu = 0.31, .epsilon = 0.17, .flavours = 2};

enum class Kind { wilson, clover, hasenbusch, twisted_mass, twisted_clover };

struct Case : CloverCase {
  using CloverCase::CloverCase;
  std::unique_ptr<Dirac> dirac(Kind kind, const TwistParam &twist, const LinkStorage &storage,
                               MatPC matpc = MatPC::even_even) const
  {
    const auto made = [&](const DiracParam &param) { return make_dirac(param, links, storage); };
    switch (kind) {
    case Kind::wilson:
      return made(WilsonFermions {kappa});
    case Kind::clover:
      return made(CloverFermions {kappa, &clover});
    case Kind::hasenbusch:
      return made(HasenbuschFermions {kappa, &clover, twist.mu, matpc});
    default:
      return made(TwistedFermions {kappa, twist, kind == Kind::twisted_clover ? &clover : nullptr});
    }
  }
  std::unique_ptr<Dirac> dirac(Kind kind, const TwistParam &twist) const { return dirac(kind, twist, storage()); }
};

/// operation(out, in) on one right-hand side. parity: -1 for both.
template <class Operation>
Flavours result(const Case &on, const Dirac &dirac, int to, int from, const Flavours &psi, const Operation &operation)
{
  ColorSpinorField in(dirac.shape(from, 1)), out(dirac.shape(to, 1));
  support::set_entries(in, on.place, psi);
  operation(out, in);
  return support::entries_of(out);
}

Flavours product(const Case &on, const Dirac &dirac, const LinearOperator &A, const Flavours &psi, bool dagger)
{
  const ColorSpinorParam shape = A.shape(1);
  const int parity = shape.subset == SiteSubset::full ? -1 : shape.parity;
  return result(on, dirac, parity, parity, psi, [&](auto &out, const auto &in) { A(out, in, dagger); });
}

Flavours halves(const Flavours &psi, int parity)
{
  Flavours half;
  for (const Spinors &one : psi) half.push_back(reference::half_of(one, parity));
  return half;
}

constexpr struct {
  const char *name;
  Kind kind;
  TwistParam twist;
} cases[] = {{"twisted mass", Kind::twisted_mass, {.mu = 0.31}},
             {"twisted mass doublet", Kind::twisted_mass, doublet},
             {"twisted clover", Kind::twisted_clover, one_flavour},
             {"twisted clover doublet", Kind::twisted_clover, doublet}};

Flavours random_flavours(const reference::Lattice &lattice, int flavours)
{
  Flavours psi;
  for (int f = 0; f < flavours; f++) psi.push_back(reference::random_spinors(lattice, 5 + f));
  return psi;
}

} // namespace

TEST(TwistedFermions, AgreeWithTheReference)
{
  on_stored_links([](const Stored &links) {
    const Case on(links.gauge, coefficient, in_double);
    for (const auto &[name, kind, twist] : cases) {
      SCOPED_TRACE(name);
      const bool clover = kind == Kind::twisted_clover;
      const reference::Twisted expected(links.gauge, clover ? coefficient : 0,
                                        {twist.mu, twist.epsilon, twist.rho, twist.flavours});
      const Flavours psi = links.source(twist.flavours);
      double worst = 0;
      const auto compare = [&](const Flavours &found, const Flavours &wanted) {
        worst = std::max(worst, support::deviation(found, wanted));
      };
      const auto dirac = on.dirac(kind, twist, links.storage);
      for (const bool dagger : {false, true}) {
        for (int parity = 0; parity < 2; parity++)
          compare(result(on, *dirac, parity, 1 - parity, psi,
                         [&](auto &out, const auto &in) { dirac->dslash(out, in, dagger); }),
                  expected.local(expected.hop_to(parity, halves(psi, 1 - parity), dagger), parity, dagger,
                                 reference::Twisted::Form::inverse));
        compare(product(on, *dirac, *dirac->full(), psi, dagger), expected.matrix(psi, kappa, dagger));
        for (const MatPC matpc : all_matpc) {
          const int parity = parity_of(matpc);
          compare(product(on, *dirac, *dirac->schur(matpc), psi, dagger),
                  expected.matrix_pc(parity, symmetric(matpc), halves(psi, parity), kappa, dagger));
        }
      }
      TwistParam first = twist;
      first.inverse_first = true;
      const auto turned = on.dirac(kind, first, links.storage);
      compare(result(on, *turned, 1, 0, psi, [&](auto &out, const auto &in) { turned->dslash(out, in, true); }),
              expected.hop_to(1, expected.local(halves(psi, 0), 0, true, reference::Twisted::Form::inverse), true));
      std::printf("  %s %-22s: %.2e\n", links.name().c_str(), name, worst);
      EXPECT_LE(worst, links.allowed());
    }
  });
}

/// i mu gamma5 A^n beside clover fermions, on one parity: n = 0 in asymmetric forms, 1 in the symmetric one and 2 in
/// the full matrix that it is of.
TEST(HasenbuschTwist, AgreesWithTheReference)
{
  const TwistParam twist = {.mu = 0.31};
  on_stored_links([&](const Stored &links) {
    const Case on(links.gauge, coefficient, in_double);
    const reference::CloverWilson clover(links.gauge, coefficient);
    const Spinors psi = links.source(1)[0];
    double worst = 0;
    for (const MatPC matpc : all_matpc)
      for (const bool dagger : {false, true}) {
        const int parity = parity_of(matpc);
        const Spinors half = reference::half_of(psi, parity);
        const auto twisted = [&](Spinors to, std::size_t first, int n) { // to + i mu gamma5 A^n psi
          Spinors added = reference::applied(reference::gamma5(reference::Basis::degrand_rossi), half);
          for (int k = 0; k < n; k++) added = reference::times(clover.A, added, parity);
          for (std::size_t i = 0; i < added.size(); i++)
            to[first + i] += reference::Complex(0, dagger ? -twist.mu : twist.mu) * added[i];
          return to;
        };
        const auto compare = [&](const Flavours &found, const Spinors &wanted) {
          worst = std::max(worst, support::deviation(found, {wanted}));
        };
        const auto dirac = on.dirac(Kind::hasenbusch, twist, links.storage, matpc);
        compare(product(on, *dirac, *dirac->schur(matpc), {psi}, dagger),
                twisted(clover.matrix_pc(parity, symmetric(matpc), half, kappa, dagger), 0, symmetric(matpc) ? 1 : 0));
        compare(product(on, *dirac, *dirac->full(), {psi}, dagger),
                twisted(clover.matrix(psi, kappa, dagger), parity * half.size(), symmetric(matpc) ? 2 : 0));
        compare(result(on, *dirac, parity, 1 - parity, {psi},
                       [&](auto &out, const auto &in) { dirac->dslash(out, in, dagger); }),
                clover.hop_to(parity, reference::half_of(psi, 1 - parity), dagger));
      }
    std::printf("  %s: %.2e\n", links.name().c_str(), worst);
    EXPECT_LE(worst, links.allowed());
  });
}

TEST(TwistedFermions, ObeyWhatSolversRelyOn)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 4, 6});
    const Case on(reference::random_gauge(lattice, 11), coefficient);
    for (auto [name, kind, twist] : cases) {
      SCOPED_TRACE(name);
      twist.rho = 0;
      const auto dirac = on.dirac(kind, twist);
      expect_even_odd(*dirac, on.place, 2);
      expect_adjoint(*dirac->full(), on.place);
      for (const MatPC matpc : all_matpc) {
        const auto Mpc = dirac->schur(matpc);
        expect_adjoint(*Mpc, on.place);
        expect_factor(Normal(*Mpc), on.place);
      }
    }
  });
  const Case on(reference::random_gauge(reference::Lattice({2, 2, 2, 4}), 11), coefficient);
  expect_epilogues(*on.dirac(Kind::twisted_mass, {.mu = 0.31})->schur(MatPC::even_even), on.place, 2);
  expect_epilogues(*on.dirac(Kind::twisted_mass, doublet)->schur(MatPC::odd_odd), on.place, 2);
  expect_epilogues(*on.dirac(Kind::twisted_clover, one_flavour)->schur(MatPC::odd_odd), on.place, 2);
  expect_epilogues(*on.dirac(Kind::twisted_clover, doublet)->schur(MatPC::even_even_asymmetric), on.place, 2);
  const auto hasenbusch = on.dirac(Kind::hasenbusch, one_flavour);
  for (const MatPC matpc : all_matpc) expect_adjoint(*hasenbusch->schur(matpc), on.place);
}

/// gamma5 M(mu) gamma5 = M(-mu)^dag, of a doublet with flavours exchanged: tau1 gamma5 M gamma5 tau1 = M^dag.
TEST(TwistedFermions, AreGamma5Hermitian)
{
  const auto gamma5_times = [](const Flavours &psi, bool exchange) {
    Flavours out;
    for (const Spinors &one : psi)
      out.push_back(reference::applied(reference::gamma5(reference::Basis::degrand_rossi), one));
    if (exchange) std::swap(out[0], out[1]);
    return out;
  };
  support::on_targets([&] {
    const reference::Lattice lattice({4, 4, 2, 6});
    const Case on(reference::random_gauge(lattice, 11), coefficient);
    for (const auto &[name, kind, twist] : cases) {
      SCOPED_TRACE(name);
      const Flavours psi = random_flavours(lattice, twist.flavours);
      TwistParam opposite = twist;
      const bool two = twist.flavours == 2;
      if (!two) opposite.mu = -twist.mu, opposite.rho = -twist.rho;
      const auto dirac = on.dirac(kind, twist), other = on.dirac(kind, opposite);
      EXPECT_LE(
          support::deviation(gamma5_times(product(on, *dirac, *dirac->full(), gamma5_times(psi, two), false), two),
                             product(on, *other, *other->full(), psi, true)),
          1e-13);
    }
  });
}

/// Without mu and epsilon they are Wilson's and clover fermions, without a clover term those of twisted mass; a doublet
/// without epsilon is two flavours of opposite mu.
TEST(TwistedFermions, BecomeSimplerOnes)
{
  on_stored_links([](const Stored &links) {
    if (target().kind() == Target::fiber && links.storage.reconstruct != Reconstruct::none) return; // slow
    const Case on(links.gauge, coefficient, in_double), without(links.gauge, 0, in_double);
    const Flavours psi = links.source(2);
    using enum Kind;
    const auto dirac = [&](Kind kind, const TwistParam &twist) { return on.dirac(kind, twist, links.storage); };
    for (const MatPC matpc : all_matpc)
      for (const bool full : {false, true}) {
        if (full && matpc != MatPC::even_even) continue;
        for (const bool dagger : {false, true}) {
          const auto same = [&](const std::unique_ptr<Dirac> &one, const Flavours &to, const Flavours &expected) {
            const auto A = full ? one->full() : one->schur(matpc);
            EXPECT_LE(support::deviation(product(on, *one, *A, to, dagger), expected), links.allowed() / 3)
                << "matpc " << static_cast<int>(matpc) << " full " << full << " dagger " << dagger;
          };
          const auto apply = [&](const std::unique_ptr<Dirac> &one, const Spinors &to) {
            return product(on, *one, *(full ? one->full() : one->schur(matpc)), {to}, dagger);
          };
          const Flavours plain_clover = apply(dirac(clover, {}), psi[0]);
          same(dirac(twisted_mass, {}), {psi[0]}, apply(dirac(wilson, {}), psi[0]));
          same(dirac(twisted_clover, {}), {psi[0]}, plain_clover);
          same(dirac(hasenbusch, {}), {psi[0]}, plain_clover);
          same(without.dirac(twisted_clover, {.mu = 0.4}, links.storage), {psi[0]},
               apply(dirac(twisted_mass, {.mu = 0.4}), psi[0]));
          for (const Kind kind : {twisted_mass, twisted_clover})
            same(dirac(kind, {.mu = 0.4, .flavours = 2}), psi,
                 {apply(dirac(kind, {.mu = 0.4}), psi[0])[0], apply(dirac(kind, {.mu = -0.4}), psi[1])[0]});
        }
      }
  });
}

/// The square of a clover term and its determinant; what was loaded as its inverse is used.
TEST(TwistedFermions, SquaresOfCloverTerms)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 4, 6});
    const reference::GaugeField gauge = reference::random_gauge(lattice, 11);
    Case on(gauge, coefficient);
    constexpr double square = 0.37;
    reference::SiteMatrices expected = reference::clover_term(gauge, coefficient);
    for (auto &a : expected) a = a * a + square * reference::SiteMatrix::Identity();
    CloverField found = support::native_clover(on.place, Precision::double_);
    clover_square(found, on.clover.precise(), square);
    const std::vector<double> wanted = reference::to_packed<double>(expected, lattice, on.place.part),
                              got = support::host_array(found);
    ASSERT_EQ(got.size(), wanted.size());
    double worst = 0;
    for (std::size_t i = 0; i < got.size(); i++) worst = std::max(worst, std::abs(got[i] - wanted[i]));
    EXPECT_LE(worst, 1e-13);
    const CloverDeterminants determinants = clover_inverse(nullptr, found);
    for (int parity = 0; parity < 2; parity++)
      EXPECT_NEAR(determinants.log[parity], reference::log_determinant(expected, parity), 1e-9);

    auto given = std::make_unique<CloverField>(support::native_clover(on.place, Precision::double_));
    const void *data = given->data();
    *given = found;
    on.clover.load_inverse_square(square, std::move(given));
    EXPECT_EQ(on.clover.inverse_square(square, Precision::double_).data(), data);
    const CloverField &made = on.clover.inverse_square(0.5, Precision::double_);
    EXPECT_EQ(&made, &on.clover.inverse_square(0.5, Precision::double_));
  });
}
