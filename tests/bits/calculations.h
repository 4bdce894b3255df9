#pragma once
/// What the library computes of a configuration, through the C interface alone, as rows of 64-bit words: the bits of
/// results that are single numbers, fingerprints of fields.

#include <string>
#include <vector>

#include "bits/fields.h"

namespace bits
{

/// A configuration on the whole lattice: links in even-odd order (mu)(slot, 18), empty for random ones.
struct Configuration {
  std::string name;
  reference::Coords extents;
  std::vector<double> links[4];
};

struct Case {
  const Configuration *configuration;
  bool single;
  int reconstruct; // 18 or 12

  std::string name() const
  {
    return configuration->name + (single ? "\tsingle\t" : "\tdouble\t") + std::to_string(reconstruct);
  }
};

struct Row {
  std::string name;
  Words words;
};

struct Results {
  std::vector<Row> numbers;
  std::vector<Row> samples; // of hop and matrix: the 24 numbers of a few sites
};

/// Collective; the library runs on this process grid, t fastest.
Results calculate(const Case &which, const reference::Coords &grid);

} // namespace bits
