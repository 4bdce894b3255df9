#pragma once
/// One number for a list of numbers: it changes when two of them change places or one its sign.

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace quda::bench
{

/// sum_i w_i v_i with weights from 1/2 to 3/2 by place, the sum compensated (Neumaier); and the sum of |w_i v_i|, in
/// units of which two of them are compared.
class Checksum
{
public:
  void add(double v, double factor = 1)
  {
    // the fraction of n times the golden ratio: no two places nearby have weights alike
    const double weight = 0.5 + static_cast<double>(static_cast<std::uint32_t>(count_++ * 2654435769u)) * 0x1p-32;
    add_term(weight * v * factor);
  }
  void add(const double *v, std::size_t n, double factor = 1)
  {
    for (std::size_t i = 0; i < n; i++) add(v[i], factor);
  }

  double value() const { return sum_ + lost_; }
  double size() const { return size_; }
  std::size_t count() const { return count_; }
  /// NaN agrees with nothing.
  bool agrees(const Checksum &other, double tolerance) const
  {
    return count_ == other.count_ && std::abs(value() - other.value()) <= tolerance * std::fmax(size_, other.size_);
  }

private:
  void add_term(double term)
  {
    const double sum = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
    size_ += std::abs(term);
  }

  double sum_ = 0, lost_ = 0, size_ = 0;
  std::size_t count_ = 0;
};

} // namespace quda::bench
