#pragma once
/// Chronological guess: earlier solutions of a series of slowly changing systems, as in a trajectory of molecular
/// dynamics, give a guess for the next one (Brower, Ivanenko, Levi and Orginos, hep-lat/9509012):
///   x = sum_k c_k v_k with <l, b - A x> = 0 for all l of a space. That is the span of the v_k if A is positive, which
/// minimises the error in the norm of A; else the span of the A v_k, which minimises the residual.
/// Vectors that add nothing to those before them, newest first, are dropped; a guess no better than zero is replaced by
/// zero. It costs one application of A per stored solution. Each right-hand side has its own coefficients.
/// Fields     : all of one shape; precisions may differ. Collective: extrapolate(), over their communicator.

#include <memory>
#include <vector>

#include "dirac/linear_operator.h"

namespace quda
{

class Chronology
{
public:
  int size() const { return static_cast<int>(solutions_.size()); }
  /// Shape of the stored solutions; undefined if size() is 0.
  ColorSpinorParam shape() const { return solutions_.front()->param(); }

  /// A guess for A x = b, both in A's precision; zero if nothing is stored.
  void extrapolate(ColorSpinorField &x, const ColorSpinorField &b, const LinearOperator &A) const;

  /// Keeps a copy of a solution, in this precision or the next better one that is built, as the newest of at most
  /// `most`, or in place of the newest if replace_newest is set.
  void remember(const ColorSpinorField &x, Precision precision, int most, bool replace_newest);
  void clear() { solutions_.clear(); }

private:
  std::vector<std::unique_ptr<ColorSpinorField>> solutions_; // newest first
};

} // namespace quda
