/// Restriction and prolongation by blocks of sites: against the plain reference, adjoint to each other, and the same
/// bits in whatever lanes, by whatever threads and with however many right-hand sides.

#include "blocks.h"

#include <functional>

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "reference/dirac/gamma.h"
#include "support/refused.h"

using namespace quda;
using blocks::deviation;
using blocks::Grids;
using blocks::Vectors;
using reference::CoarseVector;
using reference::Coords;

namespace
{

struct Case {
  Coords extents, block;
  int vectors, rhs;
};

const Case cases[] = {
    {{4, 4, 4, 8}, {2, 2, 2, 2}, 3, 2},   {{8, 4, 4, 4}, {4, 2, 2, 2}, 5, 1},  {{6, 6, 6, 8}, {3, 3, 3, 4}, 2, 3},
    {{8, 8, 8, 8}, {4, 4, 4, 4}, 3, 2},   {{12, 4, 4, 6}, {3, 1, 2, 3}, 9, 5}, {{4, 4, 4, 4}, {1, 1, 1, 2}, 1, 1},
    {{2, 2, 20, 8}, {1, 1, 5, 4}, 8, 13}, {{4, 4, 8, 4}, {2, 2, 2, 2}, 24, 2},
};

struct Tolerance {
  Precision V;
  double of_sums;
};
constexpr Tolerance tolerances[] = {{Precision::double_, 1e-14}, {Precision::single, 2e-6}, {Precision::half, 2e-6}};

/// Vectors and right-hand sides on one rank, and what the fields hold of them.
struct Fields {
  reference::Lattice lattice;
  Grids grids;
  int n;
  ColorSpinorField V, in;
  Vectors V_held, in_held;

  Fields(const Case &one, Precision precision)
      : Fields(one, precision, blocks::random_vectors(reference::Lattice(one.extents), one.vectors, 11),
               blocks::random_vectors(reference::Lattice(one.extents), one.rhs, 511))
  {
  }
  Fields(const Case &one, Precision precision, const Vectors &vectors, const Vectors &rhs)
      : lattice(one.extents)
      , grids(lattice, one.block, make_single_communicator())
      , n(one.vectors)
      , V(blocks::native(grids.fine, vectors, precision))
      , in(blocks::native(grids.fine, rhs, blocks::of_fields(precision)))
      , V_held(blocks::spinors(V))
      , in_held(blocks::spinors(in))
  {
  }

  ColorSpinorField coarse(int rhs, int parity = -1) const { return grids.rows(n, in.precision(), rhs, parity); }
  /// Random ones, rounded.
  ColorSpinorField random_coarse(int rhs) const
  {
    ColorSpinorField c = coarse(rhs);
    from_host(c, 2 * n, blocks::random_rows(grids.coarse, n, rhs, 77));
    return c;
  }
  ColorSpinorField fine(int rhs, int parity = -1) const
  {
    return support::native_spinors(grids.fine, in.precision(), parity, rhs);
  }
  RowArray restricted(const ColorSpinorField &fine) const
  {
    ColorSpinorField c = coarse(fine.rhs());
    restrict_blocks(c, V, fine, grids.block.data());
    return to_host(c, 2 * n);
  }
  std::vector<double> prolonged(const ColorSpinorField &c) const
  {
    ColorSpinorField f = fine(c.rhs());
    prolong_blocks(f, V, c, grids.block.data());
    return support::host_array(f);
  }
};

} // namespace

TEST(Blocks, RestrictionAgreesWithTheReference)
{
  for (const Case &one : cases)
    support::on_targets([&] {
      for (const auto &[precision, tolerance] : tolerances) {
        const Fields f(one, precision);
        ColorSpinorField c = f.coarse(one.rhs);
        restrict_blocks(c, f.V, f.in, one.block.data());
        for (int j = 0; j < one.rhs; j++)
          EXPECT_LE(deviation(blocks::coarse_numbers(c, f.n, j),
                              reference::restrict_blocks(f.V_held, f.in_held[j], f.lattice, one.block)),
                    tolerance)
              << j << " " << one.block[0] << bytes_of(precision);
      }
    });
}

