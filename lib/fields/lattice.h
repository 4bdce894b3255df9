/// The lattice of one rank: extents, neighbouring ranks, and the map of its sites to the lanes of a register.
///
/// A lattice of extents X is cut into S_d blocks of extents O_d = X_d / S_d; site x_d = o_d + O_d s_d has block index o,
/// and its lane is the number of the block s.
///
/// Blocks have even extents, so that the parity of o is that of x, or they are skewed: along one direction e, the first
/// that is not cut between ranks and of one block, those whose sum of s_d over the directions of odd O_d is odd begin at
/// x_e = 1 and end around the lattice, x_e = o_e + 1 mod X_e. Directions of odd O_d come after e. Then parities agree
/// again, all sites of a register have one o, and steps within a block stay simple. A step out of it across an odd O_d
/// comes to o_e - 1 or o_e + 1, as the lane is ahead or not: to two registers, whose lanes a read merges. So an extent
/// that is 2 mod 4, which even blocks leave whole, is cut into two.
///
/// Lanes in use are numbered 0 .. lanes()-1. The low bits of
/// the s_d are the high bits of the lane's number: (x0 bit 0, x1 bit 0, .., x0 bit 1, ..) from the top down, directions
/// that are not cut into blocks left out. So the lanes of one register (part w: numbers w W .. w W + W - 1) come, after
/// any move by whole blocks, from one register: carries of a sum run from the low bits of s_d to the high ones, never
/// back.
///
/// Host arrays: even sites first, x0 fastest; slot(x) = parity volume_cb + (x in lexicographic order) / 2.
///
/// Immutable and shared; several lattices and communicators live at once. Nothing here communicates.
/// Errors: bad_argument, naming the extent and its value.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "comms/communicator.h"
#include "core/view.h"

namespace quda
{

/// Storage place of a site: its parity, its number among the block's sites of that parity, its lane.
struct SitePosition {
  int parity;
  unsigned o_cb;
  int lane;
};

class Lattice
{
public:
  /// X: local extents, each even and at least 2. lanes: sites a stored site stands for, 16, or 1 on scalar targets;
  /// 0 takes the target's number. QUDA_LANE_SPLIT ("4 2 2 1") overrides the choice of S if lanes are 16.
  static std::shared_ptr<const Lattice> create(const int X[4], std::shared_ptr<Communicator> communicator,
                                               int lanes = 0);
  /// The same for sums over the slices across a direction, with kernels that never leave their site: no direction
  /// counts as cut, and this one is not split, whatever QUDA_LANE_SPLIT says, so that a slice fills registers. Blocks
  /// are even.
  static std::shared_ptr<const Lattice> sliced(const int X[4], std::shared_ptr<Communicator> communicator,
                                               int direction, int lanes = 0);
  /// The same for kernels on aggregates, blocks of sites of the extents block_d (fields/aggregates.h): every block_d
  /// divides O_d, so that a lane holds whole aggregates, possibly in fewer lanes. QUDA_LANE_SPLIT is used if it allows
  /// that. Blocks are even.
  static std::shared_ptr<const Lattice> blocked(const int X[4], std::shared_ptr<Communicator> communicator,
                                                const int block[4], int lanes = 0);
  /// The lattice of a coarse grid, whose lanes are not sites but rows of the vector at one site: S = 1 1 1 1, all
  /// lanes() in use, and row r of a field's vector is complex number r / lanes() of lane r % lanes(). On scalar
  /// targets it is a lattice as create() makes it.
  static std::shared_ptr<const Lattice> rows(const int X[4], std::shared_ptr<Communicator> communicator, int lanes = 0);
  /// The same sites in the same lanes, with no direction cut: fields share its memory layout, and operators on it never
  /// leave the rank. communicator: for its sums, that of `like` or of this rank only. `like`
  /// itself if nothing is cut.
  static std::shared_ptr<const Lattice> closed(const std::shared_ptr<const Lattice> &like,
                                               std::shared_ptr<Communicator> communicator);

  Lattice(const Lattice &) = delete;
  Lattice &operator=(const Lattice &) = delete;

  const int *X() const { return X_; }
  int X(int d) const { return X_[d]; }
  /// Extents of the whole lattice, over all ranks.
  const long long *global_X() const { return global_X_; }
  /// Global coordinate of the rank's first site.
  const long long *origin() const { return origin_; }
  long long volume() const { return volume_; }
  long long volume_cb() const { return volume_ / 2; }
  long long global_volume() const { return global_volume_; }
  /// Sites of the rank on a face across d, both parities.
  long long face(int d) const { return volume_ / X_[d]; }

  Communicator &communicator() const { return *communicator_; }
  const std::shared_ptr<Communicator> &shared_communicator() const { return communicator_; }
  bool cut(int d) const { return cut_[d]; }

