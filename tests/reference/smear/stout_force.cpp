#include "reference/smear/stout_force.h"

#include <vector>

#include "reference/algebra.h"

namespace reference
{

namespace
{

  /// A factor of a path: the link of direction d at x, or its adjoint.
  struct Factor {
    int d;
    Coords x;
    bool adjoint;
  };
  using Path = std::array<Factor, 3>;

  Link value(const GaugeField &gauge, const Factor &f)
  {
    const Link &u = gauge.at(f.d, f.x);
    return f.adjoint ? Link(u.adjoint()) : u;
  }

  /// Both staples of U_nu(x) with sides along mu.
  std::array<Path, 2> staples(const Lattice &lattice, const Coords &x, int nu, int mu)
  {
    const Coords y = lattice.shifted(x, mu, -1);
    return {{{{{mu, x, false}, {nu, lattice.shifted(x, mu, 1), false}, {mu, lattice.shifted(x, nu, 1), true}}},
             {{{mu, y, true}, {nu, y, false}, {mu, lattice.shifted(y, nu, 1), false}}}}};
  }

  /// what(path, weight) of all staples of a link.
  template <class What>
  void for_staples(const GaugeField &gauge, const Coords &x, int nu, const StoutStep &step, const What &what)
  {
    for (int mu = 0; mu < 4; mu++)
      if (mu != nu && step.smeared[mu])
        for (const Path &path : staples(gauge.lattice, x, nu, mu))
          what(path, step.rho * (mu == 3 ? step.time_sides : 1));
  }

  Link weighted_staples(const GaugeField &gauge, const Coords &x, int nu, const StoutStep &step)
  {
    Link sum = Link::Zero();
    for_staples(gauge, x, nu, step, [&](const Path &p, double w) {
      sum += w * value(gauge, p[0]) * value(gauge, p[1]) * value(gauge, p[2]);
    });
    return sum;
  }

  /// The integral of exp((1 - s) A) M exp(s A) over s from 0 to 1: a block of the exponential of (A M; 0 A).
  Link averaged(const Link &a, const Link &m)
  {
    using Blocks = Eigen::Matrix<Complex, 6, 6>;
    Blocks block = Blocks::Zero();
    block.topLeftCorner<3, 3>() = block.bottomRightCorner<3, 3>() = a / 64;
    block.topRightCorner<3, 3>() = m / 64;
    Blocks term = Blocks::Identity(), sum = term;
    for (int k = 1; k < 40; k++) {
      term = (term * block / k).eval();
      sum += term;
    }
    for (int k = 0; k < 6; k++) sum = (sum * sum).eval();
    return sum.topRightCorner<3, 3>();
  }

} // namespace

GaugeField stout(const GaugeField &gauge, const StoutStep &step)
{
  GaugeField out = gauge;
  for (int nu = 0; nu < 4; nu++)
    for (std::size_t slot = 0; step.smeared[nu] && slot < gauge.lattice.volume(); slot++) {
      const Coords x = gauge.lattice.coords(slot);
      const Link &u = gauge.at(nu, x);
      out.U[nu][slot] = exponential(traceless_anti_hermitian(weighted_staples(gauge, x, nu, step) * u.adjoint())) * u;
    }
  return out;
}

GaugeField stout_force(const GaugeField &gauge, const GaugeField &of_smeared, const StoutStep &step)
{
  // dS = sum Re tr(G^dag dU)
  GaugeField gradient(gauge.lattice);
  for (auto &of_mu : gradient.U)
    for (Link &g : of_mu) g.setZero();
  for (int nu = 0; nu < 4; nu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) {
      const Coords x = gauge.lattice.coords(slot);
      const Link &u = gauge.at(nu, x), f = of_smeared.at(nu, x);
      if (!step.smeared[nu]) {
        gradient.at(nu, x) -= f * u;
        continue;
      }
      const Link c = weighted_staples(gauge, x, nu, step);
      const Link a = traceless_anti_hermitian(c * u.adjoint()), e = exponential(a);
      const Link of_link = -f * e * u; // of U' = E U
      const Link l = traceless_anti_hermitian(averaged(a, u * of_link.adjoint()));
      gradient.at(nu, x) += e.adjoint() * of_link + l * c;
      const Link k = -l * u; // of C
      for_staples(gauge, x, nu, step, [&](const Path &p, double w) {
        for (int i = 0; i < 3; i++) {
          Link left = Link::Identity(), right = Link::Identity();
          for (int j = 0; j < i; j++) left = (left * value(gauge, p[j])).eval();
          for (int j = i + 1; j < 3; j++) right = (right * value(gauge, p[j])).eval();
          Link &g = gradient.at(p[i].d, p[i].x);
          if (p[i].adjoint)
            g += w * right * k.adjoint() * left;
          else
            g += w * left.adjoint() * k * right.adjoint();
        }
      });
    }
  GaugeField force(gauge.lattice);
  for (int nu = 0; nu < 4; nu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
      force.U[nu][slot] = traceless_anti_hermitian(gauge.U[nu][slot] * gradient.U[nu][slot].adjoint());
  return force;
}

} // namespace reference