TEST(Blocks, ProlongationAgreesWithTheReference)
{
  for (const Case &one : cases)
    support::on_targets([&] {
      for (const auto &[precision, tolerance] : tolerances) {
        const Fields f(one, precision);
        const ColorSpinorField c = f.random_coarse(one.rhs);
        ColorSpinorField out = f.fine(one.rhs);
        prolong_blocks(out, f.V, c, one.block.data());
        const Vectors found = blocks::spinors(out);
        for (int j = 0; j < one.rhs; j++)
          EXPECT_LE(
              reference::deviation(found[j], reference::prolong_blocks(f.V_held, blocks::coarse_numbers(c, f.n, j),
                                                                       f.lattice, one.block)),
              tolerance)
              << j << " " << one.block[0] << bytes_of(precision);
      }
    });
}

/// <c, R f> = <P c, f>
TEST(Blocks, AreAdjointToEachOther)
{
  for (const Case &one : cases) {
    const Fields f(one, Precision::double_);
    const ColorSpinorField c = f.random_coarse(one.rhs);
    ColorSpinorField Rf = f.coarse(one.rhs), Pc = f.fine(one.rhs);
    restrict_blocks(Rf, f.V, f.in, one.block.data());
    prolong_blocks(Pc, f.V, c, one.block.data());
    const Vectors fine = blocks::spinors(Pc);
    for (int j = 0; j < one.rhs; j++) {
      const CoarseVector a = blocks::coarse_numbers(c, f.n, j), b = blocks::coarse_numbers(Rf, f.n, j);
      reference::Complex sum = 0;
      for (std::size_t k = 0; k < a.size(); k++) sum += std::conj(a[k]) * b[k];
      const reference::Complex other = reference::inner_product(fine[j], f.in_held[j]);
      EXPECT_LE(std::abs(sum - other), 1e-12 * std::sqrt(reference::norm2(fine[j]) * reference::norm2(f.in_held[j])));
    }
  }
}

/// gamma5 P = P s3, to the bit.
TEST(Blocks, KeepChirality)
{
  for (const Case &one : {cases[0], cases[2]}) {
    const Fields f(one, Precision::single);
    const ColorSpinorField c = f.random_coarse(1);
    RowArray signs = to_host(c, 2 * f.n);
    for (std::size_t k = 0; k < signs.size(); k++)
      if (k % (2 * f.n) >= static_cast<std::size_t>(f.n)) signs[k] = -signs[k];
    ColorSpinorField s3c = f.coarse(1);
    from_host(s3c, 2 * f.n, signs);
    std::vector<double> P = f.prolonged(c);
    for (std::size_t k = 0; k < P.size(); k++)
      if (k % 24 >= 12) P[k] = -P[k];
    EXPECT_EQ(f.prolonged(s3c), P);
  }
}

TEST(Blocks, RestrictsBoxesAndAdds)
{
  const Case &one = cases[3];
  const struct {
    Coords lo, hi;
  } boxes[] = {{{1, 0, 0, 0}, {4, 4, 4, 4}}, {{0, 0, 0, 3}, {4, 4, 4, 4}}, {{0, 1, 2, 0}, {3, 2, 4, 4}}};
  support::on_targets([&] {
    const Fields f(one, Precision::double_);
    for (const auto &box : boxes) {
      ColorSpinorField c = f.random_coarse(one.rhs), sum = f.random_coarse(one.rhs);
      restrict_blocks(c, f.V, f.in, one.block.data(), box.lo.data(), box.hi.data());
      restrict_blocks(sum, f.V, f.in, one.block.data(), box.lo.data(), box.hi.data(), true);
      const ColorSpinorField before = f.random_coarse(one.rhs);
      for (int j = 0; j < one.rhs; j++) {
        const CoarseVector right =
            reference::restrict_blocks(f.V_held, f.in_held[j], f.lattice, one.block, box.lo, box.hi);
        const CoarseVector was = blocks::coarse_numbers(before, f.n, j), now = blocks::coarse_numbers(c, f.n, j),
                           added = blocks::coarse_numbers(sum, f.n, j);
        EXPECT_LE(deviation(now, right), 1e-14);
        for (std::size_t k = 0; k < was.size(); k++) ASSERT_EQ(added[k], was[k] + now[k]);
      }
    }
    ColorSpinorField c = f.random_coarse(one.rhs); // a box without sites
    restrict_blocks(c, f.V, f.in, one.block.data(), boxes[0].lo.data(), boxes[0].lo.data());
    for (const auto &number : to_host(c, 2 * f.n)) ASSERT_EQ(number, 0.0);
  });
}

