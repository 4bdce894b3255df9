#include "ops/copy/reorder.h"

#include <algorithm>
#include <optional>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/copy/bytes_call.h"
#include "ops/halo/message_buffer.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(BytesCall, copy_bytes)
QUDA_KERNELS(ReorderCall, convert)
QUDA_KERNELS(ReorderCall, convert_double)
QUDA_KERNELS(ReorderCall, reorder)
QUDA_KERNELS(RebuildCall, rebuild)
QUDA_KERNELS(RebuildCall, compress)
QUDA_KERNELS(RebuildCall, compress_fit)
QUDA_KERNELS(LinkNormCall, link_norm)

namespace
{

  bool fixed(Precision p) { return bytes_of(p) < bytes_of(Precision::single); }

  /// Whether numbers may exceed the range of the destination.
  bool may_cut(const ReorderCall &call, Precision to, Precision from)
  {
    return fixed(to) && !fixed(from) && !call.to.field.scaled;
  }

  /// Whether registers can be copied as they are: both sides have equal numbers of lanes. Padding lanes
  /// may hold anything.
  bool by_registers(const ReorderCall &call, Precision to, Precision from)
  {
    const FieldView &a = call.to.field, &b = call.from.field;
    if (may_cut(call, to, from) && a.lattice.lanes < a.lattice.width) return false;
    return call.to.native && call.from.native && !call.rotate &&
           (to == Precision::double_) == (from == Precision::double_) && call.reals == a.reals &&
           call.reals == b.reals && a.lattice.stored_cb == a.lattice.volume_cb &&
           b.lattice.stored_cb == b.lattice.volume_cb;
  }

  /// Whether the entries of a site fill their records.
  bool dense(const FieldView &f)
  {
    return f.inner_stride > f.record_stride || f.record_stride == f.inner * f.inner_stride;
  }

  /// The plain memory copy of two native fields, if they store the same numbers in the same way.
  std::optional<BytesCall> as_it_lies(const ReorderCall &call, Precision to, Precision from)
  {
    const FieldView &a = call.to.field, &b = call.from.field;
    if (to != from || !by_registers(call, to, from) || a.scaled != b.scaled) return {};
    const bool lanes = target().lanes() > 1;
    const long long moved = lanes ? target().width(Precision::single) * static_cast<int>(sizeof(float)) : 16;
    const long long entry = a.inner_stride * a.precision,
                    records = static_cast<long long>(a.lattice.stored_cb) * a.lattice.parts;
    BytesCall bytes {};
    const auto end = [](const FieldView &f) {
      return BytesEnd {f.data, f.parity_stride * f.precision, f.record_stride * f.precision};
    };
    bytes.to = end(a);
    bytes.from = end(b);
    bytes.parities = call.parities;
    bytes.rows = 1;
    bytes.run = a.inner * entry;
    if (lanes && dense(a) && dense(b)) {
      bytes.run = std::max(a.inner * entry, records * a.record_stride * a.precision);
    } else if (lanes) {
      if (entry % moved) return {};
      bytes.rows = static_cast<unsigned>(records);
    }
    if (bytes.run % moved) return {};
    bytes.chunk = static_cast<int>(lanes ? 8 * moved : moved);
    bytes.by_chunk = make_divisor(static_cast<unsigned>((bytes.run + bytes.chunk - 1) / bytes.chunk));
    return bytes;
  }

  /// ",of=12" if the entries of a native field are columns out of 12 in each record.
  KeyText columns_of(const Field &field)
  {
    const FieldView &f = field.layout();
    if (!field.native() || target().lanes() == 1 || dense(f)) return {};
    return key_text(",of=", f.record_stride / f.inner_stride);
  }

