#include "ops/halo/exchange.h"

#include <algorithm>
#include <exception>
#include <list>
#include <memory>
#include <vector>

#include "core/waits.h"
#include "kernels/halo/exchange_call.h"
#include "ops/halo/message_buffer.h"
#include "ops/launch.h"
#include "targets/target.h"

namespace quda
{

QUDA_KERNELS(HaloPackCall, halo_pack)
QUDA_KERNELS(HaloUnpackCall, halo_unpack)

namespace
{

  const char owner = 0; // its address is the key of the halos among the objects that a lattice keeps

  struct Member {
    HaloShape shape;
    HaloMessages leaving {}, arriving {};
    unsigned registers = 0; // of all slots, for a parity
    bool unpacked = false;  // some messages do not arrive as slots
    int parity = 0;         // of the data in the first half
    std::vector<DeviceBuffer> slots;
  };

  void check(const char *function, const Lattice &lattice, const HaloShape &shape)
  {
    for (int d = 0; d < 4; d++)
      if (lattice.cut(d) && (shape.from_below[d] || shape.from_above[d]) && shape.depth > lattice.X(d))
        fail(ErrorKind::unsupported,
             text("%s: a halo of depth %d in direction %d, which is cut between ranks, is not supported with a local "
                  "extent of %d; a depth of at most the extent is",
                  function, shape.depth, d, lattice.X(d)));
    const int bytes = bytes_of(shape.precision), least = bytes < 4 ? bytes : 1; // integers travel as they are
    if (bytes_of(shape.message) > bytes || bytes_of(shape.message) < least)
      fail(ErrorKind::unsupported,
           text("%s: messages of %d bytes a real for a halo of %d are not supported; %d to %d are", function,
                bytes_of(shape.message), bytes, least, bytes));
    if (shape.reals < 2 || shape.reals % 2 || shape.inner < 1 || shape.depth < 1 || shape.parities < 1 ||
        shape.parities > 2)
      fail(ErrorKind::internal, text("%s: a halo of %d reals, inner extent %d, depth %d, %d parities", function,
                                     shape.reals, shape.inner, shape.depth, shape.parities));
  }

  /// Data that are read from -d (side 0) travel in +d.
  int sense_of(int side) { return side ? -1 : +1; }

} // namespace

/// A halo with its buffers.
struct KeptHalo {
  std::vector<Member> members;
  std::vector<MessageBuffer> out, in; // for each [d][side]
  Request received[8], sent[8];
  bool in_use = false;
  bool finished = true;

  /// one_width: of registers, on all ranks; only then a slot has the same bytes everywhere.
  KeptHalo(const Lattice &lattice, bool one_width, std::initializer_list<HaloShape> shapes)
      : members(shapes.size())
  {
    std::size_t bytes[8] = {};
    std::vector<std::size_t> offset(8 * shapes.size());
    for (std::size_t n = 0; n < shapes.size(); n++) prepare(members[n], lattice, one_width, shapes.begin()[n]);
    // slots go before lanes, and those before lanes of less precision, so that each begins where its numbers may
    for (const int bytes_a_real : {0, 8, 4, 2, 1})
      for (std::size_t n = 0; n < members.size(); n++)
        for (int k = 0; k < 8; k++) {
          const HaloMessages &m = members[n].leaving;
          if (!has(members[n].shape, lattice, k) || (m.whole[k / 2] ? 0 : m.precision) != bytes_a_real) continue;
          offset[8 * n + k] = bytes[k];
          bytes[k] += message_bytes(members[n], k / 2);
        }
    for (int k = 0; k < 8; k++) {
      out.emplace_back(bytes[k]);
      in.emplace_back(bytes[k]);
    }
    for (std::size_t n = 0; n < members.size(); n++)
      for (int k = 0; k < 8; k++)
        if (has(members[n].shape, lattice, k)) place(members[n], k, offset[8 * n + k]);
  }

  bool fits(std::initializer_list<HaloShape> shapes) const
  {
    return std::equal(members.begin(), members.end(), shapes.begin(), shapes.end(),
                      [](const Member &a, const HaloShape &b) { return a.shape == b; });
  }

private:
  static bool has(const HaloShape &shape, const Lattice &lattice, int k)
  {
    return lattice.cut(k / 2) && (k % 2 ? shape.from_above : shape.from_below)[k / 2];
  }

