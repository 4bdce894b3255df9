/// Row fields to and from the host; products with matrix fields against plain loops.
#include "row_fields.h"

#include <algorithm>
#include <cstdio>

#include "dense/dense_call.h"
#include "ops/blas/blas.h"
#include "ops/blas/block.h"
#include "support/native_fields.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace row_fields;

namespace
{

using Extents = std::vector<int>;

std::shared_ptr<const Lattice> rows_of(const Extents &X) { return Lattice::rows(X.data(), make_single_communicator()); }

struct Kinds {
  Precision matrices, vectors;
};
const Kinds kinds[] = {{Precision::double_, Precision::double_},
                       {Precision::single, Precision::single},
                       {Precision::half, Precision::single}};

struct Case {
  Extents X;
  int rows_out, rows_in, rhs;
};

/// What a product shall be, of numbers as they are stored, and how far rounding may lead.
struct Expected {
  Complex value;
  double size;
};

class Plain
{
public:
  Plain(const ColorSpinorField &matrices, const ColorSpinorField &in, int rows_out, int rows_in, std::vector<int> list)
      : matrices_(matrices)
      , in_(in)
      , rows_out_(rows_out)
      , rows_in_(rows_in)
      , list_(std::move(list))
      , M_(to_host(matrices, rows_out))
      , v_(to_host(in, rows_in))
  {
  }

  /// Row r of right-hand side j at x.
  Expected operator()(const int x[4], int j, int r, int flip_out = 0, int flip_in = 0) const
  {
    Complex sum = 0;
    double size = 0;
    for (const int leg : list_) {
      int y[4];
      neighbour(leg, x, y);
      const Lattice &lattice = in_.lattice();
      for (int d = 0; d < 4; d++) y[d] = (y[d] + lattice.X(d)) % lattice.X(d);
      const int parity = (y[0] + y[1] + y[2] + y[3]) & 1;
      if (in_.parities() == 1 && parity != in_.parity()) continue;
      const Complex *const v = &v_[(slot(in_, y) * in_.rhs() + j) * rows_in_];
      const Complex *const m = &M_[(slot(matrices_, x) * matrices_.rhs() + leg * rows_in_) * rows_out_ + r];
      for (int k = 0; k < rows_in_; k++) {
        const Complex term = m[k * rows_out_] * v[k];
        sum += flip_in > 0 && k >= flip_in ? -term : term;
        size += (std::abs(m[k * rows_out_].real()) + std::abs(m[k * rows_out_].imag())) *
                (std::abs(v[k].real()) + std::abs(v[k].imag()));
      }
    }
    return {flip_out > 0 && r >= flip_out ? -sum : sum, size};
  }

  static std::size_t slot(const ColorSpinorField &field, const int x[4])
  {
    const long long slot = field.lattice().slot(x);
    return static_cast<std::size_t>(field.parities() == 2 ? slot : slot % field.lattice().volume_cb());
  }

private:
  const ColorSpinorField &matrices_, &in_;
  int rows_out_, rows_in_;
  std::vector<int> list_;
  RowArray M_, v_;
};

/// expected(x, j, r) for all numbers of out.
template <class E> void expect_all(const ColorSpinorField &out, int rows, const E &expected)
{
  const RowArray found = to_host(out, rows);
  const double eps = epsilon(out.precision());
  int wrong = 0;
  for_sites(out, [&](std::size_t n, const int x[4]) {
    for (int j = 0; j < out.rhs(); j++)
      for (int r = 0; r < rows; r++) {
        const Expected e = expected(x, j, r);
        const Complex is = found[(n * out.rhs() + j) * rows + r];
        if (!(std::abs(is - e.value) <= 8 * eps * e.size) && wrong++ < 3)
          ADD_FAILURE() << "site " << x[0] << x[1] << x[2] << x[3] << " rhs " << j << " row " << r << ": " << is
                        << " for " << e.value;
      }
  });
  EXPECT_EQ(wrong, 0);
}

const std::vector<int> all_legs = {0, 1, 2, 3, 4, 5, 6, 7, 8};

} // namespace

