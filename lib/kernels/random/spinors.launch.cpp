/// Quark fields of normally distributed numbers: each complex number has parts of variance 1/2.
///   number n of right-hand side j at a site is draw n of purpose start, update 1, sweep `first` + j; with layers, for
///   inner entry j
/// out   : (parity, x_cb, inner, spin, color 3) complex, of 4 spins or 1, written whole
/// Halo  : none. Collective: no.
/// Flops : 25 a complex number. Instances: double, single x 4 spins, 1 = 4.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/normal.h"
#include "device/site_arg.h"
#include "kernels/random/spinors_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int n> struct RandomSpinorsArg : SiteArg {
  using real = Real<S>;
  static constexpr int numbers = 3 * n;
  GlobalSites sites;
  Storage<S, 2 * numbers> out;
  int inner, parity, slices;
  unsigned long long seed;
  unsigned first;

  RandomSpinorsArg(const RandomSpinorsCall &c, const TuneParam &)
      : SiteArg(c.out.lattice, c.parities)
      , sites(c.out.lattice)
      , out(c.out)
      , inner(c.out.inner)
      , parity(c.parity)
      , slices(c.slices)
      , seed(c.seed)
      , first(c.first)
  {
  }
};

template <class Arg> struct RandomSpinors : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const int own = arg.threads[1] == 1 ? arg.parity : parity;
    const Place here = arg.index.here(arg.index.coord(x_cb, own));
    for (int i = 0; i < arg.inner; i++) {
      const Coord x = arg.index.coord(x_cb, (own + i % arg.slices) & 1);
      const SiteRandom<real> random(arg.sites, x, arg.seed, first_draw(Purpose::start, 0, 1),
                                    arg.first + static_cast<unsigned>(i));
      real v[2 * Arg::numbers];
      for (int k = 0; k < Arg::numbers; k++) {
        const Complex<real> z = normal(random, static_cast<unsigned>(k));
        v[2 * k] = z.re;
        v[2 * k + 1] = z.im;
      }
      arg.out.write(here, i, v);
    }
  }
};

/// Variants: spins of the fields.
QUDA_INSTANCES(random_spinors, RandomSpinorsCall, Launch2D<RandomSpinors, RandomSpinorsArg>, Floating, Variants<4, 1>)

} // namespace quda::QUDA_TARGET_NAMESPACE
