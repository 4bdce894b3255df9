/// Domain-wall fermions: operators against the plain reference, the identities that they obey, and the simpler
/// operators that they become.

#include "dirac_checks.h"
#include "stored_links.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ops/dirac/fifth.h"
#include "reference/dirac/domain_wall.h"

using namespace quda;
using namespace dirac_test;
using reference::Checkerboard;
using reference::Slices;
using reference::Spinors;
using Numbers = std::vector<reference::Complex>;

namespace
{

constexpr double mass = 0.08, m5 = -1.7;

/// An operator and what it is of.
struct Kind {
  const char *name;
  Numbers b, c; // a slice
  std::optional<OneFlavourTerm> term {};
  bool checkerboard = false;

  DiracParam param() const
  {
    if (checkerboard) return DomainWallFermions {mass, m5, static_cast<int>(b.size())};
    return MoebiusFermions {mass, m5, b, c, term};
  }
  reference::DomainWall expected(const reference::GaugeField &gauge) const
  {
    std::optional<reference::OneFlavour> of;
    if (term) of = {term->plus, term->shift, term->mq1, term->mq2, term->mq3};
    return {gauge, mass, m5, b, c, of, checkerboard ? Checkerboard::five : Checkerboard::four};
  }
};

Kind with(int Ls, Kind kind)
{
  kind.b.resize(Ls, kind.b[0]);
  kind.c.resize(Ls, kind.c[0]);
  return kind;
}

Kind shamir(int Ls) { return with(Ls, {"domain wall", {1}, {0}}); }
Kind moebius(int Ls) { return with(Ls, {"Moebius", {1.5}, {0.5}}); }
Kind in_five_dimensions(int Ls) { return with(Ls, {"domain wall in five dimensions", {1}, {0}, {}, true}); }
Kind one_flavour(int Ls, bool plus)
{
  return with(Ls, {plus ? "one flavour, plus" : "one flavour, minus", {1.5}, {0.5}, {{plus, -0.3, 0.05, 0.08, 0.9}}});
}
Kind layered(int Ls, bool complex)
{
  Kind kind {complex ? "complex Moebius" : "layered Moebius", {}, {}};
  for (int s = 0; s < Ls; s++) {
    kind.b.emplace_back(1.2 + 0.1 * s, complex ? 0.2 - 0.07 * s : 0);
    kind.c.emplace_back(0.2 + 0.1 * s, complex ? 0.2 - 0.07 * s : 0);
  }
  return kind;
}

/// all: of the global lattice, on all slots.
void set_slices(ColorSpinorField &field, const support::Place &place, const Slices &all, bool checkerboard)
{
  std::vector<double> host;
  for (int p = 0; p < field.parities(); p++)
    for (std::size_t s = 0; s < all.size(); s++) {
      const std::size_t parity = (field.parities() == 2 ? p : field.parity()) + (checkerboard ? s : 0);
      const auto numbers = reference::to_host<double>(all[s], place.global, place.part, parity % 2);
      host.insert(host.end(), numbers.begin(), numbers.end());
    }
  support::set_from_host(field, host);
}

/// On one rank; a parity, or both as the reference has them.
Slices slices_of(const ColorSpinorField &field, bool checkerboard)
{
  Slices all = support::entries_of(field);
  if (field.parities() == 1 || !checkerboard) return all;
  for (std::size_t s = 1; s < all.size(); s += 2)
    std::rotate(all[s].begin(), all[s].begin() + all[s].size() / 2, all[s].end());
  return all;
}

struct Case {
  explicit Case(const reference::GaugeField &gauge, const support::LinkForm &form = in_double)
      : place(gauge.lattice, make_single_communicator())
  {
    links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, form)));
  }

  std::unique_ptr<Dirac> dirac(const Kind &kind,
                               const LinkStorage &storage = {Precision::double_, Reconstruct::none}) const
  {
    return make_dirac(kind.param(), links, storage);
  }
  template <class Operation> Slices result(const Kind &kind, const ColorSpinorParam &to, const ColorSpinorParam &from,
                                           const Slices &psi, const Operation &operation) const
  {
    ColorSpinorField in(from), out(to);
    set_slices(in, place, psi, kind.checkerboard);
    operation(out, in);
    return slices_of(out, kind.checkerboard);
  }
  Slices product(const Kind &kind, const LinearOperator &A, const Slices &psi, bool dagger) const
  {
    return result(kind, A.shape(1), A.shape(1), psi, [&](auto &out, const auto &in) { A(out, in, dagger); });
  }

  support::Place place;
  LinkSet links;
};

