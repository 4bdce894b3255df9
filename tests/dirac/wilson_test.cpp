/// The Wilson hop and matrix against the plain reference, and the identities they must obey.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "dirac/make_dirac.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/wilson.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "tune/tune_cache.h"

using namespace quda;
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

Spinors spinors_of(const ColorSpinorField &field, const support::Place &)
{
  return reference::from_host<double>(support::host_array(field), field.parities() == 2);
}

/// One row of the table: hop onto either parity and full matrix, dagger and not.
void compare(const reference::Coords &shape, Precision precision, Reconstruct reconstruct, double bar)
{
  const reference::Lattice lattice(shape);
  const support::Place place(lattice, make_single_communicator());
  reference::GaugeField gauge = prepared(lattice);
  Spinors psi = reference::random_spinors(lattice, 5);
  if (precision == Precision::single) {
    gauge = reference::rounded_to_single(gauge);
    psi = reference::rounded_to_single(psi);
  } else if (precision == Precision::half) {
    gauge = reference::rounded_to_half(gauge);
    psi = reference::rounded_to_half(psi);
  }
  const GaugeField links = support::native_links(place, gauge, {precision, reconstruct, xi, -1});
  const reference::GaugeField same =
      reconstruct == Reconstruct::r12 ? reference::reconstructed_12(gauge, xi, -1) : gauge;
  const reference::Wilson wilson(same);
  constexpr double kappa = 0.135;
  const LinkSet set(links);
  const auto dirac = make_dirac(WilsonFermions {kappa}, set, {precision, reconstruct});

  double worst = 0;
  for (const bool dagger : {false, true}) {
    for (int parity = 0; parity < 2; parity++) {
      ColorSpinorField in = support::native_spinors(place, precision, 1 - parity);
      ColorSpinorField out = support::native_spinors(place, precision, parity);
      support::set_from(in, place, psi);
      dirac->dslash(out, in, dagger);
      const Spinors expected = wilson.hop_to(parity, reference::half_of(psi, 1 - parity), dagger);
      worst = std::max(worst, reference::deviation(spinors_of(out, place), expected));

      ColorSpinorField x = support::native_spinors(place, precision, parity);
      support::set_from(x, place, psi);
      (*dirac->schur(static_cast<MatPC>(parity)))(out, x, dagger);
      const Spinors pc = wilson.matrix_pc(parity, reference::half_of(psi, parity), kappa, dagger);
      worst = std::max(worst, reference::deviation(spinors_of(out, place), pc));
    }
    ColorSpinorField in = support::native_spinors(place, precision, -1);
    ColorSpinorField out = support::native_spinors(place, precision, -1);
    support::set_from(in, place, psi);
    (*dirac->full())(out, in, dagger);
    worst = std::max(worst, reference::deviation(spinors_of(out, place), wilson.matrix(psi, kappa, dagger)));
  }
  std::printf("  %2d %2d %2d %2d  %-10s %d bytes recon %d: %.2e\n", shape[0], shape[1], shape[2], shape[3],
              target_name(target().kind()), bytes_of(precision), static_cast<int>(reconstruct), worst);
  EXPECT_LE(worst, bar);
}

} // namespace

TEST(Wilson, AgreesWithTheReferenceInDouble)
{
  support::on_targets([] {
    for (const auto &shape : shapes)
      for (const Reconstruct reconstruct : reconstructs) compare(shape, Precision::double_, reconstruct, 1e-12);
  });
}

TEST(Wilson, AgreesWithTheReferenceInSingle)
{
  support::on_targets([] {
    for (const auto &shape : shapes)
      for (const Reconstruct reconstruct : reconstructs) compare(shape, Precision::single, reconstruct, 5e-6);
  });
}

TEST(Wilson, AgreesWithTheReferenceInHalf)
{
  support::on_targets([] {
    for (const auto &shape : shapes)
      for (const Reconstruct reconstruct : reconstructs) compare(shape, Precision::half, reconstruct, 2e-4);
  });
}

