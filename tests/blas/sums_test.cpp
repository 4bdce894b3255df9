/// Sums of the linear algebra: identities to the bit, exact totals.

#include <gtest/gtest.h>

#include <cmath>

#include "blas/formulas.h"

using namespace quda;
using namespace blas_tests;

namespace
{

const auto &[a, b, c, ca, cb] = for_all;

/// Runs body on fields x, y, z, w, u of several shapes, on every target.
template <class Body> void on_fields(const Body &body)
{
  const Launches untuned("");
  support::on_targets([&] {
    for (const Shape &shape :
         {Shape {4, 3, 2, -1, Precision::double_}, {1, 3, 1, 1, Precision::single}, {4, 3, 2, -1, Precision::half}}) {
      const support::Place place(reference::Lattice({2, 4, 6, 8}), make_single_communicator());
      Fields f = random_fields(place, shape, 5);
      body(f);
    }
  });
}

/// The same numbers in memory of their own.
ColorSpinorField like(const ColorSpinorField &x)
{
  ColorSpinorField y(x.param());
  blas::copy(y, x);
  return y;
}

void expect_same(const ColorSpinorField &x, const ColorSpinorField &y)
{
  EXPECT_EQ(support::host_array(x), support::host_array(y));
}

} // namespace

TEST(BlasSums, NormsAreInnerProducts)
{
  on_fields([](Fields &f) {
    const ColorSpinorField &x = f[0], &y = f[1];
    const double norm = blas::norm2(x);
    EXPECT_GT(norm, 0);
    EXPECT_EQ(blas::redot(x, x), norm);
    EXPECT_EQ(blas::cdot(x, x), blas::Complex(norm, 0));
    const blas::Complex xy = blas::cdot(x, y);
    EXPECT_NE(xy.imag(), 0);
    EXPECT_EQ(blas::cdot(y, x), std::conj(xy));
    EXPECT_EQ(blas::redot(x, y), xy.real());
    const blas::DotNorm with_x = blas::cDotNormA(x, y), with_y = blas::cDotNormB(x, y);
    EXPECT_EQ(with_x.dot, xy);
    EXPECT_EQ(with_y.dot, xy);
    EXPECT_EQ(with_x.norm2, norm);
    EXPECT_EQ(with_y.norm2, blas::norm2(y));
  });
}

TEST(BlasSums, BehindUpdatesAreThoseOfTheResult)
{
  on_fields([](Fields &f) {
    const auto check = [&](double sum, double expected, const ColorSpinorField &found, const ColorSpinorField &right) {
      EXPECT_EQ(sum, expected);
      expect_same(found, right);
    };
    ColorSpinorField y = like(f[1]), right = like(f[1]);
    blas::axpy(a, f[0], right);
    check(blas::axpyNorm2(a, f[0], y), blas::norm2(right), y, right);
    blas::copy(y, f[1]);
    check(blas::axpyReDot(a, f[0], y), blas::redot(f[0], right), y, right);
    blas::copy(y, f[1]);
    check(blas::axpyCGNorm(a, f[0], y).norm2, blas::norm2(right), y, right);

    blas::copy(y, f[1]);
    blas::copy(right, f[1]);
    blas::xpay(f[0], -1, right);
    check(blas::xmyNorm(f[0], y), blas::norm2(right), y, right);

    blas::copy(y, f[1]);
    blas::copy(right, f[1]);
    blas::caxpy(ca, f[0], right);
    check(blas::caxpyNorm(ca, f[0], y), blas::norm2(right), y, right);
    blas::copy(y, f[1]);
    EXPECT_EQ(blas::caxpyDot(ca, f[0], y, f[2]), blas::cdot(f[2], right));
    expect_same(y, right);
  });
}

