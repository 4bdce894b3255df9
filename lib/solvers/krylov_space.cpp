#include "solvers/krylov_space.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "ops/random/spinors.h"
#include "solvers/krylov_method.h"

namespace quda
{

using blas::Complex;
using blas::Matrix;

namespace
{

  constexpr unsigned long long seed = 20001; // of random directions
  constexpr double rounding = 16;            // units of rounding: remainder of a vector that was in the space

} // namespace

long long KrylovSpace::dimension(const LinearOperator &A)
{
  const ColorSpinorParam one = A.shape(1);
  const long long sites = one.lattice->global_volume() / (one.subset == SiteSubset::full ? 1 : 2);
  const int rows = one.lattice->lanes_are_rows() ? one.lattice->lanes() : 1; // of a color
  return sites * rows * one.spins * one.colors * one.fifth * one.flavours;
}

double KrylovSpace::bytes(const LinearOperator &A, int most, int block, int problems)
{
  std::size_t one = 0;
  native_storage(A.shape(problems), one);
  return static_cast<double>(one) * (most + block + (block > 1 ? 2 * block : 0));
}

KrylovSpace::KrylovSpace(const LinearOperator &A, int most, int block, const ProblemSet &problems,
                         RandomDirections random)
    : A_(A)
    , most_(most)
    , block_(block)
    , problems_(problems)
    , random_(std::move(random))
    , V_(std::max(most + block, 1))
    , scale_(static_cast<std::size_t>(problems.count))
{
  if (block < 1 || most < block || most + block > dimension(A) || (problems.count != 1 && block != 1))
    fail(ErrorKind::bad_argument,
         text("KrylovSpace: %d vectors and a block of %d of fields with %lld numbers, %d at "
              "once; allowed: a block of 1 or more, as many vectors, and both together no more "
              "than that; of several at once a block of 1",
              most, block, dimension(A), problems.count));
  V_.prepare(A.shape(problems.count));
  if (block == 1) return;
  in_ = std::make_unique<ColorSpinorField>(A.shape(block));
  out_ = std::make_unique<ColorSpinorField>(A.shape(block));
}

void KrylovSpace::normalise(int k)
{
  std::vector<double> factor = blas::block::norm2(V_[k]);
  for (double &one : factor) one = one > 0 ? 1 / std::sqrt(one) : 0;
  blas::ax(factor, V_[k]);
}

void KrylovSpace::add_random(int k, const std::vector<bool> &replaced)
{
  ColorSpinorField fresh(V_[k].param());
  const auto stream = randoms_++ * static_cast<unsigned>(problems_.all) + static_cast<unsigned>(problems_.first);
  if (random_)
    random_(fresh, stream);
  else
    gaussian_spinors(fresh, seed, stream);
  for (int p = 0; p < problems_.count; p++)
    if (replaced[static_cast<std::size_t>(p)]) V_[k].columns(p, 1) = fresh.columns(p, 1);
  V_[k].mark_written();
  normalise(k);
  for (int pass = 0; pass < 2; pass++) {
    V_.orthogonalise(V_[k], k);
    normalise(k);
  }
}

void KrylovSpace::add_direction(int k, int column)
{
  const blas::Projection w = V_.orthogonalise(V_[k], k);
  std::vector<bool> replaced(scale_.size());
  bool any = false;
  for (int p = 0; p < problems_.count; p++) {
    const auto at = static_cast<std::size_t>(p);
    const double norm = std::sqrt(w.norm2[at]);
    if (column >= 0) {
      double product = w.norm2[at];
      for (int i = 0; i < k; i++) {
        H_[at](i, column) += w.h(i, p);
        product += std::norm(H_[at](i, column));
      }
      scale_[at] = std::max(scale_[at], std::sqrt(product));
    }
    replaced[at] = norm <= rounding * unit_roundoff(A_.precision()) * (column < 0 ? 1 : scale_[at]);
    any = any || replaced[at];
    if (column >= 0) H_[at](k, column) = replaced[at] ? 0 : norm;
  }
  if (any)
    add_random(k, replaced);
  else
    normalise(k);
}

void KrylovSpace::begin(const ColorSpinorField *first)
{
  n_ = 0;
  H_.assign(scale_.size(), Matrix(most_ + block_, most_));
  const std::vector<bool> all(scale_.size(), true);
  for (int k = 0; k < block_; k++) {
    if (k == 0 && first) {
      blas::block::convert(V_[0], *first);
      normalise(0);
    } else {
      add_random(k, all);
    }
  }
}

void KrylovSpace::grow(int to)
{
  while (n_ < to) {
    const int after = n_ + block_; // of the block to be multiplied
    if (block_ == 1) {
      A_(V_[after], V_[n_]);
    } else {
      for (int j = 0; j < block_; j++) in_->columns(j, 1) = V_[n_ + j];
      in_->mark_written();
      A_(*out_, *in_);
      for (int j = 0; j < block_; j++) V_[after + j] = out_->columns(j, 1);
    }
    products_ += block_;
    if (A_.symmetry() != Symmetry::general) subtract_known(after);
    for (int j = 0; j < block_; j++) add_direction(after + j, n_ + j);
    n_ = after;
  }
}

void KrylovSpace::subtract_known(int after)
{
  const std::vector<Matrix> G = blas::block::gram(V_.list(block_, n_), V_.list(block_, after));
  for (int j = 0; j < block_; j++) {
    std::vector<const ColorSpinorField *> known;
    std::vector<Complex> minus; // of each vector and problem
    for (int i = 0; i < after; i++) {
      bool any = false;
      for (std::size_t p = 0; p < H_.size(); p++) {
        H_[p](i, n_ + j) = i < n_ ? std::conj(H_[p](n_ + j, i)) : G[p](i - n_, j);
        any = any || H_[p](i, n_ + j) != 0.0;
      }
      if (!any) continue;
      known.push_back(&V_[i]);
      for (const Matrix &H : H_) minus.push_back(-H(i, n_ + j));
    }
    Matrix a(static_cast<int>(known.size()), problems_.count);
    for (int i = 0; i < a.rows(); i++)
      for (int p = 0; p < a.columns(); p++) a(i, p) = minus[static_cast<std::size_t>(i * a.columns() + p)];
    if (a.rows() > 0) blas::block::axpy_many(a, known, V_[after + j]);
  }
}

Matrix KrylovSpace::projected(int p) const
{
  const Matrix &of = H_[static_cast<std::size_t>(p)];
  Matrix H(n_, n_);
  for (int i = 0; i < n_; i++)
    for (int j = 0; j < n_; j++)
      H(i, j) = A_.symmetry() == Symmetry::general ? of(i, j) : 0.5 * (of(i, j) + std::conj(of(j, i)));
  return H;
}

Matrix KrylovSpace::coupling(int p) const
{
  Matrix B(block_, n_);
  for (int i = 0; i < block_; i++)
    for (int j = 0; j < n_; j++) B(i, j) = H_[static_cast<std::size_t>(p)](n_ + i, j);
  return B;
}

void KrylovSpace::restart(int kept, std::span<const Matrix> Q, std::span<const Matrix> T)
{
  const int after = kept + Q[0].columns();
  for (std::size_t p = 0; p < H_.size(); p++) {
    Matrix H(most_ + block_, most_);
    for (int i = 0; i < after; i++)
      for (int j = 0; j < after; j++) H(i, j) = T[p](i, j);
    for (int i = 0; i < block_; i++)
      for (int j = 0; j < after; j++) {
        if (j < kept) {
          H(after + i, j) = H_[p](n_ + i, j);
          continue;
        }
        for (int l = 0; l < Q[p].rows(); l++) H(after + i, j) += H_[p](n_ + i, kept + l) * Q[p](l, j - kept);
      }
    H_[p] = std::move(H);
  }
  // one shape at every restart, whatever number is kept, so that the launch has been tuned
  std::vector<Matrix> whole;
  for (const Matrix &q : Q) {
    Matrix all(kept + q.rows(), after);
    for (int i = 0; i < kept; i++) all(i, i) = 1;
    for (int i = 0; i < q.rows(); i++)
      for (int j = 0; j < q.columns(); j++) all(kept + i, kept + j) = q(i, j);
    whole.push_back(std::move(all));
  }
  V_.rotate(whole);
  if (after < n_)
    for (int j = 0; j < block_; j++) {
      blas::copy(V_[after + j], V_[n_ + j]);
      V_.orthogonalise(V_[after + j], after + j); // against the rounding that rotations accumulate
      normalise(after + j);
    }
  n_ = after;
}

void KrylovSpace::uncouple(int i)
{
  for (Matrix &H : H_)
    for (int j = 0; j < block_; j++) H(n_ + j, i) = 0;
}

} // namespace quda
