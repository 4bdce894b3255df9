#pragma once

/// A million doubles with exponents from -200 to 200 whose sum is smaller than any of the large ones by a hundred
/// orders of magnitude, and that sum, computed elsewhere in rational arithmetic.
///
/// The numbers: mantissas, exponents and signs from splitmix64 (seed 12345), three draws each; 499,000 numbers of
/// exponent -200 to 200, each followed by its negative, then 2,000 of exponent -200 to -100.
/// The sum: Python, float(Fraction(S, 2**1074)) with S the sum of the integers m 2^(e + 1074).

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exact_numbers
{

constexpr double sum = 0x1.1061caf8f8763p-98;

class Draws
{
public:
  explicit Draws(std::uint64_t seed)
      : state_(seed)
  {
  }

  std::uint64_t next()
  {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  double number(int low, int high)
  {
    const std::uint64_t mantissa = next() >> 11 | std::uint64_t {1} << 52;
    const int exponent = low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
    const double magnitude = std::ldexp(static_cast<double>(mantissa), exponent - 52);
    return next() & 1 ? -magnitude : magnitude;
  }

private:
  std::uint64_t state_;
};

inline std::vector<double> million()
{
  Draws draws(12345);
  std::vector<double> numbers;
  numbers.reserve(1000000);
  for (int i = 0; i < 499000; i++) {
    const double x = draws.number(-200, 200);
    numbers.push_back(x);
    numbers.push_back(-x);
  }
  for (int i = 0; i < 2000; i++) numbers.push_back(draws.number(-200, -100));
  return numbers;
}

/// One of the orders, the same for the same number on every rank.
inline void shuffle(std::vector<double> &numbers, std::uint64_t order)
{
  Draws draws(order * 7919 + 1);
  for (std::size_t i = numbers.size(); i > 1; i--) std::swap(numbers[i - 1], numbers[draws.next() % i]);
}

inline std::uint64_t bits(double x)
{
  std::uint64_t pattern;
  std::memcpy(&pattern, &x, sizeof pattern);
  return pattern;
}

} // namespace exact_numbers
