#include "dirac/dirac_on_links.h"

namespace quda
{

namespace
{

  /// The same memory as a field of another lattice with the same sites in the same lanes.
  std::unique_ptr<CloverField> shared(const CloverField &field, const std::shared_ptr<const Lattice> &lattice)
  {
    CloverParam param = field.param();
    param.lattice = lattice;
    param.create = Create::reference;
    param.data = field.data();
    return std::make_unique<CloverField>(param);
  }

} // namespace

ColorSpinorParam DiracOnLinks::shape(int parity, int rhs) const
{
  ColorSpinorParam shape;
  shape.lattice = set_.precise().shared_lattice();
  shape.spins = spinors_.spins;
  shape.fifth = spinors_.fifth;
  shape.alternating = spinors_.alternating;
  shape.flavours = spinors_.flavours;
  shape.rhs = rhs;
  shape.precision = storage_.precision;
  shape.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  shape.parity = parity < 0 ? 0 : parity;
  return shape;
}

std::unique_ptr<CloverSet> clover_inside(const CloverSet &set, const Domains &domains, Precision precision,
                                         bool inverse, const double *square)
{
  const CloverField &term = set.copy(precision);
  const std::shared_ptr<const Lattice> closed = domains.closed(term.shared_lattice());
  auto inside = std::make_unique<CloverSet>();
  inside->shift = set.shift;
  inside->load(shared(term, closed), inverse && !square ? shared(set.inverse(precision), closed) : nullptr);
  if (inverse && square) inside->load_inverse_square(*square, shared(set.inverse_square(*square, precision), closed));
  return inside;
}

} // namespace quda
