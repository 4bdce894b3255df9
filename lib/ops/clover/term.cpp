#include "ops/clover/term.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/clover/inverse_call.h"
#include "kernels/clover/square_call.h"
#include "kernels/clover/term_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(CloverTermCall, clover_term)
QUDA_KERNELS(CloverInverseCall, clover_inverse)
QUDA_KERNELS(CloverSquareCall, clover_square)
QUDA_KERNELS(CloverProductCall, clover_product)

namespace
{

  unsigned registers_of(const CloverField &field)
  {
    const LatticeView &lattice = field.view().lattice;
    return lattice.volume_cb * lattice.parts;
  }

  void check_whole(const char *function, const CloverField &field)
  {
    if (!field.native() || field.parities() != 2)
      fail(ErrorKind::internal, text("%s: clover terms must be native, on both parities", function));
  }

  void check_alike(const char *function, const CloverField &A, const CloverField &B)
  {
    check_whole(function, A);
    check_whole(function, B);
    if (!same_sites(A.lattice(), B.lattice()) || A.precision() != B.precision())
      fail(ErrorKind::internal, text("%s: both terms must be of one lattice and precision", function));
  }

} // namespace

void clover_term(CloverField &A, const GaugeField &links, double c)
{
  const char *function = "clover_term";
  check_whole(function, A);
  if (!same_sites(A.lattice(), links.lattice()) || A.precision() != links.precision())
    fail(ErrorKind::internal, text("%s: term and links must be of one lattice and precision", function));
  check_border(function, links, 1);
  const long long volume = links.lattice().volume();
  launch({.name = "CloverTerm",
          .lattice = links.lattice(),
          .extent = {registers_of(A), 2},
          .aux = links_text(links),
          .flops = 11088 * volume,
          .bytes = link_bytes(links) + 72 * volume * bytes_of(A.precision())},
         instance(clover_term_kernels(), function, links), {links.view(), A.view(), c});
  A.mark_written();
}

void clover_square(CloverField &out, const CloverField &A, double shift)
{
  const char *function = "clover_square";
  check_alike(function, A, out);
  const long long blocks = 2 * A.lattice().volume();
  const int bytes = bytes_of(A.precision());
  launch({.name = "CloverSquare",
          .lattice = A.lattice(),
          .extent = {registers_of(A), 2, 2},
          .aux = key_text("prec=", bytes),
          .flops = 657 * blocks,
          .bytes = 72 * blocks * bytes,
          .in_place = out.data() == A.data() ? MemorySpan {out.data(), out.bytes()} : MemorySpan {}},
         clover_square_kernels().find(function, bytes), {A.view(), out.view(), shift});
  out.mark_written();
}

void clover_product(CloverField &out, const CloverField &A, const CloverField &B)
{
  const char *function = "clover_product";
  check_alike(function, A, out);
  check_alike(function, B, out);
  const long long blocks = 2 * A.lattice().volume();
  const int bytes = bytes_of(A.precision());
  launch({.name = "CloverProduct",
          .lattice = A.lattice(),
          .extent = {registers_of(A), 2, 2},
          .aux = key_text("prec=", bytes),
          .flops = 846 * blocks,
          .bytes = 108 * blocks * bytes},
         clover_product_kernels().find(function, bytes), {A.view(), B.view(), out.view()});
  out.mark_written();
}

CloverDeterminants clover_inverse(CloverField *inverse, const CloverField &A)
{
  const char *function = "clover_inverse";
  check_alike(function, A, inverse ? *inverse : A);
  if (inverse && A.data() == inverse->data())
    fail(ErrorKind::internal, text("%s: inverse and term must be two fields", function));
  ExactLimbs sums[4];
  const long long blocks = 2 * A.lattice().volume();
  const int bytes = bytes_of(A.precision());
  launch({.name = "CloverInverse",
          .lattice = A.lattice(),
          .extent = {registers_of(A), 2, 2},
          .aux = key_text("prec=", bytes, inverse ? "" : ",determinants"),
          .flops = 1086 * blocks,
          .bytes = 36 * blocks * bytes * (inverse ? 2 : 1),
          .sums = sums},
         clover_inverse_kernels().find(function, bytes), {A.view(), inverse ? inverse->view() : FieldView {}, sums});
  if (inverse) inverse->mark_written();
  sum_limbs(A.lattice().communicator(), sums, 4);
  return {{exact_value(sums[0]), exact_value(sums[2])},
          static_cast<long long>(exact_value(sums[1]) + exact_value(sums[3])),
          2 * A.lattice().global_volume()};
}

} // namespace quda