TEST(Blocks, ProlongationAdds)
{
  const Case &one = cases[2];
  support::on_targets([&] {
    const Fields f(one, Precision::single);
    const ColorSpinorField c = f.random_coarse(one.rhs);
    ColorSpinorField sum = f.fine(one.rhs);
    copy(sum, f.in);
    prolong_blocks(sum, f.V, c, one.block.data(), true);
    const std::vector<double> was = support::host_array(f.in), P = f.prolonged(c), now = support::host_array(sum);
    for (std::size_t k = 0; k < was.size(); k++)
      ASSERT_EQ(now[k], static_cast<float>(was[k]) + static_cast<float>(P[k]));
  });
}

/// On sites of the other parity a field counts as zero, or is not written.
TEST(Blocks, FieldsOfOneParity)
{
  for (const Case &one : {cases[0], cases[2], cases[4]})
    support::on_targets([&] {
      const Fields f(one, Precision::double_);
      const ColorSpinorField c = f.random_coarse(one.rhs);
      const std::vector<double> all = f.prolonged(c);
      for (int parity = 0; parity < 2; parity++) {
        Vectors masked = f.in_held;
        for (reference::Spinors &psi : masked)
          for (std::size_t slot = 0; slot < psi.size(); slot++)
            if (static_cast<int>(slot / f.lattice.half()) != parity) psi[slot].setZero();
        const ColorSpinorField zeros = blocks::native(f.grids.fine, masked, Precision::double_);
        EXPECT_EQ(f.restricted(f.in.half(parity)), f.restricted(zeros));

        ColorSpinorField out = f.fine(one.rhs);
        copy(out, f.in);
        ColorSpinorField half = out.half(parity);
        prolong_blocks(half, f.V, c, one.block.data());
        ColorSpinorField own = f.fine(one.rhs, parity); // and with V of one parity
        prolong_blocks(own, f.V.half(parity), c, one.block.data());
        const std::vector<double> now = support::host_array(out), alone = support::host_array(own),
                                  before = support::host_array(f.in);
        const std::size_t middle = now.size() / 2;
        for (std::size_t k = 0; k < now.size(); k++) {
          const bool written = (k >= middle) == (parity == 1);
          ASSERT_EQ(now[k], written ? all[k] : before[k]);
          ASSERT_EQ(written ? alone[k % middle] : all[k], all[k]);
        }

        ColorSpinorField coarse = f.random_coarse(one.rhs), half_coarse = coarse.half(parity);
        const RowArray untouched = to_host(coarse, 2 * f.n), right = f.restricted(f.in);
        restrict_blocks(half_coarse, f.V, f.in, one.block.data());
        const RowArray numbers = to_host(coarse, 2 * f.n);
        RowArray half_only = untouched;
        for (std::size_t k = 0; k < numbers.size(); k++) {
          const bool there = (k >= numbers.size() / 2) == (parity == 1);
          ASSERT_EQ(numbers[k], there ? right[k] : untouched[k]);
          if (!there) half_only[k] = 0;
        }
        ColorSpinorField zeroed = f.coarse(one.rhs);
        from_host(zeroed, 2 * f.n, half_only);
        EXPECT_EQ(f.prolonged(c.half(parity)), f.prolonged(zeroed));
      }
    });
}

/// Lanes, targets, tiles and threads leave no trace.
TEST(Blocks, TheSameBitsHowever)
{
  const Case one = {{8, 4, 8, 8}, {2, 2, 4, 2}, 13, 5};
  const Vectors vectors = blocks::random_vectors(reference::Lattice(one.extents), one.vectors, 11),
                rhs = blocks::random_vectors(reference::Lattice(one.extents), one.rhs, 511);
  for (const auto &[precision, tolerance] : tolerances) {
    RowArray restricted;
    std::vector<double> prolonged;
    const auto compare = [&] {
      const Fields f(one, precision, vectors, rhs);
      const RowArray R = f.restricted(f.in);
      const std::vector<double> P = f.prolonged(f.random_coarse(one.rhs));
      if (restricted.empty()) restricted = R, prolonged = P;
      EXPECT_EQ(R, restricted);
      EXPECT_EQ(P, prolonged);
    };
    support::on_targets([&] {
      compare();
      for (const char *split : {"1 1 1 1", "2 2 2 2", "4 1 1 2", "1 1 1 4"}) {
        SCOPED_TRACE(split);
        const Variable chosen("QUDA_LANE_SPLIT", split);
        compare();
      }
      for (const char *force : {"threads=1,tile=1", "threads=2,tile=1,schedule=1,variant=2", "threads=2,variant=3"}) {
        SCOPED_TRACE(force);
        const Variable forced("QUDA_TUNE_FORCE", force);
        compare();
      }
    });
  }
}

