/// What the linear algebra refuses, by name.

#include <gtest/gtest.h>

#include "blas/formulas.h"
#include "support/refused.h"

using namespace quda;
using namespace blas_tests;

namespace
{

template <class Call> void expect_refused(const Call &call, const std::string &function, const std::string &what)
{
  const std::string message = refused(ErrorKind::bad_argument, call);
  EXPECT_TRUE(contains(message, "blas::" + function + ": ")) << message;
  EXPECT_TRUE(contains(message, what)) << message << "\n  does not say: " << what;
}

} // namespace

TEST(BlasRefuses, FieldsThatDiffer)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    const Shape shape {4, 3, 2, -1, Precision::double_};
    ColorSpinorField x = random_field(place, shape, 1);
    const auto differ = [&](const Shape &other, const support::Place &there, const std::string &what) {
      ColorSpinorField y = random_field(there, other, 2);
      const auto before = support::host_array(y);
      expect_refused([&] { blas::axpy(1, x, y); }, "axpy", what);
      EXPECT_EQ(support::host_array(y), before);
      expect_refused([&] { blas::copy(y, x); }, "copy", "x has ");
      expect_refused([&] { blas::cdot(x, y); }, "cdot", what);
    };
    differ({4, 3, 2, -1, Precision::single}, place, "x has precision = 8, y has 4");
    differ({1, 3, 2, -1, Precision::double_}, place, "x has spins = 4, y has 1");
    differ({4, 2, 2, -1, Precision::double_}, place, "x has colors = 3, y has 2");
    differ({4, 3, 1, -1, Precision::double_}, place, "x has rhs = 2, y has 1");
    differ({4, 3, 2, 0, Precision::double_}, place, "x has subset = 2, y has 1");
    differ(shape, place_of({2, 4, 8, 6}), "x has X[2] = 6, y has 8");

    ColorSpinorField even = random_field(place, {4, 3, 2, 0, Precision::double_}, 3);
    const ColorSpinorField odd = x.odd();
    expect_refused([&] { blas::axpy(1, odd, even); }, "axpy", "x has parity = 1, y has 0");
  });
}

TEST(BlasRefuses, OtherWaysToLaySitesOverLanes)
{
  const Launches untuned("");
  support::on_targets([] {
    if (target().lanes() == 1) return;
    const Shape shape {4, 3, 1, -1, Precision::double_};
    const ColorSpinorField x = random_field(place_of({8, 8, 8, 8}), shape, 1);
    const Variable split("QUDA_LANE_SPLIT", "4 4 1 1");
    ColorSpinorField y = random_field(place_of({8, 8, 8, 8}), shape, 2);
    expect_refused([&] { blas::axpy(1, x, y); }, "axpy", "lane split");
  });
}

TEST(BlasRefuses, ForeignOrders)
{
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    ColorSpinorField x = random_field(place, {4, 3, 1, -1, Precision::double_}, 1);
    ColorSpinorParam param = x.param();
    param.order = DiracOrder::dirac;
    param.location = Location::host;
    ColorSpinorField y(param);
    expect_refused([&] { blas::axpy(1, x, y); }, "axpy", "y has order = 1");
    expect_refused([&] { blas::norm2(y); }, "norm2", "x has order = 1");
    expect_refused([&] { blas::zero(y); }, "zero", "x has order = 1");
  });
}

TEST(BlasRefuses, QuarterPrecision)
{
  support::on_targets([] {
    ColorSpinorField x = field_of(place_of({2, 4, 6, 8}), {4, 3, 1, -1, Precision::quarter});
    expect_refused(ErrorKind::unsupported, {"blas::axpy: x has precision = 1"}, [&] { blas::axpy(1, x, x); });
  });
}

TEST(BlasRefuses, AliasesThatWouldSpoilTheFormula)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    Fields f = random_fields(place, {4, 3, 1, -1, Precision::double_}, 5);
    const One &k = for_all;
    expect_refused([&] { blas::axpyZpbx(k.a, f[0], f[0], f[1], k.b); }, "axpyZpbx",
                   "x is written and may not be the same field as y");
    expect_refused([&] { blas::axpyZpbx(k.a, f[0], f[1], f[1], k.b); }, "axpyZpbx",
                   "y is written and may not be the same field as z");
    expect_refused([&] { blas::caxpyXmaz(k.ca, f[0], f[1], f[0]); }, "caxpyXmaz",
                   "x is written and may not be the same field as z");
    expect_refused([&] { blas::axpyReDot(k.a, f[0], f[0]); }, "axpyReDot",
                   "y is written and may not be the same field as x");
    expect_refused([&] { blas::caxpyDot(k.ca, f[0], f[1], f[1]); }, "caxpyDot",
                   "y is written and may not be the same field as z");
    expect_refused([&] { blas::caxpbypzYmbw(k.ca, f[0], k.cb, f[1], f[2], f[2]); }, "caxpbypzYmbw",
                   "z is written and may not be the same field as w");
  });
}

TEST(BlasRefuses, FieldsThatOverlapInPart)
{
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    const Shape shape {4, 3, 1, 0, Precision::double_};
    ColorSpinorField whole = random_field(place, {4, 3, 2, 0, Precision::double_}, 1);
    ColorSpinorParam param = field_of(place, shape).param();
    param.create = Create::reference;
    param.data = whole.data();
    const ColorSpinorField x(param);
    param.data = static_cast<char *>(whole.data()) + 128;
    ColorSpinorField y(param);
    expect_refused([&] { blas::axpy(1, x, y); }, "axpy", "y is written and overlaps x in part");
  });
}
