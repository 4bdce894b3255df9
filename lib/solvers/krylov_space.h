#pragma once
/// Restartable Krylov space of one vector, or of a block of b vectors: with n orthonormal vectors V_n and b further
/// ones, V_b',
///   A V_n = V_n H + V_b' B
/// H = V_n^dag A V_n is tridiagonal or Hessenberg, in blocks, until a restart turns the basis, V_n <- V_n Q, and keeps
/// some of it, H <- Q^dag H Q, B <- B Q; later vectors are orthogonalised against all, which gives the columns of H. So
/// one expansion serves thick-restart Lanczos (Wu and Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602), its block form
/// and Krylov-Schur Arnoldi (Stewart, ibid. 23 (2001) 601).
/// Orthogonality is kept to rounding: known components are subtracted first (for Hermitian A the rows of H that mirror
/// earlier columns), then the components along all of V, and again by a criterion (VectorSet::orthogonalise). A
/// direction that is only rounding is replaced by a random one, which B does not couple, so that an invariant space
/// does not end the search.
/// Several problems at once: right-hand sides of A with matrices of their own (dirac/sliced.h), each with its H and B,
/// in spaces of one size and blocks of one vector.
/// Results : independent of ranks and threads to the bit, as sums and random numbers are.
/// Fields  : most + b, and two blocks of b where b > 1.

#include <functional>
#include <memory>

#include "dirac/linear_operator.h"
#include "ops/blas/vector_set.h"

namespace quda
{

/// Problems that are solved together, and their position among the problems of all ranks.
struct ProblemSet {
  int count = 1, first = 0, all = 1;
};

/// Fills a field of the operator's shape with numbers of a stream, which depend only on global sites; successive
/// right-hand sides use successive streams.
using RandomDirections = std::function<void(ColorSpinorField &, unsigned stream)>;

class KrylovSpace
{
public:
  /// A must outlive it and says whether it is Hermitian. random: null for normal numbers in the whole field. Errors:
  /// bad_argument if the operator's fields have no `most` + `block` directions, or if problems come in blocks.
  KrylovSpace(const LinearOperator &A, int most, int block, const ProblemSet &problems = {},
              RandomDirections random = nullptr);

  /// Number of complex numbers in one of A's right-hand sides, on all ranks.
  static long long dimension(const LinearOperator &A);
  /// Bytes on this rank of `most` + `block` vectors.
  static double bytes(const LinearOperator &A, int most, int block, int problems);

  /// Begins anew; the first vector has the direction `first` if that is given, the others are random.
  void begin(const ColorSpinorField *first = nullptr);
  /// Increases n to `to`, which is n plus a multiple of the block.
  void grow(int to);
  int size() const { return n_; }
  int block() const { return block_; }
  int problems() const { return problems_.count; }
  /// H of problem p, Hermitian to the bit if A is Hermitian.
  blas::Matrix projected(int p = 0) const;
  /// B.
  blas::Matrix coupling(int p = 0) const;
  /// Keeps the first `kept` vectors and replaces the others by V Q; Q of each problem has one column for each remaining
  /// vector; T is the whole new H.
  void restart(int kept, std::span<const blas::Matrix> Q, std::span<const blas::Matrix> T);
  /// Takes vector i as one of an invariant space: column i of B becomes 0.
  void uncouple(int i);

  const blas::VectorSet &vectors() const { return V_; }
  /// Estimate of |A|: the largest |A v| so far, for the matrix of problem p.
  double scale(int p = 0) const { return scale_[static_cast<std::size_t>(p)]; }
  /// Products with A of one vector so far.
  long long products() const { return products_; }

private:
  /// Makes V_k orthogonal to the vectors before it; adds the coefficients to column `column` of H and B, unless that is
  /// negative.
  void add_direction(int k, int column);
  /// Subtracts from the products of block `after` the components along earlier vectors that Hermitian A makes known.
  void subtract_known(int after);
  /// Replaces V_k by a random vector orthogonal to those before it, for the problems in `replaced`.
  void add_random(int k, const std::vector<bool> &replaced);
  void normalise(int k);

  const LinearOperator &A_;
  const int most_, block_;
  const ProblemSet problems_;
  const RandomDirections random_;
  blas::VectorSet V_;
  std::unique_ptr<ColorSpinorField> in_, out_; // blocks
  std::vector<blas::Matrix> H_;                // rows from n on: B
  int n_ = 0;
  std::vector<double> scale_;
  long long products_ = 0;
  unsigned randoms_ = 0;
};

} // namespace quda