  static std::size_t slot_bytes(const HaloView &halo, int d)
  {
    const FieldView &form = halo.form;
    return static_cast<std::size_t>(halo.parities) * halo.depth * halo.face_cb[d] * form.lattice.parts *
           form.record_stride * (form.lattice.width == 1 ? form.inner : 1) * form.precision;
  }

  static std::size_t message_bytes(const Member &member, int d)
  {
    const HaloView &halo = member.leaving.halo;
    const LatticeView &lattice = halo.form.lattice;
    if (member.leaving.whole[d]) return slot_bytes(halo, d);
    const int bytes = member.leaving.precision;
    const std::size_t record = member.shape.reals * bytes + (bytes < 4 ? sizeof(float) : 0);
    const std::size_t sites = static_cast<std::size_t>(halo.face_cb[d]) * (lattice.lanes / lattice.S[d]); // of a layer
    return halo.parities * halo.depth * sites * halo.form.inner * record;
  }

  static void prepare(Member &member, const Lattice &lattice, bool one_width, const HaloShape &shape)
  {
    std::size_t bytes = 0;
    member.shape = shape;
    HaloMessages &m = member.leaving;
    m.precision = bytes_of(shape.message);
    m.halo.depth = shape.depth;
    m.halo.parities = shape.parities;
    m.halo.form = native_storage(
        lattice, shape.precision, shape.inner, shape.parities,
        {.reals = shape.reals, .native = true, .entries = Entries::innermost, .scaled = bytes_of(shape.precision) < 4},
        bytes);
    const LatticeView &view = m.halo.form.lattice;
    for (int d = 0; d < 4; d++) {
      m.halo.face_cb[d] = view.volume_cb / view.O[d];
      m.whole[d] = one_width && view.S[d] == 1 && view.lanes >= view.width && shape.message == shape.precision;
    }
    member.arriving = m;
  }

  void place(Member &member, int k, std::size_t offset)
  {
    const int d = k / 2, side = k % 2;
    member.leaving.message[d][side] = static_cast<char *>(out[k].device()) + offset;
    member.arriving.message[d][side] = static_cast<char *>(in[k].device()) + offset;
    void *slot = member.arriving.message[d][side];
    if (!member.leaving.whole[d]) {
      slot = member.slots.emplace_back(slot_bytes(member.leaving.halo, d)).device();
      member.unpacked = true;
    }
    member.leaving.halo.slot[d][side] = member.arriving.halo.slot[d][side] = slot;
    const HaloView &halo = member.leaving.halo;
    member.registers += halo.depth * halo.face_cb[d] * halo.form.lattice.parts;
  }
};

namespace
{

  struct KeptHalos {
    bool one_width;
    std::list<KeptHalo> all;
  };

  /// Collective if none was kept before: ranks with AVX2 and AVX-512 may work together.
  KeptHalos &kept_halos(const Lattice &lattice)
  {
    std::shared_ptr<void> &kept = lattice.kept(&owner, 0);
    if (!kept) {
      const long long width = target().width(Precision::double_);
      long long extremes[2] = {width, -width};
      lattice.communicator().max(extremes, 2);
      kept = std::make_shared<KeptHalos>(KeptHalos {extremes[0] == -extremes[1], {}});
    }
    return *static_cast<KeptHalos *>(kept.get());
  }

  KeptHalo &take(const Lattice &lattice, std::initializer_list<HaloShape> shapes)
  {
    KeptHalos &kept = kept_halos(lattice);
    for (KeptHalo &one : kept.all)
      if (!one.in_use && one.fits(shapes)) return one;
    return kept.all.emplace_back(lattice, kept.one_width, shapes);
  }

