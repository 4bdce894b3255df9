#include "reference/algebra.h"

namespace reference
{

Link traceless_anti_hermitian(const Link &m)
{
  const Link a = 0.5 * (m - m.adjoint());
  return a - a.trace() / 3.0 * Link::Identity();
}

Link exponential(const Link &m)
{
  const Link small = m / 16.0;
  Link term = Link::Identity(), sum = term;
  for (int k = 1; k < 30; k++) {
    term = (term * small / static_cast<double>(k)).eval();
    sum += term;
  }
  for (int i = 0; i < 4; i++) sum = (sum * sum).eval();
  return sum;
}

} // namespace reference
