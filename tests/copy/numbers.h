#pragma once
/// What tests of copies have in common: shapes, numbers, and what fixed point keeps of them.

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/lattice.h"
#include "reference/random.h"

namespace copy_test
{

inline const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}, {8, 8, 8, 16}};

inline std::vector<double> some_numbers(std::size_t n)
{
  reference::SiteRandom random(17, 4, 2);
  std::vector<double> numbers(n);
  for (double &x : numbers) x = random.uniform() - 0.5;
  return numbers;
}

/// What half precision keeps of records of `reals` numbers each; scaled: with a scale for every record. one: the
/// largest integer, 127 in quarter precision.
inline std::vector<double> half_of(const std::vector<double> &numbers, int reals, bool scaled, float one = 32767)
{
  std::vector<double> kept(numbers.size());
  for (std::size_t first = 0; first < numbers.size(); first += reals) {
    float largest = scaled ? 0 : 1;
    for (int k = 0; scaled && k < reals; k++)
      largest = std::max(largest, std::fabs(static_cast<float>(numbers[first + k])));
    const float factor = largest > 0 ? one / largest : 0, scale = largest * (1 / one);
    for (int k = 0; k < reals; k++)
      kept[first + k] = scale * std::nearbyint(factor * static_cast<float>(numbers[first + k]));
  }
  return kept;
}

} // namespace copy_test
