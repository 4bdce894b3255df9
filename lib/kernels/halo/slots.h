#pragma once
/// Records from beyond a face: the slots of a halo, as kernels read them (ops/halo/exchange.h fills them).
///
///   const Place n = arg.index.neighbour(x, d, +3);
///   const auto q = n.beyond ? arg.halo.read(n, d, +1, i) : arg.in.read(n, i);   // in the lanes of x, if n.beyond
///
/// A step beyond that was computed elsewhere has its place from index.slot_place(x, d, n).

#include "core/view.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A slot across d, or a message that is one, as a field; Index::slot_record() numbers its registers.
QUDA_DEVICE FieldView slot_field(const HaloView &halo, int d, void *data)
{
  FieldView f = halo.form;
  f.data = data;
  f.lattice.stored_cb = halo.depth * halo.face_cb[d];
  long long half = f.record_stride * f.lattice.stored_cb * f.lattice.parts;
  if (f.lattice.width == 1) { // entries lie outside the sites
    f.inner_stride = half;
    half *= f.inner;
  }
  f.parity_stride = halo.parities == 2 ? half : 0;
  return f;
}

/// Slots of records of `reals` numbers, stored as S.
template <class S, int reals> struct HaloSlots {
  Storage<S, reals> slot[4][2];

  QUDA_DEVICE HaloSlots() {}
  explicit HaloSlots(const HaloView &halo)
  {
    for (int d = 0; d < 4; d++)
      for (int up = 0; up < 2; up++) slot[d][up] = Storage<S, reals>(slot_field(halo, d, halo.slot[d][up]));
  }

  /// Inner entry i of a place beyond the face that a step of this sign along d crosses.
  QUDA_DEVICE auto read(const Place &n, int d, int sign, int i) const { return slot[d][sign > 0].read(n, i); }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