  const int *S() const { return S_; }
  const int *O() const { return O_; }
  /// The direction e that blocks are skewed along, or -1.
  int skew() const { return skew_; }
  /// x_d of block coordinate o in a lane.
  int coordinate(int d, int o, int lane) const;
  /// Lanes the geometry provides for: 16, or 1.
  int max_width() const { return max_width_; }
  /// Lanes that hold sites, prod S; if lanes are rows, all of them.
  int lanes() const { return lanes_; }
  bool lanes_are_rows() const { return lanes_are_rows_; }
  /// Fraction of the lanes that hold sites: "fills N of 16" at the start of a program.
  double fill() const { return static_cast<double>(lanes_) / max_width_; }
  /// An object that an operation keeps as long as the lattice lives, under an address of its own and a number; empty
  /// when asked for the first time.
  std::shared_ptr<void> &kept(const void *owner, int number) const;
  /// "8x8x8x16 in 2x2x4x1 blocks, 16 of 16 lanes", "4x4x4x4, 16 rows in 16 lanes"
  std::string description() const;

  /// The view for kernels. width: lanes of a register, 16, 8 or 4 (1 on scalar targets). R: borders stored around a
  /// block, or null for none; even, at most X_d, and 0 in directions that are not cut between ranks.
  LatticeView view(int width, const int R[4] = nullptr) const;

  /// Conversions between local coordinates, 0 <= x_d < X_d, and places in native fields and in host arrays.
  SitePosition position(const int x[4]) const;
  void coordinates(const SitePosition &position, int x[4]) const;
  long long slot(const int x[4]) const;
  void slot_coordinates(long long slot, int x[4]) const;

  /// Number of the lane that holds block s, and back.
  int lane_of_block(const int s[4]) const;
  void block_of_lane(int lane, int s[4]) const;

private:
  struct Kept {
    const void *owner;
    int number;
    std::shared_ptr<void> what;
  };

  /// Meaning of a register's lanes.
  enum class Lanes { sites, rows };

  Lattice(const int X[4], std::shared_ptr<Communicator> communicator, int lanes, int sliced, Lanes are = Lanes::sites,
          const int *block = nullptr);
  Lattice(const Lattice &like, std::shared_ptr<Communicator> communicator);
  void number_lanes();
  bool ahead(const int s[4]) const;
  void tabulate_shifts();

  int X_[4];
  long long global_X_[4];
  long long origin_[4];
  long long volume_;
  long long global_volume_;
  std::shared_ptr<Communicator> communicator_;
  bool cut_[4];
  int S_[4];
  int O_[4];
  int skew_;
  int lanes_;
  int max_width_;
  bool lanes_are_rows_;
  mutable std::mutex kept_mutex_;
  mutable std::list<Kept> kept_;
  int lane_bit_[4][4];               // place in the lane's number of bit b of s_d
  unsigned char move_[4][max_lanes]; // number of the move by k blocks along d
  std::vector<LaneShift> shift_[3];  // [width 16, 8, 4](move, part)
};

/// The lane split S for a lattice of local extents X: powers of two, product at most `lanes`, every X_d / S_d even, or
/// odd where blocks may be skewed.
///   1. The least time of a site, with registers of 16 numbers counted once and of 8 twice: as many lanes in use as the
///      extents admit, unless the skewed directions that this needs cost more than it gains. A direction of odd O_d
///      costs time like 1 / (4 O_d), the part of sites on its faces.
///   2. Directions cut between ranks are split last: splitting them makes more vectors wait for a halo.
///   3. No S_d above 4 if it can be avoided, then direction 3 as little as possible: threads share its boundaries.
///   4. A lattice is large when three one-parity slices of spinors (across direction 3, 24 floats a site) exceed a
///      second-level cache of 1 MiB. The figure is fixed, so that all ranks and machines agree.
///      large: direction 2 as little as possible, then directions 0 and 1 alike (4 4 1 1, then 4 2 2 1): the planes
///      that a hop returns to become smaller. small: the most even split, the slower direction more (2 2 4 1).
/// whole: a direction that is not split, or none (-1). block: a divisor of every X_d / S_d, or null. With
/// either of them blocks are even.
void choose_lane_split(const int X[4], const bool cut[4], int lanes, int S[4], int whole = -1,
                       const int *block = nullptr);

/// Whether extents, local and global, and place among the ranks agree; lane splits may differ, unless lanes are rows in
/// one of them.
bool same_sites(const Lattice &a, const Lattice &b);

/// floor(n / divisor) for all n < 2^32.
Divisor make_divisor(unsigned divisor);

/// Site number of block coordinates o in a view's storage, -R_d <= o_d < O_d + R_d.
unsigned stored_index(const LatticeView &view, const int o[4]);

} // namespace quda