  /// A launch over the slots of a member.
  SiteLaunch slot_launch(const char *name, const Lattice &lattice, const Member &member)
  {
    const HaloShape &shape = member.shape;
    const int *cut = member.leaving.halo.form.lattice.cut;
    const long long records = static_cast<long long>(member.registers) * shape.parities *
                              member.leaving.halo.form.lattice.width * shape.inner;
    return {.name = name,
            .lattice = lattice,
            .extent = {member.registers, static_cast<unsigned>(shape.parities)},
            .aux = key_text("prec=", bytes_of(shape.precision), ",message=", bytes_of(shape.message),
                            ",reals=", shape.reals, ",inner=", shape.inner, ",depth=", shape.depth, ",cut=", !!cut[0],
                            !!cut[1], !!cut[2], !!cut[3]),
            .bytes = records * shape.reals * (bytes_of(shape.precision) + bytes_of(shape.message))};
  }

} // namespace

HaloShape halo_shape(const Field &field, int depth, Precision message)
{
  HaloShape shape;
  shape.precision = field.precision();
  shape.message = message;
  shape.reals = field.reals();
  shape.inner = field.inner();
  shape.parities = field.parities();
  shape.depth = depth;
  return shape;
}

HaloExchange::HaloExchange(const char *function, const Lattice &lattice, std::initializer_list<HaloShape> members)
    : lattice_(lattice)
{
  for (const HaloShape &shape : members) check(function, lattice, shape);
  kept_ = &take(lattice, members);
  kept_->in_use = true;
  kept_->finished = false;
  for (int k = 0; k < 8; k++) {
    const MessageBuffer &in = kept_->in[k];
    if (in.bytes())
      kept_->received[k] = lattice.communicator().receive_start(in.host(), in.bytes(), k / 2, sense_of(k % 2));
  }
}

HaloExchange::~HaloExchange()
{
  if (kept_->finished)
    kept_->in_use = false;
  else
    kept_halos(lattice_).all.remove_if([this](const KeptHalo &one) { return &one == kept_; });
}

const HaloMessages &HaloExchange::leaving(int member) const { return kept_->members[member].leaving; }
const HaloView &HaloExchange::slots(int member) const { return kept_->members[member].leaving.halo; }
unsigned HaloExchange::registers(int member) const { return kept_->members[member].registers; }
void HaloExchange::set_parity(int member, int parity) { kept_->members[member].parity = parity; }

void HaloExchange::send()
{
  for (int k = 0; k < 8; k++) {
    const MessageBuffer &out = kept_->out[k];
    if (!out.bytes()) continue;
    out.to_host();
    kept_->sent[k] = lattice_.communicator().send_start(out.host(), out.bytes(), k / 2, sense_of(k % 2));
  }
}

void HaloExchange::finish()
{
  Communicator &comm = lattice_.communicator();
  std::exception_ptr failed; // none is left under way because of another
  const auto wait = [&](Request &request) {
    try {
      comm.wait(request);
    } catch (...) {
      if (!failed) failed = std::current_exception();
    }
  };
  for (int k = 0; k < 8; k++) {
    if (!kept_->in[k].bytes()) continue;
    {
      const WaitScope waiting(Wait::halo);
      wait(kept_->received[k]);
    }
    kept_->in[k].to_device();
  }
  if (!failed)
    for (const Member &member : kept_->members)
      if (member.unpacked) {
        SiteLaunch what = slot_launch("HaloUnpack", lattice_, member);
        launch(what, halo_unpack_kernels().find("halo exchange", bytes_of(member.shape.precision)),
               HaloUnpackCall {member.arriving, member.parity});
      }
  for (Request &request : kept_->sent) wait(request);
  if (failed) std::rethrow_exception(failed);
  kept_->finished = true;
}

void HaloExchange::pack(const Field &field, int member)
{
  const Member &m = kept_->members[member];
  const FieldView &view = field.layout();
  if (!field.native() || view.precision != bytes_of(m.shape.precision) || view.reals != m.shape.reals ||
      view.inner != m.shape.inner || field.parities() != m.shape.parities)
    fail(ErrorKind::internal,
         text("halo: a field of %d bytes a real, %d reals, inner extent %d, %d parities for a halo of %d, %d, %d, %d",
              view.precision, view.reals, view.inner, field.parities(), bytes_of(m.shape.precision), m.shape.reals,
              m.shape.inner, m.shape.parities));
  set_parity(member, field.parity());
  launch(slot_launch("HaloPack", lattice_, m), halo_pack_kernels().find("halo exchange", view.precision),
         HaloPackCall {m.leaving, view, field.parity()});
}

} // namespace quda
