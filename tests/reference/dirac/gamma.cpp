#include "reference/dirac/gamma.h"

#include <cmath>

namespace reference
{

namespace
{

  /// Pauli matrix k = 0, 1, 2.
  Eigen::Matrix2cd pauli(int k)
  {
    const Complex i(0, 1);
    Eigen::Matrix2cd s;
    if (k == 0)
      s << 0, 1, 1, 0;
    else if (k == 1)
      s << 0, -i, i, 0;
    else
      s << 1, 0, 0, -1;
    return s;
  }

} // namespace

SpinMatrix gamma(Basis basis, int mu)
{
  const Complex i(0, 1);
  SpinMatrix g = SpinMatrix::Zero();
  const Eigen::Matrix2cd one = Eigen::Matrix2cd::Identity();
  if (mu < 3) {
    // ((0, factor s)(-factor s, 0)); the factor differs in sign among the bases, in DeGrand-Rossi among the directions
    Complex factor = -i;
    if (basis == Basis::ukqcd) factor = i;
    if (basis == Basis::degrand_rossi) factor = mu == 1 ? -i : i;
    g.topRightCorner<2, 2>() = factor * pauli(mu);
    g.bottomLeftCorner<2, 2>() = -factor * pauli(mu);
  } else if (basis == Basis::degrand_rossi || basis == Basis::chiral) {
    const double sign = basis == Basis::degrand_rossi ? 1 : -1;
    g.topRightCorner<2, 2>() = sign * one;
    g.bottomLeftCorner<2, 2>() = sign * one;
  } else {
    g.topLeftCorner<2, 2>() = one;
    g.bottomRightCorner<2, 2>() = -one;
  }
  return g;
}

SpinMatrix gamma5(Basis basis) { return gamma(basis, 0) * gamma(basis, 1) * gamma(basis, 2) * gamma(basis, 3); }

SpinMatrix basis_rotation(Basis from, Basis to)
{
  const double h = std::sqrt(0.5);
  // all bases through UKQCD
  auto to_ukqcd = [h](Basis basis) {
    SpinMatrix r = SpinMatrix::Identity();
    if (basis == Basis::degrand_rossi) {
      r << 0, h, 0, h,  //
          -h, 0, -h, 0, //
          0, h, 0, -h,  //
          -h, 0, h, 0;
    } else if (basis == Basis::chiral) {
      r << -h, 0, h, 0, //
          0, -h, 0, h,  //
          h, 0, h, 0,   //
          0, h, 0, h;
    } else if (basis == Basis::dirac_pauli) {
      r.diagonal() << -1, -1, 1, 1;
    }
    return r;
  };
  return to_ukqcd(to).adjoint() * to_ukqcd(from);
}

Spinors applied(const SpinMatrix &matrix, const Spinors &psi)
{
  Spinors out(psi.size());
  for (std::size_t i = 0; i < psi.size(); i++) out[i] = matrix * psi[i];
  return out;
}

} // namespace reference
