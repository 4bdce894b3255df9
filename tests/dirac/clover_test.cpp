/// Clover fermions: operators against the plain reference, and the identities that they and Wilson's must obey.

#include "clover_case.h"
#include "dirac_checks.h"
#include "stored_links.h"

#include <cstdio>
#include <cstdlib>

#include "reference/dirac/clover.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "support/untuned.h"
#include "tune/tune_cache.h"

using namespace quda;
using namespace dirac_test;
using reference::Spinors;

namespace
{

constexpr double kappa = 0.12, coefficient = 0.2, xi = 1.3, shift = 0.05;

struct Case : CloverCase {
  using CloverCase::CloverCase;
  std::unique_ptr<Dirac> dirac(const LinkStorage &storage) const
  {
    return make_dirac(CloverFermions {kappa, &clover}, links, storage);
  }
  std::unique_ptr<Dirac> dirac(bool with_clover = true) const
  {
    return with_clover ? dirac(storage()) : make_dirac(WilsonFermions {kappa}, links, storage());
  }
};

reference::GaugeField prepared(const reference::Lattice &lattice)
{
  reference::GaugeField gauge = reference::random_gauge(lattice, 11);
  reference::set_up_links(gauge, xi, -1);
  return gauge;
}

Spinors spinors_of(const ColorSpinorField &field)
{
  return reference::from_host<double>(support::host_array(field), field.parities() == 2);
}

/// operation(out, in) on one right-hand side. parity: -1 for both.
template <class Operation>
Spinors result(const Case &on, const Dirac &dirac, int to, int from, const Spinors &psi, const Operation &operation)
{
  ColorSpinorField in(dirac.shape(from, 1)), out(dirac.shape(to, 1));
  support::set_from(in, on.place, psi);
  operation(out, in);
  return spinors_of(out);
}

Spinors product(const Case &on, const LinearOperator &A, const Spinors &psi, bool dagger = false)
{
  ColorSpinorField in(A.shape(1)), out(A.shape(1));
  support::set_from(in, on.place, psi);
  A(out, in, dagger);
  return spinors_of(out);
}

Spinors gamma5_times(const Spinors &psi)
{
  return reference::applied(reference::gamma5(reference::Basis::degrand_rossi), psi);
}

} // namespace

TEST(CloverFermions, AgreeWithTheReference)
{
  const auto compare = [](const Stored &links) {
    const Spinors psi = links.source(1)[0];
    Case on(links.gauge, coefficient, {Precision::double_, Reconstruct::none, xi, -1});
    on.clover.shift = shift;
    const reference::CloverWilson expected(links.gauge, coefficient, shift);
    const auto dirac = on.dirac(links.storage);
    double worst = 0;
    const auto check = [&](const Spinors &found, const Spinors &wanted) {
      worst = std::max(worst, reference::deviation(found, wanted));
    };
    for (const bool dagger : {false, true}) {
      for (int parity = 0; parity < 2; parity++)
        check(result(on, *dirac, parity, 1 - parity, psi,
                     [&](auto &out, const auto &in) { dirac->dslash(out, in, dagger); }),
              expected.hop_to(parity, reference::half_of(psi, 1 - parity), dagger));
      check(product(on, *dirac->full(), psi, dagger), expected.matrix(psi, kappa, dagger));
      for (const MatPC matpc : all_matpc) {
        const int parity = parity_of(matpc);
        check(product(on, *dirac->schur(matpc), psi, dagger),
              expected.matrix_pc(parity, symmetric(matpc), reference::half_of(psi, parity), kappa, dagger));
      }
    }
    std::printf("  %s: %.2e\n", links.name().c_str(), worst);
    EXPECT_LE(worst, links.allowed(5e-4));
  };
  on_stored_links(compare, {.anisotropy = xi, .in_all = true});
}

TEST(CloverFermions, OperatorsOfOtherStorage)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 4, 6});
  const Case on(prepared(lattice), coefficient, {Precision::double_, Reconstruct::none, xi, -1});
  const auto precise = on.dirac(), sloppy = precise->clone({Precision::single, Reconstruct::r12});
  const Spinors psi = reference::random_spinors(lattice, 5);
  EXPECT_LE(reference::deviation(product(on, *sloppy->schur(MatPC::odd_odd), psi),
                                 product(on, *precise->schur(MatPC::odd_odd), psi)),
            5e-6);
  EXPECT_EQ(precise->full()->flops(2), (1320 + 504 + 48) * 2.0 * static_cast<double>(lattice.volume()));
  EXPECT_EQ(precise->dslash_flops(1), (1320 + 504) * static_cast<double>(lattice.half()));
  EXPECT_THROW(make_dirac(CloverFermions {kappa}, on.links, precise->storage()), Error);
}

TEST(CloverFermions, ObeyWhatSolversRelyOn)
{
  support::on_targets([] {
    const Case on(prepared(reference::Lattice({2, 4, 4, 6})), coefficient);
    const auto dirac = on.dirac();
    expect_even_odd(*dirac, on.place, 2);
    const auto M = dirac->full();
    expect_adjoint(*M, on.place);
    for (const MatPC matpc : all_matpc) {
      const auto Mpc = dirac->schur(matpc);
      expect_adjoint(*Mpc, on.place);
      expect_adjoint(Normal(*Mpc), on.place);
      expect_factor(Normal(*Mpc), on.place);
    }
  });
  const Case on(prepared(reference::Lattice({2, 4, 4, 4})), coefficient);
  expect_epilogues(*on.dirac()->schur(MatPC::even_even_asymmetric), on.place, 3);
  expect_epilogues(*on.dirac()->schur(MatPC::odd_odd), on.place, 2);
}