  /// A host's array within reach of the target's kernels: the pointer itself, or a block of the target's memory that
  /// holds a copy of its bytes.
  class Staged
  {
  public:
    /// `pieces` of `bytes` each at p, p + pitch, ... load: copies them in now.
    Staged(void *p, std::size_t bytes, int pieces, std::size_t pitch, bool load)
        : host_(static_cast<char *>(p))
        , bytes_(bytes)
        , pitch_(pitch)
        , pieces_(pieces)
    {
      if (target().can_read(p)) return;
      block_ = FieldMemory(pieces * bytes, Location::device, false, SourceLocation::current());
      for (int i = 0; load && i < pieces_; i++) target().copy(staged(i), host_ + i * pitch_, bytes_);
    }
    void *get() const { return block_.owned() ? block_.get() : host_; }
    /// Bytes from a piece to the next, there.
    std::size_t pitch() const { return block_.owned() ? bytes_ : pitch_; }
    /// Copies the bytes back to the array.
    void store() const
    {
      for (int i = 0; block_.owned() && i < pieces_; i++) target().copy(host_ + i * pitch_, staged(i), bytes_);
    }

  private:
    char *staged(int i) const { return static_cast<char *>(block_.get()) + i * bytes_; }

    char *host_;
    FieldMemory block_;
    std::size_t bytes_, pitch_;
    int pieces_;
  };

  /// A side of a copy, within the target's reach while this lives.
  class Side
  {
  public:
    /// native: the field of the side that defines the places of sites.
    Side(ReorderEnd &end, const Field &field, const Field &native, bool load)
    {
      end.native = field.native();
      end.field = field.layout();
      if (field.native()) return;
      FieldView &f = end.field;
      for (int d = 0; d < 4; d++)
        if (end.stored[d] == 0) end.stored[d] = field.lattice().X(d);
      const long long volume_cb = field.lattice().volume_cb();
      end.separate = f.inner_stride == 0;
      const int arrays = end.separate ? f.inner : 1;
      const std::size_t of_numbers = static_cast<std::size_t>(field.sites() * f.inner * f.reals) * f.precision;
      const bool in_one = field.whole() && field.parities() == 2; // else parity by parity
      const std::size_t piece = in_one ? field.bytes() / arrays
                                       : std::max(f.inner * f.inner_stride, volume_cb * f.record_stride) * f.precision;
      for (int i = 0; i < arrays; i++) {
        arrays_[i].emplace(field.data(i), piece, in_one ? 1 : field.parities(), f.parity_stride * f.precision,
                           load || field.bytes() > of_numbers);
        end.data[i] = arrays_[i]->get();
      }
      if (!in_one) f.parity_stride = static_cast<long long>(arrays_[0]->pitch()) / f.precision;
      f.lattice = native.layout().lattice;
    }
    void store() const
    {
      for (const auto &array : arrays_)
        if (array) array->store();
    }

  private:
    std::optional<Staged> arrays_[4];
  };

  /// An integer in the target's memory, 0 at first.
  class Flag
  {
  public:
    Flag() { target().clear(at_.device(), sizeof(int)); }

    int *get() const { return static_cast<int *>(at_.device()); }
    bool set() const
    {
      int value = 0;
      target().synchronize();
      target().copy(&value, at_.device(), sizeof value);
      return value != 0;
    }

  private:
    DeviceBuffer at_ {sizeof(int)};
  };

} // namespace

bool in_one_step(const Field &to, const Field &from)
{
  const Lattice &a = to.lattice(), &b = from.lattice();
  if (to.native() != from.native()) return true;
  return to.native() && a.max_width() == b.max_width() && std::equal(a.S(), a.S() + 4, b.S());
}

void set_between(FieldParam &param, const Field &from)
{
  param.location = from.native() ? Location::host : Location::device;
  if (fixed(param.precision)) param.precision = Precision::single;
}

