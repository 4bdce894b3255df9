#pragma once
/// Solutions of systems that come one after the other and change little, as in a trajectory of molecular dynamics, and
/// the guess that they give for the next one (Brower, Ivanenko, Levi and Orginos, hep-lat/9509012):
///   x = sum_k c_k v_k with <l, b - A x> = 0 for all l of the space: that of the v_k where A is positive, which makes
/// the error smallest in the norm of A; that of the A v_k elsewhere, which makes the residual smallest.
/// Vectors that add nothing to those before them, newest first, are left out; a guess that is no better than zero is
/// zero. One application of A a stored solution. Right-hand sides have each their own coefficients.
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
  /// What is stored; none where size() is 0.
  ColorSpinorParam shape() const { return solutions_.front()->param(); }

  /// A guess for A x = b, both in A's precision; zero where nothing is stored.
  void extrapolate(ColorSpinorField &x, const ColorSpinorField &b, const LinearOperator &A) const;

  /// Keeps a copy of a solution, in this precision or the next better one that is built, as the newest of at most
  /// `most`; in the place of the newest where that is wished.
  void remember(const ColorSpinorField &x, Precision precision, int most, bool replace_newest);
  void clear() { solutions_.clear(); }

private:
  std::vector<std::unique_ptr<ColorSpinorField>> solutions_; // newest first
};

} // namespace quda
