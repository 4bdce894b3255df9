/// Factors by coordinates: against their definition, on whole fields and on one parity, in place too; spin-taste
/// operators against the plain reference.

#include "ops/dirac/site_factor.h"
#include "ops/dirac/spin_taste.h"
#include "reference/dirac/spin_taste.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/native_fields.h"

#include <algorithm>

#include <gtest/gtest.h>

using namespace quda;

namespace
{

double factor_of(int d, long long x) { return 1 + 0.25 * d * static_cast<double>(x) - (x == 1 ? 2 : 0); }

ColorSpinorField filled(const support::Place &place, const std::vector<double> &numbers, int spins, Precision precision)
{
  ColorSpinorParam param;
  param.lattice = place.lattice;
  param.spins = spins;
  param.precision = precision;
  param.rhs = 2;
  ColorSpinorField field(param);
  std::vector<double> host = numbers;
  for (int i = 0; i < 2; i++) {
    param.rhs = 1;
    ColorSpinorField one(param);
    support::set_from_host(one, host);
    field.columns(i, 1) = one;
    for (double &x : host) x *= -3;
  }
  return field;
}

double error_of(const ColorSpinorField &field, const std::vector<double> &numbers)
{
  const std::vector<double> found = support::host_array(field);
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < numbers.size(); i++) {
    largest = std::max(largest, std::abs(found[i] - numbers[i]));
    size = std::max(size, std::abs(numbers[i]));
  }
  return largest / size;
}

} // namespace

TEST(SiteFactor, MultipliesByCoordinates)
{
  const reference::Lattice lattice({2, 4, 6, 8});
  const auto psi = reference::random_spinors(lattice, 5);
  auto times = psi;
  for (std::size_t slot = 0; slot < psi.size(); slot++)
    for (int d = 0; d < 4; d++) times[slot] *= factor_of(d, lattice.coords(slot)[d]);
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    for (const auto &[precision, bar] :
         {std::pair(Precision::double_, 1e-15), {Precision::single, 1e-6}, {Precision::half, 1e-4}}) {
      const auto check = [&](auto numbers, auto expected, int spins) {
        ColorSpinorField in = filled(place, numbers, spins, precision), out(in.param());
        const SiteFactor factor(factor_of);
        factor.apply(out, in);
        const ColorSpinorField first = out.columns(0, 1), second = out.columns(1, 1);
        EXPECT_LE(error_of(first, expected), bar) << spins;
        for (double &x : expected) x *= -3;
        EXPECT_LE(error_of(second, expected), bar) << spins;
        ColorSpinorField odd = in.odd();
        factor.apply(odd, odd);
        EXPECT_EQ(support::host_array(odd), support::host_array(out.odd())) << spins;
      };
      check(reference::to_host<double>(psi, lattice, place.part),
            reference::to_host<double>(times, lattice, place.part), 4);
      check(reference::to_host<double, 1>(reference::spins_of<1>(psi), lattice, place.part),
            reference::to_host<double, 1>(reference::spins_of<1>(times), lattice, place.part), 1);
    }
  });
}

TEST(SpinTaste, AgreesWithTheReference)
{
  const reference::Lattice lattice({4, 2, 6, 4});
  const auto links = reference::random_gauge(lattice, 6);
  const auto psi = reference::spins_of<1>(reference::random_spinors(lattice, 7));
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    const GaugeField native = support::native_links(place, links, {});
    const ColorSpinorField both =
        filled(place, reference::to_host<double, 1>(psi, lattice, place.part), 1, Precision::double_);
    ColorSpinorField out(both.param());
    for (const auto &[spin, taste] : {std::pair(5, 5), {5, 4}, {9, 12}, {9, 6}, {3, 4}, {2, 13}}) {
      spin_taste(out, both, &native, spin, taste);
      const auto expected = reference::spin_taste(links, psi, spin, taste);
      EXPECT_LE(error_of(out.columns(0, 1), reference::to_host<double, 1>(expected, lattice, place.part)), 1e-13)
          << spin << " " << taste;
    }
  });
}
