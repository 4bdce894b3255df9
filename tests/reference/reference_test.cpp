// The plain reference against identities, exact cases and the numbers of other programs.

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>

#include "files/gauge_file.h"
#include "reference/dirac/wilson.h"
#include "reference/gauge/links.h"
#include "reference/gauge/plaquette.h"
#include "reference/gauge/transform.h"
#include "reference/propagator.h"
#include "reference/random.h"
#include "reference/test_data.h"

using namespace reference;

namespace
{

const Lattice odd_shape({2, 4, 6, 8});

double largest(const SpinMatrix &m) { return m.cwiseAbs().maxCoeff(); }

void expect_plaquette(const GaugeField &gauge, const std::array<double, 3> &expected, double tolerance)
{
  const auto found = plaquette(gauge);
  for (int i = 0; i < 3; i++)
    EXPECT_NEAR(found[i], expected[i], tolerance * std::abs(expected[i])) << "component " << i;
}

GaugeField read(const std::string &name)
{
  const auto file = quda_files::inspect(test_data(name));
  return from_qdp(Lattice(file.dims), quda_files::read_gauge(file));
}

#define SKIP_WITHOUT(name)                                                                                             \
  if (!std::ifstream(test_data(name))) GTEST_SKIP() << "no file " << test_data(name)

} // namespace

TEST(Reference, SlotsAndCoordinatesAreInverse)
{
  std::set<std::size_t> seen;
  for (std::size_t index = 0; index < odd_shape.volume(); index++) {
    const Coords x = odd_shape.coords_of_index(index);
    EXPECT_EQ(odd_shape.lexicographic(x), index);
    const std::size_t slot = odd_shape.slot(x);
    EXPECT_EQ(odd_shape.coords(slot), x);
    EXPECT_EQ(slot >= odd_shape.half(), Lattice::parity(x) == 1);
    seen.insert(slot);
  }
  EXPECT_EQ(seen.size(), odd_shape.volume());
  EXPECT_EQ(*seen.rbegin(), odd_shape.volume() - 1);
  // by hand: 2 4 6 8, site 1 2 3 4 has index ((4 6 + 3) 4 + 2) 2 + 1 = 221 and parity 0
  EXPECT_EQ(odd_shape.slot({1, 2, 3, 4}), 110u);
  EXPECT_EQ(odd_shape.slot({0, 2, 3, 4}), 192u + 110u);
}

TEST(Reference, PartsOfAGridCoverTheLattice)
{
  const GaugeField gauge = random_gauge(odd_shape, 3);
  GaugeField joined(odd_shape);
  for (int i = 0; i < 6; i++) {
    const Part part(odd_shape, {1, 2, 3, 1}, {0, i % 2, i / 2, 0});
    const auto links = to_qdp<double>(gauge, part);
    const double *pointers[4] = {links[0].data(), links[1].data(), links[2].data(), links[3].data()};
    from_qdp(joined, part, pointers);
  }
  EXPECT_EQ(deviation(joined, gauge), 0);
  EXPECT_THROW(Part(odd_shape, {1, 1, 4, 1}, {0, 0, 0, 0}), std::invalid_argument);
}

TEST(Reference, HostOrdersOfSpinors)
{
  const Spinors psi = random_spinors(odd_shape, 5);
  for (auto order : {SpinorOrder::dirac, SpinorOrder::qdp, SpinorOrder::cps_wilson}) {
    const auto host = to_host<double>(psi, odd_shape, Part(odd_shape), -1, order);
    EXPECT_EQ(deviation(from_host(host, true, order), psi), 0);
    const auto half = to_host<double>(psi, odd_shape, Part(odd_shape), 1, order);
    EXPECT_EQ(deviation(from_host(half, false, order), half_of(psi, 1)), 0);
  }
  const auto qdp = to_host<double>(psi, odd_shape, Part(odd_shape), -1, SpinorOrder::qdp);
  EXPECT_EQ(qdp[24 * 7 + 2 * (2 * 4 + 1)], psi[7](1, 2).real());
}

