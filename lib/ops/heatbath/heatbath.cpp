#include "ops/heatbath/heatbath.h"

#include "kernels/heatbath/heatbath_call.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(HeatbathCall, heatbath)
QUDA_KERNELS(HeatbathCall, improved_heatbath)

namespace
{

  constexpr int border = 2; // even, and deep enough for the staples of rectangles

  /// Updates all links once, each set with the borders of the earlier ones.
  void update_all(GaugeField &links, const HeatbathSweeps &sweeps, bool relax, unsigned sweep, int update)
  {
    for (int parity = 0; parity < 2; parity++)
      for (int mu = 0; mu < 4; mu++)
        for (int color = 0; color < heatbath_colors(sweeps); color++) {
          heatbath_update(links, sweeps, parity, mu, relax, sweep, update, color);
          exchange_border(links, parity, mu);
        }
  }

  StapleWeights weights(const HeatbathSweeps &sweeps)
  {
    StapleWeights weights {};
    for (int mu = 0; mu < 4; mu++)
      for (int nu = 0; nu < 4; nu++) {
        if (nu == mu) continue;
        const double f = mu == 3 || nu == 3 ? sweeps.anisotropy : 1 / sweeps.anisotropy;
        weights.plaquette[mu][nu] = f * (1 - 8 * sweeps.rectangle);
        weights.along[mu][nu] = weights.across[mu][nu] = f * sweeps.rectangle;
      }
    return weights;
  }

  bool cut(const Lattice &lattice) { return lattice.cut(0) || lattice.cut(1) || lattice.cut(2) || lattice.cut(3); }

} // namespace

int heatbath_colors(const HeatbathSweeps &sweeps) { return sweeps.rectangle != 0 ? 4 : 1; }

void heatbath_update(GaugeField &links, const HeatbathSweeps &sweeps, int parity, int mu, bool relax, unsigned sweep,
                     int update, int color)
{
  const bool improved = sweeps.rectangle != 0;
  const int colors = heatbath_colors(sweeps);
  // bytes: the links, written too, and the links of their staples, shared by their readers: all of the field once
  launch({.name = improved ? relax ? "ImprovedOverRelaxation" : "ImprovedHeatbath"
                  : relax  ? "OverRelaxation"
                           : "Heatbath",
          .lattice = links.lattice(),
          .extent = {registers(links)},
          .aux = links_text(links),
          .flops = (improved ? 14274 : 2808) * links.lattice().volume_cb() / colors,
          .bytes = link_bytes(links) + link_bytes(links) / (8 * colors),
          .prefetch = true,
          .in_place = memory_of(links)},
         instance(improved ? improved_heatbath_kernels() : heatbath_kernels(), "heatbath_update", links),
         {links.view(), mu, parity, color, relax, sweeps.beta, weights(sweeps), sweeps.seed, update, sweep});
  links.mark_written();
}

void heatbath(GaugeField &links, const HeatbathSweeps &sweeps)
{
  if (cut(links.lattice()) && !links.extended()) {
    GaugeField work = extended(links, border);
    heatbath(work, sweeps);
    links = work;
    return;
  }
  for (int n = 0; n < sweeps.sweeps; n++) {
    const unsigned sweep = sweeps.first + static_cast<unsigned>(n);
    for (int i = 0; i < sweeps.heatbath; i++) update_all(links, sweeps, false, sweep, i);
    for (int i = 0; i < sweeps.relax; i++) update_all(links, sweeps, true, sweep, 0);
  }
}

} // namespace quda
