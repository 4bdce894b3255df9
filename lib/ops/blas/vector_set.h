#pragma once
/// A set of vectors: native spinor fields of one shape in one allocation, each contiguous, so that whatever reads one
/// of them reads it as any other field. What concerns all of them, or the first n, is done in one pass. All of blas.h
/// and block.h holds: a right-hand side has its own numbers, which do not depend on the others, and results are the
/// same bits on every target, for any tuning, threads and rank grid.
///
/// Collective: sums over the fields' communicator; all, while they are tuned.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fields/memory.h"
#include "ops/blas/block.h"

namespace quda::blas
{

/// What is left of a vector that was made orthogonal to others.
struct Projection {
  Matrix h;                  // (vector, right-hand side): what was taken away
  std::vector<double> norm2; // of the rest
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
  /// Vectors that rotate() reads at most.
  static int most_rotated();
  int rhs() const { return now_.front().rhs(); }
  /// As many right-hand sides as the shape says; contents undefined. Memory of before serves again, unless most of it
  /// would lie idle.
  void prepare(const ColorSpinorParam &shape);
  /// Right-hand sides from number `first` on are in use.
  void view(int first, int count);
  /// Right-hand sides i and j of all change places: of the vectors up to the last one that was to be written since
  /// prepare().
  void exchange(int i, int j);
  /// Of right-hand sides that are in use from the first on, i changes places with the last one, which leaves.
  void drop(int i);

  /// To be written.
  ColorSpinorField &operator[](int k)
  {
    reached_ = std::max(reached_, k + 1);
    return now_[static_cast<std::size_t>(k)];
  }
  const ColorSpinorField &operator[](int k) const { return now_[static_cast<std::size_t>(k)]; }
  /// `count` of them from number `first` on.
  std::vector<const ColorSpinorField *> list(int count, int first = 0) const;

  /// <v_k, w> of the first n, (k, right-hand side).
  Matrix project(const ColorSpinorField &w, int n) const;
  /// w -= V h of the first n, h = V^dag w, which is returned.
  Matrix subtract(ColorSpinorField &w, int n) const;
  /// w made orthogonal to the first n, which are orthonormal: h = V^dag w, w -= V h; once more where less than half of
  /// |w| is left of it, since rounding of what was taken away is then no longer small beside the rest (Daniel, Gragg,
  /// Kaufman and Stewart, Math. Comp. 30 (1976) 772), each right-hand side for itself. norm2: |w|^2 of before, where it
  /// is known. h adds both up.
  Projection orthogonalise(ColorSpinorField &w, int n, std::vector<double> norm2 = {}) const;
  /// y += sum_k a(k, j) v_k of the first a.rows(): a column for each right-hand side j, or one for all.
  void add(const Matrix &a, ColorSpinorField &y) const;
  /// v_j <- sum_i v_i Q(i, j) in place: Q of each right-hand side, or one for all, has a row for each of the vectors
  /// that are read and a column for each that is written, no more of these than of those; the others stay. From zero in
  /// ascending order of i, each product as caxpy has it. [4 (m k) a number of one vector, (m + k) S]
  void rotate(std::span<const Matrix> Q);
  void rotate(const Matrix &Q) { rotate(std::span(&Q, 1)); }

private:
  int size_, reached_ = 0;
  FieldMemory memory_;
  long long apart_ = 0;                     // bytes from a vector to the next
  std::vector<ColorSpinorField> all_, now_; // with the right-hand sides that memory was made for; in use
};

} // namespace quda::blas
