#pragma once
/// Access to the links of a native gauge field.
///   Reconstruct 18: as stored. Reconstruct 12: the third row is u0 conj(a x b) of the first two, u0 the anisotropy for
///   spatial links, and for time links the boundary sign in those lanes that lie on the last global time slice.

#include "core/view.h"
#include "device/matrix.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A link in the lanes of its own place; element (i, j) is loaded, or rebuilt, where it is used.
template <class T, int recon> struct Link {
  Record<T, recon> q;
  Real<T> u0; // scale of the third row, read with recon 12 alone

  QUDA_DEVICE Complex<Real<T>> stored(int i, int j) const { return {q[6 * i + 2 * j], q[6 * i + 2 * j + 1]}; }

  QUDA_DEVICE Complex<Real<T>> operator()(int i, int j) const
  {
    if (recon == 18 || i < 2) return stored(i, j);
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    return scaled(u0, conj_cross(stored(0, k), stored(1, l), stored(0, l), stored(1, k)));
  }
};

template <class T, int reconstruct> struct Gauge {
  static constexpr int recon = reconstruct;
  using real = Real<T>;
  Storage<T, recon> storage;
  T anisotropy;
  int time_sign;   // nonzero: the boundary is antiperiodic
  int O3;          // extent of a block in time
  int first_block; // of the rank in time
  int blocks;      // in time, of the global lattice
  unsigned char block[max_lanes];

  QUDA_DEVICE Gauge() {}
  QUDA_DEVICE explicit Gauge(const GaugeView &g)
      : storage(g.field)
      , anisotropy(static_cast<T>(g.anisotropy))
      , time_sign(g.t_boundary == -1)
      , O3(g.field.lattice.O[3])
      , first_block(g.field.lattice.first_block[3])
      , blocks(g.field.lattice.blocks[3])
  {
    for (int l = 0; l < max_lanes; l++) block[l] = g.field.lattice.block[3][l];
  }

  /// Sign of the time links at block coordinate t, a multiple of O3 less one, lane by lane.
  QUDA_DEVICE real boundary_sign(const Place &n) const
  {
    alignas(64) T sign[width<T>];
    const int beyond = (n.t + 1) / O3 + first_block + blocks;
    for (int l = 0; l < width<T>; l++) sign[l] = (beyond + block[n.part * width<T> + l]) % blocks == 0 ? T(-1) : T(1);
    return load_array(sign);
  }

  QUDA_DEVICE real third_row_scale(const Place &n, int mu) const
  {
    if (recon == 18) return real(T(1));
    if (mu < 3) return real(anisotropy);
    const bool slice = n.t == O3 - 1 || ((n.t < 0 || n.t >= O3) && (n.t + 1) % O3 == 0);
    if (__builtin_expect(time_sign && slice, 0)) return boundary_sign(n);
    return real(T(1));
  }

  QUDA_DEVICE Link<T, recon> link(const Place &n, int mu) const
  {
    return {storage.read(n, mu), third_row_scale(n, mu)};
  }

  /// The whole link in the lanes of the register that asked for it.
  QUDA_DEVICE Matrix<real> matrix(const Place &n, int mu) const
  {
    const Link<T, recon> u = link(n, mu);
    Matrix<real> m;
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) m(i, j) = u(i, j);
    }
    if (n.shift) {
      QUDA_UNROLL
      for (int k = 0; k < 9; k++) m.e[k] = {moved(m.e[k].re, n), moved(m.e[k].im, n)};
    }
    return m;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
