/// The transfer between a lattice and its coarse grid from test vectors: P^dag P = 1, P P^dag keeps the test vectors,
/// chirality; test vectors that span no coarse space.

#include "multigrid/fine_transfer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "blocks.h"
#include "core/environment_support.h"
#include "support/refused.h"

using namespace quda;
using blocks::Grids;
using blocks::Vectors;
using reference::Coords;

namespace
{

struct Case {
  Coords extents, block;
  int vectors;
};

const Case cases[] = {{{4, 4, 4, 4}, {2, 2, 2, 2}, 24},
                      {{8, 4, 4, 4}, {4, 2, 2, 2}, 5},
                      {{6, 6, 6, 8}, {3, 3, 3, 4}, 4},
                      {{8, 8, 8, 8}, {4, 4, 4, 4}, 3}};

struct Stored {
  Precision vectors, V;
  double rounding; // of V
};
constexpr Stored stored[] = {{Precision::double_, Precision::double_, 1e-14},
                             {Precision::single, Precision::double_, 1e-14},
                             {Precision::double_, Precision::single, 2e-6},
                             {Precision::single, Precision::single, 2e-6},
                             {Precision::single, Precision::half, 1e-4}};

/// Vectors that point much into one direction, as those of small modes.
Vectors test_vectors(const reference::Lattice &lattice, int n)
{
  Vectors all = blocks::random_vectors(lattice, n, 11);
  for (std::size_t i = 1; i < all.size(); i++)
    for (std::size_t slot = 0; slot < all[i].size(); slot++) all[i][slot] = 0.1 * all[i][slot] + 3 * all[0][slot];
  return all;
}

/// test vectors lie in the lanes of create(), unless in_blocks.
struct Transferred {
  reference::Lattice lattice;
  Grids grids;
  ColorSpinorField B;
  FineTransfer transfer;

  Transferred(const Case &one, const Vectors &vectors, Precision of_B, Precision of_V, bool in_blocks = false)
      : lattice(one.extents)
      , grids(lattice, one.block, make_single_communicator())
      , B(blocks::native(in_blocks ? grids.fine : support::Place(lattice, make_single_communicator()), vectors, of_B))
      , transfer(B, one.block.data(), grids.coarse.lattice, of_V)
  {
  }
  Transferred(const Case &one, Precision of_B, Precision of_V)
      : Transferred(one, test_vectors(reference::Lattice(one.extents), one.vectors), of_B, of_V)
  {
  }
};

double largest_difference(const std::vector<double> &a, const std::vector<double> &b)
{
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t k = 0; k < a.size(); k++)
    if (const double here = std::abs(a[k] - b[k]); !(here <= largest)) largest = here;
  return largest;
}

} // namespace

TEST(FineTransfer, IsAnIsometryOntoTheTestVectors)
{
  for (const Case &one : cases)
    for (const Stored &how : stored)
      support::on_targets([&] {
        const Transferred t(one, how.vectors, how.V);
        const int rows = t.transfer.rows();
        ASSERT_EQ(rows, 2 * one.vectors);
        ColorSpinorField c(t.transfer.coarse_shape(2)), back(c.param()), fine(t.transfer.fine_shape(2));
        from_host(c, rows, blocks::random_rows(t.grids.coarse, one.vectors, 2, 77));
        t.transfer.prolong(fine, c);
        t.transfer.restrict(back, fine);
        for (int j = 0; j < 2; j++)
          EXPECT_LE(blocks::deviation(blocks::coarse_numbers(back, one.vectors, j),
                                      blocks::coarse_numbers(c, one.vectors, j)),
                    10 * how.rounding);

        ColorSpinorField R(t.transfer.coarse_shape(one.vectors)), P(t.B.param()); // other lanes, another precision
        t.transfer.restrict(R, t.B);
        t.transfer.prolong(P, R);
        const Vectors kept = blocks::spinors(P), were = blocks::spinors(t.B);
        const double rounding = std::max(how.rounding, how.vectors == Precision::single ? 1e-6 : 0);
        for (int i = 0; i < one.vectors; i++)
          EXPECT_LE(reference::deviation(kept[i], were[i]), 10 * rounding) << i << one.block[0];
      });
}

