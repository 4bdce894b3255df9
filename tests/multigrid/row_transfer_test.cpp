/// Transfers between two coarse grids.
#include "coarse_case.h"

#include "multigrid/row_transfer.h"
#include "support/native_fields.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace coarse_case;

namespace
{

std::shared_ptr<const Lattice> rows_of(std::vector<int> X)
{
  return Lattice::rows(X.data(), make_single_communicator());
}

struct Case {
  int X[4], block[4];
  int rows, count;
};

RowTransfer::TestVectors vectors_of(const Case &c, const std::shared_ptr<const Lattice> &fine)
{
  const ColorSpinorField B = random_rows(fine, c.rows, Precision::double_, c.count, -1, 30);
  return {fine, c.rows, c.count, to_host(B, c.rows)};
}

std::shared_ptr<const Lattice> coarse_of(const Case &c)
{
  return rows_of({c.X[0] / c.block[0], c.X[1] / c.block[1], c.X[2] / c.block[2], c.X[3] / c.block[3]});
}

const Case cases[] = {{{4, 4, 4, 4}, {2, 2, 2, 2}, 12, 10}, {{4, 2, 6, 4}, {2, 1, 3, 1}, 20, 8}};

} // namespace

TEST(RowTransfer, ColumnsAreOrthonormalAndSpanTheTestVectors)
{
  support::on_targets([] {
    for (const Case &c : cases) {
      const auto fine = rows_of({c.X[0], c.X[1], c.X[2], c.X[3]});
      const RowTransfer::TestVectors vectors = vectors_of(c, fine);
      for (const auto &[precision, error] :
           {std::pair {Precision::double_, 1e-13}, {Precision::single, 2e-6}, {Precision::half, 2e-4}}) {
        const RowTransfer transfer(vectors, coarse_of(c), c.block, precision);
        EXPECT_EQ(transfer.rows(), 2 * c.count);
        // R P = 1
        const ColorSpinorField v = random_vector(transfer.coarse_shape(3), 2 * c.count, 1);
        ColorSpinorField up(transfer.fine_shape(3)), back(transfer.coarse_shape(3));
        transfer.prolong(up, v);
        transfer.restrict(back, up);
        EXPECT_LE(deviation(back, v), error);
        transfer.prolong(up, v, true);
        transfer.restrict(back, up);
        blas::ax(0.5, back);
        EXPECT_LE(deviation(back, v), error);
        // P R v_i = v_i
        ColorSpinorField B(transfer.fine_shape(c.count)), again(transfer.fine_shape(c.count)),
            coarse(transfer.coarse_shape(c.count));
        from_host(B, c.rows, vectors.numbers);
        transfer.restrict(coarse, B);
        transfer.prolong(again, coarse);
        EXPECT_LE(deviation(again, B), error);
        // <P v, w> = <v, R w>
        const ColorSpinorField w = random_vector(transfer.fine_shape(3), c.rows, 2);
        transfer.prolong(up, v);
        transfer.restrict(back, w);
        EXPECT_LE(std::abs(blas::cdot(up, w) - blas::cdot(v, back)), error * norm(v) * norm(w));
        if (target().lanes() == 1) break; // fibers are slow
      }
    }
  });
}

TEST(RowTransfer, KeepsChirality)
{
  const Case &c = cases[0];
  const auto fine = rows_of({c.X[0], c.X[1], c.X[2], c.X[3]});
  const RowTransfer transfer(vectors_of(c, fine), coarse_of(c), c.block, Precision::double_);
  const ColorSpinorField v = random_vector(transfer.coarse_shape(1), 2 * c.count, 1);
  ColorSpinorField turned(v.param()), up(transfer.fine_shape(1)), of_turned(transfer.fine_shape(1));
  const auto turn = [](const ColorSpinorField &field, int rows) {
    RowArray numbers = to_host(field, rows);
    for (std::size_t n = 0; n < numbers.size(); n++) numbers[n] *= s3(static_cast<int>(n) % rows, rows);
    return numbers;
  };
  from_host(turned, 2 * c.count, turn(v, 2 * c.count));
  transfer.prolong(up, v);
  transfer.prolong(of_turned, turned);
  EXPECT_EQ(to_host(of_turned, c.rows), turn(up, c.rows));
}

