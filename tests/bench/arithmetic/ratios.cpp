#include "bench/arithmetic/ratios.h"

#include <algorithm>
#include <cmath>

namespace quda::bench
{

std::array<Side, 4> order_of(int round)
{
  const Side first = round % 2 ? Side::after : Side::before, second = round % 2 ? Side::before : Side::after;
  return {first, second, second, first};
}

double Round::ratio() const { return std::sqrt(before[0] / after[0] * (before[1] / after[1])); }

int surprising(int n)
{
  constexpr double rare = 0.05;
  double probability = std::pow(0.5, n); // of exactly k of n, then of k or more
  double all = probability;
  int k = n;
  if (all > rare) return n;
  while (k > 1) {
    probability *= static_cast<double>(k) / (n - k + 1); // k - 1 of n
    if (all + probability > rare) break;
    all += probability;
    k--;
  }
  return k;
}

Summary summary(std::vector<double> ratios)
{
  std::sort(ratios.begin(), ratios.end());
  const int n = static_cast<int>(ratios.size()), k = surprising(n);
  const double median = n % 2 ? ratios[n / 2] : (ratios[n / 2 - 1] + ratios[n / 2]) / 2;
  return {median, ratios.front(), ratios.back(), ratios[n - k], ratios[k - 1]};
}

} // namespace quda::bench
