/// Random numbers and fields that depend on a seed and the global site alone, so every process grid sees one and the
/// same field.
#pragma once

#include <cstdint>

#include "reference/field.h"

namespace reference
{

/// A stream of its own for each (seed, site, use): 64-bit words by the SplitMix64 generator of Steele, Lea and Flood.
class SiteRandom
{
public:
  SiteRandom(std::uint64_t seed, std::uint64_t site, std::uint64_t use);

  std::uint64_t word()
  {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In (0, 1).
  double uniform() { return (static_cast<double>(word() >> 11) + 0.5) * 0x1p-53; }

  /// Real and imaginary part normally distributed with variance 1/2 each.
  Complex gaussian();

private:
  std::uint64_t state_;
};

/// The SU(3) matrix whose first two rows are those of m made orthonormal; the third is their conjugate cross product.
Link special_unitary(const Link &m);

enum class Kind {
  su3,     // any SU(3) matrix
  weak,    // SU(3), near the identity: the identity plus 0.2 times Gaussian numbers, made special unitary
  general, // Gaussian numbers, no property
};

Link random_link(Kind kind, std::uint64_t seed, std::uint64_t global_site, int mu);

Spinor random_spinor(std::uint64_t seed, std::uint64_t global_site);

GaugeField random_gauge(const Lattice &lattice, std::uint64_t seed, Kind kind = Kind::su3);

Spinors random_spinors(const Lattice &lattice, std::uint64_t seed);

} // namespace reference
