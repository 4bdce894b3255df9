#pragma once
/// The transfer between a lattice of quarks of 4 spins and its coarse grid, from test vectors made orthonormal on each
/// aggregate and chirality (Cholesky twice: factors in double precision on the host, sums of the first Gram matrix in
/// double precision, of the second in that of the vectors).

#include "multigrid/transfer.h"

namespace quda
{

class FineTransfer final : public Transfer
{
public:
  /// B        : n_vec test vectors as right-hand sides, native full fields of double or single precision.
  /// block    : extents of an aggregate, see coarse_extents.
  /// coarse   : a lattice of rows of those extents, or coarse_grid().
  /// precision: that V is stored in: double, single, or half, with fields of single precision.
  /// Errors   : a vector that is zero, not finite or depends on those before it on some aggregate: bad_argument that names
  ///            vector, chirality and aggregate, on all ranks alike. Collective.
  FineTransfer(const ColorSpinorField &B, const int block[4], CoarseGrid coarse, Precision precision);

  /// Fields of its own precision and lattice (Lattice::blocked) are taken as they are, those of other precisions or of
  /// other lanes of the same sites are copied on the way.
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