TEST(BlasSums, FusedFormulasAreTheirParts)
{
  on_fields([](Fields &f) {
    ColorSpinorField x = like(f[0]), y = like(f[1]);
    blas::axpy(a, x, y);
    blas::xpay(f[2], b, x);
    ColorSpinorField p = like(f[0]), q = like(f[1]);
    blas::axpyZpbx(a, p, q, f[2], b);
    expect_same(p, x);
    expect_same(q, y);

    blas::copy(p, f[0]);
    blas::copy(q, f[1]);
    blas::axpyBzpcx(a, p, q, 1, f[2], b);
    expect_same(p, x);
    expect_same(q, y);

    blas::copy(x, f[0]);
    blas::copy(y, f[1]);
    blas::caxpy(ca, x, y);
    blas::caxpy(-ca, f[2], x);
    blas::copy(p, f[0]);
    blas::copy(q, f[1]);
    EXPECT_EQ(blas::caxpyXmazNorm(ca, p, q, f[2]), blas::norm2(x));
    expect_same(p, x);
    expect_same(q, y);

    ColorSpinorField z = like(f[2]), r = like(f[2]);
    blas::copy(y, f[1]);
    blas::caxpy(ca, f[0], z);
    blas::caxpy(cb, y, z);
    blas::caxpy(-cb, f[3], y);
    blas::copy(q, f[1]);
    const blas::DotNorm sums = blas::caxpbypzYmbwDotNorm(ca, f[0], cb, q, r, f[3], f[4]);
    expect_same(q, y);
    if (r.precision() != Precision::half) expect_same(r, z); // half: rounded once, and twice
    EXPECT_EQ(sums.dot, blas::cdot(f[4], y));
    EXPECT_EQ(sums.norm2, blas::norm2(y));
  });
}

TEST(BlasSums, ArgumentsMayBeOneFieldWhereTheTextSaysSo)
{
  on_fields([](Fields &f) {
    const ColorSpinorField x = like(f[0]), y = like(f[1]);
    ColorSpinorField z(x.param()), p = like(x);
    blas::axpbyz(a, x, b, y, z);
    blas::axpbyz(a, p, b, y, p); // z is x
    expect_same(p, z);
    blas::copy(p, y);
    blas::axpbyz(a, x, b, p, p); // z is y
    expect_same(p, z);
    blas::copy(p, x);
    blas::axpbyz(a, x, b, x, z);
    blas::axpby(a, p, b, p); // x is y
    expect_same(p, z);
    blas::copy(p, x);
    blas::axpyz(a, x, x, z);
    const double norm = blas::norm2(z);
    EXPECT_EQ(blas::axpyNorm2(a, p, p), norm);
    expect_same(p, z);
    blas::copy(p, p);
    expect_same(p, z);
    EXPECT_EQ(blas::xmyNorm(p, p), 0.0);
    EXPECT_EQ(blas::norm2(p), 0.0);
  });
}

/// Numbers that cancel over 100 orders of magnitude leave exactly the small one.
TEST(BlasSums, AreExact)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place(reference::Lattice({4, 4, 6, 8}), make_single_communicator());
    const Shape shape {4, 3, 2, -1, Precision::double_};
    ColorSpinorField x = field_of(place, shape), y = field_of(place, shape);
    std::vector<double> ones(x.sites() * 2 * 24, 0.0), values(ones.size(), 0.0);
    const std::size_t entries = ones.size() / 24;
    double sign = 1;
    for (std::size_t e = 0; e < entries; e++) {
      ones[24 * e] = 1;
      if (e == 17) continue;
      values[24 * e] =
          sign * std::ldexp(1.0 + 0x1p-52 * static_cast<double>(e / 2), static_cast<int>(e % 2 ? e - 1 : e) % 300);
      sign = -sign;
    }
    // entry 17 breaks the pairs: those before it and after it are made to cancel
    values[24 * 16] = std::ldexp(1.0, -60);
    for (std::size_t e = 18; e < entries; e += 2) {
      values[24 * e] = std::ldexp(1.0 + 0x1p-52 * static_cast<double>(e), static_cast<int>(e % 300));
      values[24 * (e + 1)] = -values[24 * e];
    }
    for (std::size_t e = 0; e < 16; e += 2) values[24 * (e + 1)] = -values[24 * e];
    support::set_from_host(x, ones);
    support::set_from_host(y, values);
    EXPECT_EQ(blas::redot(x, y), std::ldexp(1.0, -60));
    EXPECT_EQ(blas::cdot(x, y), blas::Complex(std::ldexp(1.0, -60), 0));
  });
}

TEST(BlasSums, LetInfinitiesAndNoNumbersThrough)
{
  const Launches untuned("");
  support::on_targets([] {
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const support::Place place(reference::Lattice({2, 4, 6, 8}), make_single_communicator());
      const Shape shape {4, 3, 1, -1, precision};
      std::vector<double> numbers = random_numbers(place, shape, 1);
      ColorSpinorField x = field_of(place, shape);
      numbers[1000] = INFINITY;
      support::set_from_host(x, numbers);
      EXPECT_EQ(blas::norm2(x), INFINITY);
      numbers[30] = NAN;
      support::set_from_host(x, numbers);
      EXPECT_TRUE(std::isnan(blas::norm2(x)));
    }
  });
}
