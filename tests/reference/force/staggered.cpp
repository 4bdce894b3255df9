#include "reference/force/staggered.h"

#include <Eigen/Eigenvalues>

#include "reference/gauge/project.h"

namespace reference
{

namespace
{

  double sign_of(const Coords &x) { return (x[0] + x[1] + x[2] + x[3]) % 2 ? -1 : 1; }

} // namespace

GaugeField outer_products(const Lattice &lattice, const std::vector<QuarkTerm> &terms, int reach,
                          const std::function<double(const QuarkTerm &)> &weight)
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

double inner_product(const GaugeField &g, const GaugeField &x)
{
  double sum = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < g.lattice.volume(); slot++)
      sum += g.U[mu][slot].conjugate().cwiseProduct(x.U[mu][slot]).sum().real();
  return sum;
}

GaugeField filtered_unitary_links(const GaugeField &links, double least)
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

double hisq_energy(const GaugeField &thin, const std::vector<QuarkTerm> &terms, const PathWeights &fat7,
                   const PathWeights &level2, double filter, bool special)
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

} // namespace reference
