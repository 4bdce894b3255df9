#include "reference/force/loops.h"

#include <algorithm>
#include <array>
#include <set>

namespace reference
{

Loop reversed(const Loop &loop)
{
  Loop back;
  for (auto step = loop.rbegin(); step != loop.rend(); ++step) back.push_back(7 - *step);
  return back;
}

std::vector<Loop> images(const Loop &loop)
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

PathTerms force_paths(const std::vector<Loop> &loops, double coefficient)
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

PathTerms operator+(PathTerms a, const PathTerms &b)
{
  for (int mu = 0; mu < 4; mu++) a[mu].insert(a[mu].end(), b[mu].begin(), b[mu].end());
  return a;
}

} // namespace reference
