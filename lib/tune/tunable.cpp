#include "tune/tunable.h"

#include <cstdio>

#include "targets/target.h"

namespace quda
{

  Tunable::Tunable(std::shared_ptr<Communicator> communicator, unsigned x, unsigned y, unsigned z, const char *volume,
                   const char *name, const char *aux) :
    communicator_(std::move(communicator)), extents_ {x, y, z}
  {
    std::snprintf(key_.volume, sizeof key_.volume, "%s", volume);
    std::snprintf(key_.name, sizeof key_.name, "%s", name);
    std::snprintf(key_.aux, sizeof key_.aux, "%s,%s,threads=%d", target_name(target().kind()), aux,
                  target().max_threads());
  }

  TuneParam Tunable::default_param() const
  {
    TuneParam tp {};
    if (target().lanes() > 1) {
      tp.block[0] = 0;
      tp.grid[0] = target().max_threads();
    } else {
      tp.block[0] = 128;
      tp.block[1] = tp.block[2] = 1;
      tp.grid[0] = (extents_[0] + 127) / 128;
      tp.grid[1] = extents_[1];
      tp.grid[2] = extents_[2];
    }
    return tp;
  }

  std::vector<TuneParam> Tunable::candidates() const { return {default_param()}; }

  void Tunable::apply(void *stream) { launch(default_param(), stream); }

} // namespace quda
