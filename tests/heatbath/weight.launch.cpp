/// Quaternions of the SU(2) heat bath, one a link of a field.

#include "device/gauge.h"
#include "device/kernel_ops.h"
#include "heatbath/weight_table.h"
#include "kernels/heatbath/su2.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T> struct WeightArg {
    using number = T;
    unsigned threads[3];
    Index index;
    GlobalSites sites;
    Gauge<T, 18> out;
    T alpha;
    unsigned long long seed;
  };

  template <class Arg> struct Weight : NoKernelOps {
    using T = typename Arg::number;
    const Arg &arg;

    QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
    {
      const Coord x = arg.index.coord(x_cb, parity);
      const SiteRandom<Real<T>> random(arg.sites, x, arg.seed, first_draw(Purpose::heatbath, mu, 0), 0);
      const Real<T> alpha = Real<T>(arg.alpha);
      const auto a = draw_direction(draw_weight(alpha, random, 1), random, 0);
      Matrix<Real<T>> m = multiple_of_unity(alpha);
      m.e[0] = {a.a[0], a.a[1]};
      m.e[1] = {a.a[2], a.a[3]};
      arg.out.write(arg.index.here(x), mu, m);
    }
  };

  template <class T> void draw(const TuneParam &tp, const WeightCall &call)
  {
    const LatticeView &lattice = call.out.field.lattice;
    const Index index(lattice);
    launch_3d<Weight>(tp, nullptr,
                      WeightArg<T> {{index.registers(), 2, 4},
                                    index,
                                    GlobalSites(lattice),
                                    Gauge<T, 18>(call.out),
                                    static_cast<T>(call.alpha),
                                    call.seed});
  }

} // namespace

extern const WeightTable weight_draws;
const WeightTable weight_draws = {{draw<double>, draw<float>}};

} // namespace quda::QUDA_TARGET_NAMESPACE