TEST(RowFields, ToTheHostAndBack)
{
  support::on_targets([] {
    for (const int rows : {1, 12, 40, 48})
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const int parity : {-1, 0, 1}) {
          const auto lattice = rows_of({2, 4, 2, 6});
          ColorSpinorField field(row_shape(lattice, rows, precision, 3, parity));
          const RowArray numbers = array_of(field, rows, [](std::uint64_t site, std::uint64_t n) {
            return Complex(static_cast<double>(site), static_cast<double>(n)); // no rounding
          });
          from_host(field, rows, numbers);
          EXPECT_EQ(to_host(field, rows), numbers);
          EXPECT_TRUE(has_rows(field, rows));
          double sum = 0;
          for (const Complex &z : numbers) sum += std::norm(z);
          EXPECT_EQ(blas::norm2(field), sum) << rows;
          // a column alone leaves the others
          ColorSpinorField column = field.columns(1, 1);
          from_host(column, rows, RowArray(static_cast<std::size_t>(field.sites()) * rows, Complex(2, 1)));
          const RowArray after = to_host(field, rows);
          for (std::size_t n = 0; n < after.size(); n++)
            EXPECT_EQ(after[n], n / rows % 3 == 1 ? Complex(2, 1) : numbers[n]);
        }
  });
}

TEST(RowFields, HalfPrecisionIsTheNearest)
{
  const auto lattice = rows_of({2, 2, 2, 4});
  ColorSpinorField field(row_shape(lattice, 40, Precision::half, 2, -1));
  const RowArray numbers = array_of(field, 40, random_numbers(5));
  from_host(field, 40, numbers);
  const RowArray found = to_host(field, 40);
  for (std::size_t n = 0; n < numbers.size(); n++) EXPECT_LT(std::abs(found[n] - numbers[n]), 3e-5);
}

TEST(RowFields, RefusesWhatIsNoRowField)
{
  const int X[4] = {4, 4, 4, 4};
  if (target().lanes() > 1) {
    expect_refused(ErrorKind::internal, {"lanes"},
                   [&] { row_shape(Lattice::create(X, make_single_communicator()), 12, Precision::single, 1); });
  }
  expect_refused(ErrorKind::internal, {"rows = 0"}, [&] { row_shape(rows_of({4, 4, 4, 4}), 0, Precision::single, 1); });
  const ColorSpinorField field(row_shape(rows_of({4, 4, 4, 4}), 12, Precision::single, 1));
  expect_refused(ErrorKind::internal, {"40 rows"}, [&] { to_host(field, 40); });
}

TEST(RowProduct, IsThatOfPlainLoops)
{
  const Case cases[] = {{{2, 2, 2, 2}, 12, 12, 5},   {{2, 2, 2, 2}, 40, 40, 2},   {{2, 2, 2, 2}, 64, 64, 3},
                        {{2, 2, 2, 2}, 128, 128, 1}, {{2, 2, 2, 2}, 192, 192, 1}, {{2, 2, 2, 4}, 48, 48, 4},
                        {{4, 4, 4, 4}, 12, 12, 3},   {{4, 4, 4, 4}, 48, 48, 1},   {{6, 6, 6, 6}, 12, 12, 1},
                        {{2, 2, 2, 4}, 20, 36, 3},   {{2, 2, 2, 2}, 36, 20, 100}};
  for (const Case &c : cases)
    for (const Kinds &kind : kinds) {
      if (c.rows_in > 64 && (kind.matrices == Precision::half) != (c.rows_in > 128)) continue; // large ones take long
      SCOPED_TRACE(testing::Message() << "rows " << c.rows_out << " " << c.rows_in << " rhs " << c.rhs << " X "
                                      << c.X[0] << c.X[3] << " precision " << bytes_of(kind.matrices));
      const auto lattice = rows_of(c.X);
      const Legs legs = Legs::neighbours(lattice);
      const ColorSpinorField M = random_rows(lattice, c.rows_out, kind.matrices, 9 * c.rows_in, -1, 1);
      const ColorSpinorField in = random_rows(lattice, c.rows_in, kind.vectors, c.rhs, -1, 2);
      ColorSpinorField out(row_shape(lattice, c.rows_out, kind.vectors, c.rhs));
      row_product(out, in, {M, legs, all_legs});
      expect_all(out, c.rows_out, Plain(M, in, c.rows_out, c.rows_in, all_legs));
    }
}