TEST(CloverFermions, AreGamma5Hermitian)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 2, 6});
    const Case on(prepared(lattice), coefficient);
    const Spinors psi = reference::random_spinors(lattice, 3);
    const auto dirac = on.dirac();
    const auto M = dirac->full(), Mpc = dirac->schur(MatPC::even_even_asymmetric);
    for (const LinearOperator *A : {M.get(), Mpc.get()})
      EXPECT_LE(reference::deviation(gamma5_times(product(on, *A, gamma5_times(psi))), product(on, *A, psi, true)),
                1e-13);
  });
}

TEST(CloverFermions, WithoutCoefficientAreWilsons)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const Case on(prepared(lattice), 0);
    const Spinors psi = reference::random_spinors(lattice, 3);
    const auto wilson = on.dirac(false), clover = on.dirac();
    for (const bool dagger : {false, true}) {
      EXPECT_LE(
          reference::deviation(product(on, *clover->full(), psi, dagger), product(on, *wilson->full(), psi, dagger)),
          1e-15);
      for (const MatPC matpc : all_matpc)
        EXPECT_LE(reference::deviation(product(on, *clover->schur(matpc), psi, dagger),
                                       product(on, *wilson->schur(matpc), psi, dagger)),
                  1e-15);
    }
  });
}

TEST(CloverFermions, AreGaugeCovariantAsWilsons)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const reference::GaugeField gauge = reference::random_gauge(lattice, 21);
    const auto g = reference::random_rotation(lattice, 23);
    const Spinors psi = reference::random_spinors(lattice, 22);
    const Case plain(gauge, coefficient), turned(reference::transformed(gauge, g), coefficient);
    for (const bool with_clover : {false, true})
      EXPECT_LE(
          reference::deviation(product(turned, *turned.dirac(with_clover)->full(), reference::transformed(psi, g)),
                               reference::transformed(product(plain, *plain.dirac(with_clover)->full(), psi), g)),
          1e-13);
  });
}

/// On unit links, antiperiodic in t: M u e^{ipx} = [1 - 2 kappa sum_mu (cos p_mu - i gamma_mu sin p_mu)] u e^{ipx}.
TEST(CloverFermions, OfTheFreeFieldHavePlaneWavesAsWilsons)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    reference::GaugeField gauge(lattice);
    reference::set_up_links(gauge, 1, -1);
    const Case on(gauge, coefficient);
    const reference::Spinor u = reference::random_spinor(4, 7);
    for (const reference::Coords &mode : {reference::Coords {0, 0, 0, 0}, {1, 2, 5, 3}, {0, 3, 1, 6}}) {
      double p[4];
      for (int d = 0; d < 4; d++) p[d] = 2 * M_PI * (mode[d] + (d == 3 ? 0.5 : 0)) / lattice.X[d];
      reference::SpinMatrix symbol = reference::SpinMatrix::Identity();
      for (int d = 0; d < 4; d++)
        symbol -= 2 * kappa *
                  (std::cos(p[d]) * reference::SpinMatrix::Identity() -
                   reference::Complex(0, std::sin(p[d])) * reference::gamma(reference::Basis::degrand_rossi, d));
      Spinors wave(lattice.volume()), expected(lattice.volume());
      for (std::size_t slot = 0; slot < wave.size(); slot++) {
        const reference::Coords x = lattice.coords(slot);
        double px = 0;
        for (int d = 0; d < 4; d++) px += p[d] * x[d];
        wave[slot] = std::polar(1.0, px) * u;
        expected[slot] = std::polar(1.0, px) * symbol * u;
      }
      for (const bool with_clover : {false, true})
        EXPECT_LE(reference::deviation(product(on, *on.dirac(with_clover)->full(), wave), expected), 1e-13);
    }
  });
}

TEST(CloverFermions, ManyRightHandSidesAreManyProducts)
{
  support::on_targets([] {
    const Case on(prepared(reference::Lattice({2, 4, 2, 4})), coefficient);
    expect_columns_alone(*on.dirac()->schur(MatPC::odd_odd), on.place);
  });
}

/// Threads, tiles, what is asked for early and streaming stores leave no trace.
TEST(CloverFermions, LaunchParametersLeaveNoTrace)
{
  support::on_targets([] {
    const Case on(prepared(reference::Lattice({4, 4, 6, 8})), coefficient);
    const auto dirac = on.dirac({Precision::single, Reconstruct::r12});
    const auto A = dirac->schur(MatPC::even_even_asymmetric);
    const ColorSpinorField in = random_field(A->shape(2), on.place, 70);
    expect_no_trace(
        *on.place.lattice,
        {"prefetch=0,streaming=0,threads=1", "prefetch=8,tile=3,schedule=1", "prefetch=12,streaming=1,threads=2"}, [&] {
          ColorSpinorField out(A->shape(2));
          (*A)(out, in);
          return out;
        });
  });
}
