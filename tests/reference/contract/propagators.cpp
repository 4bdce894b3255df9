#include "reference/contract/propagators.h"

#include <cmath>
#include <numbers>

#include "reference/contract/sitewise.h"

namespace reference
{

SiteNumbers propagator_contraction(const Propagator &x, const Propagator &y)
{
  constexpr int numbers[16] = {1, 2, 3, 4, 6, 7, 8, 9, 0, 5, 10, 11, 12, 13, 14, 15};
  const auto gammas = contraction_gammas(true);
  const std::size_t colors = x.size() / 4;
  SiteNumbers out(x[0].size(), std::vector<Complex>(16));
  for (std::size_t slot = 0; slot < out.size(); slot++)
    for (std::size_t k = 0; k < colors; k++)
      for (int c = 0; c < 3; c++) {
        SpinMatrix X, Y;
        for (int b = 0; b < 4; b++)
          for (int s = 0; s < 4; s++) {
            X(b, s) = x[s * colors + k][slot](b, c);
            Y(b, s) = y[s * colors + k][slot](b, c);
          }
        for (int G = 0; G < 16; G++) {
          const SpinMatrix gamma = gamma5(Basis::degrand_rossi) * gammas[numbers[G]];
          out[slot][G] += (X.adjoint() * gamma * Y * gamma).trace();
        }
      }
  return out;
}

SiteNumbers color_contraction(const Propagator &x, const Propagator &y)
{
  SiteNumbers out(x[0].size(), std::vector<Complex>(1));
  for (std::size_t slot = 0; slot < out.size(); slot++)
    for (std::size_t k = 0; k < x.size(); k++)
      for (int c = 0; c < 3; c++) out[slot][0] += std::conj(x[k][slot](0, c)) * y[k][slot](0, c);
  return out;
}

Complex wave_at(const PlaneWave &wave, const Lattice &lattice, const Coords &x, const Coords &origin)
{
  Complex product = 1;
  for (int d = 0; d < 4; d++) {
    const double theta = 2 * std::numbers::pi * wave.mode[d] * (x[d] - origin[d]) / lattice.X[d];
    product *= wave.kind[d] == 3   ? std::polar(1.0, theta)
               : wave.kind[d] == 2 ? Complex(std::cos(theta))
                                   : Complex(0, std::sin(theta));
  }
  return product;
}

std::vector<Complex> sum_waves(const SiteNumbers &numbers, const Lattice &lattice, const std::vector<PlaneWave> &waves,
                               int direction, const Coords &origin)
{
  const std::size_t entries = numbers[0].size(), slices = lattice.X[direction];
  std::vector<Complex> sums(waves.size() * slices * entries);
  for (std::size_t w = 0; w < waves.size(); w++)
    for (std::size_t slot = 0; slot < numbers.size(); slot++) {
      const Coords x = lattice.coords(slot);
      const Complex factor = wave_at(waves[w], lattice, x, origin);
      for (std::size_t e = 0; e < entries; e++)
        sums[(w * slices + x[direction]) * entries + e] += factor * numbers[slot][e];
    }
  return sums;
}

} // namespace reference
