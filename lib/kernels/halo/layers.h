#pragma once
/// The layers of sites that cross between ranks, and the crossing lanes among them.
///
/// A step up from o_d = O_d - 1 - k by k + 1 + j sites reaches layer j of a slot: the site o_d = j mod O_d of the block
/// m = 1 + j / O_d blocks on, which is the rank's own if it has that many, and the neighbour's otherwise; merged
/// from two sites where the blocks are skewed to each other. Steps
/// down mirror it. Counted from the rank's face, a lane in block s finds there layer J = j - O_d (S_d - 1 - s)
/// (down: j - O_d s), within the rank where J is negative. Each layer J < depth crosses once, its sites counted as the
/// lanes at the rank's face count them; if lanes do not cut the direction, J = j in all of them.

#include "kernels/halo/slots.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Layer J of a lane, counted from the rank's face; negative: the site is the rank's own.
QUDA_DEVICE int layer_of_rank(const LatticeView &lattice, int d, int up, int j, int lane)
{
  const int block = lattice.block[d][lane];
  return j - lattice.O[d] * (up ? lattice.S[d] - 1 - block : block);
}

/// Whether a lane is skewed to its neighbour at the rank's face, which then counts the sites across d differently.
QUDA_DEVICE bool skewed_to_face(const LatticeView &lattice, int d, int up, int lane)
{
  const int block = lattice.block[d][lane];
  return lattice.skew >= 0 && (up ? lattice.S[d] - 1 - block : block) * lattice.O[d] % 2;
}

/// Block coordinate along the skew, in such a lane's neighbour, of the site at o in the lane.
QUDA_DEVICE int beside_lane(const LatticeView &lattice, int o, int lane)
{
  const int O = lattice.O[lattice.skew];
  return (o + (lattice.ahead >> lane & 1 ? 1 : O - 1)) % O;
}

/// Numbers the lanes of each block across a direction, in order, as in messages.
struct FaceLanes {
  int count[max_lanes] = {};
  QUDA_DEVICE int next(const LatticeView &lattice, int d, int lane) { return count[lattice.block[d][lane]]++; }
};

/// Number of the move that brings the blocks of layer j to the lanes that read them.
QUDA_DEVICE int layer_move(const LatticeView &lattice, int d, int up, int j)
{
  const int blocks = 1 + j / lattice.O[d];
  return lattice.code[d][(up ? blocks : -blocks) & (max_lanes - 1)];
}

/// A register of a slot.
struct SlotRegister {
  int d, up;
  int layer;
  unsigned site; // of the layer
  int part;
};

/// All registers of a halo's slots as one index space, one direction and side after the other: (register, parity).
struct HaloLayers {
  Index index;
  HaloMessages messages;
  unsigned first[9]; // register of each [d][side], and the end
  int parity;        // of the data in the first half

  /// lanes_only: only of slots that do not arrive whole.
  HaloLayers(const HaloMessages &messages, int parity, bool lanes_only)
      : index(messages.halo.form.lattice)
      , messages(messages)
      , parity(parity)
  {
    first[0] = 0;
    for (int k = 0; k < 8; k++) {
      const int d = k / 2;
      const bool there = messages.message[d][k % 2] && !(lanes_only && messages.whole[d]);
      first[k + 1] = first[k] + (there ? messages.halo.depth * index.face_cb[d] * parts_of(index.lattice) : 0);
    }
  }

  QUDA_DEVICE SlotRegister at(unsigned n) const
  {
    int k = 0;
    while (n >= first[k + 1]) k++;
    const unsigned record = n - first[k];
    const unsigned site = record >> log_parts_of(index.lattice), face = index.face_cb[k / 2];
    const int layer = static_cast<int>(site / face);
    return {k / 2, k % 2, layer, site - layer * face, static_cast<int>(record & (parts_of(index.lattice) - 1))};
  }

  /// The register's place in its slot.
  QUDA_DEVICE Place to(const SlotRegister &r, int half) const
  {
    Place n = index.numbered(r.layer * index.face_cb[r.d] + r.site, r.part);
    n.parity = half;
    return n;
  }

  /// Place of the data that this rank sends or moves there; the lanes are to be moved by `shift`.
  QUDA_DEVICE Place from(const SlotRegister &r, int half) const
  {
    const LatticeView &lattice = index.lattice;
    const int o = r.layer % lattice.O[r.d];
    const SiteMove move(lattice, layer_move(lattice, r.d, r.up, r.layer), r.part);
    Coord x =
        index.face_coord(r.site << log_parts_of(lattice), (parity + half) & 1, r.d, r.up ? o : lattice.O[r.d] - 1 - o);
    Place n {0, x.parity, x.o[3], false, nullptr};
    if (move.shift && move.shift->skewed) { // between blocks skewed to each other o_0 is that of the other parity
      x.o[0] ^= 1;
      x.full ^= 1;
    }
    index.come_from(n, x.full, x.o, move);
    return n;
  }

