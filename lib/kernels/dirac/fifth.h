#pragma once
/// Matrices in the fifth dimension of domain-wall fermions, one for each chirality: with S psi the previous layer of a
/// sweep, zero at its first, and `last` the layer at its end,
///   out = (d + e S + w last) (1 - q S)^-1 in, or the adjoint's form out = (1 - q S)^-1 (d + e S + first w^T) in,
/// d, e, w and q one number a layer, real or complex. Products with matrices of neighbouring layers and walls and
/// with their inverses are two sweeps each.
/// P_+- = (1 +- gamma5) / 2: P_+ is spins 0 and 1, P_- spins 2 and 3.
/// in, out : (parity, x_cb, rhs, s, flavour, spin 4, color 3) complex, DeGrand-Rossi basis; out may be in.
/// Layers  : a site's layers are collected in two caches, one for each chirality; one thread sweeps over each. On
///           processors sweeps that read first go over the fields themselves.
/// Halo    : none. Collective: no.
/// Flops   : 72 a site and layer, 48 with a wall, 48 with a recursion; four times that for complex numbers, less 48.
///           Bytes: each spinor once.

#include "core/tune_param.h"
#include "device/array.h"
#include "device/elements.h"
#include "device/register_place.h"
#include "device/shared_memory_cache.h"
#include "device/site_arg.h"
#include "kernels/dirac/fifth_sweep.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int is_complex> struct FifthArg {
  static constexpr bool complex = is_complex;
  using stored = S;
  using real = Real<S>;
  unsigned threads[3]; // registers of a parity; Ls; parities x flavours x right-hand sides
  unsigned parities, flavours;
  Storage<S, 24> out, in;
  FifthSweeps<S, complex> sweeps;

  FifthArg(const FifthCall &call, const TuneParam &)
      : threads {SiteArg(call.in.field.lattice, 1).threads[0], static_cast<unsigned>(call.in.field.fifth),
                 static_cast<unsigned>(call.parities * call.in.field.flavours * call.in.field.rhs)}
      , parities(call.parities)
      , flavours(call.in.field.flavours)
      , out(call.out.field)
      , in(call.in.field)
      , sweeps(call.matrix)
  {
  }
};

/// The two chiralities of a layer lie in two caches, one behind the other.
template <class Arg> struct FifthOps {
  using Chirality = array<typename Arg::real, 12>;
  using Layers = elements<Y, most_fifth>;
  using Upper = SharedMemoryCache<Chirality>;
  using Lower = SharedMemoryCache<Chirality, BlockDims, Upper>;
  using Ops = KernelOps<Layers, Upper, Lower>;
};

/// A chirality of a site's layers in the fields, for sweeps that read each layer before they write it.
/// With each layer, the one of the next register is prefetched.
template <class S> struct FieldLayers {
  using Chirality = array<Real<S>, 12>;
  const Storage<S, 24> &out, &in;
  Place here;
  int first, flavours; // entry of the first layer; entries from layer to layer
  int lower;

  QUDA_DEVICE Chirality load(int s) const
  {
    const auto q = in.read(here, first + s * flavours);
    Chirality v;
    QUDA_UNROLL
    for (int k = 0; k < 12; k++) v[k] = q[12 * lower + k];
    return v;
  }
  QUDA_DEVICE void save(const Chirality &v, int s) const
  {
    const int entry = first + s * flavours;
    S *const p = out.at(here, entry) + 12 * lower * width<S>;
    QUDA_UNROLL
    for (int k = 0; k < 12; k++) store(p + k * width<S>, v[k]);
    if (lower) return;
    in.prefetch(here, entry, 1);
    out.prefetch(here, entry, 1);
  }
};

template <class Arg> struct Fifth : FifthOps<Arg>::Ops {
  using real = typename Arg::real;
  using Uses = FifthOps<Arg>;
  using Chirality = typename Uses::Chirality;
  const Arg &arg;

  /// Half of a record, spins 2 lower and 2 lower + 1.
  template <class Record> QUDA_DEVICE static Chirality half(const Record &q, int lower)
  {
    Chirality v;
    QUDA_UNROLL
    for (int k = 0; k < 12; k++) v[k] = q[12 * lower + k];
    return v;
  }

  QUDA_DEVICE void operator()(unsigned x_cb, unsigned, unsigned z) const
  {
    const Place here = register_place(x_cb, static_cast<int>(z % arg.parities));
    const unsigned n = z / arg.parities / arg.flavours, flavour = z / arg.parities % arg.flavours;
    const typename Uses::Layers layers {*this};
    const typename Uses::Upper upper {*this};
    const typename Uses::Lower lower {*this};
    const int count = layers.count();
    const auto entry = [&](int s) QUDA_LAMBDA { return static_cast<int>((n * count + s) * arg.flavours + flavour); };
    if constexpr (block_is_thread && !is_fixed<typename Arg::stored>) {
      if (arg.sweeps.reads_first()) {
        for (int chirality = 0; chirality < 2; chirality++) {
          const FieldLayers<typename Arg::stored> fields = {
              arg.out, arg.in, here, entry(0), static_cast<int>(arg.flavours), chirality};
          arg.sweeps.sweep(fields, chirality, count);
        }
        return;
      }
    }
    for (auto s : layers) {
      arg.in.prefetch(here, entry(s), 1); // of the register that comes next
      arg.out.prefetch(here, entry(s), 0);
      const auto q = arg.in.read(here, entry(s));
      upper.save_y(half(q, 0), s);
      lower.save_y(half(q, 1), s);
    }
    upper.sync();
    for (auto s : layers) {
      if (s == 0) arg.sweeps.sweep(CachedLayers<typename Uses::Upper> {upper}, 0, count);
      if (s == count - 1) arg.sweeps.sweep(CachedLayers<typename Uses::Lower> {lower}, 1, count);
    }
    upper.sync();
    for (auto s : layers) {
      const Chirality a = upper.load_y(s), b = lower.load_y(s);
      real v[24];
      QUDA_UNROLL
      for (int k = 0; k < 12; k++) {
        v[k] = a[k];
        v[12 + k] = b[k];
      }
      arg.out.write(here, entry(s), v);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
