#include "multigrid/hypercube_transfer.h"

#include "core/error.h"
#include "ops/multigrid/hypercubes.h"
#include "ops/multigrid/rows.h"

namespace quda
{

HypercubeTransfer::HypercubeTransfer(std::shared_ptr<const Lattice> fine, std::shared_ptr<const Lattice> coarse,
                                     Precision precision)
    : Transfer(std::move(coarse))
    , fine_(std::move(fine))
    , precision_(precision)
{
}

ColorSpinorParam HypercubeTransfer::fine_shape(int rhs, int parity) const
{
  ColorSpinorParam param;
  param.spins = 1;
  param.colors = 3;
  param.lattice = fine_;
  param.precision = precision_;
  param.rhs = rhs;
  param.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  param.parity = parity < 0 ? 0 : parity;
  return param;
}

int HypercubeTransfer::rows() const { return hypercube_rows; }
const int *HypercubeTransfer::block() const { return hypercube; }

void HypercubeTransfer::restrict_part(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4],
                                      const int hi[4], bool add) const
{
  to_hypercubes(coarse, fine, lo, hi, add);
}

void HypercubeTransfer::prolong_part(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const
{
  from_hypercubes(fine, coarse, add);
}

void HypercubeTransfer::columns(ColorSpinorField &out, int first) const
{
  const int count = out.rhs();
  if (first < 0 || first + count > hypercube_rows)
    fail(ErrorKind::internal,
         text("HypercubeTransfer: columns %d to %d of %d", first, first + count - 1, hypercube_rows));
  ColorSpinorField units(coarse_shape(count));
  RowArray numbers(static_cast<std::size_t>(units.sites()) * count * hypercube_rows);
  for (std::size_t n = 0; n < numbers.size(); n += hypercube_rows) {
    const int column = static_cast<int>(n / hypercube_rows % static_cast<std::size_t>(count));
    numbers[n + static_cast<std::size_t>(first + column)] = 1;
  }
  from_host(units, hypercube_rows, numbers);
  from_hypercubes(out, units);
}

} // namespace quda
