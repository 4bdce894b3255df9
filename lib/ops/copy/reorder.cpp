#include "ops/copy/reorder.h"

#include <algorithm>
#include <optional>

#include "ops/copy/storage.h"
#include "ops/halo/message_buffer.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(ReorderTable, reorder_table)

namespace
{

  /// Slot of a precision in the copies' tables.
  int copy_slot(Precision precision)
  {
    return precision == Precision::double_ ? 0 : precision == Precision::single ? 1 : 2;
  }

  /// Whether numbers may be too large for what is written.
  bool may_cut(const ReorderCall &call, Precision to, Precision from)
  {
    return to == Precision::half && from != Precision::half && !call.to.field.scaled;
  }

  /// Whether registers can be copied as they are, between single and half precision. Lanes that stand for no site may
  /// hold anything.
  bool by_registers(const ReorderCall &call, Precision to, Precision from)
  {
    const bool half_and_single =
        (to == Precision::half && from == Precision::single) || (to == Precision::single && from == Precision::half);
    const LatticeView &lattice = call.to.field.lattice;
    if (may_cut(call, to, from) && lattice.lanes < lattice.width) return false;
    return call.to.native && call.from.native && !call.rotate && half_and_single && call.reals == call.to.field.reals &&
           call.reals == call.from.field.reals && call.to.field.lattice.stored_cb == call.to.field.lattice.volume_cb &&
           call.from.field.lattice.stored_cb == call.from.field.lattice.volume_cb;
  }

  /// ",of=12" where the inner entries are some of that many in each record.
  KeyText columns_of(const FieldView &f)
  {
    if (target().lanes() == 1 || f.record_stride <= f.inner * f.inner_stride) return {};
    return key_text(",of=", f.record_stride / f.inner_stride);
  }

  class ReorderLaunch : public TunableKernel3D
  {
  public:
    ReorderLaunch(const Lattice &lattice, const ReorderCall &call, Precision to, Precision from, const char *name)
        : TunableKernel3D(lattice.shared_communicator(), sites(call).volume_cb * sites(call).parts, call.parities,
                          call.inner, volume_text(lattice).s, name,
                          key_text("to=", bytes_of(to), call.to.native ? "n" : "f", ",from=", bytes_of(from),
                                   call.from.native ? "n" : "f", ",reals=", call.reals, ",inner=", call.inner,
                                   call.to.native ? columns_of(call.to.field).s : columns_of(call.from.field).s,
                                   ",parities=", call.parities, ",rotate=", call.rotate)
                              .s)
        , converts_(by_registers(call, to, from))
        , kernel_(converts_ ? reorder_table().convert[to == Precision::single]
                            : reorder_table().reorder[copy_slot(to)][copy_slot(from)])
        , call_(call)
        , bytes_(lattice.volume_cb() * call.parities * call.inner * call.reals * (bytes_of(to) + bytes_of(from)))
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return 0; }
    long long bytes() const override { return bytes_; }
    bool has_streaming() const override { return converts_; }

  private:
    static const LatticeView &sites(const ReorderCall &call)
    {
      return call.to.native ? call.to.field.lattice : call.from.field.lattice;
    }

    bool converts_;
    void (*kernel_)(const TuneParam &, void *, const ReorderCall &);
    const ReorderCall &call_;
    long long bytes_;
  };

  /// A host's array as the target's kernels can reach it: the pointer itself, or a block of the target's memory that
  /// holds a copy of its bytes.
  class Staged
  {
  public:
    /// `pieces` of `bytes` each at p, p + pitch, ... load: copy them in now.
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
    /// native: the field of the side that says where sites lie.
    Side(ReorderEnd &end, const Field &field, const Field &native, bool load)
    {
      end.native = field.native();
      end.field = field.layout();
      if (field.native()) return;
      FieldView &f = end.field;
      const long long volume_cb = field.lattice().volume_cb();
      const long long piece = std::max(f.inner * f.inner_stride, volume_cb * f.record_stride) * f.precision;
      end.separate = f.inner_stride == 0;
      for (int i = 0; i < (end.separate ? f.inner : 1); i++) {
        arrays_[i].emplace(field.data(i), piece, field.parities(), f.parity_stride * f.precision, load);
        end.data[i] = arrays_[i]->get();
      }
      f.parity_stride = static_cast<long long>(arrays_[0]->pitch()) / f.precision;
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

  /// Links rebuilt or compressed.
  class RebuildLaunch : public TunableKernel3D
  {
  public:
    RebuildLaunch(const Lattice &lattice, const RebuildCall &call, Precision precision)
        : TunableKernel3D(
              lattice.shared_communicator(), call.to.lattice.volume_cb * call.to.lattice.parts, 2, 4,
              volume_text(lattice).s, call.to.reals == 18 ? "Rebuild" : "Compress",
              key_text("prec=", bytes_of(precision), ",from=", call.from.reconstruct, ",to=", call.to.reals).s)
        , kernel_(kernel(call, precision))
        , call_(call)
        , links_(4 * lattice.volume())
        , real_bytes_(bytes_of(precision))
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return links_ * (call_.from.reconstruct == 12 ? 42 : 200); }
    long long bytes() const override { return links_ * (call_.from.reconstruct + call_.to.reals) * real_bytes_; }

  private:
    using Kernel = void (*)(const TuneParam &, void *, const RebuildCall &);
    static Kernel kernel(const RebuildCall &call, Precision precision)
    {
      const ReorderTable &table = reorder_table();
      check_floating("rebuilding of links", precision);
      const int slot = precision_slot(precision);
      return call.to.reals == 18 ? table.rebuild[slot][call.from.reconstruct == 12 ? 0 : 1] : table.compress[slot];
    }

    Kernel kernel_;
    const RebuildCall &call_;
    long long links_;
    int real_bytes_;
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
  if (bytes_of(param.precision) < bytes_of(Precision::single)) param.precision = Precision::single;
}

bool reorder(Field &to, const Field &from, ReorderCall call, const CopyNames &names)
{
  const Field &native = to.native() ? to : from;
  const Side into(call.to, to, native, false), out_of(call.from, from, native, true);
  call.parity = to.parity();
  call.parities = to.parities();
  call.inner = to.inner();
  const Lattice &lattice = native.lattice();
  const char *const name = !from.native() ? names.load : !to.native() ? names.save : names.copy;
  const bool whole = to.native() && from.native() && !call.rotate && call.reals == to.reals();
  if (whole && same_storage(call.to.field, call.from.field)) {
    copy_storage(lattice, call.to.field, call.from.field, call.parities, name);
    return true;
  }
  if (may_cut(call, to.precision(), from.precision())) {
    const Flag beyond;
    call.beyond = beyond.get();
    ReorderLaunch(lattice, call, to.precision(), from.precision(), name).apply();
    return !beyond.set();
  }
  ReorderLaunch(lattice, call, to.precision(), from.precision(), name).apply();
  // a GPU may be reading or writing the caller's own array, which the caller may touch as soon as we return
  if (to.native() != from.native()) target().synchronize();
  into.store();
  return true;
}

void rebuild_links(const Lattice &lattice, const RebuildCall &call, Precision precision)
{
  RebuildLaunch(lattice, call, precision).apply();
}

} // namespace quda
