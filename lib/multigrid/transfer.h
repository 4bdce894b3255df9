#pragma once
/// Transfers between a grid and the next coarser one: P, whose columns are orthonormal, and R = P^dag.
///
/// Fine fields   : those of the finer grid's operator, quark fields or row fields.
/// Coarse fields : row fields (ops/multigrid/rows.h) of 2 n_vec rows, (chirality X, i).
/// Sites         : either side may be a field on all sites or on one parity; the other parity counts as zero, or is not
///                 written.
/// Columns       : V_i, the i-th test vector made orthonormal on each aggregate and chirality, is column i of P for both
///                 chiralities: P c = sum_{X, i} P_X V_i c_{X, i}.
/// Right-hand sides: any number, the same on both sides.
/// Collective    : while kernels are tuned, and R to a gathered grid (multigrid/gathering.h). An aggregate lies on one
///                 rank.

#include <memory>

#include "dirac/linear_operator.h"
#include "fields/color_spinor_field.h"
#include "multigrid/gathering.h"

namespace quda
{

class Transfer
{
public:
  virtual ~Transfer() = default;
  Transfer(const Transfer &) = delete;
  Transfer &operator=(const Transfer &) = delete;

  /// Shape of its fine fields; parity -1: on all sites.
  virtual ColorSpinorParam fine_shape(int rhs, int parity = -1) const = 0;
  ColorSpinorParam coarse_shape(int rhs, int parity = -1) const;
  /// Rows of a coarse vector, 2 n_vec.
  virtual int rows() const = 0;
  /// Extents of an aggregate.
  virtual const int *block() const = 0;
  /// Grid of the coarse fields, for another transfer to the same grid.
  const CoarseGrid &grid() const { return coarse_; }
  /// Gathering of the coarse grid; null: not gathered.
  const Gathering *gathering() const { return coarse_.gathering.get(); }

  /// coarse = R fine
  virtual void restrict(ColorSpinorField &coarse, const ColorSpinorField &fine) const
  {
    static constexpr int from[4] = {0, 0, 0, 0};
    restrict_box(coarse, fine, from, block(), false);
  }
  /// coarse = R fine, or coarse += R fine, with fine restricted to a box of each aggregate: the sites at lo_d <= x_d <
  /// hi_d, x_d counted from the aggregate's first. Sums follow the sites in lexicographic order, x0 fastest.
  void restrict_box(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4], const int hi[4],
                    bool add) const;
  /// fine = P coarse, or fine += P coarse.
  void prolong(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add = false) const;
  /// Columns of P as fine fields: right-hand side k of `out` is column first + k, first + k = X n_vec + i being P_X V_i.
  virtual void columns(ColorSpinorField &out, int first) const = 0;

protected:
  explicit Transfer(CoarseGrid coarse)
      : coarse_(std::move(coarse))
  {
  }
  const std::shared_ptr<const Lattice> &part() const { return coarse_.part(); }
  /// The same with fields on part(), which hold the rank's own aggregates.
  virtual Precision coarse_precision() const = 0;
  virtual void restrict_part(ColorSpinorField &coarse, const ColorSpinorField &fine, const int lo[4], const int hi[4],
                             bool add) const = 0;
  virtual void prolong_part(ColorSpinorField &fine, const ColorSpinorField &coarse, bool add) const = 0;

private:
  ColorSpinorField own(int rhs) const;

  const CoarseGrid coarse_;
  Scratch scratch_;
};

} // namespace quda
