#include "ops/contract/sitewise.h"

#include "kernels/contract/sitewise_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(SitewiseCall, contract_open)
QUDA_KERNELS(SitewiseCall, contract_bilinears)

namespace
{

  constexpr const char *function = "contract";

  int spins_of(Contraction type) { return type == Contraction::staggered ? 1 : 4; }
  int entries_of(Contraction type) { return spins_of(type) * spins_of(type); }

  void check_fields(const ColorSpinorField &x, const ColorSpinorField &y, const SiteField &result, Contraction type)
  {
    check_same_spinors(function, x, y);
    for (const ColorSpinorField *f : {&x, &y})
      if (!f->native() || f->spins() != spins_of(type) || f->colors() != 3)
        fail(ErrorKind::internal,
             text("%s: spinors must be native, of %d spins and 3 colors", function, spins_of(type)));
    if (x.precision() != y.precision() || result.precision() != x.precision())
      fail(ErrorKind::bad_argument,
           text("%s: precisions of x (%d bytes), y (%d) and result (%d) must be one", function, bytes_of(x.precision()),
                bytes_of(y.precision()), bytes_of(result.precision())));
    if (!result.native() || result.reals() != 2 * entries_of(type) || difference(result, x))
      fail(ErrorKind::internal, text("%s: the result must be as contraction_param() says", function));
    if (result.data() == x.data() || result.data() == y.data())
      fail(ErrorKind::bad_argument, text("%s: result and a spinor are one field", function));
  }

  struct Traits {
    const char *name; // bilinears are as fast with either pair of entries
    int flops;        // of a site and inner entry
  };
  Traits traits_of(Contraction type)
  {
    switch (type) {
    case Contraction::open:
      return {"ContractOpen", 288};
    case Contraction::staggered:
      return {"ContractStaggered", 18};
    default:
      return {"ContractBilinears", 544};
    }
  }

} // namespace

SiteFieldParam contraction_param(const ColorSpinorField &x, Contraction type)
{
  return {x.param(), 2 * entries_of(type), x.native()};
}

void contract(const ColorSpinorField &x, const ColorSpinorField &y, SiteField &result, Contraction type)
{
  check_fields(x, y, result, type);
  const bool open = type == Contraction::open || type == Contraction::staggered;
  const int bytes = bytes_of(x.precision());
  const long long entries = x.sites() * x.inner();
  const Traits traits = traits_of(type);
  const SitewiseCall call {x.view().field, y.view().field, result.view(), x.parities(),
                           type == Contraction::corrected_bilinears};
  launch({.name = traits.name,
          .lattice = x.lattice(),
          .extent = {registers(x), static_cast<unsigned>(x.parities())},
          .aux = key_text("prec=", bytes, ",inner=", x.inner(), ",parities=", x.parities()),
          .flops = entries * traits.flops,
          .bytes = entries * (2LL * x.reals() + result.reals()) * bytes,
          .streaming = true,
          .written = memory_of(result)},
         (open ? contract_open_kernels() : contract_bilinears_kernels()).find(function, bytes, spins_of(type)), call);
  result.mark_written();
}

} // namespace quda
