/// The SU(3) matrix nearest to a matrix: the unitary factor of its singular value decomposition, divided by the
/// principal cube root of its determinant.
#pragma once

#include "reference/field.h"

namespace reference
{

/// The unitary factor alone, which keeps its phase.
inline Link unitary_factor(const Link &m)
{
  const Eigen::JacobiSVD<Link> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().adjoint();
}

inline Link projected(const Link &m)
{
  const Link u = unitary_factor(m);
  return u * std::polar(1.0, -std::arg(u.determinant()) / 3);
}

inline GaugeField projected(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = projected(Link(u));
  return out;
}

} // namespace reference
