/// The Wilson hop and matrix against the plain reference, and the identities they must obey.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "dirac/dirac_checks.h"
#include "dirac/stored_links.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/gamma.h"
#include "reference/dirac/wilson.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "tune/tune_cache.h"

using namespace quda;
using namespace dirac_test;
using reference::Spinors;

namespace
{

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}, {8, 8, 8, 16}};
const Reconstruct reconstructs[] = {Reconstruct::none, Reconstruct::r12};
constexpr double xi = 2.464;

reference::GaugeField prepared(const reference::Lattice &lattice, reference::Kind kind = reference::Kind::su3)
{
  reference::GaugeField gauge = reference::random_gauge(lattice, 11, kind);
  reference::set_up_links(gauge, xi, -1);
  return gauge;
}

Spinors spinors_of(const ColorSpinorField &field)
{
  return reference::from_host<double>(support::host_array(field), field.parities() == 2);
}

/// A spinor field with those of the plain reference's numbers that it holds.
ColorSpinorField filled(const support::Place &place, Precision precision, int parity, const Spinors &psi)
{
  ColorSpinorField field = support::native_spinors(place, precision, parity);
  support::set_from(field, place, psi);
  return field;
}

} // namespace

/// Hop onto either parity, matrices on one parity and on both, dagger and not.
TEST(Wilson, AgreesWithTheReference)
{
  const auto compare = [](const Stored &on) {
    constexpr double kappa = 0.135;
    const Precision precision = on.storage.precision;
    const support::Place place(on.gauge.lattice, make_single_communicator());
    const GaugeField links = support::native_links(place, on.gauge, {precision, on.storage.reconstruct, xi, -1});
    const reference::Wilson wilson(on.gauge);
    const Spinors psi = on.source(1)[0];
    const LinkSet set(links);
    const auto dirac = make_dirac(WilsonFermions {kappa}, set, on.storage);
    double worst = 0;
    const auto check = [&](const ColorSpinorField &found, const Spinors &expected) {
      worst = std::max(worst, reference::deviation(spinors_of(found), expected));
    };
    for (const bool dagger : {false, true}) {
      for (int parity = 0; parity < 2; parity++) {
        ColorSpinorField out = support::native_spinors(place, precision, parity);
        dirac->dslash(out, filled(place, precision, 1 - parity, psi), dagger);
        check(out, wilson.hop_to(parity, reference::half_of(psi, 1 - parity), dagger));
        (*dirac->schur(static_cast<MatPC>(parity)))(out, filled(place, precision, parity, psi), dagger);
        check(out, wilson.matrix_pc(parity, reference::half_of(psi, parity), kappa, dagger));
      }
      ColorSpinorField out = support::native_spinors(place, precision, -1);
      (*dirac->full())(out, filled(place, precision, -1, psi), dagger);
      check(out, wilson.matrix(psi, kappa, dagger));
    }
    std::printf("  %s: %.2e\n", on.name().c_str(), worst);
    EXPECT_LE(worst, on.allowed(2e-4));
  };
  on_stored_links(compare, {{std::begin(shapes), std::end(shapes)}, xi, true, std::size(shapes)});
}

namespace
{

Spinors gamma5_times(const Spinors &psi)
{
  return reference::applied(reference::gamma5(reference::Basis::degrand_rossi), psi);
}

Spinors full_hop(const support::Place &place, const GaugeField &links, const Spinors &psi, bool dagger)
{
  ColorSpinorField out = support::native_spinors(place, links.precision(), -1);
  wilson_hop(out, filled(place, links.precision(), -1, psi), links, dagger);
  return spinors_of(out);
}

/// gamma5 D gamma5 against D^dag from the adjoint kernel, and <chi, D psi> against <D^dag chi, psi>.
void expect_gamma5_hermitian(const reference::GaugeField &gauge, Reconstruct reconstruct)
{
  const support::Place place(gauge.lattice, make_single_communicator());
  const GaugeField links = support::native_links(place, gauge, {Precision::double_, reconstruct, 1, 1});
  const Spinors psi = reference::random_spinors(gauge.lattice, 3), chi = reference::random_spinors(gauge.lattice, 4);
  const Spinors d_psi = full_hop(place, links, psi, false);
  EXPECT_LE(reference::deviation(gamma5_times(full_hop(place, links, gamma5_times(psi), false)),
                                 full_hop(place, links, psi, true)),
            1e-13);
  const reference::Complex one = reference::inner_product(chi, d_psi);
  const reference::Complex other =
      reference::inner_product(gamma5_times(full_hop(place, links, gamma5_times(chi), false)), psi);
  EXPECT_LE(std::abs(one - other), 1e-13 * std::sqrt(reference::norm2(chi) * reference::norm2(d_psi)));
}

} // namespace

TEST(Wilson, IsGamma5Hermitian)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      expect_gamma5_hermitian(reference::random_gauge(lattice, 8), Reconstruct::none);
      expect_gamma5_hermitian(reference::random_gauge(lattice, 8), Reconstruct::r12);
    }
  });
}

TEST(Wilson, IsGamma5HermitianWithLinksOffTheGroup)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 10});
    reference::GaugeField off = reference::random_gauge(lattice, 8);
    const reference::GaugeField noise = reference::random_gauge(lattice, 9, reference::Kind::general);
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t i = 0; i < lattice.volume(); i++) off.U[mu][i] += 1e-3 * noise.U[mu][i];
    expect_gamma5_hermitian(off, Reconstruct::r12);
    expect_gamma5_hermitian(noise, Reconstruct::none);
  });
}