/// Columns of P on all sites and on those of one parity.
TEST(FineTransfer, GivesItsColumns)
{
  const Case &one = cases[1];
  support::on_targets([&] {
    for (const Stored &how : {stored[0], stored[4]}) {
      const Transferred t(one, how.vectors, how.V);
      const int n = one.vectors;
      ColorSpinorField unit(t.transfer.coarse_shape(2 * n)), fine(t.transfer.fine_shape(2 * n));
      RowArray numbers(static_cast<std::size_t>(unit.sites()) * 4 * n * n);
      for (std::size_t k = 0; k < numbers.size(); k++) numbers[k] = k / (2 * n) % (2 * n) == k % (2 * n);
      from_host(unit, 2 * n, numbers);
      t.transfer.prolong(fine, unit);
      const int first = 2, count = 2 * n - 3;
      const std::vector<double> right = support::host_array(fine.columns(first, count));
      ColorSpinorField columns(t.transfer.fine_shape(count));
      t.transfer.columns(columns, first);
      EXPECT_LE(largest_difference(support::host_array(columns), right), 1e-7);
      for (int parity = 0; parity < 2; parity++) {
        ColorSpinorField half(support::native_spinors(support::Place(t.lattice, make_single_communicator()),
                                                      Precision::double_, parity, count));
        t.transfer.columns(half, first);
        const std::size_t middle = right.size() / 2;
        const auto begin = right.begin() + static_cast<std::ptrdiff_t>(parity * middle);
        EXPECT_LE(largest_difference(support::host_array(half), {begin, begin + static_cast<std::ptrdiff_t>(middle)}),
                  1e-7);
      }
      expect_refused(ErrorKind::internal, {"columns 4 to"}, [&] { t.transfer.columns(columns, 4); });
    }
  });
}

/// Fields in other lanes and precisions are copied, and what is added to keeps its own precision.
TEST(FineTransfer, TakesFieldsOfTheSameSites)
{
  const Case &one = cases[3];
  support::on_targets([&] {
    const Variable other_lanes("QUDA_LANE_SPLIT", "1 1 2 4");
    const Transferred t(one, Precision::single, Precision::single);
    const support::Place place(t.lattice, make_single_communicator());
    const Vectors psi = blocks::random_vectors(t.lattice, 2, 311);
    const ColorSpinorField own = blocks::native(t.grids.fine, psi, Precision::single),
                           other = blocks::native(place, psi, Precision::single),
                           wide = blocks::native(place, psi, Precision::double_);
    ColorSpinorField c(t.transfer.coarse_shape(2)), d(c.param());
    t.transfer.restrict(c, own);
    const RowArray right = to_host(c, t.transfer.rows());
    for (const ColorSpinorField *f : {&other, &wide}) {
      t.transfer.restrict(d, *f);
      EXPECT_EQ(to_host(d, t.transfer.rows()), right);
    }
    ColorSpinorField coarse_wide = t.grids.rows(one.vectors, Precision::double_, 2);
    t.transfer.restrict(coarse_wide, wide);
    EXPECT_EQ(to_host(coarse_wide, t.transfer.rows()), right);
    const int lo[4] = {0, 0, 0, 0};
    t.transfer.restrict_box(coarse_wide, other, lo, one.block.data(), true);
    RowArray twice = right;
    for (auto &number : twice) number *= 2;
    EXPECT_EQ(to_host(coarse_wide, t.transfer.rows()), twice);

    ColorSpinorField P(own.param()), P_other(other.param()), P_wide(wide.param());
    t.transfer.prolong(P, c);
    const std::vector<double> prolonged = support::host_array(P);
    t.transfer.prolong(P_other, c);
    EXPECT_EQ(support::host_array(P_other), prolonged);
    copy(P_wide, wide);
    t.transfer.prolong(P_wide, c, true);
    std::vector<double> sum = support::host_array(wide);
    for (std::size_t k = 0; k < sum.size(); k++) sum[k] += prolonged[k];
    EXPECT_EQ(support::host_array(P_wide), sum);
  });
}

