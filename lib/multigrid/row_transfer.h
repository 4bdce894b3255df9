#pragma once
/// Transfer between two coarse grids of row fields. An aggregate is a block of sites of the finer grid; the first half
/// of its rows is chirality 0. P and R = P^dag are matrix fields (legs: the one parent, the sites of an aggregate), and
/// both are products of ops/multigrid/row_product.h: no bit depends on threads, ranks or other right-hand sides.
///
/// Precision: of the matrices; fields are double if the matrices are, else single. In half precision P and R are
/// rounded separately.

#include "multigrid/transfer.h"
#include "ops/multigrid/row_product.h"
#include "ops/multigrid/rows.h"

namespace quda
{

class RowTransfer final : public Transfer
{
public:
  /// Test vectors: the rows of the finer grid, with numbers in to_host()'s order of right-hand sides i.
  struct TestVectors {
    std::shared_ptr<const Lattice> lattice;
    int rows;  // of a vector
    int count; // n_vec
    RowArray numbers;
  };

  /// Makes the vectors orthonormal on each aggregate and chirality, in double, in ascending order of i. Collective:
  /// while kernels are tuned. Errors: bad_argument for a block that does not divide the lattice, and with vector,
  /// aggregate and chirality for a vector that depends on those before it.
  RowTransfer(const TestVectors &vectors, CoarseGrid coarse, const int block[4], Precision precision);

  ColorSpinorParam fine_shape(int rhs, int parity = -1) const override;
  int rows() const override { return rows_coarse_; }
  const int *block() const override { return block_; }

  void columns(ColorSpinorField &out, int first) const override;

private:
  Precision coarse_precision() const override;
  void restrict_part(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4], const int hi[4],
                     bool add) const override;
  void prolong_part(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const override;

  int block_[4];
  int rows_fine_, rows_coarse_;
  Legs down_, up_;
  ColorSpinorField R_, P_;
};

} // namespace quda