namespace
{

Spinors gamma5_times(Spinors psi)
{
  for (auto &s : psi) s = (reference::gamma5(reference::Basis::degrand_rossi) * s).eval();
  return psi;
}

Spinors full_hop(const support::Place &place, const GaugeField &links, const Spinors &psi, bool dagger)
{
  ColorSpinorField in = support::native_spinors(place, links.precision(), -1);
  ColorSpinorField out = support::native_spinors(place, links.precision(), -1);
  support::set_from(in, place, psi);
  wilson_hop(out, in, links, dagger);
  return spinors_of(out, place);
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
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
      for (const Reconstruct reconstruct : reconstructs) {
        const GaugeField links = support::native_links(place, prepared(lattice), {precision, reconstruct, xi, -1});
        const std::size_t half = 24 * lattice.half();
        std::vector<double> together;
        std::vector<std::vector<double>> apart;
        for (int i = 0; i < 3; i++) {
          const Spinors psi = reference::random_spinors(lattice, 30 + i);
          const auto host = reference::to_host<double>(psi, lattice, place.part, 1);
          together.insert(together.end(), host.begin(), host.end());
          ColorSpinorField in = support::native_spinors(place, precision, 1);
          ColorSpinorField out = support::native_spinors(place, precision, 0);
          support::set_from_host(in, host);
          wilson_hop(out, in, links, false);
          apart.push_back(support::host_array(out));
        }
        ColorSpinorField in = support::native_spinors(place, precision, 1, 3);
        ColorSpinorField out = support::native_spinors(place, precision, 0, 3);
        support::set_from_host(in, together);
        wilson_hop(out, in, links, false);
        const auto all = support::host_array(out);
        for (int i = 0; i < 3; i++)
          EXPECT_EQ(apart[i], std::vector<double>(all.begin() + i * half, all.begin() + (i + 1) * half));
      }
  });
}

/// out = b D in + c x with x in out's place, repeated while it is tuned.
TEST(Wilson, TheSumMayTakeThePlaceOfItsTerm)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const GaugeField links = support::native_links(place, prepared(lattice), {Precision::double_, Reconstruct::none});
    const Spinors psi = reference::random_spinors(lattice, 51), chi = reference::random_spinors(lattice, 52);
    ColorSpinorField in = support::native_spinors(place, Precision::double_, 1);
    ColorSpinorField x = support::native_spinors(place, Precision::double_, 0);
    ColorSpinorField apart = support::native_spinors(place, Precision::double_, 0);
    support::set_from(in, place, psi);
    support::set_from(x, place, chi);
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

namespace
{

/// A spinor field of one parity, its right-hand sides random numbers.
ColorSpinorField random_columns(const support::Place &place, Precision precision, int parity, int rhs, unsigned seed)
{
  std::vector<double> numbers;
  for (int i = 0; i < rhs; i++) {
    const auto one =
        reference::to_host<double>(reference::random_spinors(place.global, seed + i), place.global, place.part, parity);
    numbers.insert(numbers.end(), one.begin(), one.end());
  }
  ColorSpinorField field = support::native_spinors(place, precision, parity, rhs);
  support::set_from_host(field, numbers);
  return field;
}

} // namespace

/// One coefficient for each right-hand side, also of more than one launch takes; a list of another length is refused.
TEST(Wilson, CoefficientsAreThoseOfEachRightHandSide)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 2, 4});
    const support::Place place(lattice, make_single_communicator());
    const GaugeField links = support::native_links(place, prepared(lattice), {Precision::double_, Reconstruct::r12});
    for (const int rhs : {3, 37}) {
      const ColorSpinorField in = random_columns(place, Precision::double_, 1, rhs, 60);
      const ColorSpinorField x = random_columns(place, Precision::double_, 0, rhs, 160);
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
        const ColorSpinorField in = random_columns(place, precision, 1, rhs, 70);
        std::vector<double> first;
        for (const char *force : {"prefetch=0,streaming=0", "prefetch=1,tile=5", "prefetch=8,tile=3,schedule=1",
                                  "prefetch=12,streaming=1,threads=2"}) {
          setenv("QUDA_TUNE_FORCE", force, 1);
          load_tune_cache(place.lattice->communicator());
          ColorSpinorField out = support::native_spinors(place, precision, 0, rhs);
          wilson_hop(out, in, links, false);
          if (first.empty()) first = support::host_array(out);
          EXPECT_EQ(support::host_array(out), first) << force;
        }
        unsetenv("QUDA_TUNE_FORCE");
        load_tune_cache(place.lattice->communicator());
      }
  });
}