TEST(Reference, RandomFields)
{
  const GaugeField gauge = random_gauge(odd_shape, 7);
  double trace = 0;
  for (const auto &links : gauge.U)
    for (const Link &u : links) {
      EXPECT_LT((u * u.adjoint() - Link::Identity()).norm(), 1e-14);
      EXPECT_LT(std::abs(u.determinant() - 1.0), 1e-14);
      trace += u.trace().real();
    }
  EXPECT_LT(std::abs(trace / (4.0 * odd_shape.volume())), 0.1); // no preferred direction
  EXPECT_NE(deviation(random_gauge(odd_shape, 8), gauge), 0);
  EXPECT_EQ(deviation(random_gauge(odd_shape, 7), gauge), 0);
  EXPECT_NEAR(norm2(random_spinors(odd_shape, 7)) / (12.0 * odd_shape.volume()), 1, 0.05);
}

TEST(Reference, GammaMatrices)
{
  const SpinMatrix one = SpinMatrix::Identity();
  for (Basis basis : all_bases) {
    for (int mu = 0; mu < 4; mu++) {
      EXPECT_LT(largest(gamma(basis, mu) - gamma(basis, mu).adjoint()), 1e-15);
      for (int nu = 0; nu < 4; nu++) {
        const SpinMatrix twice = gamma(basis, mu) * gamma(basis, nu) + gamma(basis, nu) * gamma(basis, mu);
        EXPECT_LT(largest(twice - (mu == nu ? 2.0 : 0.0) * one), 1e-15);
      }
    }
    for (Basis to : all_bases) {
      const SpinMatrix r = basis_rotation(basis, to);
      EXPECT_LT(largest(r * r.adjoint() - one), 1e-15);
      for (int mu = 0; mu < 4; mu++)
        EXPECT_LT(largest(r * gamma(basis, mu) * r.adjoint() - gamma(to, mu)), 1e-15)
            << "from " << int(basis) << " to " << int(to) << " mu " << mu;
    }
  }
  SpinMatrix chiral = one;
  chiral.diagonal() << 1, 1, -1, -1;
  EXPECT_LT(largest(gamma5(Basis::degrand_rossi) - chiral), 1e-15);
  EXPECT_LT(largest(gamma5(Basis::chiral) + chiral), 1e-15);
  // signs, which the algebra leaves open
  EXPECT_EQ(gamma(Basis::degrand_rossi, 1)(0, 3), Complex(-1)); // -i times (s2)_01 = -i
  EXPECT_EQ(gamma(Basis::degrand_rossi, 0)(0, 3), Complex(0, 1));
  EXPECT_LT(std::abs(basis_rotation(Basis::chiral, Basis::degrand_rossi)(0, 3) + 1.0), 1e-15);
}

TEST(Reference, UnitGauge)
{
  const GaugeField unit(odd_shape);
  expect_plaquette(unit, {1, 1, 1}, 1e-15);
  // a constant spinor: both projectors of each direction add up, D psi = 8 psi
  const Spinors psi(odd_shape.volume(), random_spinor(1, 0));
  EXPECT_LT(deviation(Wilson(unit).hop(psi), scaled(psi, 8)), 1e-14);
}

TEST(Reference, PlaneWavesInUnitGauge)
{
  const GaugeField unit(odd_shape);
  const double two_pi = 2 * std::acos(-1.0);
  for (Basis basis : all_bases)
    for (bool dagger : {false, true}) {
      const Coords n = {1, 1, 2, 3};
      const Spinor u = random_spinor(2, 0);
      Spinors psi(odd_shape.volume()), expected(odd_shape.volume());
      // D exp(ipx) = sum 2 cos p - 2 i gamma sin p
      SpinMatrix d = SpinMatrix::Zero();
      for (int mu = 0; mu < 4; mu++) {
        const double p = two_pi * n[mu] / odd_shape.X[mu];
        d += 2 * std::cos(p) * SpinMatrix::Identity() - Complex(0, dagger ? -2 : 2) * std::sin(p) * gamma(basis, mu);
      }
      for (std::size_t slot = 0; slot < psi.size(); slot++) {
        const Coords x = odd_shape.coords(slot);
        double px = 0;
        for (int mu = 0; mu < 4; mu++) px += two_pi * n[mu] * x[mu] / odd_shape.X[mu];
        psi[slot] = std::polar(1.0, px) * u;
        expected[slot] = d * psi[slot];
      }
      EXPECT_LT(deviation(Wilson(unit, basis).hop(psi, dagger), expected), 1e-14);
    }
}

