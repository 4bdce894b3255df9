#include "reference/heatbath/heatbath.h"

#include <array>
#include <cmath>

#include "reference/random.h"
#include "reference/smear/stout.h"

namespace reference
{

namespace
{

  using Su2 = Eigen::Matrix<Complex, 2, 2>;

  /// a_0 + i a.sigma
  Su2 su2(double a0, double a1, double a2, double a3)
  {
    Su2 m;
    m << Complex(a0, a3), Complex(a2, a1), Complex(-a2, a1), Complex(a0, -a3);
    return m;
  }

  Su2 draw_su2(double alpha, const LinkStream &stream, std::uint32_t draw)
  {
    const double d = draw_weight(alpha, stream, draw + 1);
    const auto [u, v] = stream.draw(draw);
    const double angle = 2 * std::acos(-1.0) * u, length = std::sqrt(d * (2 - d));
    const double across = length * 2 * std::sqrt(v * (1 - v));
    return su2(1 - d, across * std::cos(angle), across * std::sin(angle), length * (1 - 2 * v));
  }

} // namespace

Link staples(const GaugeField &gauge, const Coords &x, int mu, const GaugeAction &action)
{
  Link sum = Link::Zero();
  for (int nu = 0; nu < 4; nu++) {
    if (nu == mu) continue;
    std::array<bool, 4> one {};
    one[nu] = true;
    Link of_plane = (1 - 8 * action.rectangle) * staples(gauge, x, mu, one);
    if (action.rectangle != 0) of_plane += action.rectangle * rectangles(gauge, x, mu, one);
    sum += (mu == 3 || nu == 3 ? action.anisotropy : 1 / action.anisotropy) * of_plane;
  }
  return sum;
}

double draw_weight(double alpha, const LinkStream &stream, std::uint32_t draw)
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

Link updated(Link u, const Link &staple_sum, double beta, bool relax, const LinkStream &stream)
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

int color(const Lattice &lattice, const Coords &x, int mu)
{
  int sum = 0;
  for (int nu = 0; nu < 4; nu++) {
    const int first_of_last = lattice.X[nu] % 4 == 0 ? lattice.X[nu] : lattice.X[nu] - 6;
    if (nu != mu) sum += x[nu] < first_of_last ? x[nu] % 4 : (x[nu] - first_of_last) % 3;
  }
  return sum % 4;
}

void sweep(GaugeField &gauge, const GaugeAction &action, int heatbath, int relax, std::uint64_t seed,
           std::uint32_t number)
{
  const Lattice &lattice = gauge.lattice;
  for (int i = 0; i < heatbath + relax; i++)
    for (int set = 0; set < 32; set++)
      for (std::size_t cb = 0; cb < lattice.half(); cb++) {
        const int parity = set / 16, mu = set / 4 % 4;
        const std::size_t slot = parity * lattice.half() + cb;
        const Coords x = lattice.coords(slot);
        if (color(lattice, x, mu) != set % 4) continue;
        const LinkStream stream {seed, lattice.lexicographic(x),      Purpose::heatbath,
                                 mu,   static_cast<std::uint32_t>(i), number};
        Link &u = gauge.U[mu][slot];
        u = special_unitary(updated(u, staples(gauge, x, mu, action), action.beta, i >= heatbath, stream));
      }
}

void sweep(GaugeField &gauge, double beta, int heatbath, int relax, std::uint64_t seed, std::uint32_t number)
{
  sweep(gauge, GaugeAction {beta}, heatbath, relax, seed, number);
}

} // namespace reference