/// V does not depend on the lanes of the test vectors, nor on threads.
TEST(FineTransfer, TheSameBitsHowever)
{
  const Case &one = cases[3];
  const Vectors vectors = test_vectors(reference::Lattice(one.extents), one.vectors);
  std::vector<double> first;
  support::on_targets([&] {
    for (const bool in_blocks : {false, true}) {
      const Transferred t(one, vectors, Precision::single, Precision::half, in_blocks);
      const std::vector<double> V = support::host_array(t.transfer.V());
      if (first.empty()) first = V;
      EXPECT_EQ(V, first);
    }
    for (const char *force : {"threads=1,tile=1", "threads=2,tile=1,schedule=1,variant=2"}) {
      const Variable forced("QUDA_TUNE_FORCE", force);
      const Transferred t(one, vectors, Precision::single, Precision::half);
      EXPECT_EQ(support::host_array(t.transfer.V()), first) << force;
    }
  });
}

TEST(FineTransfer, TestVectorsThatSpanNothingAreRefused)
{
  const Case one = {{4, 4, 4, 8}, {2, 2, 2, 4}, 4};
  const reference::Lattice lattice(one.extents);
  const Vectors good = test_vectors(lattice, one.vectors);
  const auto message = [&](const Vectors &vectors, Precision precision) {
    return refused(ErrorKind::bad_argument, [&] { Transferred(one, vectors, precision, Precision::single); });
  };
  const auto in_aggregate = [&](Vectors &vectors, auto &&change) { // 1 0 1 1
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const Coords x = lattice.coords(slot);
      if (x[0] / 2 == 1 && x[1] / 2 == 0 && x[2] / 2 == 1 && x[3] / 4 == 1) change(vectors, slot);
    }
  };
  for (const Precision precision : {Precision::double_, Precision::single}) {
    Vectors zero = good, nan = good, dependent = good;
    in_aggregate(zero, [](Vectors &v, std::size_t slot) { v[2][slot].bottomRows(2).setZero(); });
    EXPECT_TRUE(contains(message(zero, precision), "test vector 2 is zero in aggregate 1 0 1 1, chirality 1"));
    nan[1][lattice.slot({2, 1, 3, 6})](1, 2) = NAN;
    EXPECT_TRUE(
        contains(message(nan, precision), "test vector 1 holds NaN or infinity in aggregate 1 0 1 1, chirality 0"));
    in_aggregate(dependent, [](Vectors &v, std::size_t slot) {
      v[3][slot].topRows(2) = 0.3 * v[0][slot].topRows(2) - reference::Complex(0, 0.7) * v[2][slot].topRows(2);
    });
    EXPECT_TRUE(contains(message(dependent, precision),
                         "test vector 3 depends on those before it in aggregate 1 0 1 1, chirality 0"));
  }
  const Case many = {{4, 4, 4, 4}, {1, 1, 1, 2}, 13};
  expect_refused(ErrorKind::bad_argument, {"n_vec = 13"}, [&] {
    Transferred(many, test_vectors(reference::Lattice(many.extents), 13), Precision::single, Precision::single);
  });
  const Case bad = {{4, 4, 4, 8}, {2, 2, 2, 3}, 2};
  const Grids grids(lattice, one.block, make_single_communicator());
  const ColorSpinorField B = blocks::native(grids.fine, good, Precision::single);
  expect_refused(ErrorKind::bad_argument, {"block[3] = 3"},
                 [&] { FineTransfer(B, bad.block.data(), grids.coarse.lattice, Precision::single); });
  expect_refused(ErrorKind::unsupported, {"precision of V: 1 bytes"},
                 [&] { FineTransfer(B, one.block.data(), grids.coarse.lattice, Precision::quarter); });
}
