#include "dirac/dirac.h"

namespace quda
{

ColorSpinorParam Dirac::shape(int parity, int rhs) const
{
  const SpinorShape of = spinor_shape();
  ColorSpinorParam shape;
  shape.lattice = set_.precise().shared_lattice();
  shape.spins = of.spins;
  shape.fifth = of.fifth;
  shape.flavours = of.flavours;
  shape.rhs = rhs;
  shape.precision = storage_.precision;
  shape.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  shape.parity = parity < 0 ? 0 : parity;
  return shape;
}

} // namespace quda
