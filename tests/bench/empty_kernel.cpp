/// empty: what a launch costs by itself. A kernel without work over the registers of one parity, tuned like any other:
/// its key is made and looked up, a team of threads is started and waited for.

#include <cstring>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "bench/limits.h"
#include "ops/instance.h"
#include "tune/tune_cache.h"
#include "tune/tunable.h"

namespace quda
{

namespace bench
{

  namespace
  {

    class Nothing : public TunableKernel1D
    {
    public:
      explicit Nothing(const ColorSpinorField &x)
          : TunableKernel1D(x.shared_lattice()->shared_communicator(), x.view().field.lattice.volume_cb,
                            volume_text(x.lattice()).s, "Nothing", key_text("prec=", bytes_of(x.precision())).s)
      {
        call_.x = x.view().field;
        call_.count = extents()[0];
      }
      void launch(const TuneParam &tp, void *stream) override { limit_table().nothing(tp, stream, call_); }
      long long flops() const override { return 0; }
      long long bytes() const override { return 0; }

    private:
      LimitCall call_ {};
    };

    class Empty : public Kernel
    {
    public:
      explicit Empty(const Setting &setting)
          : field_(setting.host->native_spinors(setting.precision, 1))
      {
      }
      void run() override { Nothing(field_).apply(); }
      double flops() const override { return 0; }
      double bytes() const override { return 0; }
      double working_set() const override { return 0; }
      bool check() override
      {
        run();
        return last_kernel() && std::strcmp(last_kernel()->name, "Nothing") == 0;
      }

    private:
      ColorSpinorField field_;
    };

    const Registered empty("empty", Variant::library, Needs::spinors, made<Empty>);

  } // namespace

} // namespace bench

} // namespace quda