  /// Copies the lanes that cross between ranks of inner entry i of a register, stored as S: from the slot into the
  /// message, or from the message (arriving), which may hold them for several registers.
  template <class S> QUDA_SELDOM void copy_lanes(const SlotRegister &r, int half, int i, bool arriving) const
  {
    const LatticeView &lattice = index.lattice;
    const FieldView slot = slot_field(messages.halo, r.d, messages.halo.slot[r.d][r.up]);
    const unsigned long long face = index.face_cb[r.d];
    const int bytes = record_bytes(slot.reals);
    FaceLanes lanes;
    for (int lane = 0; lane < lattice.lanes; lane++) {
      const int layer = layer_of_rank(lattice, r.d, r.up, r.layer, lane), number = lanes.next(lattice, r.d, lane);
      if (lane / lattice.width != r.part || (arriving ? layer < 0 : layer != r.layer)) continue;
      const unsigned long long site = (half * messages.halo.depth + layer) * face +
                                      (skewed_to_face(lattice, r.d, r.up, lane) ? site_at_face(r, half, lane) : r.site);
      char *p = static_cast<char *>(messages.message[r.d][r.up]) +
                ((site * (lattice.lanes / lattice.S[r.d]) + number) * slot.inner + i) * bytes;
      const auto record = lane_record<S>(slot, r.layer * index.face_cb[r.d] + r.site, lane, half, i);
      if constexpr (is_fixed<S>)
        copy_fixed(record, lane_scale<S>(slot, r.layer * index.face_cb[r.d] + r.site, lane, half, i),
                   reinterpret_cast<S *>(p), slot.reals, arriving);
      else if (messages.precision == 8)
        copy_record(record, reinterpret_cast<double *>(p), slot.reals, arriving);
      else if (messages.precision == 4)
        copy_record(record, reinterpret_cast<float *>(p), slot.reals, arriving);
      else if (messages.precision == 2)
        copy_rounded(record, reinterpret_cast<Half *>(p), slot.reals, arriving);
      else
        copy_rounded(record, reinterpret_cast<Quarter *>(p), slot.reals, arriving);
    }
  }

private:
  /// The site number, in the counting of the lane at the rank's face, for a lane that is skewed to it.
  QUDA_DEVICE unsigned site_at_face(const SlotRegister &r, int half, int lane) const
  {
    const LatticeView &lattice = index.lattice;
    const int sum = r.up ? lattice.O[r.d] + r.layer : 1 + r.layer; // o_d and steps of the reader of the register
    Coord x = index.face_coord(r.site << log_parts_of(lattice), (parity + half) & 1, r.d, sum);
    x.o[lattice.skew] = beside_lane(lattice, x.o[lattice.skew], lane);
    return index.face(x, r.d);
  }

  QUDA_DEVICE int record_bytes(int reals) const
  {
    return reals * messages.precision + (messages.precision < 4 ? static_cast<int>(sizeof(float)) : 0);
  }

  template <class Record, class M>
  QUDA_DEVICE static void copy_record(const Record &record, M *message, int reals, bool arriving)
  {
    for (int k = 0; k < reals; k++)
      if (arriving)
        record[k] = message[k];
      else
        message[k] = static_cast<M>(record[k]);
  }

  /// Integers and their scale as they are.
  template <class Record, class S>
  QUDA_DEVICE static void copy_fixed(const Record &record, float *scale, S *message, int reals, bool arriving)
  {
    copy_record(record, message, reals, arriving);
    if (arriving)
      __builtin_memcpy(scale, message + reals, sizeof(float));
    else
      __builtin_memcpy(message + reals, scale, sizeof(float));
  }

  /// Numbers that travel as integers and a scale: the largest becomes fixed_one. NaN arrives as some number.
  template <class Record, class M>
  QUDA_DEVICE static void copy_rounded(const Record &record, M *message, int reals, bool arriving)
  {
    float scale = 0;
    if (arriving) {
      __builtin_memcpy(&scale, message + reals, sizeof(float));
      for (int k = 0; k < reals; k++) record[k] = scale * static_cast<float>(message[k].fixed);
      return;
    }
    float most = 0;
    for (int k = 0; k < reals; k++) {
      const float a = static_cast<float>(record[k] < 0 ? -record[k] : record[k]);
      most = a <= most ? most : a;
    }
    const float factor = most > fixed_least ? fixed_one<M> / most : 0.0f;
    for (int k = 0; k < reals; k++) message[k] = to_fixed<M>(static_cast<float>(record[k]) * factor);
    scale = most / fixed_one<M>;
    __builtin_memcpy(message + reals, &scale, sizeof(float));
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
