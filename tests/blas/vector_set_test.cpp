/// Sets of vectors: rotations in place, and orthogonality.

#include <gtest/gtest.h>

#include <cmath>

#include "blas/fields.h"
#include "ops/blas/vector_set.h"
#include "support/refused.h"

using namespace quda;
using namespace blas_tests;
namespace block = quda::blas::block;

namespace
{

blas::Matrix random_matrix(int rows, int columns, int seed)
{
  reference::SiteRandom random(seed, rows, columns);
  blas::Matrix a(rows, columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      const double re = static_cast<float>(random.uniform() - 0.5), im = static_cast<float>(random.uniform() - 0.5);
      a(i, j) = {re, im};
    }
  return a;
}

std::vector<blas::Matrix> random_matrices(int count, int rows, int columns)
{
  std::vector<blas::Matrix> all;
  for (int j = 0; j < count; j++) all.push_back(random_matrix(rows, columns, 7 + j));
  return all;
}

blas::VectorSet random_set(const support::Place &place, const Shape &shape, int size)
{
  blas::VectorSet V(size);
  V.prepare(field_of(place, shape).param());
  for (int k = 0; k < size; k++) support::set_from_host(V[k], random_numbers(place, shape, 20 + k));
  return V;
}

/// Complex number n of what a rotation makes of vector j: from zero, fused, real times real first.
template <class R> std::pair<R, R> rotated(const std::vector<Numbers> &v, const blas::Matrix &q, std::size_t n, int j)
{
  R re = 0, im = 0;
  for (int i = 0; i < q.rows(); i++) {
    const R a = static_cast<R>(q(i, j).real()), b = static_cast<R>(q(i, j).imag());
    const R x = static_cast<R>(v[i][2 * n]), y = static_cast<R>(v[i][2 * n + 1]);
    re = std::fma(-b, y, std::fma(a, x, re));
    im = std::fma(b, x, std::fma(a, y, im));
  }
  return {re, im};
}

const struct {
  reference::Coords extents;
  Shape shape;
  int size, vectors, kept;
} cases[] = {{{2, 4, 6, 8}, {4, 3, 3, -1, Precision::double_}, 9, 7, 4},
             {{2, 4, 6, 8}, {4, 3, 1, 0, Precision::double_}, 6, 6, 6},
             {{2, 2, 2, 6}, {1, 3, 4, 1, Precision::single, 1, 2}, 5, 5, 3},
             {{4, 4, 4, 10}, {2, 1, 2, -1, Precision::single, 2, 1}, 33, 33, 1},
             {{4, 4, 4, 8}, {4, 3, 2, -1, Precision::single}, 12, 11, 11},
             {{2, 4, 6, 8}, {4, 3, 2, -1, Precision::half}, 9, 8, 5},
             {{2, 4, 6, 8}, {1, 3, 3, 1, Precision::half}, 4, 4, 4},
             {{2, 2, 2, 2}, {1, 3, 1, 0, Precision::double_}, 1301, 1301, 7},
             {{2, 2, 2, 2}, {1, 3, 1, 1, Precision::half}, 2048, 2048, 2}};

double bar_of(Precision precision) { return precision == Precision::double_ ? 1e-13 : 1e-4; }

} // namespace

/// Against plain arithmetic, to the bit where numbers are stored as they are; rounded once where they are fixed point.
TEST(VectorSet, RotatesInPlace)
{
  for (const char *force : {"tile=1,threads=1", "tile=3,schedule=1,threads=2,prefetch=1"}) {
    const Launches launches(force);
    for (const auto &[extents, shape, size, m, k] : cases)
      for (const bool one : {true, false})
        support::on_targets([&] {
          const support::Place place = place_of(extents);
          blas::VectorSet V = random_set(place, shape, size);
          std::vector<Numbers> before;
          for (int i = 0; i < size; i++) before.push_back(support::host_array(V[i]));
          const std::vector<blas::Matrix> Q = random_matrices(one ? 1 : shape.rhs, m, k);
          V.rotate(Q);
          const std::size_t parities = shape.parity < 0 ? 2 : 1;
          const std::size_t column = before[0].size() / (parities * shape.rhs);
          const std::size_t record = 2 * shape.spins * shape.colors;
          for (int j = 0; j < k; j++) {
            const Numbers found = support::host_array(V[j]);
            for (std::size_t first = 0; first < found.size(); first += record) {
              const blas::Matrix &q = Q[one ? 0 : first / column % shape.rhs];
              Numbers right;
              double most = 0;
              for (std::size_t n = first / 2; n < (first + record) / 2; n++) {
                std::pair<double, double> z;
                if (shape.precision == Precision::double_)
                  z = rotated<double>(before, q, n, j);
                else
                  z = rotated<float>(before, q, n, j);
                right.insert(right.end(), {z.first, z.second});
                most = std::max({most, std::abs(z.first), std::abs(z.second)});
              }
              const double bar = shape.precision == Precision::half ? most / 65534 * 1.01 : 0;
              for (std::size_t c = 0; c < record; c++)
                ASSERT_LE(std::abs(found[first + c] - right[c]), bar) << "vector " << j << " real " << first + c;
            }
          }
          for (int i = k; i < size; i++) EXPECT_EQ(support::host_array(V[i]), before[i]) << i;
        });
  }
}

