#pragma once
/// Sweeps over the layers of a site and chirality: the formulas of fifth.h, in place, wherever the layers lie.

#include "core/number.h"
#include "device/array.h"
#include "device/functions.h"
#include "kernels/dirac/fifth_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The layers of a cache along Y.
template <class Cache> struct CachedLayers {
  const Cache &cache;
  QUDA_DEVICE auto load(int s) const { return cache.load_y(s); }
  template <class V> QUDA_DEVICE void save(const V &v, int s) const { cache.save_y(v, s); }
};

template <class S, bool complex> struct FifthSweeps {
  using number = number_of<S>;
  using real = Real<S>;
  using Chirality = array<real, 12>;
  static constexpr int parts = complex ? 2 : 1;
  const number *table;
  bool up[2];
  bool recursion, wall, adjoint;

  explicit FifthSweeps(const FifthTable &matrix)
      : table(static_cast<const number *>(matrix.numbers))
      , up {matrix.up[0] != 0, matrix.up[1] != 0}
      , recursion(matrix.recursion)
      , wall(matrix.wall)
      , adjoint(matrix.adjoint)
  {
  }

  /// Whether sweep() reads no layer that it has written.
  QUDA_DEVICE bool reads_first() const { return adjoint || !recursion; }

  /// v = c x, or v + c x.
  template <bool adds> QUDA_DEVICE static void multiply(Chirality &v, const number *c, const Chirality &x)
  {
    const real re = c[0];
    if constexpr (complex) {
      const real im = c[1];
      QUDA_UNROLL
      for (int k = 0; k < 12; k += 2) {
        const real a = adds ? fma(re, x[k], v[k]) : re * x[k], b = adds ? fma(re, x[k + 1], v[k + 1]) : re * x[k + 1];
        v[k] = fnma(im, x[k + 1], a);
        v[k + 1] = fma(im, x[k], b);
      }
    } else {
      QUDA_UNROLL
      for (int k = 0; k < 12; k++) v[k] = adds ? fma(re, x[k], v[k]) : re * x[k];
    }
  }

  /// Matrix times the layers of a chirality.
  template <class Layers> QUDA_DEVICE void sweep(const Layers &layers, int chirality, int count) const
  {
    const number *const c = table + chirality * count * fifth_coefficients * parts;
    const auto of = [&](int s, int which) QUDA_LAMBDA { return c + (s * fifth_coefficients + which) * parts; };
    const int step = up[chirality] ? 1 : -1, first = up[chirality] ? 0 : count - 1,
              last = up[chirality] ? count - 1 : 0;
    Chirality before = layers.load(first), v;
    if (!adjoint) {
      if (recursion) {
        for (int k = 1, s = first + step; k < count; k++, s += step) {
          v = layers.load(s);
          multiply<true>(v, of(s, fifth_recursion), before);
          layers.save(v, s);
          before = v;
        }
      }
      const Chirality end = layers.load(last);
      Chirality own = end;
      for (int k = count - 1, s = last; k >= 0; k--, s -= step) {
        multiply<false>(v, of(s, fifth_own), own);
        if (k > 0) {
          before = layers.load(s - step);
          multiply<true>(v, of(s, fifth_before), before);
        }
        if (wall) multiply<true>(v, of(s, fifth_last), end);
        layers.save(v, s);
        own = before;
      }
    } else {
      Chirality all = before;
      if (wall) {
        multiply<false>(all, of(first, fifth_last), before);
        for (int k = 1, s = first + step; k < count; k++, s += step) {
          v = layers.load(s);
          multiply<true>(all, of(s, fifth_last), v);
        }
      }
      Chirality out = before;
      for (int k = 0, s = first; k < count; k++, s += step) {
        const Chirality own = layers.load(s);
        multiply<false>(v, of(s, fifth_own), own);
        if (k > 0) multiply<true>(v, of(s, fifth_before), before);
        if (k == 0 && wall) {
          QUDA_UNROLL
          for (int j = 0; j < 12; j++) v[j] = v[j] + all[j];
        }
        if (recursion && k > 0) multiply<true>(v, of(s, fifth_recursion), out);
        layers.save(v, s);
        before = own;
        out = v;
      }
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
