#include "ops/dirac/covariant_sum.h"

#include <bit>

#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(HopCall, color_sum)
QUDA_KERNELS(HopCall, spinor_sum)
QUDA_KERNELS(HopCall, two_link_sum)

void covariant_sum(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, int legs,
                   const Epilogue &end, int length, Sums *sums)
{
  const bool colors = in.spins() == 1;
  const long long flops = 72LL * in.spins() * std::popcount(static_cast<unsigned>(legs));
  const HopKind kind = {.function = "covariant_sum",
                        .name = length == 2 ? "TwoLinkSum"
                                : colors    ? "ColorSum"
                                            : "SpinorSum",
                        .flops = flops,
                        .flops_y = 12LL * in.spins(),
                        .reals = 0,
                        .halo = colors ? HopHalo::colors : HopHalo::spinors,
                        .spins = colors ? 1 : 4,
                        .length = length,
                        .legs = legs};
  const Kernels<HopCall> kernels = length == 2 ? two_link_sum_kernels()
                                   : colors    ? color_sum_kernels()
                                               : spinor_sum_kernels();
  run_hop<HopCall>(kind, kernels, nullptr, {}, {out, in, links, false, end, sums});
}

} // namespace quda