/// The largest deviation of all operators of a kind.
double worst_of(const Case &on, const Kind &kind, const Stored &links)
{
  const reference::DomainWall expected = kind.expected(links.gauge);
  const Slices psi = links.source(expected.slices());
  double worst = 0;
  const auto compare = [&](const Slices &found, const Slices &wanted) {
    worst = std::max(worst, support::deviation(found, wanted));
  };
  const auto dirac = on.dirac(kind, links.storage);
  for (const bool dagger : {false, true}) {
    for (int parity = 0; parity < 2; parity++)
      compare(on.result(kind, dirac->shape(parity, 1), dirac->shape(1 - parity, 1), psi,
                        [&](auto &out, const auto &in) { dirac->dslash(out, in, dagger); }),
              expected.half(expected.hop(expected.whole(expected.half(psi, 1 - parity), 1 - parity), dagger), parity));
    compare(on.product(kind, *dirac->full(), psi, dagger), expected.matrix(psi, dagger));
    for (const MatPC matpc : all_matpc) {
      const int parity = parity_of(matpc);
      compare(on.product(kind, *dirac->schur(matpc), psi, dagger),
              expected.matrix_pc(parity, symmetric(matpc), expected.half(psi, parity), dagger));
    }
  }
  return worst;
}

} // namespace

TEST(DomainWall, AgreesWithTheReference)
{
  on_stored_links([](const Stored &links) {
    const bool slow = target().kind() == Target::fiber || links.gauge.lattice.X[0] == 6;
    if (slow && links.storage.reconstruct != Reconstruct::none) return;
    const Case on(links.gauge);
    std::vector<Kind> kinds = {moebius(3), in_five_dimensions(2)};
    if (!slow)
      kinds = {shamir(4),
               moebius(5),
               layered(4, false),
               layered(3, true),
               one_flavour(4, true),
               one_flavour(3, false),
               in_five_dimensions(4)};
    for (const Kind &kind : kinds) {
      SCOPED_TRACE(kind.name);
      const double worst = worst_of(on, kind, links);
      std::printf("  %s %-30s: %.2e\n", links.name().c_str(), kind.name, worst);
      EXPECT_LE(worst, links.allowed());
    }
  });
}

TEST(DomainWall, AllExtentsOfTheFifthDimension)
{
  support::on_targets([] {
    Stored links = {reference::random_gauge(reference::Lattice({2, 2, 2, 4}), 11),
                    {Precision::double_, Reconstruct::none}};
    reference::set_up_links(links.gauge, 2.464, -1);
    const Case on(links.gauge, {Precision::double_, Reconstruct::none, 2.464, -1});
    for (const int Ls : {1, 2, 8, 12, 16, 31, 32}) {
      if (Ls > 12 && target().kind() == Target::fiber) break; // slow
      SCOPED_TRACE(Ls);
      for (const Kind &kind : {moebius(Ls), one_flavour(Ls, Ls % 3 == 0)})
        EXPECT_LE(worst_of(on, kind, links), 1e-12) << kind.name;
      if (Ls == 2 || Ls == 12 || Ls == 32) {
        EXPECT_LE(worst_of(on, in_five_dimensions(Ls), links), 1e-12);
      }
    }
  });
}