/// N right-hand sides are N times one, to the bit, and columns of larger fields.
TEST(Blocks, AnyNumberOfRightHandSides)
{
  const Case most = {{4, 4, 4, 8}, {2, 2, 2, 4}, 7, 15};
  support::on_targets([&] {
    for (const Precision precision : {Precision::single, Precision::half}) {
      const Fields f(most, precision);
      const ColorSpinorField c = f.random_coarse(most.rhs);
      ColorSpinorField R = f.coarse(most.rhs), P = f.fine(most.rhs);
      for (int j = 0; j < most.rhs; j++) {
        ColorSpinorField Rj = R.columns(j, 1), Pj = P.columns(j, 1);
        restrict_blocks(Rj, f.V, f.in.columns(j, 1), most.block.data());
        prolong_blocks(Pj, f.V, c.columns(j, 1), most.block.data());
      }
      const RowArray singles = to_host(R, 2 * f.n);
      const std::vector<double> prolonged = support::host_array(P);
      for (int first = 0, N = 1; N <= 13; first = (first + 1) % 3, N++) {
        ColorSpinorField some = f.coarse(most.rhs), P_some = f.fine(most.rhs);
        from_host(some, 2 * f.n, singles);
        copy(P_some, P);
        ColorSpinorField columns = some.columns(first, N), P_columns = P_some.columns(first, N);
        from_host(columns, 2 * f.n, RowArray(static_cast<std::size_t>(columns.sites()) * N * 2 * f.n, 7.5));
        support::set_from_host(P_columns,
                               std::vector<double>(static_cast<std::size_t>(P_columns.sites()) * N * 24, 7.5));
        restrict_blocks(columns, f.V, f.in.columns(first, N), most.block.data());
        prolong_blocks(P_columns, f.V, c.columns(first, N), most.block.data());
        EXPECT_EQ(to_host(some, 2 * f.n), singles) << N;
        EXPECT_EQ(support::host_array(P_some), prolonged) << N;
      }
    }
  });
}

/// Rows that fill up a register are zero, as sums over fields count them.
TEST(Blocks, PaddingIsZero)
{
  const Fields f(cases[0], Precision::single);
  ColorSpinorField c = f.coarse(2);
  const int all = c.colors() * c.lattice().lanes();
  from_host(c, all, RowArray(static_cast<std::size_t>(c.sites()) * 2 * all, 7.5));
  restrict_blocks(c, f.V, f.in, f.grids.block.data());
  const RowArray numbers = to_host(c, all);
  for (std::size_t k = 0; k < numbers.size(); k++)
    ASSERT_EQ(numbers[k] == 0.0, k % all >= 2 * static_cast<std::size_t>(f.n)) << k;
}

/// NaN stays in its aggregate and right-hand side.
TEST(Blocks, NotANumber)
{
  const Case &one = cases[0];
  support::on_targets([&] {
    Vectors rhs = blocks::random_vectors(reference::Lattice(one.extents), one.rhs, 511);
    const Vectors vectors = blocks::random_vectors(reference::Lattice(one.extents), one.vectors, 11);
    const reference::Lattice lattice(one.extents), coarse = reference::coarse_lattice(lattice, one.block);
    rhs[1][lattice.slot({3, 0, 1, 5})](0, 2) = NAN;
    const Fields f(one, Precision::double_, vectors, rhs);
    const RowArray numbers = f.restricted(f.in);
    for (std::size_t k = 0; k < numbers.size(); k++) {
      const std::size_t row = k % (2 * f.n), j = k / (2 * f.n) % 2, slot = k / (4 * f.n);
      const bool wrong = row < static_cast<std::size_t>(f.n) && j == 1 && slot == coarse.slot({1, 0, 0, 2});
      EXPECT_EQ(std::isnan(numbers[k].real()), wrong) << k;
    }
  });
}

