#pragma once
/// Block conjugate gradients for hermitian positive A: all solutions are sought in the sum of the Krylov spaces of
/// all right-hand sides (O'Leary, Linear Algebra Appl. 29 (1980) 293), with residuals kept orthonormal (Dubrulle,
/// Electron. Trans. Numer. Anal. 12 (2001) 216). R and X have a column per right-hand side, Q and D the rank of R:
///   R = Q C, D = Q
///   Z = A D, M = (D^dag Z)^-1, X += D M C, Q' S = Q - Z M, D = Q' + D S^dag, C = S C;  |r_j| = |C e_j|
/// Q' and S come from a Cholesky factorisation of the Gram matrix with pivots, scaled to ones on its diagonal;
/// if next to nothing is left of a column, the rank falls. So columns may depend on each other, be equal or zero. A
/// replaced residual gets D = Q - D M Z^dag Q, conjugate to the last directions. Here the bits of a right-hand side
/// depend on the others; they are the same for the same right-hand sides in the same order.
/// Fields: Q, D, Z, one for their next values, and X, which is single where the operator is in fixed point.

#include "solvers/krylov_method.h"

namespace quda
{

/// W = Q S, Q = W B orthonormal, of a Gram matrix G = W^dag W.
struct RankFactor {
  blas::Matrix B, S;
  int rank;
  double smallest; // of the scaled pivots that were kept

  /// least: pivots up to this are dropped.
  RankFactor(const blas::Matrix &G, double least);
};

class BlockCG final : public KrylovMethod
{
public:
  explicit BlockCG(const LinearOperator &A)
      : KrylovMethod(A, "block CG", true)
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;

private:
  void begin(const ColorSpinorField &r) override;
  /// Factorises the columns of W: returns S, leaves Q in the method.
  blas::Matrix factorise(const ColorSpinorField &W);
  ColorSpinorField columns(ActiveColumns &field, int count) { return (*field).columns(0, count); }

  /// A field with columns that belong to no right-hand side: a new residual fills them anew.
  struct Block : ActiveColumns {
    void view(int, int) {}
    void exchange(int, int) {}
  };
  Kept<Block> Q_ {this}, D_ {this}, Z_ {this}, work_ {this};
  Kept<Correction> x_ {this};
  int rank_ = 0, directions_ = 0; // columns of Q; of D and Z
  blas::Matrix C_, M_;
  Kept<Residuals> rr_ {this};
  PerRhs<double> begun_ {this}; // |r|^2 of the beginning
};

} // namespace quda
