#pragma once
/// Conjugate gradients, s steps at a time (Chronopoulos and Gear, J. Comput. Appl. Math. 25 (1989) 153; Hoemmen,
/// thesis, Berkeley 2010), for hermitian positive A: S a basis of r's Krylov space, Q the directions, primes of the
/// cycle before,
///   C' B = (A Q')^dag S,  Q = S - Q' B,  A Q = A S - A Q' B
///   C = Q^dag A Q = S^dag A S - (S^dag A Q') B,  C y = S^dag r,  x += Q y,  r -= A Q y
/// with two reductions a cycle, all scalar products being one of them. Directions of which little is left are left out:
/// what A Q is wrong by is carried on, multiplied by as much as they are shorter than S. Where |r| grows tenfold in a
/// cycle, the directions are forgotten and the residual is asked for. A replaced residual keeps the directions, and
/// what it has along them is solved for. Fields: 4 s, r and x; x is single where the operator is in fixed point.

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
  /// x += Q y, r -= A Q y; |r|^2.
  std::vector<double> step(const blas::Matrix &y);
  /// The directions.
  void forget();

  Kept<KrylovBasis> basis_;
  Kept<blas::VectorSet> directions_, products_; // Q, A Q
  int used_ = 0;                                // of them
  PerRhs<GramFactor> factor_ {this};            // C of each right-hand side
  Kept<ActiveColumns> r_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
};

} // namespace quda
