#pragma once
/// A set of vectors: native spinor fields of one shape in one allocation, each contiguous, so that each is read
/// like any other field. Operations on all of them, or the first n, are one pass. All of blas.h
/// and block.h holds: a right-hand side has its own numbers, which do not depend on the others, and results are the
/// same bits on every target, for any tuning, threads and rank grid.
///
/// Collective: sums over the fields' communicator; all functions, while they are tuned.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fields/memory.h"
#include "ops/blas/block.h"

namespace quda::blas
{

/// Result of an orthogonalisation.
struct Projection {
  Matrix h;                  // (vector, right-hand side): the subtracted coefficients
  std::vector<double> norm2; // of the remainder
};

class VectorSet
{
public:
  explicit VectorSet(int size)
      : size_(size)
  {
  }
  VectorSet(VectorSet &&) noexcept = default;
  VectorSet &operator=(VectorSet &&) noexcept = default;

  int size() const { return size_; }
  /// Maximal number of vectors that rotate() reads.
  static int most_rotated();
  int rhs() const { return now_.front().rhs(); }
  /// As many right-hand sides as in the shape; contents undefined. Earlier memory is reused, unless most of it
  /// would lie idle.
  void prepare(const ColorSpinorParam &shape);
  /// Selects `count` right-hand sides from number `first` on.
  void view(int first, int count);
  /// Exchanges right-hand sides i and j of all: in the vectors up to the last one accessed for writing since
  /// prepare().
  void exchange(int i, int j);
  /// Among the selected right-hand sides, which must begin at the first, exchanges i with the last one and drops that.
  void drop(int i);

  /// For writing.
  ColorSpinorField &operator[](int k)
  {
    reached_ = std::max(reached_, k + 1);
    return now_[static_cast<std::size_t>(k)];
  }
  const ColorSpinorField &operator[](int k) const { return now_[static_cast<std::size_t>(k)]; }
  /// `count` vectors from number `first` on.
  std::vector<const ColorSpinorField *> list(int count, int first = 0) const;

  /// <v_k, w> for the first n, (k, right-hand side).
  Matrix project(const ColorSpinorField &w, int n) const;
  /// w -= V h with the first n, h = V^dag w, which is returned.
  Matrix subtract(ColorSpinorField &w, int n) const;
  /// Orthogonalises w against the first n, which are orthonormal: h = V^dag w, w -= V h; again if less than half
  /// of |w| remains, since rounding of the subtracted part is then no longer small against the rest (Daniel, Gragg,
  /// Kaufman and Stewart, Math. Comp. 30 (1976) 772), for each right-hand side separately. norm2: the old |w|^2, if it
  /// is known. h is the sum of both.
  Projection orthogonalise(ColorSpinorField &w, int n, std::vector<double> norm2 = {}) const;
  /// y += sum_k a(k, j) v_k over the first a.rows(): a column for each right-hand side j, or one for all.
  void add(const Matrix &a, ColorSpinorField &y) const;
  /// v_j <- sum_i v_i Q(i, j) in place: Q for each right-hand side, or one for all, has a row for each vector read
  /// and a column for each vector written, no more columns than rows; the others stay. From zero in
  /// ascending order of i, each product as in caxpy. [4 (m k) a number of one vector, (m + k) S]
  void rotate(std::span<const Matrix> Q);
  void rotate(const Matrix &Q) { rotate(std::span(&Q, 1)); }

private:
  int size_, reached_ = 0;
  FieldMemory memory_;
  long long apart_ = 0;                     // bytes from a vector to the next
  std::vector<ColorSpinorField> all_, now_; // with all right-hand sides of the memory; selected
};

} // namespace quda::blas
