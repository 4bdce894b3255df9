/// What rides in the last pass of a hop: third fields and sums, the bits of the linear algebra.

#include <gtest/gtest.h>

#include "dirac/dirac_checks.h"
#include "ops/blas/block.h"
#include "ops/dirac/wilson.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/native_fields.h"

using namespace quda;

namespace
{

struct Setting {
  Precision precision;
  Reconstruct reconstruct;
  int rhs;
  bool listed, dagger;
};

void compare(const support::Place &place, const GaugeField &links, const Setting &set)
{
  ColorSpinorParam shape = support::native_spinors(place, set.precision, 0, set.rhs).param(), others = shape;
  others.parity = 1;
  const ColorSpinorField in = dirac_test::random_field(others, place, 60);
  const ColorSpinorField x = dirac_test::random_field(shape, place, 160),
                         y = dirac_test::random_field(shape, place, 260),
                         w = dirac_test::random_field(shape, place, 360);
  std::vector<double> a, b, c;
  for (int j = 0; j < set.rhs; j++) {
    a.push_back(0.5 - 0.25 * j);
    b.push_back(1.5 + 0.125 * j);
    c.push_back(j % 3 - 0.5);
  }
  Epilogue end {.x = &x, .y = &y, .a = 1.0, .b = -0.5, .c = 1.5};
  if (set.listed) end.a = c, end.b = b, end.c = a;
  ColorSpinorField plain(shape), out(shape), in_place(shape), expected(shape);
  wilson_hop(plain, in, links, set.dagger, end);

  wilson_hop(expected, in, links, set.dagger, {.y = &y, .b = end.b, .c = end.c});
  blas::axpy(end.a, x, expected);
  EXPECT_LE(dirac_test::deviation(plain, expected), set.precision == Precision::half ? 1e-4 : 1e-6);

  Sums sums;
  end.norm = true;
  end.dot_with = &w;
  end.change = !set.listed;
  wilson_hop(out, in, links, set.dagger, end, &sums);
  const auto numbers = support::host_array(plain);
  EXPECT_EQ(support::host_array(out), numbers) << "sums change the result";
  EXPECT_EQ(sums.norm, blas::block::norm2(plain));
  EXPECT_EQ(sums.dot, blas::block::cdot(w, plain));
  ASSERT_EQ(sums.change.size(), set.listed ? 0 : static_cast<std::size_t>(set.rhs));
  if (!set.listed) {
    const std::vector<blas::NormChange> known = blas::block::normChange(plain, x);
    for (std::size_t j = 0; j < known.size(); j++) EXPECT_EQ(sums.change[j], known[j].change);
  }

  blas::copy(in_place, x);
  Sums others_sums;
  end.x = &in_place;
  end.dot_with = nullptr;
  wilson_hop(in_place, in, links, set.dagger, end, &others_sums);
  EXPECT_EQ(support::host_array(in_place), numbers) << "x in out's place";
  EXPECT_EQ(others_sums.norm, sums.norm);
  EXPECT_EQ(others_sums.change, sums.change);
}

} // namespace

TEST(HopSums, AreThoseOfTheLinearAlgebra)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 4});
    const support::Place place(lattice, make_single_communicator());
    reference::GaugeField gauge = reference::random_gauge(lattice, 11);
    reference::set_up_links(gauge, 1, -1);
    for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
        for (const bool listed : {false, true}) {
          SCOPED_TRACE(testing::Message() << bytes_of(precision) << " bytes, listed " << listed);
          const GaugeField links = support::native_links(place, gauge, {precision, reconstruct, 1, -1});
          compare(place, links, {precision, reconstruct, 3, listed, listed});
          if (reconstruct == Reconstruct::r12) compare(place, links, {precision, reconstruct, 1, listed, !listed});
        }
    const GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::r12, 1, -1});
    compare(place, links, {Precision::double_, Reconstruct::r12, 34, true, false});
  });
}
