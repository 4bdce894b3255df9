/// Means of series with their statistical errors.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace program
{

struct Mean {
  double value = 0, error = 0;
};

/// Mean and error of a series; bins: of so many long stretches, since their members know each other.
inline Mean mean_of(const std::vector<double> &series, std::size_t bins)
{
  bins = std::min(bins, series.size());
  const std::size_t length = bins ? series.size() / bins : 0, first = series.size() - bins * length;
  Mean mean;
  double square = 0;
  for (std::size_t b = 0; b < bins; b++) {
    double bin = 0;
    for (std::size_t i = 0; i < length; i++) bin += series[first + b * length + i] / static_cast<double>(length);
    mean.value += bin / static_cast<double>(bins);
    square += bin * bin / static_cast<double>(bins);
  }
  if (bins > 1) mean.error = std::sqrt(std::max(0.0, square - mean.value * mean.value) / static_cast<double>(bins - 1));
  return mean;
}

/// Of the straight line through points (x, y).
inline double slope_of(const std::vector<double> &x, const std::vector<double> &y)
{
  double xm = 0, ym = 0, xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    xm += x[i] / static_cast<double>(x.size());
    ym += y[i] / static_cast<double>(x.size());
  }
  for (std::size_t i = 0; i < x.size(); i++) {
    xy += (x[i] - xm) * (y[i] - ym);
    xx += (x[i] - xm) * (x[i] - xm);
  }
  return xy / xx;
}

} // namespace program
