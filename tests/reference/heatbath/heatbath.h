/// Heat bath (Cabibbo and Marinari; Kennedy and Pendleton) and over-relaxation of the Wilson action, link by link.
#pragma once

#include <cmath>

#include "reference/field.h"
#include "reference/random.h"
#include "reference/random/philox.h"

namespace reference
{

/// Sum of the six staples from x to x + mu.
inline Link staples(const GaugeField &gauge, const Coords &x, int mu)
{
  const Lattice &lattice = gauge.lattice;
  const auto U = [&](int d, const Coords &y) { return gauge.at(d, y); };
  Link sum = Link::Zero();
  for (int nu = 0; nu < 4; nu++) {
    if (nu == mu) continue;
    const Coords up = lattice.shifted(x, nu, 1), ahead = lattice.shifted(x, mu, 1);
    const Coords down = lattice.shifted(x, nu, -1), corner = lattice.shifted(down, mu, 1);
    sum += U(nu, x) * U(mu, up) * U(nu, ahead).adjoint();
    sum += U(nu, down).adjoint() * U(mu, down) * U(nu, corner);
  }
  return sum;
}

using Su2 = Eigen::Matrix<Complex, 2, 2>;

/// a_0 + i a.sigma
inline Su2 su2(double a0, double a1, double a2, double a3)
{
  Su2 m;
  m << Complex(a0, a3), Complex(a2, a1), Complex(-a2, a1), Complex(a0, -a3);
  return m;
}

/// 1 - a_0 of the density sqrt(1 - a_0^2) exp(alpha a_0).
inline double draw_weight(double alpha, const LinkStream &stream, std::uint32_t draw)
{
  for (;; draw += 2) {
    const auto [x1, x2] = stream.draw(draw);
    const auto [x3, x4] = stream.draw(draw + 1);
    if (alpha >= 0.75) {
      const double c = std::cos(2 * std::acos(-1.0) * x2);
      const double d = -(std::log(x1) + c * c * std::log(x3)) / alpha;
      if (x4 * x4 <= 1 - d / 2) return d;
    } else {
      const double d = 2 * x3;
      if (x4 * x4 <= d * (2 - d) && std::log(x1) <= -alpha * d) return d;
    }
  }
}

inline Su2 draw_su2(double alpha, const LinkStream &stream, std::uint32_t draw)
{
  const double d = draw_weight(alpha, stream, draw + 1);
  const auto [u, v] = stream.draw(draw);
  const double angle = 2 * std::acos(-1.0) * u, length = std::sqrt(d * (2 - d));
  const double across = length * 2 * std::sqrt(v * (1 - v));
  return su2(1 - d, across * std::cos(angle), across * std::sin(angle), length * (1 - 2 * v));
}

/// One link: heat bath of weight exp(beta/3 Re tr U S^dag), or over-relaxation. Not made unitary again.
inline Link updated(Link u, const Link &staple_sum, double beta, bool relax, const LinkStream &stream)
{
  const int rows[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  for (int s = 0; s < 3; s++) {
    const int p = rows[s][0], q = rows[s][1];
    const Link m = u * staple_sum.adjoint();
    const double r0 = (m(p, p) + m(q, q)).real(), r1 = (m(p, q) + m(q, p)).imag();
    const double r2 = (m(p, q) - m(q, p)).real(), r3 = (m(p, p) - m(q, q)).imag();
    const double k = std::sqrt(r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3);
    const Su2 r = k > 0 ? su2(r0 / k, r1 / k, r2 / k, r3 / k) : su2(1, 0, 0, 0);
    Su2 g = r.adjoint() * r.adjoint();
    if (!relax) g = draw_su2(beta / 3 * k, stream, static_cast<std::uint32_t>(s) << 18) * r.adjoint();
    Link element = Link::Identity();
    element(p, p) = g(0, 0);
    element(p, q) = g(0, 1);
    element(q, p) = g(1, 0);
    element(q, q) = g(1, 1);
    u = (element * u).eval();
  }
  return u;
}

/// One sweep: heat baths, then over-relaxations, each parity by parity and direction by direction.
inline void sweep(GaugeField &gauge, double beta, int heatbath, int relax, std::uint64_t seed, std::uint32_t number)
{
  const Lattice &lattice = gauge.lattice;
  for (int i = 0; i < heatbath + relax; i++)
    for (int parity = 0; parity < 2; parity++)
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t cb = 0; cb < lattice.half(); cb++) {
          const std::size_t slot = parity * lattice.half() + cb;
          const Coords x = lattice.coords(slot);
          const LinkStream stream {seed, lattice.lexicographic(x),      Purpose::heatbath,
                                   mu,   static_cast<std::uint32_t>(i), number};
          Link &u = gauge.U[mu][slot];
          u = special_unitary(updated(u, staples(gauge, x, mu), beta, i >= heatbath, stream));
        }
}

} // namespace reference
