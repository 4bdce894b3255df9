#pragma once
/// Search for the parameters of a hierarchy: one after the other it varies the finest aggregates, vectors, levels,
/// smoothing steps, and tolerance and steps of coarse solvers, and keeps changes that make a solve cheaper.
///
/// Vectors  : sought once, as many as the largest number tried; all trials of the finest level take the first ones.
/// Cost     : that of a solve with random sources, always the same: its seconds on the slowest rank, the smaller of two
///            runs, of which a change must save a fiftieth; or the counted flops of its products. Iterations and flops
///            of a trial depend neither on ranks nor on threads, so that a search by flops takes the same path
///            everywhere; by seconds it may differ if choices are nearly equal.
/// Memory   : that of the vectors in addition to a hierarchy's.
/// Collective over the links' communicator; ranks decide together.

#include <functional>

#include "multigrid/multigrid.h"

namespace quda
{

struct TuneTrial {
  std::string what;   // the change
  double setup = 0;   // seconds of the hierarchy, given the vectors; 0: it was not rebuilt
  double seconds = 0; // of a solve
  double flops = 0;   // on all ranks
  int iterations = 0;
  bool converged = false, taken = false;
};

struct TuneSearch {
  DiracSolve solve {}; // the search sets its preconditioner
  int rhs = 1;
  bool by_flops = false;
  double longest = 0; // seconds after which nothing more is tried; 0: no limit
  std::function<void(const TuneTrial &)> tell {};
};

struct Tuned {
  MultigridForm form;
  double vectors = 0; // seconds for the vectors, `sought` of them
  int sought = 0;
  TuneTrial first, best;
};

/// outer: the operator of the solves, on these links. Errors: as Multigrid; bad_argument if even the initial hierarchy
/// cannot solve a system.
Tuned tune(const DiracParam &fine, const LinkSet &links, const Dirac &outer, const MultigridForm &start,
           const TuneSearch &search);

} // namespace quda
