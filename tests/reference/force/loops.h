/// Sets of loops and the paths of their force: of each loop, started at any of its corners and run either way, those
/// that begin with a step along mu are U_mu(x) times a path from x + mu back to x.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "reference/force/paths.h"

namespace reference
{

using Loop = std::vector<int>;

inline Loop reversed(const Loop &loop)
{
  Loop back;
  for (auto step = loop.rbegin(); step != loop.rend(); ++step) back.push_back(7 - *step);
  return back;
}

/// One loop for each class of loops that differ by rotations and reflections of the lattice, all of them: every image,
/// up to start and sense.
inline std::vector<Loop> images(const Loop &loop)
{
  std::set<Loop> known;
  std::vector<Loop> all;
  std::array<int, 4> axis = {0, 1, 2, 3};
  do {
    for (int signs = 0; signs < 16; signs++) {
      Loop image;
      for (const int step : loop) {
        const int d = step < 4 ? step : 7 - step, to = axis[d];
        const bool back = (step > 3) != ((signs >> d & 1) != 0);
        image.push_back(back ? 7 - to : to);
      }
      Loop smallest = image;
      for (const Loop &way : {image, reversed(image)})
        for (std::size_t start = 0; start < way.size(); start++) {
          Loop turned(way.begin() + static_cast<std::ptrdiff_t>(start), way.end());
          turned.insert(turned.end(), way.begin(), way.begin() + static_cast<std::ptrdiff_t>(start));
          smallest = std::min(smallest, turned);
        }
      if (known.insert(smallest).second) all.push_back(smallest);
    }
  } while (std::next_permutation(axis.begin(), axis.end()));
  return all;
}

inline const Loop plaquette_loop = {0, 1, 7, 6};
inline const Loop rectangle_loop = {0, 0, 1, 7, 7, 6};
inline const Loop chair_loop = {0, 1, 7, 2, 6, 5};
inline const Loop parallelogram_loop = {0, 1, 2, 7, 6, 5};

/// The paths of the force of sum_x coefficient Re tr loop(x), summed over `loops`: [mu][i].
inline PathTerms force_paths(const std::vector<Loop> &loops, double coefficient)
{
  PathTerms terms;
  for (const Loop &loop : loops)
    for (const Loop &way : {loop, reversed(loop)})
      for (std::size_t start = 0; start < way.size(); start++) {
        if (way[start] > 3) continue;
        std::vector<int> rest(way.begin() + static_cast<std::ptrdiff_t>(start) + 1, way.end());
        rest.insert(rest.end(), way.begin(), way.begin() + static_cast<std::ptrdiff_t>(start));
        terms[way[start]].push_back({rest, coefficient});
      }
  return terms;
}

inline PathTerms operator+(PathTerms a, const PathTerms &b)
{
  for (int mu = 0; mu < 4; mu++) a[mu].insert(a[mu].end(), b[mu].begin(), b[mu].end());
  return a;
}

} // namespace reference
