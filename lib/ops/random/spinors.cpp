#include "ops/random/spinors.h"

#include "kernels/random/spinors_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(RandomSpinorsCall, random_spinors)

void gaussian_spinors(ColorSpinorField &out, unsigned long long seed, unsigned first)
{
  constexpr const char *function = "gaussian_spinors";
  if (!out.native()) fail(ErrorKind::internal, text("%s: a native field, please", function));
  out.mark_written(); // before the first launch: tuning does not restore the overwritten numbers
  const long long entries = out.sites() * out.inner();
  launch({.name = out.spins() == 1 ? "GaussianVectors" : "GaussianSpinors",
          .lattice = out.lattice(),
          .extent = {registers(out), static_cast<unsigned>(out.parities())},
          .aux = key_text("prec=", bytes_of(out.precision()), ",inner=", out.inner(), ",parities=", out.parities()),
          .flops = 25 * out.reals() / 2 * entries,
          .bytes = entries * out.record_bytes()},
         random_spinors_kernels().find(function, bytes_of(out.precision()), out.spins()),
         {out.view().field, out.parities(), out.parity(), seed, first, out.alternating() ? out.fifth() : 1});
}

} // namespace quda
