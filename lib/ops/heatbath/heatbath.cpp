#include "ops/heatbath/heatbath.h"

#include <vector>

#include "ops/halo/gauge_border.h"
#include "ops/heatbath/heatbath_table.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(HeatbathTable, heatbath_table)

namespace
{

  constexpr int border = 2; // even, and deep enough for staples

  class HeatbathUpdate : public TunableKernel1D
  {
  public:
    HeatbathUpdate(GaugeField &links, const HeatbathCall &call)
        : TunableKernel1D(links.shared_lattice()->shared_communicator(), registers(links),
                          volume_text(links.lattice()).s, call.relax ? "OverRelaxation" : "Heatbath",
                          links_text(links).s)
        , links_(links)
        , call_(call)
        , kernel_(instance(heatbath_table().heatbath, "heatbath", links.precision(), links.reconstruct()))
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return 2808 * links_.lattice().volume_cb(); }
    long long bytes() const override
    {
      // the link, written too, and those of its staples, shared by those who read them: all of the field once
      return links_.lattice().volume_cb() * 9 * links_.reals() * bytes_of(links_.precision());
    }
    bool has_prefetch() const override { return true; }
    std::vector<MemorySpan> in_place() const override { return {{links_.data(), links_.bytes()}}; }

  private:
    GaugeField &links_;
    HeatbathCall call_;
    void (*kernel_)(const TuneParam &, void *, const HeatbathCall &);
  };

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
  HeatbathUpdate(links, {links.view(), mu, parity, relax, sweeps.beta, sweeps.seed, update, sweep}).apply();
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