TEST(RowTransfer, ColumnsBoxesAndParities)
{
  support::on_targets([] {
    const Case &c = cases[0];
    const auto fine = rows_of({c.X[0], c.X[1], c.X[2], c.X[3]});
    const RowTransfer transfer(vectors_of(c, fine), coarse_of(c), c.block, Precision::double_);
    const int rows = 2 * c.count;
    // column k of P restricted is unit vector k everywhere
    ColorSpinorField columns(transfer.fine_shape(3)), units(transfer.coarse_shape(3));
    transfer.columns(columns, c.count - 1); // of both chiralities
    transfer.restrict(units, columns);
    const RowArray found = to_host(units, rows);
    for (std::size_t n = 0; n < found.size(); n++) {
      const std::size_t r = n % rows, j = n / rows % 3;
      EXPECT_LE(std::abs(found[n] - (r == c.count - 1 + j ? 1.0 : 0.0)), 1e-13);
    }
    const ColorSpinorField v = random_vector(transfer.fine_shape(2), c.rows, 2);
    ColorSpinorField whole(transfer.coarse_shape(2)), sum(transfer.coarse_shape(2));
    transfer.restrict(whole, v);
    // the lower half of each aggregate in direction 1, then the rest
    int lo[4] = {0, 0, 0, 0}, hi[4] = {2, 1, 2, 2};
    transfer.restrict_box(sum, v, lo, hi, false);
    EXPECT_GT(deviation(sum, whole), 0.1);
    ColorSpinorField masked(v.param()), of_masked(transfer.coarse_shape(2));
    RowArray numbers = to_host(v, c.rows);
    for_sites(v, [&](std::size_t n, const int x[4]) {
      if (x[1] % 2)
        for (int k = 0; k < 2 * c.rows; k++) numbers[n * 2 * c.rows + k] = 0;
    });
    from_host(masked, c.rows, numbers);
    transfer.restrict(of_masked, masked);
    EXPECT_LE(deviation(sum, of_masked), 1e-14);
    lo[1] = 1, hi[1] = 2;
    transfer.restrict_box(sum, v, lo, hi, true);
    EXPECT_LE(deviation(sum, whole), 1e-14);
    // one parity and the other
    ColorSpinorField even(transfer.coarse_shape(2)), odd(transfer.coarse_shape(2));
    transfer.restrict(even, v.even());
    transfer.restrict(odd, v.odd());
    blas::axpy(1, odd, even);
    EXPECT_LE(deviation(even, whole), 1e-14);
    ColorSpinorField up(transfer.fine_shape(2)), part(transfer.fine_shape(2, 1));
    transfer.prolong(up, whole);
    transfer.prolong(part, whole);
    EXPECT_EQ(to_host(part, c.rows), to_host(up.odd(), c.rows));
  });
}

/// P^dag M P is a coarse operator: its matrices, columns of restricted products, leg by leg, act as P^dag M P does.
TEST(RowTransfer, GalerkinProductIsACoarseOperator)
{
  support::on_targets([] {
    const Case c = {{4, 4, 2, 4}, {2, 2, 1, 2}, 12, 4};
    const auto fine = rows_of({c.X[0], c.X[1], c.X[2], c.X[3]}), coarse = coarse_of(c);
    const DiracCoarse dirac(matrices(fine, c.rows, Precision::double_));
    const RowTransfer transfer(vectors_of(c, fine), coarse, c.block, Precision::double_);
    const int rows = transfer.rows();
    ColorSpinorField V(transfer.fine_shape(rows)), product(transfer.fine_shape(rows));
    ColorSpinorField all(row_shape(coarse, rows, Precision::double_, 9 * rows)), X = all.columns(8 * rows, rows);
    transfer.columns(V, 0);
    multiply_by_leg(dirac, 8, product, V);
    transfer.restrict(X, product);
    for (int leg = 0; leg < 8; leg++) {
      const int d = leg % 4, last = c.block[d] - 1;
      ColorSpinorField hop = all.columns(leg * rows, rows);
      multiply_by_leg(dirac, leg, product, V);
      // steps that leave their aggregate, and the others
      int lo[4] = {0, 0, 0, 0}, hi[4] = {c.block[0], c.block[1], c.block[2], c.block[3]};
      lo[d] = leg < 4 ? last : 0, hi[d] = lo[d] + 1;
      transfer.restrict_box(hop, product, lo, hi, false);
      lo[d] = leg < 4 ? 0 : 1, hi[d] = leg < 4 ? last : c.block[d];
      if (lo[d] < hi[d]) transfer.restrict_box(X, product, lo, hi, true);
    }
    const DiracCoarse next(std::make_shared<const CoarseMatrices>(std::move(all), rows));
    const ColorSpinorField v = random_vector(transfer.coarse_shape(2), rows, 1);
    ColorSpinorField Pv(transfer.fine_shape(2)), MPv(transfer.fine_shape(2)), expected(v.param()), found(v.param());
    transfer.prolong(Pv, v);
    (*dirac.full())(MPv, Pv);
    transfer.restrict(expected, MPv);
    (*next.full())(found, v);
    EXPECT_LE(deviation(found, expected), 1e-13);
    expect_adjoint(*next.full(), rows);
    expect_even_odd(next, rows, 1);
  });
}

TEST(RowTransfer, RefusesByName)
{
  const Case &c = cases[0];
  const auto fine = rows_of({c.X[0], c.X[1], c.X[2], c.X[3]});
  RowTransfer::TestVectors vectors = vectors_of(c, fine);
  const int wrong[4] = {2, 2, 4, 2};
  expect_refused(ErrorKind::bad_argument, {"block[2] = 4"},
                 [&] { RowTransfer(vectors, coarse_of(c), wrong, Precision::double_); });
  // vector 4 of chirality 1 is twice vector 2 and vector 0 in the aggregate at 1 0 1 0
  ColorSpinorField B(row_shape(fine, c.rows, Precision::double_, c.count));
  for_sites(B, [&](std::size_t n, const int x[4]) {
    if (x[0] / 2 != 1 || x[1] / 2 != 0 || x[2] / 2 != 1 || x[3] / 2 != 0) return;
    const std::size_t first = n * c.count * c.rows;
    for (std::size_t r = c.rows / 2; r < static_cast<std::size_t>(c.rows); r++)
      vectors.numbers[first + 4 * c.rows + r] =
          2.0 * vectors.numbers[first + 2 * c.rows + r] + vectors.numbers[first + r];
  });
  expect_refused(ErrorKind::bad_argument,
                 {"test vector 4 depends on those before it in aggregate 1 0 1 0 of rank 0, chirality 1"},
                 [&] { RowTransfer(vectors, coarse_of(c), c.block, Precision::double_); });
}
