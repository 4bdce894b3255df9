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

} // namespace

long long KrylovSpace::dimension(const LinearOperator &A)
{
  const ColorSpinorParam one = A.shape(1);
  const long long sites = one.lattice->global_volume() / (one.subset == SiteSubset::full ? 1 : 2);
  return sites * one.spins * one.colors * one.fifth * one.flavours;
}

double KrylovSpace::bytes(const LinearOperator &A, int most, int block)
{
  std::size_t one = 0;
  native_storage(A.shape(1), one);
  return static_cast<double>(one) * (most + block + (block > 1 ? 2 * block : 0));
}

KrylovSpace::KrylovSpace(const LinearOperator &A, int most, int block)
    : A_(A)
    , most_(most)
    , block_(block)
    , V_(most + block)
    , H_(most + block, most)
{
  if (block < 1 || most < block || most + block > dimension(A))
    fail(ErrorKind::bad_argument, text("KrylovSpace: %d vectors and a block of %d of fields with %lld numbers; allowed: "
                                       "a block of 1 or more, as many vectors, and both together no more than that",
                                       most, block, dimension(A)));
  V_.prepare(A.shape(1));
  if (block == 1) return;
  in_ = std::make_unique<ColorSpinorField>(A.shape(block));
  out_ = std::make_unique<ColorSpinorField>(A.shape(block));
}

double KrylovSpace::normalise(int k)
{
  const double norm = std::sqrt(blas::norm2(V_[k]));
  if (norm > 0) blas::ax(1 / norm, V_[k]);
  return norm;
}

void KrylovSpace::add_random(int k)
{
  gaussian_spinors(V_[k], seed, randoms_++);
  normalise(k);
  for (int pass = 0; pass < 2; pass++) {
    V_.orthogonalise(V_[k], k);
    normalise(k);
  }
}

void KrylovSpace::add_direction(int k, int column)
{
  const blas::Projection w = V_.orthogonalise(V_[k], k);
  double norm = std::sqrt(w.norm2[0]);
  if (column >= 0) {
    double product = w.norm2[0];
    for (int i = 0; i < k; i++) {
      H_(i, column) += w.h(i, 0);
      product += std::norm(H_(i, column));
    }
    scale_ = std::max(scale_, std::sqrt(product));
  }
  const double rounding = 16 * unit_roundoff(A_.precision()) * (column < 0 ? 1 : scale_);
  if (norm <= rounding) {
    norm = 0;
    add_random(k);
  } else {
    normalise(k);
  }
  if (column >= 0) H_(k, column) = norm;
}

void KrylovSpace::begin(const ColorSpinorField *first)
{
  n_ = 0;
  H_ = Matrix(most_ + block_, most_);
  for (int k = 0; k < block_; k++) {
    if (k == 0 && first) {
      blas::block::convert(V_[0], *first, 1 / std::sqrt(blas::norm2(*first)));
      normalise(0);
    } else {
      add_random(k);
    }
  }
}

void KrylovSpace::grow(int to)
{
  while (n_ < to) {
    const int after = n_ + block_; // of the block that is to be multiplied
    if (block_ == 1) {
      A_(V_[after], V_[n_]);
    } else {
      for (int j = 0; j < block_; j++) in_->columns(j, 1) = V_[n_ + j];
      in_->mark_written();
      A_(*out_, *in_);
      for (int j = 0; j < block_; j++) V_[after + j] = out_->columns(j, 1);
    }
    products_ += block_;
    if (A_.symmetry() != Symmetry::general) {
      const Matrix G = blas::block::gram(V_.list(block_, n_), V_.list(block_, after))[0];
      for (int j = 0; j < block_; j++) {
        std::vector<const ColorSpinorField *> known;
        std::vector<Complex> minus;
        for (int i = 0; i < after; i++) {
          const Complex h = H_(i, n_ + j) = i < n_ ? std::conj(H_(n_ + j, i)) : G(i - n_, j);
          if (h == 0.0) continue;
          known.push_back(&V_[i]);
          minus.push_back(-h);
        }
        Matrix a(static_cast<int>(minus.size()), 1);
        for (int i = 0; i < a.rows(); i++) a(i, 0) = minus[static_cast<std::size_t>(i)];
        if (a.rows() > 0) blas::block::axpy_many(a, known, V_[after + j]);
      }
    }
    for (int j = 0; j < block_; j++) add_direction(after + j, n_ + j);
    n_ = after;
  }
}

Matrix KrylovSpace::projected() const
{
  Matrix H(n_, n_);
  for (int i = 0; i < n_; i++)
    for (int j = 0; j < n_; j++)
      H(i, j) = A_.symmetry() == Symmetry::general ? H_(i, j) : 0.5 * (H_(i, j) + std::conj(H_(j, i)));
  return H;
}

Matrix KrylovSpace::coupling() const
{
  Matrix B(block_, n_);
  for (int i = 0; i < block_; i++)
    for (int j = 0; j < n_; j++) B(i, j) = H_(n_ + i, j);
  return B;
}

void KrylovSpace::restart(int kept, const Matrix &Q, const Matrix &T)
{
  const int after = kept + Q.columns();
  Matrix H(most_ + block_, most_);
  for (int i = 0; i < after; i++)
    for (int j = 0; j < after; j++) H(i, j) = T(i, j);
  for (int i = 0; i < block_; i++)
    for (int j = 0; j < after; j++) {
      if (j < kept) {
        H(after + i, j) = H_(n_ + i, j);
        continue;
      }
      for (int l = 0; l < Q.rows(); l++) H(after + i, j) += H_(n_ + i, kept + l) * Q(l, j - kept);
    }
  V_.rotate(Q, kept);
  if (after < n_)
    for (int j = 0; j < block_; j++) {
      blas::copy(V_[after + j], V_[n_ + j]);
      V_.orthogonalise(V_[after + j], after + j); // against what rotations add up to
      normalise(after + j);
    }
  H_ = std::move(H);
  n_ = after;
}

void KrylovSpace::uncouple(int i)
{
  for (int j = 0; j < block_; j++) H_(n_ + j, i) = 0;
}

} // namespace quda
