#pragma once
/// Conjugate gradients, s steps at a time (Chronopoulos and Gear, J. Comput. Appl. Math. 25 (1989) 153; Hoemmen,
/// thesis, Berkeley 2010), for hermitian positive A: S is a basis of r's Krylov space, Q the directions, primes mark
/// the cycle before,
///   C' B = (A Q')^dag S,  Q = S - Q' B,  A Q = A S - A Q' B
///   C = Q^dag A Q = S^dag A S - (S^dag A Q') B,  C y = S^dag r,  x += Q y,  r -= A Q y
/// with two reductions a cycle: all scalar products are one reduction. Nearly dependent directions are dropped,
/// since the error of A Q is carried on, magnified by the factor by which they are shorter than S. If |r| grows tenfold
/// in a cycle, the directions are dropped and the true residual is requested. A replaced residual keeps the directions
/// and is solved along them first. Fields: 4 s, r and x; x is single where the operator is in fixed point.

#include "solvers/gram_factor.h"
#include "solvers/krylov_basis.h"

namespace quda
{

class CACG final : public KrylovMethod
{
public:
  CACG(const LinearOperator &A, int s, Polynomials polynomials, const Spectrum &spectrum)
      : KrylovMethod(A, "CA-CG", true)
      , basis_(this, A, s, polynomials, spectrum)
      , directions_(this, basis_.size())
      , products_(this, basis_.size())
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;

private:
  void begin(const ColorSpinorField &r) override;
  /// x += Q y, r -= A Q y; returns |r|^2.
  std::vector<double> step(const blas::Matrix &y);
  /// Drops the directions.
  void forget();

  Kept<KrylovBasis> basis_;
  Kept<blas::VectorSet> directions_, products_; // Q, A Q
  int used_ = 0;                                // number of them
  PerRhs<GramFactor> factor_ {this};            // C of each right-hand side
  Kept<ActiveColumns> r_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
};

} // namespace quda
