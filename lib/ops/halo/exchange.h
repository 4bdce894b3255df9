#pragma once
/// Halos: records of sites near the faces between ranks, brought to where steps across those faces read them.
///
///   HaloExchange halo("wilson_hop", lattice, {shape});      // buffers as kept, receives under way
///   launch(..., PackCall {halo.leaving(), ...});            // one launch: kernels/halo/pack.h
///   halo.send();
///   launch(... sites that read nothing from beyond);        // meanwhile; boundary.h has the lists
///   halo.finish();
///   call.in.halo = halo.slots();                            // valid while `halo` lives
///   launch(... the other sites);
///
/// A halo has one member or several, fields of any shapes that travel in one message a direction and sense. Where lanes
/// do not cut a direction, the message has the slot's precision and registers are as wide on all ranks, what is packed
/// is the slot itself and arrives in its place; otherwise lanes from beyond travel alone and are unpacked. Either way
/// as many bytes cross as sites are needed. Buffers are kept with the lattice: after the first exchange of its shape
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
  Precision precision = Precision::double_; // of slots: what is read, double or single
  Precision message = Precision::double_;   // on the way, at most that; half, quarter: integers, a scale a record
  int reals = 0;                            // of a record
  int inner = 1;                            // records a site
  int parities = 1;
  int depth = 1;                     // layers
  bool from_below[4] = {1, 1, 1, 1}; // read by steps down, in direction d where it is cut
  bool from_above[4] = {1, 1, 1, 1}; // read by steps up

  bool operator==(const HaloShape &) const = default;
};

/// Shape of messages that carry a native field's records as they are.
HaloShape halo_shape(const Field &field, int depth, Precision message);

struct KeptHalo;

class HaloExchange
{
public:
  /// Receives are under way when it returns. Error (unsupported) that names `function` where a cut direction is not as
  /// long as a member is deep, or a message more precise than its slot.
  HaloExchange(const char *function, const Lattice &lattice, std::initializer_list<HaloShape> members);
  HaloExchange(const HaloExchange &) = delete;
  HaloExchange &operator=(const HaloExchange &) = delete;
  /// Leaves the buffers to the next exchange; those of one that did not come to its end go.
  ~HaloExchange();

  /// Where the packing kernel of a member writes.
  const HaloMessages &leaving(int member = 0) const;
  /// Registers of all slots of a member a parity: the first extent of its packing.
  unsigned registers(int member = 0) const;
  /// Of the data in the first half of what is packed otherwise than by pack(); before finish().
  void set_parity(int member, int parity);
  /// When all members are packed.
  void send();
  /// All that was under way has arrived, slots are whole.
  void finish();
  /// For the kernels that read them.
  const HaloView &slots(int member = 0) const;

  /// Packs the records of a native field as they are, of a member with halo_shape(field, ...).
  void pack(const Field &field, int member = 0);

private:
  const Lattice &lattice_;
  KeptHalo *kept_;
};

} // namespace quda
