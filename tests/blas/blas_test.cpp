/// Linear algebra on whole fields.

#include <gtest/gtest.h>

#include <cmath>

#include "ops/blas/blas.h"
#include "reference/random.h"
#include "support/native_fields.h"

using namespace quda;

namespace
{

template <class real> ColorSpinorField field_of(const support::Place &place, const reference::Spinors &psi, int parity)
{
  ColorSpinorField field =
      support::native_spinors(place, sizeof(real) == 8 ? Precision::double_ : Precision::single, parity);
  support::set_from(field, place, psi);
  return field;
}

template <class real> void check_axpyz(const reference::Coords &shape, int parity)
{
  const reference::Lattice lattice(shape);
  const support::Place place(lattice, make_single_communicator());
  const ColorSpinorField x = field_of<real>(place, reference::random_spinors(lattice, 1), parity);
  ColorSpinorField y = field_of<real>(place, reference::random_spinors(lattice, 2), parity);
  ColorSpinorField z = support::native_spinors(place, x.precision(), parity);
  const real a = static_cast<real>(-0.3);
  blas::axpyz(a, x, y, z);
  const auto hx = support::host_array(x), hy = support::host_array(y), hz = support::host_array(z);
  for (std::size_t i = 0; i < hx.size(); i++)
    ASSERT_EQ(static_cast<real>(hz[i]), std::fma(a, static_cast<real>(hx[i]), static_cast<real>(hy[i])));
  blas::axpyz(a, x, y, y); // in place: tuning must not apply it twice
  EXPECT_EQ(support::host_array(y), hz);
}

} // namespace

TEST(Blas, AxpyzAddsOnce)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {8, 8, 8, 16}})
      for (const int parity : {-1, 0, 1}) {
        check_axpyz<double>(shape, parity);
        check_axpyz<float>(shape, parity);
      }
  });
}

TEST(Blas, NormIsTheSameOnEveryTarget)
{
  const reference::Lattice lattice({4, 4, 4, 10});
  const reference::Spinors psi = reference::random_spinors(lattice, 9);
  double first = 0;
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    const double norm = blas::norm2(field_of<double>(place, psi, -1));
    EXPECT_NEAR(norm, reference::norm2(psi), 1e-13 * norm);
    if (first == 0) first = norm;
    EXPECT_EQ(norm, first);
  });
}
