#include "ops/copy/reorder.h"

#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(ReorderTable, reorder_table)

Staged::Staged(void *p, std::size_t bytes, bool load)
    : foreign_(p)
    , bytes_(bytes)
{
  if (target().can_read(p)) return;
  block_ = device_pool().get(bytes, "Staged", __FILE__, __LINE__);
  if (load) target().copy(block_, foreign_, bytes_);
}

Staged::~Staged()
{
  if (block_) device_pool().put(block_);
}

void Staged::store() const
{
  if (block_) target().copy(foreign_, block_, bytes_);
}

namespace
{

  class ReorderLaunch : public TunableKernel3D
  {
  public:
    ReorderLaunch(const Lattice &lattice, const ReorderCall &call, Precision to, Precision from, const char *name)
        : TunableKernel3D(lattice.shared_communicator(), sites(call).volume_cb * sites(call).parts, call.parities,
                          call.inner, volume_text(lattice).s, name,
                          key_text("to=", bytes_of(to), call.to.native ? "n" : "f", ",from=", bytes_of(from),
                                   call.from.native ? "n" : "f", ",reals=", call.reals, ",inner=", call.inner,
                                   ",parities=", call.parities, ",rotate=", call.rotate)
                              .s)
        , kernel_(reorder_table().reorder[precision_slot(to)][precision_slot(from)])
        , call_(call)
        , bytes_(lattice.volume_cb() * call.parities * call.inner * call.reals * (bytes_of(to) + bytes_of(from)))
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return 0; }
    long long bytes() const override { return bytes_; }

  private:
    static const LatticeView &sites(const ReorderCall &call)
    {
      return call.to.native ? call.to.field.lattice : call.from.field.lattice;
    }

    void (*kernel_)(const TuneParam &, void *, const ReorderCall &);
    const ReorderCall &call_;
    long long bytes_;
  };

  class RebuildLaunch : public TunableKernel3D
  {
  public:
    RebuildLaunch(const Lattice &lattice, const RebuildCall &call, Precision precision)
        : TunableKernel3D(lattice.shared_communicator(), call.to.lattice.volume_cb * call.to.lattice.parts, 2, 4,
                          volume_text(lattice).s, "Rebuild", key_text("prec=", bytes_of(precision)).s)
        , kernel_(instance(reorder_table().rebuild, "rebuild", precision))
        , call_(call)
        , volume_(lattice.volume())
        , real_bytes_(bytes_of(precision))
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return volume_ * 4 * 42; }
    long long bytes() const override { return volume_ * 4 * (12 + 18) * real_bytes_; }

  private:
    void (*kernel_)(const TuneParam &, void *, const RebuildCall &);
    const RebuildCall &call_;
    long long volume_;
    int real_bytes_;
  };

} // namespace

void reorder(const Lattice &lattice, const ReorderCall &call, Precision to, Precision from, const char *name)
{
  ReorderLaunch(lattice, call, to, from, name).apply();
}

void rebuild_links(const Lattice &lattice, const RebuildCall &call, Precision precision)
{
  RebuildLaunch(lattice, call, precision).apply();
}

} // namespace quda
