#include "ops/dirac/staggered.h"

#include <vector>

#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(HopCall, staggered)
QUDA_KERNELS(TwoLengthHopCall, improved_staggered)

void staggered_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links,
                   const GaugeField *long_links, bool dagger, const Epilogue &end, Sums *sums)
{
  HopKind kind = {.function = "staggered_hop",
                  .name = "Staggered",
                  .flops = staggered_flops,
                  .flops_y = 12,
                  .reals = 0,
                  .halo = HopHalo::colors,
                  .spins = 1};
  Epilogue signed_end = end;
  std::vector<double> minus;
  if (dagger) {
    for (std::size_t j = 0; j < end.b.size(); j++) minus.push_back(-end.b[j]);
    signed_end.b = end.b.listed() ? blas::Coefficients(minus) : blas::Coefficients(minus[0]);
  }
  const HopFields fields = {out, in, links, false, signed_end, sums, nullptr, long_links};
  if (!long_links) return run_hop<HopCall>(kind, staggered_kernels(), nullptr, {}, fields);
  kind.name = "ImprovedStaggered";
  kind.flops = improved_staggered_flops;
  kind.long_length = 3;
  run_hop<TwoLengthHopCall>(kind, improved_staggered_kernels(), nullptr, {}, fields);
}

} // namespace quda