TEST(DomainWall, ObeysWhatSolversRelyOn)
{
  support::on_targets([] {
    const Case on(reference::random_gauge(reference::Lattice({2, 4, 4, 6}), 11));
    for (const Kind &kind : {shamir(4), moebius(5), layered(3, true), one_flavour(4, true), one_flavour(3, false),
                             in_five_dimensions(4)}) {
      SCOPED_TRACE(kind.name);
      const auto dirac = on.dirac(kind);
      if (!kind.checkerboard) expect_even_odd(*dirac, on.place, 2);
      expect_adjoint(*dirac->full(), on.place);
      for (const MatPC matpc : all_matpc) {
        const auto Mpc = dirac->schur(matpc);
        expect_adjoint(*Mpc, on.place);
        expect_factor(Normal(*Mpc), on.place);
      }
    }
  });
  const Case on(reference::random_gauge(reference::Lattice({2, 2, 2, 4}), 11));
  for (const Kind &kind : {moebius(3), in_five_dimensions(2)})
    for (const MatPC matpc : {MatPC::odd_odd, MatPC::even_even_asymmetric})
      expect_epilogues(*on.dirac(kind)->schur(matpc), on.place, 2);
}

/// In five dimensions, too, prepare() and reconstruct() solve for M.
TEST(DomainWall, EvenOddInFiveDimensions)
{
  support::on_targets([] {
    const Case on(reference::random_gauge(reference::Lattice({2, 4, 4, 2}), 11));
    expect_even_odd(*on.dirac(in_five_dimensions(4)), on.place, 2, false);
  });
}

/// With R5 the slices backwards and D_- = 1 - c D_W: gamma5 R5 M R5 gamma5 D_-^dag = D_-^dag M^dag; of Shamir's, c = 0,
/// M is gamma5 R5 Hermitian.
TEST(DomainWall, IsHermitianUpToReflection)
{
  const auto reflected = [](Slices psi) {
    std::reverse(psi.begin(), psi.end());
    for (Spinors &one : psi) one = reference::applied(reference::gamma5(reference::Basis::degrand_rossi), one);
    return psi;
  };
  const reference::GaugeField gauge = reference::random_gauge(reference::Lattice({4, 2, 4, 2}), 11);
  const Case on(gauge);
  const reference::Wilson wilson(gauge);
  for (const Kind &kind : {shamir(4), moebius(5), in_five_dimensions(4)}) {
    SCOPED_TRACE(kind.name);
    const auto minus = [&](Slices psi) { // D_-^dag
      for (Spinors &one : psi) {
        const Spinors hop = wilson.hop(one, true);
        for (std::size_t i = 0; i < one.size(); i++)
          one[i] = one[i] - kind.c[0].real() * ((4 + m5) * one[i] - 0.5 * hop[i]);
      }
      return psi;
    };
    Slices psi;
    for (std::size_t s = 0; s < kind.b.size(); s++) psi.push_back(reference::random_spinors(gauge.lattice, 70 + s));
    const auto dirac = on.dirac(kind);
    const auto A = dirac->full();
    EXPECT_LE(support::deviation(reflected(on.product(kind, *A, reflected(minus(psi)), false)),
                                 minus(on.product(kind, *A, psi, true))),
              1e-13);
  }
}

/// Moebius fermions with b = 1 and c = 0 are Shamir's, the one-flavour term is nothing where two masses are one, and
/// numbers a layer that are one number, real or with an imaginary part that is nothing, are that one.
TEST(DomainWall, BecomesSimplerOnes)
{
  const reference::GaugeField gauge = reference::random_gauge(reference::Lattice({2, 4, 4, 6}), 11);
  const Case on(gauge);
  const auto same = [&](const Kind &one, const Kind &other) {
    Slices psi;
    for (std::size_t s = 0; s < one.b.size(); s++) psi.push_back(reference::random_spinors(gauge.lattice, 70 + s));
    const auto a = on.dirac(one), b = on.dirac(other);
    for (const bool dagger : {false, true}) {
      EXPECT_LE(
          support::deviation(on.product(one, *a->full(), psi, dagger), on.product(other, *b->full(), psi, dagger)),
          1e-13);
      if (one.checkerboard != other.checkerboard) continue;
      for (const MatPC matpc : all_matpc)
        EXPECT_LE(support::deviation(on.product(one, *a->schur(matpc), psi, dagger),
                                     on.product(other, *b->schur(matpc), psi, dagger)),
                  1e-13);
    }
  };
  same(with(6, {"Moebius", {1}, {1e-300}}), shamir(6));
  same(in_five_dimensions(4), shamir(4));
  Kind nothing = one_flavour(4, true);
  nothing.term->mq2 = nothing.term->mq3;
  same(nothing, moebius(4));
  same(with(4, {"complex Moebius", {{1.5, 1e-300}}, {0.5}}), moebius(4));
  Kind last = moebius(4); // as numbers a layer
  last.b[3] += 1e-15;
  same(last, moebius(4));
}

