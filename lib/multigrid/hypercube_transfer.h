#pragma once
/// Transfer between a lattice of staggered quarks and the grid of its hypercubes (ops/multigrid/hypercubes.h): 24 unit
/// vectors of each parity on aggregates of 2^4 sites. P is unitary.

#include "multigrid/transfer.h"

namespace quda
{

class HypercubeTransfer : public Transfer
{
public:
  /// fine: any lanes. coarse: a lattice of rows with half the extents. precision: of the fields, double or single.
  HypercubeTransfer(std::shared_ptr<const Lattice> fine, std::shared_ptr<const Lattice> coarse, Precision precision);

  ColorSpinorParam fine_shape(int rhs, int parity = -1) const override;
  int rows() const override;
  const int *block() const override;

  void columns(ColorSpinorField &out, int first) const override;

private:
  Precision coarse_precision() const override { return precision_; }
  void restrict_part(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4], const int hi[4],
                     bool add) const override;
  void prolong_part(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const override;

  std::shared_ptr<const Lattice> fine_;
  Precision precision_;
};

} // namespace quda
