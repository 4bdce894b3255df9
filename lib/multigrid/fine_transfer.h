#pragma once
/// Transfer between a lattice of quarks with 4 spins and its coarse grid, from test vectors made orthonormal on each
/// aggregate and chirality (Cholesky twice: factors in double precision on the host, sums of the first Gram matrix in
/// double precision, of the second in the vectors' precision).

#include "multigrid/transfer.h"

namespace quda
{

class FineTransfer final : public Transfer
{
public:
  /// B        : n_vec test vectors as right-hand sides, native full fields of double or single precision.
  /// block    : extents of an aggregate, see fields/aggregates.h.
  /// coarse   : a lattice of rows of those extents, or coarse_grid().
  /// precision: that of the stored V: double, single, or half, with fields of single precision.
  /// Errors   : bad_argument with vector, chirality and aggregate, the same on all ranks, for a vector that is zero,
  ///            not finite or dependent on those before it on some aggregate. Collective.
  FineTransfer(const ColorSpinorField &B, const int block[4], CoarseGrid coarse, Precision precision);

  /// Shape of its fine fields. Fields of its own precision and lattice (Lattice::blocked) are used in place; those of
  /// other precisions or with other lanes of the same sites are copied on the way.
  ColorSpinorParam fine_shape(int rhs, int parity = -1) const override;
  int rows() const override { return 2 * V_.rhs(); }
  const int *block() const override { return block_; }

  void columns(ColorSpinorField &out, int first) const override;

  /// The orthonormal vectors as they are stored.
  const ColorSpinorField &V() const { return V_; }

private:
  Precision coarse_precision() const override;
  ColorSpinorParam part_shape(int rhs, int parity) const;
  void restrict_part(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4], const int hi[4],
                     bool add) const override;
  void prolong_part(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const override;

  int block_[4];
  ColorSpinorField V_;
};

} // namespace quda
