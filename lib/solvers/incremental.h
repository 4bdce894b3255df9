#pragma once
/// Linear systems whose right-hand sides come one after the other, each of which leaves low modes for those that follow:
/// incremental eigCG (Stathopoulos and Orginos, SIAM J. Sci. Comput. 32 (2010) 439, 0707.0131). Until the space has its
/// `most` vectors a right-hand side is solved by itself, by conjugate gradients that begin without what lies in the space,
/// and the low modes that a window of their residuals has found (solvers/lanczos_window.h) are added to the space. They
/// cost a product with A each, for V^dag A V, and nothing else. When it is full, its vectors become Ritz vectors, and
/// those that are good enough serve all right-hand sides to come, at once. What lies in the space is taken again as the
/// residual falls (init-CG), while vectors are gathered, too, which disturbs the window's T and not V^dag A V.
///
/// GMRES-Proj (Morgan and Wilcox, math-ph/0405053) does the same for any matrix: GMRES-DR leaves the harmonic Ritz vectors
/// that its last restart kept; a later residual is made smallest by what lies in the space, and then by directions whose
/// images have nothing of the space's (solvers/gmres_dr.h).
///
/// Precision  : the window is in that of the iterations, single or double: fixed point gives way to single there.
/// Results    : independent of ranks and threads to the bit.
/// Collective : solve(), over the communicator of the operator's lattice.

#include "solvers/dirac_solver.h"

#include <string>

namespace quda
{

/// As many vectors as anyone asks for in a space: each is a field.
constexpr int most_modes = 4096;

struct IncrementalOptions {
  bool alone = false; // eigCG: nothing is taken, and what there was gives way to the modes of this one
  DeflateAgain again {};
  double good_enough = 0.1; // |A v - lambda v| of the vectors that a full space keeps
};

class IncrementalSpace
{
public:
  /// each, most: vectors of a right-hand side, and of all. verify: what is added is told to be how orthonormal.
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
  /// options.kept; for eigCG the matrix, as the method sees it, is Hermitian and positive. Not with a history of solutions. of: the
  /// name of that matrix; vectors of another one are left, with a message. Says at Verbosity::summarize how much memory the space takes, before it is taken, and what it
  /// has become.
  SolveReport solve(const Dirac &dirac, const DiracSolve &how, const IncrementalOptions &options, ColorSpinorField &x,
                    const ColorSpinorField &b, const std::string &of);

private:
  void tell_memory(const char *name, const LinearOperator &H, const DiracSolve &how) const;
  /// fresh: what a right-hand side has left, after so many restarts of the method called `name`; null: nothing.
  void gather(const char *name, const LinearOperator &H, const ColorSpinorField *fresh, int restarts,
              const IncrementalOptions &options, const std::string &of);

  const int each_, most_;
  const Precision kept_;
  const bool verify_;
  DeflationSpace modes_;
};

} // namespace quda
