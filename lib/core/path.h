#pragma once
/// Paths of links, as kernels read them. Plain data, no member functions: launch units include it.

namespace quda
{

/// One link of a path: its place, relative to the site that the path belongs to.
struct PathStep {
  short dx[4];
  short mu;
  short adjoint; // nonzero: U^dag
};

/// One path: its steps in the order of the product, from the left. A path without steps is the unit matrix.
struct Path {
  int first; // number of its first step
  int length;
  double coefficient;
};

/// Paths in the memory of the target.
struct PathListView {
  const PathStep *steps;
  const Path *paths;
};

/// Weights of staples: [mu of the link][nu, the other direction of the plane]; those of mu = nu are zero.
struct StapleWeights {
  double plaquette[4][4]; // both staples of the plaquette
  double along[4][4];     // the four staples of 2 mu x 1 nu rectangles
  double across[4][4];    // the two staples of 1 mu x 2 nu rectangles
};

} // namespace quda
