#pragma once
/// The site term of twisted-mass fermions, tau on the flavours of a doublet:
///   out = scale (one + i a gamma5 tau3 + b tau1) in, for a single flavour out = scale (one + i a gamma5) in,
/// or out + the same; gamma5 = diag(1, 1, -1, -1). Flavour 0 gets +i a gamma5, flavour 1 -i a gamma5, both b times the
/// other.
/// in, out   : (parity, x_cb, rhs, fifth, flavour, spin 4, color 3) complex, DeGrand-Rossi basis; out may be in.
/// Flavours  : those of a site are exchanged in a cache; a single one needs none, and its kernel declares none.
/// Halo      : none. Collective: no.
/// Flops     : 120 a site and flavour of a doublet, 72 of a single one. Bytes: each spinor once.

#include "core/tune_param.h"
#include "device/array.h"
#include "device/elements.h"
#include "device/register_place.h"
#include "device/shared_memory_cache.h"
#include "device/site_arg.h"
#include "kernels/dirac/twist_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int n> struct TwistArg {
  static constexpr int flavours = n;
  using real = Real<S>;
  unsigned threads[3]; // registers of a parity; flavours; parities x right-hand sides x fifth dimension
  unsigned parities;
  Storage<S, 24> out, in;
  number_of<S> scale, one, a, b;
  bool add;

  TwistArg(const TwistCall &c, const TuneParam &)
      : threads {SiteArg(c.in.field.lattice, 1).threads[0], flavours,
                 static_cast<unsigned>(c.parities * c.in.field.inner / flavours)}
      , parities(c.parities)
      , out(c.out.field)
      , in(c.in.field)
      , scale(static_cast<number_of<S>>(c.scale))
      , one(static_cast<number_of<S>>(c.one))
      , a(static_cast<number_of<S>>(c.a))
      , b(static_cast<number_of<S>>(c.b))
      , add(c.add)
  {
  }
};

/// The kernel's operations depend on its Arg.
template <class Arg> struct TwistOps {
  using Spinor = array<typename Arg::real, 24>;
  using Flavours = elements<Y, 2>;
  using Cache = SharedMemoryCache<Spinor>;
  using Ops = choose<Arg::flavours == 2, KernelOps<Flavours, Cache>, NoKernelOps>;
};

template <class Arg> struct Twist : TwistOps<Arg>::Ops {
  using real = typename Arg::real;
  using Uses = TwistOps<Arg>;
  using Spinor = typename Uses::Spinor;
  const Arg &arg;

  QUDA_DEVICE Spinor spinor(const Place &here, int i) const
  {
    const auto q = arg.in.read(here, i);
    Spinor v;
    QUDA_UNROLL
    for (int k = 0; k < 24; k++) v[k] = q[k];
    return v;
  }

  /// one v + i a gamma5 v
  QUDA_DEVICE Spinor twisted(const Spinor &v, real a) const
  {
    const real one = arg.one;
    Spinor w;
    QUDA_UNROLL
    for (int k = 0; k < 24; k += 2) {
      w[k] = k < 12 ? fnma(a, v[k + 1], one * v[k]) : fma(a, v[k + 1], one * v[k]);
      w[k + 1] = k < 12 ? fma(a, v[k], one * v[k + 1]) : fnma(a, v[k], one * v[k + 1]);
    }
    return w;
  }

  QUDA_DEVICE void write(const Place &here, int i, Spinor &v) const
  {
    const real scale = arg.scale;
    if (arg.add) {
      const auto q = arg.out.read(here, i);
      QUDA_UNROLL
      for (int k = 0; k < 24; k++) v[k] = fma(scale, v[k], q[k]);
    } else {
      QUDA_UNROLL
      for (int k = 0; k < 24; k++) v[k] = scale * v[k];
    }
    arg.out.write(here, i, v.data);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, unsigned, unsigned z) const
  {
    const Place here = register_place(x_cb, static_cast<int>(z % arg.parities));
    const int first = static_cast<int>(z / arg.parities) * Arg::flavours;
    if constexpr (Arg::flavours == 1) {
      Spinor v = twisted(spinor(here, first), arg.a);
      write(here, first, v);
    } else {
      const typename Uses::Flavours flavours {*this};
      const typename Uses::Cache cache {*this};
      for (auto f : flavours) cache.save_y(spinor(here, first + f), f);
      cache.sync();
      for (auto f : flavours) {
        Spinor v = twisted(cache.load_y(f), f == 0 ? arg.a : -arg.a);
        const Spinor other = cache.load_y(1 - f);
        const real b = arg.b;
        QUDA_UNROLL
        for (int k = 0; k < 24; k++) v[k] = fma(b, other[k], v[k]);
        write(here, first + f, v);
      }
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
