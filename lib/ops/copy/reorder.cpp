#include "ops/copy/reorder.h"

#include "ops/copy/storage.h"
#include "ops/halo/message_buffer.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(ReorderTable, reorder_table)

Staged::Staged(void *p, std::size_t bytes, int pieces, std::size_t pitch, bool load)
    : foreign_(p)
    , bytes_(bytes)
    , pitch_(pitch)
    , pieces_(pieces)
{
  if (target().can_read(p)) return;
  block_ = FieldMemory(pieces * bytes, Location::device, false, SourceLocation::current());
  if (!load) return;
  for (int i = 0; i < pieces_; i++)
    target().copy(static_cast<char *>(block_.get()) + i * bytes_, static_cast<char *>(foreign_) + i * pitch_, bytes_);
}

void Staged::store() const
{
  for (int i = 0; block_.owned() && i < pieces_; i++)
    target().copy(static_cast<char *>(foreign_) + i * pitch_, static_cast<char *>(block_.get()) + i * bytes_, bytes_);
}

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

bool reorder(const Lattice &lattice, ReorderCall call, Precision to, Precision from, const char *name)
{
  const bool whole = call.to.native && call.from.native && !call.rotate && call.reals == call.to.field.reals;
  if (whole && same_storage(call.to.field, call.from.field)) {
    copy_storage(lattice, call.to.field, call.from.field, call.parities, name);
    return true;
  }
  if (may_cut(call, to, from)) {
    const Flag beyond;
    call.beyond = beyond.get();
    ReorderLaunch(lattice, call, to, from, name).apply();
    return !beyond.set();
  }
  ReorderLaunch(lattice, call, to, from, name).apply();
  // a GPU may be reading or writing the caller's own array, which the caller may touch as soon as we return
  if (!call.to.native || !call.from.native) target().synchronize();
  return true;
}

void rebuild_links(const Lattice &lattice, const RebuildCall &call, Precision precision)
{
  RebuildLaunch(lattice, call, precision).apply();
}

} // namespace quda
