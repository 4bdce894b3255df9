#pragma once
/// Halos: records of sites near the faces between ranks, brought to the ranks whose steps across those faces read them.
///
///   HaloExchange halo("wilson_hop", lattice, {shape});      // buffers as kept, receives under way
///   launch(..., PackCall {halo.leaving(), ...});            // one launch: kernels/halo/pack.h
///   halo.send();
///   launch(... sites that read nothing from beyond);        // meanwhile; boundary.h has the lists
///   halo.finish();
///   call.in.halo = halo.slots();                            // valid while `halo` lives
///   launch(... the other sites);
///
/// A halo has one member or several, fields of any shapes that travel in one message a direction and sense. The packed
/// message is the slot itself and arrives in its place if lanes do not cut the direction, the message has the slot's
/// precision and registers are equally wide on all ranks; otherwise lanes from beyond travel and are unpacked. In any
/// case only the bytes of needed sites cross. Buffers are kept with the lattice: after the first exchange of its shape
/// nothing is allocated. Every request is waited for. Collective over the lattice's communicator: the same shapes in
/// the same order on all ranks.

#include <initializer_list>

#include "core/types.h"
#include "core/view.h"
#include "fields/field.h"
#include "fields/lattice.h"

namespace quda
{

/// One member of a halo.
struct HaloShape {
  Precision precision = Precision::double_; // of slots, as kernels read them: double or single
  Precision message = Precision::double_;   // in transit, at most that; half, quarter: integers, a scale a record
  int reals = 0;                            // of a record
  int inner = 1;                            // records a site
  int parities = 1;
  int depth = 1;                     // layers
  bool from_below[4] = {1, 1, 1, 1}; // read by steps down, in direction d if it is cut
  bool from_above[4] = {1, 1, 1, 1}; // read by steps up

  bool operator==(const HaloShape &) const = default;
};

/// Shape of messages that carry a native field's records as they are.
HaloShape halo_shape(const Field &field, int depth, Precision message);

struct KeptHalo;

class HaloExchange
{
public:
  /// Receives are under way when it returns. Error (unsupported) that names `function` if a cut direction is shorter
  /// than a member is deep, or a message more precise than its slot.
  HaloExchange(const char *function, const Lattice &lattice, std::initializer_list<HaloShape> members);
  HaloExchange(const HaloExchange &) = delete;
  HaloExchange &operator=(const HaloExchange &) = delete;
  /// Leaves the buffers to the next exchange; an unfinished exchange's buffers are freed.
  ~HaloExchange();

  /// Destination of a member's packing kernel.
  const HaloMessages &leaving(int member = 0) const;
  /// Number of registers of all slots of a member for a parity: the first extent of its packing.
  unsigned registers(int member = 0) const;
  /// Parity of the data in the first half, if they are not packed by pack(); before finish().
  void set_parity(int member, int parity);
  /// Call it when all members are packed.
  void send();
  /// All messages have arrived and slots are complete.
  void finish();
  /// Slots for the kernels that read them.
  const HaloView &slots(int member = 0) const;

  /// Packs the records of a native field as they are, for a member with halo_shape(field, ...).
  void pack(const Field &field, int member = 0);

private:
  const Lattice &lattice_;
  KeptHalo *kept_;
};

} // namespace quda
