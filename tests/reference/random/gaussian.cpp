#include "reference/random/gaussian.h"

#include <cmath>

#include "reference/random.h"

namespace reference
{

Complex normal(const LinkStream &stream, int draw)
{
  const auto [u, v] = stream.draw(static_cast<std::uint32_t>(draw));
  return std::polar(std::sqrt(-std::log(v)), 2 * std::acos(-1.0) * u);
}

Link normal_algebra(const LinkStream &stream)
{
  Complex z[4];
  for (int i = 0; i < 4; i++) z[i] = normal(stream, i);
  const Complex i(0, 1);
  const double h8 = z[3].imag() / std::sqrt(3.0);
  Link h = Link::Zero();
  h(0, 1) = Complex(z[0].real(), z[1].real());
  h(0, 2) = Complex(z[3].real(), z[0].imag());
  h(1, 2) = Complex(z[1].imag(), z[2].imag());
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < r; c++) h(r, c) = -std::conj(h(c, r));
  h(0, 0) = i * (h8 + z[2].real());
  h(1, 1) = i * (h8 - z[2].real());
  h(2, 2) = -2.0 * i * h8;
  return h;
}

Link uniform_link(const LinkStream &stream)
{
  Link m = Link::Zero();
  for (int k = 0; k < 6; k++) m.data()[k] = normal(stream, k);
  return special_unitary(m);
}

} // namespace reference
