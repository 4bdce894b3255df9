#pragma once
/// A Krylov space that may be restarted, of one vector or of a block of b of them: with n orthonormal vectors V_n and b
/// more beside them, V_b',
///   A V_n = V_n H + V_b' B
/// H = V_n^dag A V_n: tridiagonal or Hessenberg, in blocks, until a restart turns the basis, V_n <- V_n Q, and keeps
/// some of it, H <- Q^dag H Q, B <- B Q; what is added from then on is orthogonalised against all, which gives the
/// columns of H as they come. So one expansion serves thick-restart Lanczos (Wu and Simon, SIAM J. Matrix Anal. Appl. 22
/// (2000) 602), its block form and Krylov-Schur Arnoldi (Stewart, ibid. 23 (2001) 601).
/// Orthogonality is kept to rounding: what is known to be there is taken away first, of Hermitian A the rows of H that
/// mirror earlier columns, then all of V is, and again by a criterion (VectorSet::orthogonalise). A direction that has
/// become rounding gives way to a random one, which B does not couple: a space that A leaves as it is does not end the
/// search.
/// Several problems at once: right-hand sides of A that are matrices of their own (dirac/sliced.h), each with its H and B,
/// in spaces of one size and blocks of one vector.
/// Results : independent of ranks and threads to the bit, as sums and random numbers are.
/// Fields  : most + b, and two blocks of b where b > 1.

#include <functional>
#include <memory>

#include "dirac/linear_operator.h"
#include "ops/blas/vector_set.h"

namespace quda
{

/// Problems that are solved together, and their place among those of all ranks.
struct ProblemSet {
  int count = 1, first = 0, all = 1;
};

/// Fills a field of the operator's shape with numbers of a stream that depend on global sites alone; from one right-hand
/// side to the next the stream is the next one.
using RandomDirections = std::function<void(ColorSpinorField &, unsigned stream)>;

class KrylovSpace
{
public:
  /// A must outlive it; that it is Hermitian is what A says. random: null for normal numbers everywhere in a field.
  /// Errors: bad_argument where the operator's fields have no `most` + `block` directions, or problems come in blocks.
  KrylovSpace(const LinearOperator &A, int most, int block, const ProblemSet &problems = {},
              RandomDirections random = nullptr);

  /// Complex numbers of one of A's right-hand sides on all ranks.
  static long long dimension(const LinearOperator &A);
  /// Bytes on this rank of `most` + `block` vectors.
  static double bytes(const LinearOperator &A, int most, int block, int problems);

  /// Begins anew, with the first vector in this direction where it is one, the others random.
  void begin(const ColorSpinorField *first = nullptr);
  /// n becomes `to`, which is n and a multiple of the block.
  void grow(int to);
  int size() const { return n_; }
  int block() const { return block_; }
  int problems() const { return problems_.count; }
  /// H of problem p, Hermitian to the bit where A is.
  blas::Matrix projected(int p = 0) const;
  /// B.
  blas::Matrix coupling(int p = 0) const;
  /// The first `kept` vectors stay; the others become V Q, Q of each problem having a column for each that is left; T is
  /// the new H as a whole.
  void restart(int kept, std::span<const blas::Matrix> Q, std::span<const blas::Matrix> T);
  /// Vector i is taken for one of an invariant space: column i of B becomes 0.
  void uncouple(int i);

  const blas::VectorSet &vectors() const { return V_; }
  /// About |A|: the largest |A v| so far, of the matrix of problem p.
  double scale(int p = 0) const { return scale_[static_cast<std::size_t>(p)]; }
  /// Products with A of one vector so far.
  long long products() const { return products_; }

private:
  /// V_k made orthogonal to the vectors before it; sums of coefficients go to column `column` of H and B, or nowhere
  /// where it is negative.
  void add_direction(int k, int column);
  /// Takes from the products, of block `after`, what Hermitian A has of the vectors before them.
  void subtract_known(int after);
  /// V_k, of the problems where `replaced` says so, becomes random, and orthogonal to the vectors before it.
  void add_random(int k, const std::vector<bool> &replaced);
  void normalise(int k);

  const LinearOperator &A_;
  const int most_, block_;
  const ProblemSet problems_;
  const RandomDirections random_;
  blas::VectorSet V_;
  std::unique_ptr<ColorSpinorField> in_, out_; // of blocks
  std::vector<blas::Matrix> H_;                // rows from n on: B
  int n_ = 0;
  std::vector<double> scale_;
  long long products_ = 0;
  unsigned randoms_ = 0;
};

} // namespace quda