TEST(Reference, WilsonIdentities)
{
  const GaugeField gauge = random_gauge(odd_shape, 11, Kind::general);
  const Spinors psi = random_spinors(odd_shape, 12), chi = random_spinors(odd_shape, 13);
  const double kappa = 0.13;
  for (Basis basis : all_bases) {
    const Wilson wilson(gauge, basis);
    const SpinMatrix g5 = gamma5(basis);
    EXPECT_LT(deviation(applied(g5, wilson.hop(applied(g5, psi))), wilson.hop(psi, true)), 1e-14);
    EXPECT_LT(std::abs(inner_product(chi, wilson.hop(psi)) - inner_product(wilson.hop(chi, true), psi)), 1e-10);
    EXPECT_LT(
        std::abs(inner_product(chi, wilson.matrix(psi, kappa)) - inner_product(wilson.matrix(chi, kappa, true), psi)),
        1e-10);
    const SpinMatrix r = basis_rotation(basis, Basis::dirac_pauli);
    EXPECT_LT(deviation(Wilson(gauge, Basis::dirac_pauli).hop(applied(r, psi)), applied(r, wilson.hop(psi))), 1e-14);
  }
}

TEST(Reference, EvenOddAgainstFull)
{
  const GaugeField gauge = random_gauge(odd_shape, 21);
  const Spinors psi = random_spinors(odd_shape, 22);
  const Wilson wilson(gauge);
  for (bool dagger : {false, true}) {
    const Spinors full = wilson.hop(psi, dagger);
    for (int parity : {0, 1}) {
      EXPECT_EQ(deviation(wilson.hop_to(parity, half_of(psi, 1 - parity), dagger), half_of(full, parity)), 0);
      // with psi_from = kappa D psi_to, the sites `from` of M psi vanish and those `to` are M_pc psi_to
      const double kappa = 0.12;
      Spinors solved = psi;
      set_half(solved, 1 - parity, scaled(wilson.hop_to(1 - parity, half_of(psi, parity), dagger), kappa));
      const Spinors m = wilson.matrix(solved, kappa, dagger);
      EXPECT_LT(norm2(half_of(m, 1 - parity)), 1e-20);
      EXPECT_LT(deviation(half_of(m, parity), wilson.matrix_pc(parity, half_of(psi, parity), kappa, dagger)), 1e-14);
    }
  }
}

TEST(Reference, Normalisations)
{
  const double kappa = 0.1;
  EXPECT_EQ(normalisation_factor(Normalisation::kappa, true, kappa), 1);
  EXPECT_DOUBLE_EQ(normalisation_factor(Normalisation::mass, false, kappa), 5);
  EXPECT_DOUBLE_EQ(normalisation_factor(Normalisation::mass, true, kappa), 25);
  EXPECT_DOUBLE_EQ(normalisation_factor(Normalisation::asymmetric_mass, false, kappa), 5);
  EXPECT_DOUBLE_EQ(normalisation_factor(Normalisation::asymmetric_mass, true, kappa), 5);
  // the mass normalisation of a constant spinor in unit gauge is m = 1/(2 kappa) - 4
  const Spinors psi(odd_shape.volume(), random_spinor(1, 0));
  const auto m =
      scaled(Wilson(GaugeField(odd_shape)).matrix(psi, kappa), normalisation_factor(Normalisation::mass, false, kappa));
  EXPECT_LT(deviation(m, scaled(psi, 1 / (2 * kappa) - 4)), 1e-14);
}

TEST(Reference, GaugeCovariance)
{
  const GaugeField gauge = random_gauge(odd_shape, 31);
  const Rotation g = random_rotation(odd_shape, 32);
  const GaugeField rotated = transformed(gauge, g);
  expect_plaquette(rotated, plaquette(gauge), 1e-11);
  const Spinors psi = random_spinors(odd_shape, 33);
  EXPECT_LT(deviation(Wilson(rotated).hop(transformed(psi, g)), transformed(Wilson(gauge).hop(psi), g)), 1e-14);
}

