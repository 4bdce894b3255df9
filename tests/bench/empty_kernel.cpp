/// empty: what a launch costs by itself. A kernel without work over the registers of one parity, tuned like any other:
/// its key is made and looked up, a team of threads is started and waited for.

#include <cstring>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "bench/limits.h"
#include "ops/launch.h"
#include "tune/tune_cache.h"

namespace quda
{

namespace bench
{

  namespace
  {

    void launch_nothing(const ColorSpinorField &x)
    {
      LimitCall call {};
      call.x = x.view().field;
      call.count = call.x.lattice.volume_cb;
      const LaunchFunction<LimitCall> nothing = limit_table().nothing;
      launch({.name = "Nothing",
              .lattice = x.lattice(),
              .extent = {call.count},
              .aux = key_text("prec=", bytes_of(x.precision()))},
             nothing, call);
    }

    class Empty : public Kernel
    {
    public:
      explicit Empty(const Setting &setting)
          : field_(setting.host->native_spinors(setting.precision, 1))
      {
      }
      void run() override { launch_nothing(field_); }
      Checksum checksum() override { return {}; }
      bool check() override
      {
        run();
        return last_kernel() && std::strcmp(last_kernel()->name, "Nothing") == 0;
      }

    private:
      ColorSpinorField field_;
    };

    const Registered empty({.name = "empty", .work = [](const Setting &) { return Work {}; }, .make = made<Empty>});

  } // namespace

} // namespace bench

} // namespace quda
