#include "ops/dirac/clover.h"

#include "kernels/dirac/clover_apply_call.h"
#include "kernels/dirac/clover_call.h"
#include "ops/dirac/hop.h"
#include "ops/dirac/site_term.h"

namespace quda
{

QUDA_KERNELS(CloverCall, clover)
QUDA_KERNELS(CloverCall, clover_sums)
QUDA_KERNELS(CloverApplyCall, clover_apply)

namespace
{

  void check_term(const char *function, const CloverField &term, const ColorSpinorField &spinors)
  {
    if (!term.native() || term.parities() != 2 || !same_sites(term.lattice(), spinors.lattice()))
      fail(ErrorKind::internal,
           text("%s: the clover term must be native, on both parities of the spinors' lattice", function));
    if (term.precision() != spinors.precision())
      fail(ErrorKind::bad_argument, text("%s: precisions of clover term (%d bytes) and spinors (%d) must be one",
                                         function, bytes_of(term.precision()), bytes_of(spinors.precision())));
  }

} // namespace

void apply_clover(ColorSpinorField &out, const ColorSpinorField &in, const CloverField &A)
{
  const char *function = "apply_clover";
  check_term(function, A, out);
  apply_site_term(function, out, in, {.name = "CloverApply", .together = 1, .flops = 504, .reals = 72},
                  clover_apply_kernels().find(function, bytes_of(in.precision())),
                  CloverApplyCall {out.view(), in.view(), A.view(), in.parity(), in.parities()});
}

void clover_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const CloverTerm &term,
                bool dagger, const Epilogue &end, Sums *sums)
{
  const HopKind kind = {"clover_hop", term.inverse ? "CloverInverseHop" : "CloverHop",
                        1320 + (term.inverse ? 504 : 0) + (term.before ? 504 : 0), 48 + (term.inverse ? 0 : 504),
                        term.before ? 144 : 72};
  check_term(kind.function, term.field, out);
  if (term.before) check_term(kind.function, *term.before, out);
  const bool of_sum = term.twist && term.twist->factor == HopTwist::sum;
  if (of_sum != (term.before != nullptr) || (term.before && !term.inverse))
    fail(ErrorKind::internal, "clover_hop: a twist of the sum needs an inverse, and a clover term before it");
  CloverCall call {};
  call.clover = term.field.view();
  if (term.before) call.term = term.before->view();
  call.inverse = term.inverse;
  call.shift = term.shift;
  const Kernels<CloverCall> summing = clover_sums_kernels();
  run_hop(kind, clover_kernels(), &summing, call,
          {out, in, links, dagger, end, sums, term.twist ? &*term.twist : nullptr});
}

} // namespace quda
