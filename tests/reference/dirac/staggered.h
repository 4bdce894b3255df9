/// Staggered operators, written from their formulas: phases, boundary signs and coefficients are in the links.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/dirac/covariant.h"

namespace reference
{

using ColorVectors = SpinVectors<1>;

struct Staggered {
  const GaugeField &links;                // of one step
  const GaugeField *long_links = nullptr; // of three, where there are any

  /// D psi = sum_mu [ U_mu(x) psi(x + mu) - U_mu(x - mu)^dag psi(x - mu) ], and the same with long links.
  ColorVectors hop(const ColorVectors &psi) const;

  /// M = 2 m - D, or 2 m + D.
  ColorVectors matrix(const ColorVectors &psi, double mass, bool dagger = false) const;

  /// 4 m^2 - D D: of either parity alone M_pc, of both M^dag M.
  ColorVectors square(const ColorVectors &psi, double mass) const;
};

/// Fat and long links as they might come: matrices of no property, larger than one, and much smaller ones.
GaugeField random_fat_links(const Lattice &lattice, std::uint64_t seed);
GaugeField random_long_links(const Lattice &lattice, std::uint64_t seed);

/// Long links of unitary ones: -1/24 times SU(3) matrices with phases, some of them signs.
GaugeField random_unitary_long_links(const Lattice &lattice, std::uint64_t seed);

/// The largest difference of two host arrays, in units of the root mean square of the second.
double deviation(const std::vector<double> &a, const std::vector<double> &b);

} // namespace reference