TEST(Reference, TwoRowsGiveTheThird)
{
  for (double anisotropy : {1.0, 2.464})
    for (int t_boundary : {1, -1}) {
      GaugeField gauge = random_gauge(odd_shape, 41);
      set_up_links(gauge, anisotropy, t_boundary);
      EXPECT_LT(deviation(reconstructed_12(gauge, anisotropy, t_boundary), gauge), 1e-14);
      EXPECT_GT(deviation(reconstructed_12(gauge, anisotropy, -t_boundary), gauge), 0.1);
    }
  GaugeField off = random_gauge(odd_shape, 42, Kind::general);
  EXPECT_GT(deviation(reconstructed_12(off), off), 0.1);
  // antiperiodic links change the sign of the plaquettes through the last time slice in t planes only
  GaugeField unit(odd_shape);
  set_up_links(unit, 2, -1);
  EXPECT_DOUBLE_EQ(plaquette_trace(unit, {0, 0, 0, 7}, 0, 1), 3.0 / 16);
  EXPECT_DOUBLE_EQ(plaquette_trace(unit, {0, 0, 0, 7}, 0, 3), 3.0 / 4);
  EXPECT_EQ(unit.at(3, {0, 0, 0, 7}), Link(-Link::Identity()));
}

TEST(Reference, WeakFieldLime)
{
  SKIP_WITHOUT("weak_field.lime");
  const GaugeField gauge = read("weak_field.lime");
  expect_plaquette(gauge, {0.9948041322666998, 0.9947985783413033, 0.9948096861920963}, 1e-14);
  double trace = 0;
  for (const auto &links : gauge.U)
    for (const Link &u : links) trace += u.trace().real();
  EXPECT_NEAR(trace / (12.0 * gauge.lattice.volume()), 0.3794493487151929, 1e-14);
}

TEST(Reference, QuenchedMilc)
{
  SKIP_WITHOUT("lat.sample.l8888");
  const GaugeField gauge = read("lat.sample.l8888");
  expect_plaquette(gauge, {0.5935602404328, 0.5930007181528, 0.5941197627129}, 2e-13);
  expect_plaquette(reconstructed_12(gauge), {0.59356024055082, 0.59300071820089, 0.59411976290075}, 2e-14);
}

TEST(Reference, MilcIldg)
{
  SKIP_WITHOUT("lat.sample.l4444.ildg");
  const GaugeField gauge = read("lat.sample.l4444.ildg");
  expect_plaquette(gauge, {0.5948501589472, 0.5982250520254, 0.5914752658689}, 2e-13);
  EXPECT_NEAR(plaquette(reconstructed_12(gauge))[0], 0.59485015793085, 1e-14);
}

// Chroma's point-source propagator on the weak field: M S = source tests hop, anisotropy, boundary and normalisation
// together.
TEST(Reference, ChromaPropagator)
{
  SKIP_WITHOUT("chroma/pt_prop_0");
  SKIP_WITHOUT("weak_field.lime");
  GaugeField gauge = read("weak_field.lime");
  const Lattice &lattice = gauge.lattice;
  const double kappa = 0.125, xi = 2.464, f = 0.95 / xi, m = 1 / (2 * kappa) - 4;
  // f (spatial hops) + temporal hops, antiperiodic: what links divided by 1/f give
  set_up_links(gauge, 1 / f, -1);
  const double diagonal = m + 1 + 3 * f;

  const Propagator S = read_propagator(test_data("chroma/pt_prop_0"), lattice);
  for (int column = 0; column < 12; column++) {
    const Spinors &s = S[column];
    Spinors source(lattice.volume(), Spinor::Zero());
    source[0](column / 3, column % 3) = 1;
    const Spinors found = scaled(Wilson(gauge).matrix(s, 0.5 / diagonal), diagonal);
    for (std::size_t slot = 0; slot < s.size(); slot++)
      EXPECT_LT((found[slot] - source[slot]).cwiseAbs().maxCoeff(), 1e-11) << "column " << column << " slot " << slot;
  }
}