/// A right-hand side beside others, and after they have left, has the bits that it has alone.
TEST(VectorSet, RightHandSidesLeave)
{
  const Launches untuned("");
  support::on_targets([&] {
    const support::Place place = place_of({2, 4, 6, 8});
    const Shape shape {4, 3, 3, -1, Precision::double_};
    blas::VectorSet V = random_set(place, shape, 5), W = random_set(place, shape, 5);
    const std::vector<blas::Matrix> Q = random_matrices(3, 5, 3);
    V.rotate(Q);
    W.drop(0);
    ASSERT_EQ(W.rhs(), 2);
    const blas::Matrix left[] = {Q[2], Q[1]};
    W.rotate(left);
    for (int k = 0; k < 5; k++) {
      EXPECT_EQ(support::host_array(W[k].columns(0, 1)), support::host_array(V[k].columns(2, 1)));
      EXPECT_EQ(support::host_array(W[k].columns(1, 1)), support::host_array(V[k].columns(1, 1)));
    }
  });
}

/// Vectors that nearly depend on those before are orthogonal to rounding, and what was taken away gives them back.
TEST(VectorSet, OrthogonalisesToRounding)
{
  const Launches untuned("");
  for (const Precision precision : {Precision::double_, Precision::single})
    support::on_targets([&] {
      const support::Place place = place_of({2, 4, 6, 8});
      const Shape shape {4, 3, 2, -1, precision};
      blas::VectorSet V = random_set(place, shape, 6);
      const double bar = bar_of(precision), near = std::sqrt(bar);
      for (int k = 0; k < 6; k++) {
        ColorSpinorField &w = V[k];
        if (k > 0) { // the second right-hand side: little beside a sum of the others
          ColorSpinorField second = w.columns(1, 1);
          blas::ax(near, second);
          for (int i = 0; i < k; i++) blas::caxpy(blas::Complex(0.5, -0.25 * i), V[i].columns(1, 1), second);
        }
        ColorSpinorField before(w.param());
        blas::copy(before, w);
        const blas::Projection of_w = V.orthogonalise(w, k);
        std::vector<double> inverse;
        for (const double norm2 : block::norm2(w)) inverse.push_back(1 / std::sqrt(norm2));
        EXPECT_EQ(of_w.norm2, block::norm2(w));
        ColorSpinorField sum(w.param());
        blas::copy(sum, w);
        if (k > 0) V.add(of_w.h, sum);
        blas::axpy(-1.0, before, sum);
        for (const double norm2 : block::norm2(sum)) EXPECT_LE(norm2, bar * bar * 1e4);
        blas::ax(inverse, w);
      }
      for (int k = 1; k < 6; k++) {
        const blas::Matrix h = V.project(V[k], k);
        for (int i = 0; i < k; i++)
          for (int j = 0; j < 2; j++) EXPECT_LE(std::abs(h(i, j)), bar) << i << " " << k << " " << j;
      }
    });
}

TEST(VectorSet, RefusesWhatDoesNotFit)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    blas::VectorSet V = random_set(place, {4, 3, 2, -1, Precision::double_}, 3);
    const auto said = [&](const auto &call) { return refused(ErrorKind::bad_argument, call); };
    EXPECT_EQ(said([&] { V.rotate(blas::Matrix(4, 2)); }), "VectorSet::rotate: rows = 4; allowed: 1 to 3");
    EXPECT_EQ(blas::VectorSet::most_rotated(), 2048); // on every target
    EXPECT_EQ(said([&] { V.rotate(blas::Matrix(2, 3)); }), "VectorSet::rotate: columns = 3; allowed: 1 to 2");
    EXPECT_EQ(said([&] { V.rotate(std::vector<blas::Matrix>(3, blas::Matrix(2, 2))); }),
              "VectorSet::rotate: matrices = 3; allowed: 1 or 2");
  });
}
