#pragma once
/// Plain views: the description of a field for a kernel. Pointers, extents and numbers, no member functions, so that a
/// launch unit compiled for any instruction set can include them without leaving a function behind.
///
/// A lattice of extents X is cut into S_d blocks of extents O_d = X_d / S_d. A "site" of a block stands for as many
/// lattice sites as there are lanes: x_d = o_d + O_d s_d, s being the lane's block. Scalar targets have S = 1.
/// A field is stored over o_d in [-R_d, O_d + R_d), R_d = 0 unless it was extended; R is even, and O is, so the parity
/// of x is the parity of o. Where O is odd in some directions, blocks are skewed along a direction before them that
/// has one block and one rank, so that this still holds: along it half of the lanes begin one site further on,
/// x_e = o_e + 1, and end around the lattice. Lattice sites count in `unsigned`: at most 2^32 a parity and rank.

namespace quda
{

constexpr int max_lanes = 16;

/// Exact quotient of any n < 2^32 by a fixed number: high word of magic * n (magic = floor(2^64 / divisor) + 1), or n
/// itself for the divisor 1, which magic = 0 marks.
struct Divisor {
  unsigned divisor;
  unsigned long long magic;
};

/// Permutation of a register's lanes after a move by whole blocks: lane l takes lane index[l] of the register
/// `part` of the same site. Indices are doubled (2i, 2i+1) for four-lane registers, whose moves go by half lanes.
/// Between blocks that are skewed the source register is merged from two, one step down and up along the direction of
/// the skew.
struct alignas(64) LaneShift {
  int index[max_lanes]; // source lane, per lane
  int part;             // source register
  int identity;         // nonzero: index[l] == l for all lanes, and nothing is merged
  int skewed;           // nonzero: the source is merged
  unsigned up;          // source lanes that come from the register up, a bit each
};

struct LatticeView {
  int X[4];                          // extents of the rank's lattice
  int S[4];                          // blocks a dimension
  int O[4];                          // extents of a block
  int R[4];                          // border stored around a block; even, 0 in directions not cut or not extended
  int E[4];                          // O + 2 R
  int lanes;                         // lanes in use, prod S
  int width;                         // lanes of a register (1 on scalar targets)
  int parts;                         // registers a site, max(1, lanes / width)
  int skew;                          // direction that blocks are skewed along, or -1
  unsigned ahead;                    // lanes that begin one site further on along skew, a bit each
  int cut[4];                        // nonzero: the direction is divided between ranks
  int first[4];                      // nonzero: the rank begins the global lattice in this direction
  int last[4];                       // nonzero: the rank ends it
  unsigned volume_cb;                // prod O / 2
  unsigned stored_cb;                // prod E / 2
  Divisor by[3];                     // O_0 / 2, O_1, O_2
  unsigned char block[4][max_lanes]; // s_d of each lane in use
  int first_block[4];                // of the rank, counted over the global lattice
  int blocks[4];                     // of the global lattice
  unsigned char code[4]
                    [max_lanes]; // code[d][k]: number of the move by k blocks along d; numbers of several d are or-ed
  const LaneShift *shift;        // [move][part], null on scalar targets
};

/// Native storage of `inner` x `reals` numbers a site.
///   lanes   : [parity][stored_cb][part][inner][reals][width]; directions of a gauge field outside the sites,
///             [parity][inner][stored_cb][part][reals][width], so that a kernel reads each as one line of addresses
///   scalar  : [parity][inner][reals / vector][stored_cb][vector]
/// Inner entries of a spinor: right-hand sides outermost, then the fifth dimension, then flavours; entry
/// (rhs n, slice s, flavour f) is i = (n fifth + s) flavours + f. A right-hand side owns fifth x flavours layers. A
/// view of a range of the right-hand sides of a field has that field's strides: code that steps through memory uses
/// the strides, never by inner x reals. Half precision is fixed point: the integer q of 16 bits stands for q times a
/// scale, 1 / 32767 in gauge fields, whose elements are at most 1, and the largest of its reals over 32767 for each
/// site and inner entry of a spinor. The scales, floats, follow the reals of their inner entry: [reals][width] and then
/// [width] scales on lanes, [reals / vector][stored_cb][vector] and then [stored_cb] scales on scalar targets.
struct FieldView {
  void *data;              // first real; 64-byte aligned
  long long parity_stride; // reals from the even to the odd half; 0 for a field of one parity
  long long record_stride; // lanes: reals from a register of sites to the next
  long long inner_stride;  // reals from an inner entry to the next, scales among them
  int precision;           // bytes of a real
  int inner;               // rhs x fifth x flavours; 4 directions of a gauge field
  int rhs;                 // right-hand sides
  int fifth;               // extent of the fifth dimension
  int flavours;            // flavours of one field: 2 for a doublet
  int reals;               // reals of one inner entry
  int vector;              // reals a thread moves at once on scalar targets
  int scaled;              // nonzero: fixed point with a scale, a float, for each site and inner entry
  LatticeView lattice;
};

struct GaugeView {
  FieldView field;   // inner = 4 (mu), reals = reconstruct
  int reconstruct;   // 18, 12, 8, or 10 for momenta
  double anisotropy; // third row of a spatial link: anisotropy times the conjugate cross product
  int t_boundary;    // -1: another factor -1 for the time links on the last global slice
};

/// Records of the sites beyond cut faces, `depth` layers of them, layer 0 next to the rank. A slot is stored like a
/// field without border that has depth * face_cb sites a parity, (layer, site of the face); a register of it holds what
/// each lane of the register that reads it needs.
struct HaloView {
  void *slot[4][2];    // [d][0]: sites in -d, [d][1]: sites in +d; null where nothing is exchanged
  unsigned face_cb[4]; // sites of a parity in a layer
  int depth;
  int parities;   // 1, or 2: both halves of full fields
  FieldView form; // layout of each slot, its number of sites excepted; no data
};

/// A halo and the messages that fill it, outgoing or incoming.
struct HaloMessages {
  HaloView halo;
  void *message[4][2]; // [d][side], as the slots they are for; null: nothing crosses there
  int whole[4];        // nonzero: a message across d is a slot as it stands. 0: [parity][layer][site of the face]
                       // [lane of the face][inner][reals]
  int precision;       // of such lanes; fixed point: the integers of a record, then their scale, a float
};

struct SpinorView {
  FieldView field; // reals = 2 Ns Nc
  HaloView halo;
  int spins;
  int colors;
};

} // namespace quda
