#pragma once
/// Solver for right-hand sides that come one after the other, each of which leaves low modes for the later ones:
/// incremental eigCG (Stathopoulos and Orginos, SIAM J. Sci. Comput. 32 (2010) 439, 0707.0131). Until the space has its
/// `most` vectors, each right-hand side is solved on its own, by conjugate gradients that begin without the components
/// in the space, and the low modes that a window of their residuals finds (solvers/lanczos_window.h) are added. They
/// cost one product with A each, for V^dag A V. When the space is full, its vectors become Ritz vectors, and the good
/// ones serve all later right-hand sides at once. The components in the space are removed again as the residual falls
/// (init-CG), also while vectors are gathered, which disturbs the window's T but not V^dag A V.
///
/// GMRES-Proj (Morgan and Wilcox, math-ph/0405053) does the same for any matrix: GMRES-DR leaves the harmonic Ritz
/// vectors of its last restart. A later residual is minimised over their space, and then along directions whose images
/// are orthogonal to the images of the space (solvers/gmres_dr.h).
///
/// Precision  : the window has the precision of the iterations, single or double; single if these are in fixed point.
/// Results    : independent of ranks and threads to the bit.
/// Collective : solve(), over the communicator of the operator's lattice.

#include "solvers/dirac_solver.h"

#include <string>

namespace quda
{

/// Largest number of vectors that a space accepts: each is a field.
constexpr int most_modes = 4096;

struct IncrementalOptions {
  bool alone = false; // eigCG: uses no earlier modes, and replaces them by the modes of this solve
  DeflateAgain again {};
  double good_enough = 0.1; // bound of |A v - lambda v| for the vectors that a full space keeps
};

class IncrementalSpace
{
public:
  /// each, most: vectors of one right-hand side, and in total. verify: reports how orthonormal new vectors are.
  IncrementalSpace(int each, int most, Precision kept, bool verify = false)
      : each_(each)
      , most_(most)
      , kept_(kept)
      , verify_(verify)
  {
  }
  int each() const { return each_; }
  int most() const { return most_; }
  const DeflationSpace &modes() const { return modes_; }
  bool full() const { return modes_.size() >= most_; }

  /// Solves A x_j = b_j as solve() of dirac_solver.h does, with `how`, whose method leaves modes and has `each` for its
  /// options.kept; for eigCG the matrix, as the method sees it, is Hermitian and positive. Not with a history of
  /// solutions. of: the name of that matrix; vectors of another one are dropped, with a message. Sources and guesses
  /// are looked at before the first solve. Prints at Verbosity::summarize how much memory the space takes and what it
  /// holds.
  SolveReport solve(const Dirac &dirac, const DiracSolve &how, const IncrementalOptions &options, ColorSpinorField &x,
                    const ColorSpinorField &b, const std::string &of);

private:
  void tell_memory(const char *name, const LinearOperator &H, const DiracSolve &how) const;
  /// fresh: modes of a right-hand side, after `restarts` restarts of the method called `name`; null: none.
  void gather(const char *name, const LinearOperator &H, const ColorSpinorField *fresh, int restarts,
              const IncrementalOptions &options, const std::string &of);

  const int each_, most_;
  const Precision kept_;
  const bool verify_;
  DeflationSpace modes_;
};

} // namespace quda
