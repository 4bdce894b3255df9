#include "ops/heatbath/heatbath.h"

#include "kernels/heatbath/heatbath_call.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(HeatbathCall, heatbath)

namespace
{

  constexpr int border = 2; // even, and deep enough for staples

  /// All links once, each direction and parity with the borders of those before.
  void update_all(GaugeField &links, const HeatbathSweeps &sweeps, bool relax, unsigned sweep, int update)
  {
    for (int parity = 0; parity < 2; parity++)
      for (int mu = 0; mu < 4; mu++) {
        heatbath_update(links, sweeps, parity, mu, relax, sweep, update);
        exchange_border(links, parity, mu);
      }
  }

  bool cut(const Lattice &lattice) { return lattice.cut(0) || lattice.cut(1) || lattice.cut(2) || lattice.cut(3); }

} // namespace

void heatbath_update(GaugeField &links, const HeatbathSweeps &sweeps, int parity, int mu, bool relax, unsigned sweep,
                     int update)
{
  // bytes: the link, written too, and those of its staples, shared by those who read them: all of the field once
  launch({.name = relax ? "OverRelaxation" : "Heatbath",
          .lattice = links.lattice(),
          .extent = {registers(links)},
          .aux = links_text(links),
          .flops = 2808 * links.lattice().volume_cb(),
          .bytes = 9 * link_bytes(links) / 8,
          .prefetch = true,
          .in_place = memory_of(links)},
         instance(heatbath_kernels(), "heatbath_update", links),
         {links.view(), mu, parity, relax, sweeps.beta, sweeps.seed, update, sweep});
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
