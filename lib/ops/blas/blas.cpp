#include "ops/blas/blas.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/blas/blas_table.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(BlasTable, blas_table)

namespace
{

  unsigned registers(const ColorSpinorField &x)
  {
    const LatticeView lattice = x.view().field.lattice;
    return lattice.volume_cb * lattice.parts;
  }

  KeyText aux(const ColorSpinorField &x)
  {
    return key_text("prec=", bytes_of(x.precision()), ",Ns=", x.spins(), ",Nc=", x.colors(), ",inner=", x.inner(),
                    ",parities=", x.parities());
  }

  long long reals(const ColorSpinorField &x) { return x.sites() * x.inner() * x.reals(); }

  void check_native(const char *function, const ColorSpinorField &x, const ColorSpinorField &y)
  {
    check_same_spinors(x, y);
    if (!x.native() || !y.native() || x.precision() != y.precision())
      fail(ErrorKind::internal, text("%s: fields must be native and of one precision", function));
  }

  /// Copy and axpyz: one entry of the table on three fields.
  class Streaming : public TunableKernel2D
  {
  public:
    using Kernel = void (*)(const TuneParam &, void *, const BlasCall &);

    Streaming(const char *name, Kernel kernel, const ColorSpinorField &shape, const BlasCall &call, int fields,
              int flops_per_real)
        : TunableKernel2D(shape.shared_lattice()->shared_communicator(), registers(shape),
                          shape.parities() * shape.inner(), volume_text(shape.lattice()).s, name, aux(shape).s)
        , kernel_(kernel)
        , call_(call)
        , reals_(reals(shape))
        , bytes_(reals_ * bytes_of(shape.precision()) * fields)
        , flops_per_real_(flops_per_real)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return flops_per_real_ * reals_; }
    long long bytes() const override { return bytes_; }
    bool has_streaming() const override { return true; }
    void read_written() const override
    {
      target().read(call_.z.data, static_cast<std::size_t>(reals_) * call_.z.precision);
    }

  protected:
    Kernel kernel_;
    BlasCall call_;
    long long reals_, bytes_;
    int flops_per_real_;
  };

  /// In place (z is x or y): tuning works on a copy of z, brought back before the launch that counts.
  class InPlace : public Streaming
  {
  public:
    InPlace(const char *name, Kernel kernel, ColorSpinorField &z, const BlasCall &call, int fields, int flops)
        : Streaming(name, kernel, z, call, fields, flops)
        , z_(z)
    {
    }
    void save() override
    {
      kept_.resize(z_.bytes());
      target().copy(kept_.data(), z_.data(), z_.bytes());
    }
    void restore() override { target().copy(z_.data(), kept_.data(), z_.bytes()); }

  private:
    ColorSpinorField &z_;
    std::vector<char> kept_;
  };

  class Norm2 : public TunableReduction
  {
  public:
    explicit Norm2(const ColorSpinorField &x)
        : TunableReduction(x.shared_lattice()->shared_communicator(), registers(x), x.parities() * x.inner(),
                           volume_text(x.lattice()).s, "Norm2", aux(x).s)
        , kernel_(instance(blas_table().norm2, "norm2", x.precision()))
        , call_ {x.view().field, {}, {}, x.parities(), 0}
        , reals_(reals(x))
        , bytes_(reals_ * bytes_of(x.precision()))
    {
    }
    void launch(const TuneParam &tp, void *stream) override
    {
      sum = {};
      kernel_(tp, stream, call_, &sum);
    }
    long long flops() const override { return 2 * reals_; }
    long long bytes() const override { return bytes_; }

    ExactLimbs sum = {};

  private:
    void (*kernel_)(const TuneParam &, void *, const BlasCall &, ExactLimbs *);
    BlasCall call_;
    long long reals_, bytes_;
  };

} // namespace

namespace blas
{

  void copy(ColorSpinorField &z, const ColorSpinorField &x)
  {
    check_native("blas::copy", z, x);
    const BlasCall call {x.view().field, {}, z.view().field, x.parities(), 0};
    Streaming("Copy", instance(blas_table().copy, "copy", x.precision()), z, call, 2, 0).apply();
    z.mark_written();
  }

  void axpyz(double a, const ColorSpinorField &x, const ColorSpinorField &y, ColorSpinorField &z)
  {
    check_native("blas::axpyz", z, x);
    check_native("blas::axpyz", z, y);
    const BlasCall call {x.view().field, y.view().field, z.view().field, x.parities(), a};
    const auto kernel = instance(blas_table().axpyz, "axpyz", x.precision());
    if (z.data() == x.data() || z.data() == y.data())
      InPlace("Axpyz", kernel, z, call, 3, 2).apply();
    else
      Streaming("Axpyz", kernel, z, call, 3, 2).apply();
    z.mark_written();
  }

  double norm2(const ColorSpinorField &x)
  {
    Norm2 norm(x);
    norm.apply();
    sum_limbs(x.lattice().communicator(), &norm.sum, 1);
    return exact_value(norm.sum);
  }

} // namespace blas

} // namespace quda