TEST(Wilson, IsGaugeCovariant)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      const reference::GaugeField gauge = reference::random_gauge(lattice, 21);
      const Spinors psi = reference::random_spinors(lattice, 22);
      const auto g = reference::random_rotation(lattice, 23);
      for (const Reconstruct reconstruct : reconstructs) {
        const GaugeField links = support::native_links(place, gauge, {Precision::double_, reconstruct, 1, 1});
        const GaugeField turned =
            support::native_links(place, reference::transformed(gauge, g), {Precision::double_, reconstruct, 1, 1});
        EXPECT_LE(reference::deviation(full_hop(place, turned, reference::transformed(psi, g), false),
                                       reference::transformed(full_hop(place, links, psi, false), g)),
                  1e-13);
      }
    }
  });
}

TEST(Wilson, ThreeRightHandSidesAreThreeHops)
{
  on_stored_links(
      [](const Stored &on) {
        const support::Place place(on.gauge.lattice, make_single_communicator());
        const Precision precision = on.storage.precision;
        const GaugeField links = support::native_links(place, on.gauge, {precision, on.storage.reconstruct, xi, -1});
        const ColorSpinorField in = random_field(support::native_spinors(place, precision, 1, 3).param(), place, 30);
        ColorSpinorField out = support::native_spinors(place, precision, 0, 3);
        ColorSpinorField one = support::native_spinors(place, precision, 0);
        wilson_hop(out, in, links, false);
        for (int i = 0; i < 3; i++) {
          wilson_hop(one, column(in, i), links, false);
          EXPECT_EQ(support::host_array(one), support::host_array(column(out, i)));
        }
      },
      {{shapes[0]}, xi});
}

/// out = b D in + c x with x in out's place, repeated while it is tuned.
TEST(Wilson, TheSumMayTakeThePlaceOfItsTerm)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const GaugeField links = support::native_links(place, prepared(lattice), {Precision::double_, Reconstruct::none});
    const ColorSpinorField in = filled(place, Precision::double_, 1, reference::random_spinors(lattice, 51));
    ColorSpinorField x = filled(place, Precision::double_, 0, reference::random_spinors(lattice, 52));
    ColorSpinorField apart = support::native_spinors(place, Precision::double_, 0);
    wilson_hop(apart, in, links, false, {.y = &x, .b = 0.5, .c = 2});
    setenv("QUDA_ENABLE_TUNING", "1", 1);
    load_tune_cache(place.lattice->communicator());
    wilson_hop(x, in, links, false, {.y = &x, .b = 0.5, .c = 2});
    setenv("QUDA_ENABLE_TUNING", "0", 1);
    load_tune_cache(place.lattice->communicator());
    EXPECT_EQ(support::host_array(x), support::host_array(apart));

    const ColorSpinorField other = support::native_spinors(place, Precision::single, 0);
    EXPECT_THROW(wilson_hop(apart, in, links, false, {.y = &other, .b = 0.5, .c = 2}), Error);
  });
}

/// One coefficient for each right-hand side, also of more than one launch takes; a list of another length is refused.
TEST(Wilson, CoefficientsAreThoseOfEachRightHandSide)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 2, 4});
    const support::Place place(lattice, make_single_communicator());
    const GaugeField links = support::native_links(place, prepared(lattice), {Precision::double_, Reconstruct::r12});
    for (const int rhs : {3, 37}) {
      const ColorSpinorField in =
          random_field(support::native_spinors(place, Precision::double_, 1, rhs).param(), place, 60);
      const ColorSpinorField x =
          random_field(support::native_spinors(place, Precision::double_, 0, rhs).param(), place, 160);
      ColorSpinorField together = support::native_spinors(place, Precision::double_, 0, rhs);
      ColorSpinorField apart = support::native_spinors(place, Precision::double_, 0, rhs);
      std::vector<double> a, b;
      for (int i = 0; i < rhs; i++) {
        a.push_back(0.5 - 0.25 * i);
        b.push_back(1.5 + 0.125 * i);
      }
      wilson_hop(together, in, links, true, {.y = &x, .b = b, .c = a});
      for (int i = 0; i < rhs; i++) {
        ColorSpinorField out = apart.columns(i, 1);
        const ColorSpinorField one = x.columns(i, 1);
        wilson_hop(out, in.columns(i, 1), links, true, {.y = &one, .b = b[i], .c = a[i]});
      }
      EXPECT_EQ(support::host_array(together), support::host_array(apart)) << rhs << " right-hand sides";
      a.pop_back();
      EXPECT_THROW(wilson_hop(together, in, links, true, {.y = &x, .b = b, .c = a}), Error);
      b.pop_back();
      EXPECT_THROW(wilson_hop(together, in, links, true, {.y = &x, .b = b, .c = a}), Error);
    }
  });
}

/// What is asked for early, tiles and streaming stores leave no trace in the result.
TEST(Wilson, LaunchParametersLeaveNoTrace)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 8, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
      for (const int rhs : {1, 3}) {
        const GaugeField links = support::native_links(place, prepared(lattice), {precision, Reconstruct::r12, xi, -1});
        const ColorSpinorField in = random_field(support::native_spinors(place, precision, 1, rhs).param(), place, 70);
        expect_no_trace(*place.lattice,
                        {"prefetch=0,streaming=0", "prefetch=1,tile=5", "prefetch=8,tile=3,schedule=1",
                         "prefetch=12,streaming=1,threads=2"},
                        [&] {
                          ColorSpinorField out = support::native_spinors(place, precision, 0, rhs);
                          wilson_hop(out, in, links, false);
                          return out;
                        });
      }
  });
}
