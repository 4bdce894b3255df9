#pragma once
/// Gathering of coarse grids in which a rank's own aggregates form no lattice: their number is odd in some direction.
///
/// Group  : as many neighbouring ranks as make the number even; together they have one part of the level, a lattice of
///          rows.
/// Copy   : the ranks at one place in their groups, a grid of ranks as large as that of the groups, with its own
///          communicator for halos, sums, agreement and tuning. All ranks hold the level, in as many copies as a group
///          has ranks, which are the same to the bit, as no number depends on ranks. So the same code makes and updates
///          a level on all ranks, with or without groups.
/// Solves : only the first copy, the one with rank 0 of all, solves on the level. The other ranks wait for the
///          result as for any message, and yield their processors to others if these are short.
/// Moves  : numbers of a level's sites between host memories, unrounded, from each rank of a group to all.
/// Collective over the communicator of the finer lattice, the parent.

#include <array>
#include <functional>
#include <memory>

#include "comms/box_exchange.h"
#include "fields/color_spinor_field.h"

namespace quda
{

/// Extents of a lattice on a rank, and the ranks along each direction, which aggregates coarsen.
struct GridOfRanks {
  std::array<int, 4> X, ranks;

  explicit GridOfRanks(const Lattice &lattice);
  /// Number of ranks in direction d to take together for aggregates of this extent: 1 if a rank has an even number of
  /// them; 0: it does not divide X, or no such number of ranks divides theirs.
  int together(int d, int extent) const;
  /// Makes this the coarser grid, for aggregates that fit.
  void coarsen(const int block[4]);
};

class Gathering
{
public:
  /// aggregates: number on a rank of `fine` in each direction. together: ranks of a group in each direction.
  Gathering(const Lattice &fine, const int aggregates[4], const int together[4]);

  /// Lattice of the level, on the copy's communicator.
  const std::shared_ptr<const Lattice> &lattice() const { return lattice_; }
  /// Lattice whose sites are the rank's own aggregates, one more if odd; on the parent's communicator.
  const std::shared_ptr<const Lattice> &part() const { return part_; }
  /// Ranks of the parent per rank that solves.
  int copies() const { return copies_; }
  /// Whether the rank is in the copy that solves.
  bool first() const { return first_; }

  /// whole = the parts of all ranks of the group. Vectors of `rows` rows; `part` on all sites.
  void gather(ColorSpinorField &whole, const ColorSpinorField &part, int rows) const;
  /// part = the rank's own part of whole. No communication. A whole of one parity counts as zero on the other.
  void take(ColorSpinorField &part, const ColorSpinorField &whole, int rows) const;

  /// x = the result of work() in the first copy. What work() throws is thrown on all ranks of the group.
  void by_first(ColorSpinorField &x, int rows, const std::function<void()> &work) const;

private:
  std::array<int, 4> aggregates_, together_;
  int copies_;
  bool first_;
  int root_ = 0;                        // in the group: the rank in the first copy
  std::shared_ptr<Communicator> group_; // with the grid together_
  std::unique_ptr<BoxExchange> parts_;  // from each rank's own aggregates to those of its group
  std::shared_ptr<const Lattice> lattice_, part_;
};

/// A coarse grid as transfers write it.
struct CoarseGrid {
  std::shared_ptr<const Lattice> lattice;
  std::shared_ptr<const Gathering> gathering {}; // null: a rank's sites are its own aggregates

  CoarseGrid(std::shared_ptr<const Lattice> own)
      : lattice(std::move(own))
  {
  }
  explicit CoarseGrid(std::shared_ptr<const Gathering> of)
      : lattice(of->lattice())
      , gathering(std::move(of))
  {
  }
  const std::shared_ptr<const Lattice> &part() const { return gathering ? gathering->part() : lattice; }
};

/// The grid of this lattice's aggregates. Errors: bad_argument with block[d], as count_aggregates(), also if no group
/// of ranks makes their number even.
CoarseGrid coarse_grid(const Lattice &fine, const int block[4]);

} // namespace quda
