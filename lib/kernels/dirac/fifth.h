#pragma once
/// Matrices in the fifth dimension of domain-wall fermions: polynomials of the shift T,
///   (T psi)_s = P_+ psi_{s-1} + P_- psi_{s+1}, psi_{-1} = -mass psi_{Ls-1}, psi_Ls = -mass psi_0,
///   out = sum_{d < terms} c_d T^d in, terms <= Ls; dagger: the adjoint, T^dag for T.
/// P_+- = (1 +- gamma5) / 2: P_+ is spins 0 and 1, P_- spins 2 and 3.
/// in, out : (parity, x_cb, rhs, s, flavour, spin 4, color 3) complex, DeGrand-Rossi basis; out may be in.
/// Order   : powers of T from the lowest, each fused.
/// Slices  : of a site meet in two caches, one for each chirality, since they go opposite ways.
/// Halo    : none. Collective: no.
/// Flops   : 24 a site and slice for the first term, 48 for each more. Bytes: each spinor once.

#include "core/tune_param.h"
#include "device/array.h"
#include "device/elements.h"
#include "device/register_place.h"
#include "device/shared_memory_cache.h"
#include "device/site_arg.h"
#include "kernels/dirac/fifth_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct FifthArg {
  using real = Real<S>;
  unsigned threads[3]; // registers of a parity; Ls; parities x flavours x right-hand sides
  unsigned parities, flavours;
  Storage<S, 24> out, in;
  int terms;
  bool dagger;
  number_of<S> c[most_fifth], wall[most_fifth];

  FifthArg(const FifthCall &call, const TuneParam &)
      : threads {SiteArg(call.in.field.lattice, 1).threads[0], static_cast<unsigned>(call.in.field.fifth),
                 static_cast<unsigned>(call.parities * call.in.field.flavours * call.in.field.rhs)}
      , parities(call.parities)
      , flavours(call.in.field.flavours)
      , out(call.out.field)
      , in(call.in.field)
      , terms(call.terms)
      , dagger(call.dagger)
  {
    for (int d = 0; d < terms; d++) {
      c[d] = static_cast<number_of<S>>(call.c[d]);
      wall[d] = static_cast<number_of<S>>(call.wall[d]);
    }
  }
};

/// The two chiralities of a slice lie in two caches, one behind the other.
template <class Arg> struct FifthOps {
  using Chirality = array<typename Arg::real, 12>;
  using Slices = elements<Y, most_fifth>;
  using Upper = SharedMemoryCache<Chirality>;
  using Lower = SharedMemoryCache<Chirality, BlockDims, Upper>;
  using Ops = KernelOps<Slices, Upper, Lower>;
};

template <class Arg> struct Fifth : FifthOps<Arg>::Ops {
  using real = typename Arg::real;
  using Uses = FifthOps<Arg>;
  using Chirality = typename Uses::Chirality;
  const Arg &arg;

  /// Half of in's spinor i, spins 2 lower and 2 lower + 1.
  template <class Record> QUDA_DEVICE static Chirality half(const Record &q, int lower)
  {
    Chirality v;
    QUDA_UNROLL
    for (int k = 0; k < 12; k++) v[k] = q[12 * lower + k];
    return v;
  }

  /// out[12 lower ...] = sum_d c_d psi_{s + d step}
  template <class Cache>
  QUDA_DEVICE void sum(real (&out)[24], int lower, const Cache &cache, int s, int step, int count) const
  {
    Chirality v = cache.load_y(s);
    const real first = arg.c[0];
    QUDA_UNROLL
    for (int k = 0; k < 12; k++) v[k] = first * v[k];
    const auto *c = arg.c;
    for (int d = 1; d < arg.terms; d++) {
      s += step;
      if (s < 0 || s == count) {
        s = s < 0 ? count - 1 : 0;
        c = arg.wall;
      }
      const Chirality from = cache.load_y(s);
      const real by = c[d];
      QUDA_UNROLL
      for (int k = 0; k < 12; k++) v[k] = fma(by, from[k], v[k]);
    }
    QUDA_UNROLL
    for (int k = 0; k < 12; k++) out[12 * lower + k] = v[k];
  }

  QUDA_DEVICE void operator()(unsigned x_cb, unsigned, unsigned z) const
  {
    const Place here = register_place(x_cb, static_cast<int>(z % arg.parities));
    const unsigned n = z / arg.parities / arg.flavours, flavour = z / arg.parities % arg.flavours;
    const typename Uses::Slices slices {*this};
    const typename Uses::Upper upper {*this};
    const typename Uses::Lower lower {*this};
    const int count = slices.count();
    const auto entry = [&](int s) QUDA_LAMBDA { return static_cast<int>((n * count + s) * arg.flavours + flavour); };
    for (auto s : slices) {
      const auto q = arg.in.read(here, entry(s));
      upper.save_y(half(q, 0), s);
      lower.save_y(half(q, 1), s);
    }
    upper.sync();
    const int step = arg.dagger ? 1 : -1;
    for (auto s : slices) {
      real v[24];
      sum(v, 0, upper, s, step, count);
      sum(v, 1, lower, s, -step, count);
      arg.out.write(here, entry(s), v);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
