/// Twisted-mass and twisted-clover fermions, of one flavour and of two: operators against the plain reference, the
/// identities that they obey, and the simpler operators that they become.

#include "dirac_checks.h"

#include <cstdio>

#include "ops/clover/term.h"
#include "reference/dirac/twisted.h"
#include "reference/gauge/links.h"
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

/// Links and their clover term, resident.
struct Case {
  Case(const reference::GaugeField &gauge, double c, const support::LinkForm &form = {})
      : place(gauge.lattice, make_single_communicator())
  {
    links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, form)));
    auto term = std::make_unique<CloverField>(support::native_clover(place, form.precision));
    clover_term(*term, links.precise(), c);
    clover.load(std::move(term), nullptr);
  }
  std::unique_ptr<Dirac> dirac(DiracKind kind, const TwistParam &twist, const LinkStorage &storage) const
  {
    DiracParam param {.kind = kind, .kappa = kappa};
    if (kind == DiracKind::twisted_clover || kind == DiracKind::clover) param.clover = &clover;
    param.twist = twist;
    return make_dirac(param, links, storage);
  }
  std::unique_ptr<Dirac> dirac(DiracKind kind, const TwistParam &twist) const
  {
    return dirac(kind, twist, {links.precise().precision(), links.precise().reconstruct()});
  }

  support::Place place;
  LinkSet links;
  CloverSet clover;
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
  DiracKind kind;
  TwistParam twist;
} cases[] = {{"twisted mass", DiracKind::twisted_mass, {.mu = 0.31}},
             {"twisted mass doublet", DiracKind::twisted_mass, doublet},
             {"twisted clover", DiracKind::twisted_clover, one_flavour},
             {"twisted clover doublet", DiracKind::twisted_clover, doublet}};

Flavours random_flavours(const reference::Lattice &lattice, int flavours)
{
  Flavours psi;
  for (int f = 0; f < flavours; f++) psi.push_back(reference::random_spinors(lattice, 5 + f));
  return psi;
}

} // namespace

TEST(TwistedFermions, AgreeWithTheReference)
{
  support::on_targets([] {
    for (const auto &shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}}) {
      const bool large = shape[0] == 6;
      if (large && target().kind() == Target::fiber) break; // slow
      for (const Precision precision : {Precision::double_, Precision::single, Precision::half}) {
        if (large && precision != Precision::double_) break;
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          const reference::Lattice lattice(shape);
          reference::GaugeField gauge = reference::random_gauge(lattice, 11);
          reference::set_up_links(gauge, 1, -1);
          const auto rounded = [&](const auto &numbers) {
            return precision == Precision::single ? reference::rounded_to_single(numbers)
                   : precision == Precision::half ? reference::rounded_to_half(numbers)
                                                  : numbers;
          };
          gauge = rounded(gauge);
          if (reconstruct == Reconstruct::r12) gauge = reference::reconstructed_12(gauge, 1, -1);
          const Case on(gauge, coefficient, {Precision::double_, Reconstruct::none, 1, -1});
          for (const auto &[name, kind, twist] : cases) {
            SCOPED_TRACE(name);
            const bool clover = kind == DiracKind::twisted_clover;
            const reference::Twisted expected(gauge, clover ? coefficient : 0,
                                              {twist.mu, twist.epsilon, twist.rho, twist.flavours});
            Flavours psi = random_flavours(lattice, twist.flavours);
            for (Spinors &one : psi) one = rounded(one);
            double worst = 0;
            const auto compare = [&](const Flavours &found, const Flavours &wanted) {
              worst = std::max(worst, support::deviation(found, wanted));
            };
            const auto dirac = on.dirac(kind, twist, {precision, reconstruct});
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
            const auto turned = on.dirac(kind, first, {precision, reconstruct});
            compare(
                result(on, *turned, 1, 0, psi, [&](auto &out, const auto &in) { turned->dslash(out, in, true); }),
                expected.hop_to(1, expected.local(halves(psi, 0), 0, true, reference::Twisted::Form::inverse), true));
            std::printf("  %d %d %d %d  %-10s %-22s %d bytes recon %d: %.2e\n", shape[0], shape[1], shape[2], shape[3],
                        target_name(target().kind()), name, bytes_of(precision), static_cast<int>(reconstruct), worst);
            EXPECT_LE(worst, precision == Precision::double_ ? 1e-12 : precision == Precision::single ? 5e-6 : 1e-3);
          }
        }
      }
    }
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
  const Case on(reference::random_gauge(reference::Lattice({2, 4, 4, 4}), 11), coefficient);
  expect_epilogues(*on.dirac(DiracKind::twisted_mass, doublet)->schur(MatPC::even_even_asymmetric), on.place, 2);
  expect_epilogues(*on.dirac(DiracKind::twisted_clover, one_flavour)->schur(MatPC::odd_odd), on.place, 2);
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

/// Without mu and epsilon they are Wilson's and clover fermions; a doublet without epsilon is two flavours of opposite
/// mu.
TEST(TwistedFermions, BecomeSimplerOnes)
{
  support::on_targets([&] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const Case on(reference::random_gauge(lattice, 11), coefficient);
    const Flavours psi = random_flavours(lattice, 2);
    for (const bool clover : {false, true})
      for (const bool dagger : {false, true})
        for (const MatPC matpc : all_matpc) {
          const DiracKind kind = clover ? DiracKind::twisted_clover : DiracKind::twisted_mass;
          const auto apply = [&](const Dirac &dirac, const Flavours &to, bool full) {
            const auto A = full ? dirac.full() : dirac.schur(matpc);
            return product(on, dirac, *A, to, dagger);
          };
          const auto plain = on.dirac(clover ? DiracKind::clover : DiracKind::wilson, {}),
                     untwisted = on.dirac(kind, {}), both = on.dirac(kind, {.mu = 0.4, .flavours = 2}),
                     up = on.dirac(kind, {.mu = 0.4}), down = on.dirac(kind, {.mu = -0.4});
          for (const bool full : {false, true}) {
            EXPECT_LE(support::deviation(apply(*untwisted, {psi[0]}, full), apply(*plain, {psi[0]}, full)),
                      clover ? 1e-13 : 1e-15);
            EXPECT_LE(support::deviation(apply(*both, psi, full),
                                         {apply(*up, {psi[0]}, full)[0], apply(*down, {psi[1]}, full)[0]}),
                      1e-15);
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