TEST(RowProduct, ParitiesListsFlipsAndWhatIsAdded)
{
  support::on_targets([] {
    for (const int rows : {12, 40}) {
      if (target().lanes() == 1 && rows > 12) break; // fibers are slow
      const auto lattice = rows_of({2, 2, 2, 4});
      const Legs legs = Legs::neighbours(lattice);
      for (const Kinds &kind : kinds) {
        const ColorSpinorField M = random_rows(lattice, rows, kind.matrices, 9 * rows, -1, 1);
        for (const int to : {-1, 0, 1})
          for (const int from : {-1, 0, 1})
            for (const std::vector<int> &list : {std::vector<int> {0, 1, 2, 3, 4, 5, 6, 7}, {8}, {6, 8, 3}}) {
              SCOPED_TRACE(testing::Message() << "rows " << rows << " from " << from << " to " << to);
              const ColorSpinorField in = random_rows(lattice, rows, kind.vectors, 3, from, 2);
              ColorSpinorField out = random_rows(lattice, rows, kind.vectors, 3, to, 3);
              const ColorSpinorField y = random_rows(lattice, rows, kind.vectors, 3, to, 4);
              const RowArray x_numbers = to_host(out, rows), y_numbers = to_host(y, rows);
              row_product(out, in, {M, legs, list, rows / 2, rows / 2 + 3}, {&out, &y, 0.5, -2, 3});
              const Plain plain(M, in, rows, rows, list);
              expect_all(out, rows, [&](const int x[4], int j, int r) {
                Expected e = plain(x, j, r, rows / 2, rows / 2 + 3);
                const std::size_t n = (Plain::slot(out, x) * 3 + j) * rows + r;
                const Complex xs = 0.5 * x_numbers[n], ys = 3.0 * y_numbers[n];
                return Expected {xs + (-2.0 * e.value + ys), 2 * e.size + std::abs(xs) + std::abs(ys)};
              });
            }
      }
    }
  });
}

/// Matrices of the sites of one parity; columns of a matrix field as vectors.
TEST(RowProduct, PartsOfFields)
{
  const int rows = 12;
  const auto lattice = rows_of({2, 2, 2, 4});
  const Legs legs = Legs::neighbours(lattice);
  const ColorSpinorField M = random_rows(lattice, rows, Precision::double_, 9 * rows, -1, 1);
  const ColorSpinorField in = random_rows(lattice, rows, Precision::double_, rows, -1, 2);
  ColorSpinorField whole(row_shape(lattice, rows, Precision::double_, rows));
  row_product(whole, in, {M, legs, all_legs});
  ColorSpinorField many(row_shape(lattice, rows, Precision::double_, 9 * rows));
  for (const int parity : {0, 1}) {
    ColorSpinorField half = many.half(parity), part = half.columns(4 * rows, rows);
    row_product(part, in, {M.half(parity), legs, all_legs});
  }
  EXPECT_EQ(to_host(many.columns(4 * rows, rows), rows), to_host(whole, rows));
}

/// Matrices without the columns that are zero give the bits of those with them.
TEST(RowProduct, LegsThatReadSomeRows)
{
  support::on_targets([] {
    const auto lattice = rows_of({2, 2, 2, 4});
    const Legs all = Legs::neighbours(lattice);
    LegRows reads {20, {}};
    const std::vector<RowRun> patterns[] = {{{0, 20}}, {{3, 4}, {7, 18}}, {{19, 20}}, {{0, 10}}, {{10, 20}}};
    for (std::size_t leg = 0; leg < 8; leg++) reads.of_leg.push_back(patterns[leg % 5]);
    const Legs some = Legs::neighbours(lattice, reads);
    EXPECT_EQ(some.count(), 8);
    for (const Kinds &kind : kinds) {
      ColorSpinorField M = random_rows(lattice, 20, kind.matrices, 9 * 20, -1, 1);
      ColorSpinorField columns(row_shape(lattice, 20, kind.matrices, some.columns(20)));
      int stored = 0;
      for (int leg = 0; leg < 8; leg++)
        for (int row = 0; row < 20; row++) {
          ColorSpinorField of_row = M.columns(20 * leg + row, 1);
          bool read = false;
          for (const RowRun &run : reads.of_leg[static_cast<std::size_t>(leg)])
            read = read || (row >= run.begin && row < run.end);
          if (read)
            columns.columns(stored++, 1) = of_row;
          else
            blas::zero(of_row);
        }
      ASSERT_EQ(stored, columns.rhs());
      columns.mark_written();
      M.mark_written();
      for (const auto &[from, to] : {std::pair {-1, -1}, {0, 1}, {1, 0}})
        for (const int flip : {0, 10})
          for (const std::vector<int> &list : {std::vector<int> {0, 1, 2, 3, 4, 5, 6, 7}, {6, 1}, {2}}) {
            const ColorSpinorField in = random_rows(lattice, 20, kind.vectors, 7, from, 2);
            ColorSpinorField out(row_shape(lattice, 20, kind.vectors, 7, to)), expected(out.param());
            row_product(expected, in, {M, all, list, 0, flip});
            row_product(out, in, {columns, some, list, 0, flip});
            EXPECT_EQ(to_host(out, 20), to_host(expected, 20)) << from << " flip " << flip << " list " << list[0];
          }
    }
  });
}

