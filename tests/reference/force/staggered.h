/// Energies of staggered quark fields, which forces are derivatives of:
///   S = sum_{x mu} eps(x) sum_i Re { fat_i q_i(x)^dag F_mu(x) q_i(x+mu) + single_i q_i(x)^dag W_mu(x) q_i(x+mu)
///                                    + straight_i q_i(x)^dag W_mu(x) W_mu(x+mu) W_mu(x+2mu) q_i(x+3mu) }
/// eps = +1 on even sites, -1 on odd ones; F fat links of the links W.
#pragma once

#include <cmath>

#include "reference/dirac/staggered.h"
#include "reference/force/momentum.h"
#include "reference/links/fat_links.h"

namespace reference
{

struct QuarkTerm {
  ColorVectors q;
  double fat, single, straight;
};

inline double sign_of(const Coords &x) { return (x[0] + x[1] + x[2] + x[3]) % 2 ? -1 : 1; }

/// eps(x) sum_i w_i q_i(x) q_i(x + reach mu)^dag
template <class Weight>
GaugeField outer_products(const Lattice &lattice, const std::vector<QuarkTerm> &terms, int reach, const Weight &weight)
{
  GaugeField out(lattice);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      const Coords x = lattice.coords(slot);
      Link sum = Link::Zero();
      for (const QuarkTerm &term : terms)
        sum +=
            weight(term) * term.q[slot].transpose() * term.q[lattice.slot(lattice.shifted(x, mu, reach))].conjugate();
      out.U[mu][slot] = sign_of(x) * sum;
    }
  return out;
}

/// sum Re tr(G^dag X)
inline double inner_product(const GaugeField &g, const GaugeField &x)
{
  double sum = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < g.lattice.volume(); slot++)
      sum += g.U[mu][slot].conjugate().cwiseProduct(x.U[mu][slot]).sum().real();
  return sum;
}

/// V (V^dag V + e)^(-1/2), e = least where the smallest eigenvalue of V^dag V is below it, else 0.
inline GaugeField filtered_unitary_links(const GaugeField &links, double least)
{
  GaugeField out = links;
  for (auto &of_mu : out.U)
    for (Link &v : of_mu) {
      const Eigen::SelfAdjointEigenSolver<Link> q(v.adjoint() * v);
      const double more = q.eigenvalues()[0] < least ? least : 0;
      const Link roots = (q.eigenvalues().array() + more).rsqrt().matrix().cast<Complex>().asDiagonal();
      v = (v * q.eigenvectors() * roots * q.eigenvectors().adjoint()).eval();
    }
  return out;
}

/// The energy of HISQ quarks in thin links. special: unitary links in SU(3).
inline double hisq_energy(const GaugeField &thin, const std::vector<QuarkTerm> &terms, const PathWeights &fat7,
                          const PathWeights &level2, double filter, bool special = false)
{
  const Lattice &lattice = thin.lattice;
  const GaugeField seven = fat_links(thin, fat7),
                   unitary = special ? projected(seven) : filtered_unitary_links(seven, filter);
  return inner_product(outer_products(lattice, terms, 1, [](const QuarkTerm &t) { return t.fat; }),
                       fat_links(unitary, level2)) +
         inner_product(outer_products(lattice, terms, 1, [](const QuarkTerm &t) { return t.single; }), unitary) +
         inner_product(outer_products(lattice, terms, 3, [](const QuarkTerm &t) { return t.straight; }),
                       long_links(unitary, {0, 1, 0, 0, 0, 0}));
}

/// dS/ds at s = 0 of links exp(s P) U, or U + s P, from four values.
template <class Energy, class Moved> double slope(const Energy &energy, const Moved &moved, double step)
{
  const auto at = [&](double s) { return energy(moved(s)); };
  return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
}

} // namespace reference
