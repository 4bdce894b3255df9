#pragma once

/// Path lists of the C interface: [4][num_paths][path_length] or [num_paths][path_length] steps, 0 to 3 forwards along
/// x y z t, 7 to 4 backwards.
/// Errors: bad_argument, with function, argument, place and value. Collective: no.

#include "fields/gauge_field.h"
#include "ops/gauge/path_set.h"
#include "ops/links/link_set.h"

#include <cstdint>

namespace quda
{

/// Arguments common to all path lists; checked by read().
struct PathArguments {
  const char *function;
  const int *length;
  const double *coefficient;
  int n;
  int longest;

  /// The paths of direction mu: [mu of input][n][length].
  PathSet read_set(int ***input) const;
  /// Loops: [n][length].
  std::vector<WeightedPath> read_loops(int **input) const;

private:
  void check() const;
  WeightedPath read(const char *name, const int *steps, int i) const;
};

/// Digest of a list of paths: equal on ranks that were given the same list.
std::uint64_t digest(const std::vector<WeightedPath> &paths);
std::uint64_t digest(const PathSet &paths);

/// Refuses paths that reach further than one rank's lattice in a direction that is cut between ranks. length: steps of
/// the path.
void check_reach(const char *function, const Lattice &lattice, const Reach &reach, std::size_t length);
void check_reach(const char *function, const Lattice &lattice, const PathSet &paths);

/// Links with a border deep enough for paths of this reach. Collective if a border is needed.
const GaugeField &with_border(const LinkSet &links, const Reach &reach);

} // namespace quda
