#include "multigrid/transfer.h"

#include "ops/multigrid/rows.h"

namespace quda
{

ColorSpinorParam Transfer::coarse_shape(int rhs, int parity) const
{
  return row_shape(coarse_.lattice, rows(), coarse_precision(), rhs, parity);
}

ColorSpinorField Transfer::own(int rhs) const
{
  return scratch_(0, row_shape(part(), rows(), coarse_precision(), rhs));
}

void Transfer::restrict_box(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4], const int hi[4],
                            bool add) const
{
  if (!gathering()) return restrict_part(coarse, fine, lo, hi, add);
  ColorSpinorField part = own(coarse.rhs());
  if (add) gathering()->take(part, coarse, rows());
  restrict_part(part, fine, lo, hi, add);
  gathering()->gather(coarse, part, rows());
}

void Transfer::prolong(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const
{
  if (!gathering()) return prolong_part(fine, coarse, add);
  ColorSpinorField part = own(coarse.rhs());
  gathering()->take(part, coarse, rows());
  prolong_part(fine, part, add);
}

} // namespace quda