/// On links that are 1 a plane wave stays one: D is 2 sum_mu (cos p_mu - i gamma_mu sin p_mu).
TEST(DomainWall, FreeField)
{
  const reference::Lattice lattice({4, 2, 6, 8});
  reference::GaugeField gauge(lattice);
  for (auto &links : gauge.U)
    for (reference::Link &U : links) U.setIdentity();
  const Case on(gauge, {});
  constexpr int k[4] = {1, 0, 2, 3};
  double p[4];
  for (int mu = 0; mu < 4; mu++) p[mu] = 2 * M_PI * k[mu] / lattice.X[mu];
  for (const Kind &kind : {shamir(4), moebius(6), layered(5, true), one_flavour(4, false), in_five_dimensions(6)}) {
    SCOPED_TRACE(kind.name);
    const int Ls = static_cast<int>(kind.b.size());
    const reference::DomainWall of = kind.expected(gauge);
    reference::SpinMatrix D = reference::SpinMatrix::Zero();
    for (int mu = 0; mu < 4; mu++)
      D += 2 * std::cos(p[mu]) * reference::SpinMatrix::Identity() -
           reference::Complex(0, 2 * std::sin(p[mu])) * reference::gamma(reference::Basis::degrand_rossi, mu);
    reference::FifthMatrix hop = reference::FifthMatrix::Zero(4 * Ls, 4 * Ls);
    for (int s = 0; s < Ls; s++) hop.block<4, 4>(4 * s, 4 * s) = D;
    const reference::FifthMatrix M = of.M5() - of.kappa_b() * hop * of.before_hop();
    Slices wave, expected;
    for (int s = 0; s < Ls; s++) {
      wave.emplace_back(lattice.volume());
      for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
        const reference::Coords x = lattice.coords(slot);
        double phase = 0;
        for (int mu = 0; mu < 4; mu++) phase += p[mu] * x[mu];
        for (int a = 0; a < 4; a++)
          for (int color = 0; color < 3; color++)
            wave[s][slot](a, color) = std::polar(1.0, phase) * reference::Complex(1 + a + 4 * s, color - a);
      }
    }
    expected = reference::times(M, wave);
    const auto dirac = on.dirac(kind);
    EXPECT_LE(support::deviation(on.product(kind, *dirac->full(), wave, false), expected), 1e-13);
  }
}

/// Where q of M5 = 1 - q T is near 1 or -1, its inverse is one.
TEST(DomainWall, InverseInTheFifthDimension)
{
  support::on_targets([] {
    const support::Place place(reference::Lattice({2, 2, 2, 4}), make_single_communicator());
    for (const int Ls : {2, 12, 32})
      for (const double q : {0.999999, -0.999999, 1.0, 0.3})
        for (const double wall : {0.01, 0.9}) {
          const std::size_t n = Ls;
          const FifthMatrix M(FifthMatrix::Numbers(n, 1.0), FifthMatrix::Numbers(n, -q), wall), R = M.inverse();
          ColorSpinorParam shape = support::native_spinors(place, Precision::double_, -1, 1).param();
          shape.fifth = Ls;
          const ColorSpinorField x = random_field(shape, place, 3);
          ColorSpinorField y(shape);
          for (const bool dagger : {false, true}) {
            apply_fifth(y, x, dagger ? M.adjoint() : M);
            apply_fifth(y, y, dagger ? R.adjoint() : R);
            EXPECT_LE(deviation(y, x), 1e-13 * (1 + wall * std::pow(q, Ls)) * Ls) << Ls << " " << q;
          }
        }
  });
}