bool reorder(Field &to, const Field &from, ReorderCall call, const CopyNames &names)
{
  const Field &native = to.native() ? to : from;
  const Side into(call.to, to, native, false), out_of(call.from, from, native, true);
  call.parity = to.parity();
  call.parities = to.parities();
  call.inner = to.inner();
  if (call.slices == 0) call.slices = 1;
  const Precision precision = to.precision(), given = from.precision();
  const LatticeView &sites = native.layout().lattice;
  const KeyText columns = key_text(columns_of(to).s, columns_of(from).s);
  SiteLaunch what {.name = !from.native() ? names.load
                           : !to.native() ? names.save
                                          : names.copy,
                   .lattice = native.lattice(),
                   .extent = {sites.volume_cb * sites.parts, static_cast<unsigned>(call.parities),
                              static_cast<unsigned>(call.inner)},
                   .aux = key_text("to=", bytes_of(precision), to.native() ? "n" : "f", ",from=", bytes_of(given),
                                   from.native() ? "n" : "f", ",reals=", call.reals, ",inner=", call.inner, columns.s,
                                   ",parities=", call.parities, ",rotate=", call.rotate),
                   .bytes = native.lattice().volume_cb() * call.parities * call.inner * call.reals *
                            (bytes_of(precision) + bytes_of(given))};
  if (const auto bytes = as_it_lies(call, precision, given)) {
    what.extent[0] = bytes->rows * bytes->by_chunk.divisor;
    what.extent[2] = 1;
    what.aux = key_text("as-it-lies,prec=", bytes_of(precision), ",reals=", call.reals, ",inner=", call.inner,
                        columns.s, ",parities=", call.parities);
    what.bytes = 2 * bytes->run * bytes->rows * call.parities;
    what.prefetch = what.streaming = true;
    what.prefetch_bytes = bytes->chunk;
    what.written = memory_of(to);
    launch(what, copy_bytes_kernels().find(names.copy, sizeof(float)), *bytes);
    return true;
  }
  std::optional<Flag> beyond;
  if (may_cut(call, precision, given)) call.beyond = beyond.emplace().get();
  what.streaming = by_registers(call, precision, given);
  if (to.native() && !from.native() && !fixed(precision) && !call.rotate) {
    what.prefetch = true;
    what.prefetch_bytes = call.reals * bytes_of(given);
  }
  const auto kernels = !what.streaming                   ? reorder_kernels()
                       : precision == Precision::double_ ? convert_double_kernels()
                                                         : convert_kernels();
  launch(what, kernels.find(what.name, bytes_of(precision), bytes_of(given)), call);
  // a GPU may be reading or writing the caller's own array, which the caller may touch after the return
  if (to.native() != from.native()) target().synchronize();
  into.store();
  return !beyond || !beyond->set();
}

long long rebuild_links(const Lattice &lattice, RebuildCall call, Precision precision)
{
  const bool whole = call.to.reals == 18;
  const int stored = call.from.reconstruct, reals = call.to.reals;
  const bool fitted = !whole && reals != 8;
  const long long links = 4 * lattice.volume();
  ExactLimbs misfits[1];
  if (fitted) call.sums = misfits;
  launch({.name = whole ? "Rebuild" : "Compress",
          .lattice = lattice,
          .extent = {call.to.lattice.volume_cb * call.to.lattice.parts, 2, fitted ? 1U : 4U},
          .aux = key_text("prec=", bytes_of(precision), ",from=", stored, ",to=", reals),
          .flops = links * (std::min(stored, reals) > 9 ? 42 : 200),
          .bytes = links * (stored + reals) * bytes_of(precision),
          .sums = {misfits, fitted ? 1U : 0U}},
         (whole    ? rebuild_kernels()
          : fitted ? compress_fit_kernels()
                   : compress_kernels())
             .find("copy of links", bytes_of(precision), std::min(stored, reals)),
         call);
  if (!fitted) return 0;
  sum_limbs(lattice.communicator(), misfits, 1);
  return static_cast<long long>(exact_value(misfits[0]));
}

double link_norm2(const GaugeField &links)
{
  ExactLimbs sums[1];
  launch({.name = "LinkNorm",
          .lattice = links.lattice(),
          .extent = {registers(links), 2},
          .aux = links_text(links),
          .flops = 144 * links.lattice().volume(),
          .bytes = link_bytes(links),
          .sums = sums},
         instance(link_norm_kernels(), "copy of links", links), {links.view(), sums});
  sum_limbs(links.lattice().communicator(), sums, 1);
  return exact_value(sums[0]);
}

} // namespace quda