/// Each of up to 17 right-hand sides has the bits that it has alone.
TEST(RowProduct, RightHandSidesAreAlone)
{
  support::on_targets([] {
    for (const int rows : {12, 48}) {
      const auto lattice = rows_of({2, 2, 2, 2});
      const Legs legs = Legs::neighbours(lattice);
      for (const Kinds &kind : kinds) {
        const ColorSpinorField M = random_rows(lattice, rows, kind.matrices, 9 * rows, -1, 1);
        const ColorSpinorField in = random_rows(lattice, rows, kind.vectors, 17, -1, 2);
        std::vector<RowArray> alone;
        for (int j = 0; j < 17; j++) {
          ColorSpinorField one(row_shape(lattice, rows, kind.vectors, 1));
          row_product(one, in.columns(j, 1), {M, legs, all_legs, rows / 2, rows / 2});
          alone.push_back(to_host(one, rows));
        }
        for (int n = 1; n <= 17; n++) {
          if (target().lanes() == 1 && n > 5) break; // fibers are slow
          ColorSpinorField out(row_shape(lattice, rows, kind.vectors, n));
          row_product(out, in.columns(0, n), {M, legs, all_legs, rows / 2, rows / 2});
          for (int j = 0; j < n; j++)
            EXPECT_EQ(to_host(out.columns(j, 1), rows), alone[static_cast<std::size_t>(j)]) << n << " " << j;
        }
      }
    }
  });
}

/// Products, and sums over rows in either precision: of a multiple of 16 rows all targets have the same bits.
TEST(RowProduct, AndSumsHaveTheSameBitsOnEveryTarget)
{
  std::vector<Complex> first;
  support::on_targets([&] {
    std::vector<Complex> all;
    const int rows = 48;
    const auto lattice = rows_of({2, 2, 2, 2});
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const ColorSpinorField M = random_rows(lattice, rows, precision, 9 * rows, -1, 1);
      const ColorSpinorField in = random_rows(lattice, rows, precision, 2, -1, 2);
      ColorSpinorField out(in.param());
      row_product(out, in, {M, Legs::neighbours(lattice), all_legs, rows / 2, rows / 2});
      for (const Complex &number : to_host(out, rows)) all.push_back(number);
      all.emplace_back(blas::norm2(out));
      all.push_back(blas::cdot(in, out));
      const auto gram = blas::block::gram_rhs(in, out);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) all.push_back(gram(i, j));
    }
    if (first.empty()) first = all;
    EXPECT_EQ(all, first);
  });
}

/// The legs of a transfer: sources on another lattice.
TEST(RowProduct, BetweenLattices)
{
  const auto fine = rows_of({4, 4, 2, 4}), coarse = rows_of({2, 2, 2, 2});
  const int block[4] = {2, 2, 1, 2}, rows = 12, of_coarse = 20;
  const Legs down(coarse, fine, 8, [&](int leg, const int x[4], int y[4]) {
    const int at[4] = {leg & 1, leg >> 1 & 1, 0, leg >> 2};
    for (int d = 0; d < 4; d++) y[d] = x[d] * block[d] + at[d];
  });
  const Legs up(fine, coarse, 1, [&](int, const int x[4], int y[4]) {
    for (int d = 0; d < 4; d++) y[d] = x[d] / block[d];
  });
  const ColorSpinorField R = random_rows(coarse, of_coarse, Precision::double_, 8 * rows, -1, 1);
  const ColorSpinorField P = random_rows(fine, rows, Precision::double_, of_coarse, -1, 2);
  const ColorSpinorField v = random_rows(fine, rows, Precision::double_, 2, -1, 3);
  ColorSpinorField c(row_shape(coarse, of_coarse, Precision::double_, 2)), back(v.param());
  const std::vector<int> list = {0, 1, 2, 3, 4, 5, 6, 7}, one = {0};
  row_product(c, v, {R, down, list});
  row_product(back, c, {P, up, one});
  const RowArray r = to_host(R, of_coarse), p = to_host(P, rows), vs = to_host(v, rows), cs = to_host(c, of_coarse);
  expect_all(c, of_coarse, [&](const int x[4], int j, int i) {
    Expected e {0, 0};
    for (int leg = 0; leg < 8; leg++) {
      const int y[4] = {2 * x[0] + (leg & 1), 2 * x[1] + (leg >> 1 & 1), x[2], 2 * x[3] + (leg >> 2)};
      for (int k = 0; k < rows; k++) {
        const Complex term = r[(Plain::slot(R, x) * 8 * rows + leg * rows + k) * of_coarse + i] *
                             vs[(Plain::slot(v, y) * 2 + j) * rows + k];
        e.value += term, e.size += std::abs(term);
      }
    }
    return e;
  });
  expect_all(back, rows, [&](const int x[4], int j, int i) {
    Expected e {0, 0};
    const int y[4] = {x[0] / 2, x[1] / 2, x[2], x[3] / 2};
    for (int k = 0; k < of_coarse; k++) {
      const Complex term =
          p[(Plain::slot(P, x) * of_coarse + k) * rows + i] * cs[(Plain::slot(c, y) * 2 + j) * of_coarse + k];
      e.value += term, e.size += std::abs(term);
    }
    return e;
  });
}

