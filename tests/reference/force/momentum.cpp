#include "reference/force/momentum.h"

#include <cmath>

#include "reference/algebra.h"
#include "reference/random.h"

namespace reference
{

namespace
{

  /// sum_{k <= order} X^k / k!
  Link taylor(const Link &x, int order)
  {
    Link term = Link::Identity(), sum = term;
    for (int k = 1; k <= order; k++) {
      term = (term * x / double(k)).eval();
      sum += term;
    }
    return sum;
  }

} // namespace

GaugeField random_momentum(const Lattice &lattice, std::uint64_t seed)
{
  GaugeField a(lattice);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      SiteRandom random(seed, lattice.lexicographic(lattice.coords(slot)), 64 + mu);
      Link m;
      for (int k = 0; k < 9; k++) m.data()[k] = random.gaussian();
      a.U[mu][slot] = traceless_anti_hermitian(std::sqrt(2.0) * m);
    }
  return a;
}

std::array<double, 10> ten_numbers(const Link &a)
{
  return {a(0, 1).real(), a(0, 1).imag(), a(0, 2).real(), a(0, 2).imag(), a(1, 2).real(),
          a(1, 2).imag(), a(0, 0).imag(), a(1, 1).imag(), a(2, 2).imag(), 0};
}

template <class real> Link from_ten(const real *q)
{
  Link a;
  const Complex i(0, 1);
  for (int c = 0; c < 3; c++) a(c, c) = i * double(q[6 + c]);
  const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2};
  for (int k = 0; k < 3; k++) {
    a(row[k], column[k]) = Complex(q[2 * k], q[2 * k + 1]);
    a(column[k], row[k]) = -std::conj(a(row[k], column[k]));
  }
  return a;
}

double momentum_action(const GaugeField &a)
{
  double sum = 0;
  for (const auto &of_mu : a.U)
    for (const Link &m : of_mu) sum += 0.5 * m.squaredNorm() - 4;
  return sum;
}

GaugeField updated(const GaugeField &u, const GaugeField &a, double dt, int order)
{
  GaugeField out = u;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < u.lattice.volume(); slot++)
      out.U[mu][slot] = taylor(dt * a.U[mu][slot], order) * u.U[mu][slot];
  return out;
}

template Link from_ten(const float *q);
template Link from_ten(const double *q);

} // namespace reference
