#include "ops/clover/apply.h"

#include "kernels/clover/apply_call.h"
#include "ops/dirac/site_term.h"

namespace quda
{

QUDA_KERNELS(CloverApplyCall, clover_apply)

void check_clover(const char *function, const CloverField &term, const ColorSpinorField &spinors)
{
  if (!term.native() || term.parities() != 2 || !same_sites(term.lattice(), spinors.lattice()))
    fail(ErrorKind::internal,
         text("%s: the clover term must be native, on both parities of the spinors' lattice", function));
  if (term.precision() != spinors.precision())
    fail(ErrorKind::bad_argument, text("%s: precisions of clover term (%d bytes) and spinors (%d) must be one",
                                       function, bytes_of(term.precision()), bytes_of(spinors.precision())));
}

void apply_clover(ColorSpinorField &out, const ColorSpinorField &in, const CloverField &A)
{
  const char *function = "apply_clover";
  check_site_spinors(function, out, in);
  check_clover(function, A, out);
  const int bytes = bytes_of(in.precision()), parities = in.parities();
  const long long sites = in.lattice().volume_cb() * parities;
  launch({.name = "CloverApply",
          .lattice = in.lattice(),
          .extent = {registers(in), static_cast<unsigned>(parities), static_cast<unsigned>(in.inner())},
          .aux = key_text("prec=", bytes, ",inner=", in.inner(), ",parities=", parities),
          .flops = 504 * sites * in.inner(),
          .bytes = (72 + 48LL * in.inner()) * sites * bytes,
          .in_place = in.data() == out.data() ? memory_of(out) : MemorySpan {}},
         clover_apply_kernels().find(function, bytes), {out.view(), in.view(), A.view(), in.parity(), parities});
  out.mark_written();
}

} // namespace quda
