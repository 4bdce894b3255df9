#include "ops/contract/sitewise.h"

#include "ops/contract/sitewise_table.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "targets/target.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(SitewiseTable, sitewise_table)

namespace
{

  constexpr const char *function = "contract";

  int spins_of(Contraction type) { return type == Contraction::staggered ? 1 : 4; }
  int entries_of(Contraction type) { return spins_of(type) * spins_of(type); }

  void check_fields(const ColorSpinorField &x, const ColorSpinorField &y, const ColorSpinorField &result,
                    Contraction type)
  {
    check_same_spinors(x, y);
    for (const ColorSpinorField *f : {&x, &y})
      if (!f->native() || f->spins() != spins_of(type) || f->colors() != 3)
        fail(ErrorKind::internal,
             text("%s: spinors must be native, of %d spins and 3 colors", function, spins_of(type)));
    if (x.precision() != y.precision() || result.precision() != x.precision())
      fail(ErrorKind::bad_argument,
           text("%s: precisions of x (%d bytes), y (%d) and result (%d) must be one", function, bytes_of(x.precision()),
                bytes_of(y.precision()), bytes_of(result.precision())));
    if (!result.native() || result.spins() != 1 || result.colors() != entries_of(type) || result.inner() != x.inner() ||
        result.subset() != x.subset() || result.parity() != x.parity() || !same_sites(result.lattice(), x.lattice()))
      fail(ErrorKind::internal, text("%s: the result must be as contraction_param() says", function));
    if (result.data() == x.data() || result.data() == y.data())
      fail(ErrorKind::bad_argument, text("%s: result and a spinor are one field", function));
  }

  class ContractSites : public TunableKernel2D
  {
  public:
    ContractSites(const ColorSpinorField &x, const ColorSpinorField &y, const ColorSpinorField &result,
                  Contraction type)
        : TunableKernel2D(
              x.shared_lattice()->shared_communicator(), registers(x), x.parities(), volume_text(x.lattice()).s,
              name(type),
              key_text("prec=", bytes_of(x.precision()), ",inner=", x.inner(), ",parities=", x.parities()).s)
        , kernel_(kernel(type, x.precision()))
        , call_ {x.view().field, y.view().field, result.view().field, x.parities(),
                 type == Contraction::corrected_bilinears}
        , result_(result)
        , sites_(x.sites() * x.inner())
        , flops_(flops_of(type))
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return sites_ * flops_; }
    long long bytes() const override { return sites_ * (2LL * call_.x.reals + call_.out.reals) * call_.x.precision; }
    bool has_streaming() const override { return true; }
    void read_written() const override { target().read(result_.data(), result_.bytes()); }

  private:
    using Kernel = void (*)(const TuneParam &, void *, const SitewiseCall &);

    static const char *name(Contraction type)
    {
      switch (type) {
      case Contraction::open:
        return "ContractOpen";
      case Contraction::staggered:
        return "ContractStaggered";
      default:
        return "ContractBilinears"; // as fast with either pair of entries
      }
    }
    static Kernel kernel(Contraction type, Precision precision)
    {
      const SitewiseTable &table = sitewise_table();
      switch (type) {
      case Contraction::open:
        return instance(table.open, name(type), precision);
      case Contraction::staggered:
        return instance(table.staggered, name(type), precision);
      default:
        return instance(table.bilinears, name(type), precision);
      }
    }
    static int flops_of(Contraction type)
    {
      switch (type) {
      case Contraction::open:
        return 288;
      case Contraction::staggered:
        return 18;
      default:
        return 544;
      }
    }

    Kernel kernel_;
    SitewiseCall call_;
    const ColorSpinorField &result_;
    long long sites_;
    int flops_;
  };

} // namespace

ColorSpinorParam contraction_param(const ColorSpinorField &x, Contraction type)
{
  ColorSpinorParam param = x.param();
  param.spins = 1;
  param.colors = entries_of(type);
  return param;
}

void contract(const ColorSpinorField &x, const ColorSpinorField &y, ColorSpinorField &result, Contraction type)
{
  check_fields(x, y, result, type);
  ContractSites(x, y, result, type).apply();
  result.mark_written();
}

} // namespace quda
