#include "ops/dirac/site_factor.h"

#include "kernels/dirac/site_factor_call.h"
#include "ops/coordinate_table.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(SiteFactorCall, site_factor)

namespace
{

  constexpr const char *function = "site_factor";

} // namespace

void SiteFactor::apply(ColorSpinorField &out, const ColorSpinorField &in) const
{
  check_same_spinors(function, out, in);
  if (!in.native() || !out.native() || out.precision() != in.precision())
    fail(ErrorKind::internal, text("%s: native fields of one precision, please", function));
  const FieldView view = in.view().field;
  if (!table_)
    table_.emplace(coordinate_table(in.lattice(), view.lattice, in.precision() != Precision::double_, 1,
                                    [&](int d, long long x, int) { return f_(d, x); }));
  const long long entries = in.sites() * in.inner();
  launch({.name = in.spins() == 1 ? "ColorFactor" : "SpinorFactor",
          .lattice = in.lattice(),
          .extent = {registers(in), static_cast<unsigned>(in.parities())},
          .aux = key_text("prec=", bytes_of(in.precision()), ",inner=", in.inner(), ",parities=", in.parities()),
          .flops = in.reals() * entries,
          .bytes = 2 * entries * in.record_bytes(),
          .in_place = out.data() == in.data() ? memory_of(out) : MemorySpan {}},
         site_factor_kernels().find(function, bytes_of(in.precision()), in.spins()),
         {out.view().field, view, in.parities(), in.parity(), table_->device()});
  out.mark_written();
}

} // namespace quda
