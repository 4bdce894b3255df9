#include "interface/momentum_step.h"

#include "core/profile.h"
#include "interface/resident.h"
#include "ops/force/force_monitor.h"

namespace quda
{

void add_force(const char *function, const char *name, MomentumSource &source, double step, bool overwrite,
               bool recorded, const std::function<void(GaugeField &momentum, double step, bool overwrite)> &add)
{
  GaugeField &momentum = source.open();
  const auto work = [&] {
    {
      const PhaseScope phase(Phase::compute);
      if (recorded) {
        GaugeField alone(momentum.param());
        add(alone, 1.0, true);
        record_force(name, alone, step);
      }
      add(momentum, step, overwrite);
    }
    source.close();
  };
  if (source.resident)
    write_or_free(momentum, function, work, [&] { source.there.reset(); });
  else
    work();
}

} // namespace quda
