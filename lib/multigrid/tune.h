#pragma once
/// A search for the parameters of a hierarchy: one after the other the finest aggregates, vectors, levels, smoothing
/// steps, and tolerance and steps of coarse solvers are changed, and what makes a solve cheaper is kept.
///
/// Vectors  : sought once, as many as the largest number that is tried; all trials of the finest level take the first ones.
/// Cost     : of a solve of random sources, the same each time: its seconds on the slowest rank, the lesser of two, where a
///            change must save a fiftieth; or the operations of its products, which are counted. Iterations and operations
///            of a trial depend neither on ranks nor on threads, so that by operations the search takes the same way
///            anywhere; by seconds it may differ where choices are nearly as good as each other.
/// Memory   : of the vectors beside that of a hierarchy.
/// Collective over the links' communicator; ranks decide together.

#include <functional>

#include "multigrid/multigrid.h"

namespace quda
{

struct TuneTrial {
  std::string what;   // that was changed, to what
  double setup = 0;   // seconds of the hierarchy, with vectors that are known; 0: it was not made anew
  double seconds = 0; // of a solve
  double flops = 0;   // of all ranks
  int iterations = 0;
  bool converged = false, taken = false;
};

struct TuneSearch {
  DiracSolve solve {}; // its preconditioner is the search's
  int rhs = 1;
  bool by_flops = false;
  double longest = 0; // seconds after which nothing more is tried; 0: all is
  std::function<void(const TuneTrial &)> tell {};
};

struct Tuned {
  MultigridForm form;
  double vectors = 0; // seconds that they took, `sought` of them
  int sought = 0;
  TuneTrial first, best;
};

/// outer: the operator of the solves, on these links. Errors: as of Multigrid; bad_argument where not even the hierarchy
/// that it begins with solves a system.
Tuned tune(const DiracParam &fine, const LinkSet &links, const Dirac &outer, const MultigridForm &start,
           const TuneSearch &search);

} // namespace quda
