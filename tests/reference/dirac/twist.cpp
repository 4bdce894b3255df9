#include "reference/dirac/twist.h"

namespace reference
{

Spinors twist(const Spinors &psi, double a, Basis basis)
{
  return applied(SpinMatrix::Identity() + Complex(0, a) * gamma5(basis), psi);
}

Doublet twist(const Doublet &psi, double a, double b, Basis basis)
{
  Doublet out = {twist(psi[0], a, basis), twist(psi[1], -a, basis)};
  for (int f = 0; f < 2; f++)
    for (std::size_t i = 0; i < psi[f].size(); i++) out[f][i] += b * psi[1 - f][i];
  return out;
}

} // namespace reference
