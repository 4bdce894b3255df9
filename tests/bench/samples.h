#pragma once
/// Times and what is made of several of them.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace quda::bench
{

/// Seconds of the monotonic clock.
inline double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Samples
{
public:
  void add(double value) { values_.insert(std::upper_bound(values_.begin(), values_.end(), value), value); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }

  /// Between neighbours; 0 without samples.
  double quantile(double q) const
  {
    if (values_.empty()) return 0;
    const double at = q * static_cast<double>(values_.size() - 1);
    const std::size_t below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values_.size() - 1);
    return values_[below] + (at - static_cast<double>(below)) * (values_[above] - values_[below]);
  }
  double median() const { return quantile(0.5); }
  /// Half of the samples lie within this part of the median.
  double spread() const { return median() > 0 ? (quantile(0.75) - quantile(0.25)) / median() : 0; }

private:
  std::vector<double> values_; // ascending
};

} // namespace quda::bench
