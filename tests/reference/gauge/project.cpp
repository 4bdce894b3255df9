#include "reference/gauge/project.h"

#include <cmath>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace reference
{

Link unitary_factor(const Link &m)
{
  const Eigen::JacobiSVD<Link> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().adjoint();
}

Link projected(const Link &m)
{
  const Link u = unitary_factor(m);
  return u * std::polar(1.0, -std::arg(u.determinant()) / 3);
}

GaugeField projected(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = projected(Link(u));
  return out;
}

} // namespace reference