TEST(ChiralColumns, AgreeWithTheReference)
{
  const reference::Lattice lattice({4, 2, 4, 6});
  const Vectors psi = blocks::random_vectors(lattice, 3, 21);
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const double tolerance = precision == Precision::double_ ? 1e-15 : 1e-6;
      const ColorSpinorField in = blocks::native(place, psi, precision);
      for (int mu = -1; mu < 4; mu++)
        for (const int sign : {1, -1}) {
          reference::SpinMatrix G = reference::SpinMatrix::Identity();
          if (mu >= 0) G += sign * reference::gamma(reference::Basis::degrand_rossi, mu);
          ColorSpinorField out = support::native_spinors(place, precision, -1, 6);
          chiral_columns(out, in, mu, sign);
          const Vectors found = blocks::spinors(out);
          for (int Y = 0; Y < 2; Y++)
            for (int j = 0; j < 3; j++)
              EXPECT_LE(reference::deviation(found[3 * Y + j], reference::applied(G, reference::chirality(psi[j], Y))),
                        tolerance)
                  << mu << sign << Y;
        }
      for (int parity = 0; parity < 2; parity++)
        for (int X = 0; X < 2; X++) {
          ColorSpinorField out = support::native_spinors(place, precision, -1, 3);
          copy(out, in);
          ColorSpinorField half = out.half(parity);
          chiral_part(half, in.half(parity), X);
          const Vectors found = blocks::spinors(out);
          for (int j = 0; j < 3; j++) {
            reference::Spinors right = psi[j];
            reference::set_half(right, parity, reference::half_of(reference::chirality(psi[j], X), parity));
            EXPECT_LE(reference::deviation(found[j], right), tolerance);
          }
        }
    }
  });
}

TEST(Blocks, OtherFieldsAreRefused)
{
  const Case &one = cases[0];
  const Fields f(one, Precision::double_);
  const int *block = one.block.data();
  ColorSpinorField c = f.coarse(one.rhs), fewer = f.coarse(1), fine = f.fine(one.rhs);
  const auto message = [&](ErrorKind kind, const std::function<void()> &call) { return refused(kind, call); };

  EXPECT_TRUE(contains(message(ErrorKind::internal, [&] { restrict_blocks(fewer, f.V, f.in, block); }), "right-hand"));
  const int odd[4] = {3, 2, 2, 2}, zero[4] = {2, 0, 2, 2}, flat[4] = {2, 2, 1, 2}, dot[4] = {1, 1, 1, 1};
  EXPECT_TRUE(contains(message(ErrorKind::bad_argument, [&] { prolong_blocks(fine, f.V, c, odd); }), "block[0] = 3"));
  EXPECT_TRUE(contains(message(ErrorKind::bad_argument, [&] { prolong_blocks(fine, f.V, c, zero); }), "block[1] = 0"));
  EXPECT_TRUE(contains(message(ErrorKind::internal, [&] { restrict_blocks(c, f.V, f.in, flat); }), "block[2] = 1"));
  EXPECT_TRUE(contains(message(ErrorKind::bad_argument, [&] { restrict_blocks(c, f.V, f.in, dot); }), "1 1 1 1"));
  const int lo[4] = {0, 0, 0, 0}, hi[4] = {2, 2, 3, 2};
  EXPECT_TRUE(
      contains(message(ErrorKind::internal, [&] { restrict_blocks(c, f.V, f.in, block, lo, hi); }), "hi[2] = 3"));

  const ColorSpinorField rough = support::native_spinors(f.grids.fine, Precision::single, -1, one.rhs);
  EXPECT_TRUE(contains(message(ErrorKind::unsupported, [&] { restrict_blocks(c, f.V, rough, block); }), "precisions"));
  ColorSpinorParam doublet = f.in.param();
  doublet.flavours = 2;
  const ColorSpinorField two(doublet);
  EXPECT_TRUE(contains(message(ErrorKind::unsupported, [&] { restrict_blocks(c, f.V, two, block); }), "2 layers"));
  const ColorSpinorField even = f.V.half(0);
  EXPECT_TRUE(contains(message(ErrorKind::internal, [&] { restrict_blocks(c, even, f.in, block); }), "other sites"));
  ColorSpinorField narrow = f.fine(1);
  EXPECT_TRUE(contains(message(ErrorKind::internal, [&] { chiral_columns(narrow, f.in); }), "right-hand sides"));
}