TEST(RowProduct, RefusesWhatDoesNotFit)
{
  const auto lattice = rows_of({2, 2, 2, 2}), other = rows_of({2, 2, 2, 2});
  const Legs legs = Legs::neighbours(lattice);
  const ColorSpinorField M(row_shape(lattice, 16, Precision::single, 9 * 16));
  ColorSpinorField v(row_shape(lattice, 16, Precision::single, 2)), w(row_shape(lattice, 16, Precision::single, 2));
  const auto refuses = [&](const auto &call) { return refused(ErrorKind::internal, call); };
  EXPECT_TRUE(contains(refuses([&] { row_product(v, v, {M, legs, all_legs}); }), "out is in"));
  const std::vector<int> ninth = {9}, one = {0};
  EXPECT_TRUE(contains(refuses([&] { row_product(w, v, {M, legs, ninth}); }), "leg = 9"));
  ColorSpinorField wide(row_shape(lattice, 16, Precision::double_, 2)),
      three(row_shape(lattice, 16, Precision::single, 3));
  EXPECT_TRUE(contains(refuses([&] { row_product(wide, v, {M, legs, all_legs}); }), "precision"));
  EXPECT_TRUE(contains(refuses([&] { row_product(three, v, {M, legs, all_legs}); }), "right-hand sides"));
  ColorSpinorField elsewhere(row_shape(other, 16, Precision::single, 2));
  EXPECT_TRUE(contains(refuses([&] { row_product(elsewhere, v, {M, legs, all_legs}); }), "lattice"));
  EXPECT_TRUE(contains(refuses([&] { Legs::neighbours(lattice, {16, {{{4, 8}, {7, 9}}}}); }), "rows 7 to 8 of 16"));
  EXPECT_TRUE(contains(refuses([&] {
                         row_product(w, v, {M, Legs::neighbours(lattice, {16, {{{4, 8}}}}), one});
                       }),
                       "columns of all legs"));
  ColorSpinorField many(row_shape(lattice, 40, Precision::single, 2));
  EXPECT_TRUE(contains(refuses([&] { row_product(many, v, {M, legs, all_legs}); }), "colors"));
}

TEST(RowProduct, DISABLED_Program)
{
  std::uint64_t all = 0xcbf29ce484222325u;
  for (const Extents &X : {Extents {2, 2, 2, 2}, Extents {4, 4, 4, 4}})
    for (const int rhs : {1, 5}) {
      const auto lattice = rows_of(X);
      const Legs legs = Legs::neighbours(lattice);
      const ColorSpinorField M = random_rows(lattice, 48, Precision::single, 9 * 48, -1, 1);
      const ColorSpinorField in = random_rows(lattice, 48, Precision::single, rhs, -1, 2);
      ColorSpinorField out(in.param());
      row_product(out, in, {M, legs, all_legs});
      all = dense_test::hash(to_host(out, 48), all);
    }
  std::printf("hash %016llx of products\n", static_cast<unsigned long long>(all));
}

TEST(RowProduct, ThreadsLeaveNoTrace)
{
  const std::string one = dense_test::hash_with_threads(1, "RowProduct.DISABLED_Program");
  EXPECT_EQ(dense_test::hash_with_threads(2, "RowProduct.DISABLED_Program"), one);
}
