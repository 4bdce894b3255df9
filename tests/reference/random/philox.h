/// Philox4x32-10 of Salmon, Moraes, Dror and Shaw (SC'11), and what the library makes of its words: see
/// lib/device/random.h for the meaning of the counter.
#pragma once

#include <array>
#include <cstdint>

namespace reference
{

using Words = std::array<std::uint32_t, 4>;

Words philox(Words c, std::uint32_t k0, std::uint32_t k1);

enum class Purpose { gauge, momentum, start, heatbath };

/// The stream of a link.
struct LinkStream {
  std::uint64_t seed, site;
  Purpose purpose;
  int mu;
  std::uint32_t update = 0, sweep = 0;

  /// Two uniforms in (0, 1).
  std::array<double, 2> draw(std::uint32_t number) const;
};

} // namespace reference
