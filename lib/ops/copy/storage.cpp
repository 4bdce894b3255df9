#include "ops/copy/storage.h"

#include <algorithm>

#include "ops/blas/formula.h"
#include "ops/instance.h"
#include "targets/target.h"
#include "tune/tunable.h"

namespace quda
{

namespace
{

  // Of a point of the launch. A parity without border is 8 sites or a multiple of it, with 4 bytes or a multiple of it
  // for each inner entry, so eight registers of floats divide it.
  constexpr int registers = 8;

  long long parity_bytes(const FieldView &f)
  {
    const long long record = f.reals * f.precision + (f.scaled ? static_cast<int>(sizeof(float)) : 0);
    return static_cast<long long>(f.lattice.volume_cb) * f.lattice.parts * f.lattice.width * f.inner * record;
  }

  /// The memory of a field of any precision as a field of floats, eight to a site.
  BlasCall floats(const FieldView &to, const FieldView &from, int parities)
  {
    BlasCall call {};
    const int width = target().width(Precision::single);
    FieldView &shape = call.shape;
    shape.lattice = to.lattice;
    shape.lattice.lanes = shape.lattice.width = width;
    shape.lattice.parts = 1;
    shape.lattice.volume_cb = shape.lattice.stored_cb =
        static_cast<unsigned>(parity_bytes(to) / (registers * width * static_cast<int>(sizeof(float))));
    shape.parity_stride = to.parity_stride * to.precision / static_cast<int>(sizeof(float));
    shape.precision = sizeof(float);
    shape.inner = 1;
    shape.reals = registers;
    shape.vector = target().lanes() == 1 ? 4 : 1;
    call.data[0] = from.data; // x
    call.data[2] = to.data;   // z
    call.parities = parities;
    return call;
  }

  class StorageCopy : public TunableKernel2D
  {
  public:
    StorageCopy(const Lattice &lattice, const FieldView &to, const FieldView &from, int parities, const char *name)
        : StorageCopy(lattice, to, floats(to, from, parities), name)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_, nullptr); }
    long long flops() const override { return 0; }
    long long bytes() const override { return 2 * bytes_; }
    bool has_prefetch() const override { return true; }
    bool has_streaming() const override { return true; }
    TuneParam default_param() const override
    {
      TuneParam tp = TunableKernel2D::default_param();
      constexpr int ahead = 3072; // bytes
      const int point = registers * call_.shape.lattice.width * static_cast<int>(sizeof(float));
      if (tp.prefetch > 0) tp.prefetch = std::clamp(ahead / point, 1, 12);
      return tp;
    }
    void read_written() const override
    {
      for (int p = 0; p < call_.parities; p++)
        target().read(static_cast<float *>(call_.data[2]) + p * call_.shape.parity_stride,
                      static_cast<std::size_t>(bytes_ / call_.parities));
    }

  private:
    StorageCopy(const Lattice &lattice, const FieldView &to, const BlasCall &call, const char *name)
        : TunableKernel2D(lattice.shared_communicator(), call.shape.lattice.volume_cb, call.parities,
                          volume_text(lattice).s, name,
                          key_text("storage,prec=", to.precision, ",reals=", to.reals, ",inner=", to.inner,
                                   ",parities=", call.parities)
                              .s)
        , kernel_(instance(blas_table().copy.launch, name, Precision::single))
        , call_(call)
        , bytes_(parity_bytes(to) * call.parities)
    {
    }

    BlasFormula::Launch kernel_;
    BlasCall call_;
    long long bytes_; // of one field
  };

} // namespace

bool same_storage(const FieldView &to, const FieldView &from)
{
  const bool plain = to.lattice.stored_cb == to.lattice.volume_cb && from.lattice.stored_cb == from.lattice.volume_cb;
  const auto dense = [](const FieldView &f) {
    return target().lanes() == 1 || f.inner_stride > f.record_stride || f.record_stride == f.inner * f.inner_stride;
  };
  return plain && dense(to) && dense(from) && to.parity_stride == from.parity_stride &&
         to.precision == from.precision && to.inner == from.inner && to.reals == from.reals &&
         to.vector == from.vector && to.scaled == from.scaled && blas_table().copy.launch[1];
}

void copy_storage(const Lattice &lattice, const FieldView &to, const FieldView &from, int parities, const char *name)
{
  StorageCopy(lattice, to, from, parities, name).apply();
}

} // namespace quda
