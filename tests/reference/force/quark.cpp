#include "reference/force/quark.h"

#include "reference/algebra.h"

namespace reference
{

namespace
{

  constexpr int planes[6][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}};

  /// A step of a path: the link from x or, adjoint, to x.
  struct Step {
    int d, sign;
  };

  /// Adds that of Re tr(Q Z) to g, Q the product of four steps from x.
  void add_path(GaugeField &g, const GaugeField &links, const Coords &x, const std::array<Step, 4> &steps,
                const Link &Z)
  {
    const Lattice &lattice = links.lattice;
    std::array<Link, 4> factor;
    std::array<Coords, 4> where;
    Coords y = x;
    for (int n = 0; n < 4; n++) {
      const auto [d, sign] = steps[n];
      where[n] = sign > 0 ? y : lattice.shifted(y, d, -1);
      factor[n] = sign > 0 ? links.at(d, where[n]) : Link(links.at(d, where[n]).adjoint());
      y = lattice.shifted(y, d, sign);
    }
    for (int n = 0; n < 4; n++) { // Re tr(A dV B Z) = Re tr((B Z A) dV)
      Link around = Z;
      for (int k = 0; k < n; k++) around = (around * factor[k]).eval();
      Link rest = Link::Identity();
      for (int k = n + 1; k < 4; k++) rest = (rest * factor[k]).eval();
      const Link m = rest * around;
      if (steps[n].sign > 0)
        g.at(steps[n].d, where[n]) += m.adjoint();
      else
        g.at(steps[n].d, where[n]) += m;
    }
  }

} // namespace

GaugeField hop_gradient(const Lattice &lattice, const std::vector<QuarkPair> &pairs)
{
  GaugeField g(lattice);
  for (int mu = 0; mu < 4; mu++) {
    const SpinMatrix minus = SpinMatrix::Identity() - gamma(Basis::degrand_rossi, mu),
                     plus = SpinMatrix::Identity() + gamma(Basis::degrand_rossi, mu);
#pragma omp parallel for
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const std::size_t ahead = lattice.slot(lattice.shifted(lattice.coords(slot), mu, 1));
      Link sum = Link::Zero();
      for (const QuarkPair &pair : pairs) { // rows of a spinor are spins
        const Spinor r = minus * pair.right[ahead], l = plus * pair.left[ahead];
        sum +=
            pair.weight * (pair.left[slot].transpose() * r.conjugate() + pair.right[slot].transpose() * l.conjugate());
      }
      g.U[mu][slot] = sum;
    }
  }
  return g;
}

PlaneMatrices clover_tensor(const Lattice &lattice, const std::vector<QuarkPair> &pairs,
                            const std::array<double, 2> &of_parity)
{
  PlaneMatrices tensor(lattice.volume());
  for (int p = 0; p < 6; p++) {
    const SpinMatrix two = gamma(Basis::degrand_rossi, planes[p][0]) * gamma(Basis::degrand_rossi, planes[p][1]);
#pragma omp parallel for
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      Link sum = Link::Zero();
      for (const QuarkPair &pair : pairs)
        sum += pair.weight * ((two * pair.right[slot]).transpose() * pair.left[slot].conjugate());
      tensor[slot][p] = of_parity[slot >= lattice.half()] * sum;
    }
  }
  return tensor;
}

GaugeField leaves_gradient(const GaugeField &links, const PlaneMatrices &tensor)
{
  GaugeField g(links.lattice); // of unit links
  for (auto &direction : g.U)
    for (Link &m : direction) m.setZero();
  for (std::size_t slot = 0; slot < tensor.size(); slot++) {
    const Coords x = links.lattice.coords(slot);
    for (int p = 0; p < 6; p++) {
      const int mu = planes[p][0], nu = planes[p][1];
      const Link Z = (tensor[slot][p] - tensor[slot][p].adjoint()) / 8.0; // tr(F T) of F = (Q - Q^dag) / 8
      add_path(g, links, x, {{{mu, +1}, {nu, +1}, {mu, -1}, {nu, -1}}}, Z);
      add_path(g, links, x, {{{nu, +1}, {mu, -1}, {nu, -1}, {mu, +1}}}, Z);
      add_path(g, links, x, {{{mu, -1}, {nu, -1}, {mu, +1}, {nu, +1}}}, Z);
      add_path(g, links, x, {{{nu, -1}, {mu, +1}, {nu, +1}, {mu, -1}}}, Z);
    }
  }
  return g;
}

GaugeField sum_of(const GaugeField &a, const GaugeField &b)
{
  GaugeField out = a;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < a.lattice.volume(); slot++) out.U[mu][slot] += b.U[mu][slot];
  return out;
}

} // namespace reference
