#pragma once
/// Coarse grids of which a rank's aggregates alone are no lattice: an odd number of them in some direction.
///
/// Group  : as many neighbouring ranks as make the number even; together they have one part of the level, a lattice of
///          rows.
/// Copy   : the ranks of one place in their groups, a grid of ranks as large as that of the groups, with a communicator of
///          its own: for halos, sums, agreement, tuning. All ranks hold the level, in as many copies as a group has ranks,
///          which are the same to the bit, as no number depends on ranks. So what makes and updates a level is the same code
///          on all ranks, with or without groups.
/// Solves : of a level are the first copy's alone, that of the parent's rank 0. The other ranks wait for what it finds, as
///          all messages are waited for, and leave their processors to others where these are short.
/// Moves  : numbers of a level's sites between host memories, unrounded, along the lines of a group.
/// Collective over the communicator of the finer lattice, the parent.

#include <array>
#include <functional>
#include <memory>

#include "fields/color_spinor_field.h"

namespace quda
{

/// A lattice's extents on a rank, and the ranks along them, as aggregates make coarser ones.
struct GridOfRanks {
  std::array<int, 4> X, ranks;

  explicit GridOfRanks(const Lattice &lattice);
  /// How many ranks in direction d have to be taken together for aggregates of this extent: 1 where a rank has an even
  /// number of them; 0: it does not divide X, or no such number of ranks divides theirs.
  int together(int d, int extent) const;
  /// Of the coarser grid, of aggregates that fit.
  void coarsen(const int block[4]);
};

class Gathering
{
public:
  /// aggregates: of a rank of `fine` in each direction. together: ranks of a group in each direction.
  Gathering(const Lattice &fine, const int aggregates[4], const int together[4]);

  /// Of the level, on the copy's communicator.
  const std::shared_ptr<const Lattice> &lattice() const { return lattice_; }
  /// What the rank's own aggregates are the sites of: their numbers, one more where odd; on the parent's communicator.
  const std::shared_ptr<const Lattice> &part() const { return part_; }
  /// Ranks of the parent for each that solves.
  int copies() const { return copies_; }
  /// Whether the rank is of the copy that solves.
  bool first() const { return first_; }

  /// whole = what the ranks of the group have in their parts. Vectors of so many rows; `part` on all sites.
  void gather(ColorSpinorField &whole, const ColorSpinorField &part, int rows) const;
  /// part = the rank's own of whole. No communication. A whole of one parity counts as zero on the other.
  void take(ColorSpinorField &part, const ColorSpinorField &whole, int rows) const;

  /// x = what work() of the first copy makes it. What work() throws is thrown on all ranks of the group.
  void by_first(ColorSpinorField &x, int rows, const std::function<void()> &work) const;

private:
  std::array<int, 4> aggregates_, together_;
  int copies_;
  bool first_;
  int root_ = 0;                        // of the group: the rank in the first copy
  std::shared_ptr<Communicator> group_; // its grid is together_
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

/// Below aggregates of this lattice. Errors: bad_argument that names block[d] as count_aggregates() does, and where no group
/// of ranks makes an even number of them.
CoarseGrid coarse_grid(const Lattice &fine, const int block[4]);

} // namespace quda
