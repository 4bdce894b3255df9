#pragma once
/// Access to the links of a native gauge field.
///   Reconstruct 8: see reconstruct_8.h; whole matrices only. Reconstruct 18: as stored. Reconstruct 12: the third row
///   is u0 conj(a x b) of the first two, u0 the anisotropy for spatial links, and for time links the boundary sign in
///   the lanes on the last global time slice.

#include "core/view.h"
#include "device/reconstruct_8.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct Gauge;

/// A link in the lanes of its own place, in units of link_unit<S>; element (i, j) is loaded, or rebuilt, at its
/// use. A rebuilt third row comes without u0, and in units of the square of fixed point: code that multiplies with it
/// calls scale() on the two numbers that it meets, since most links have nothing to scale. Gauge::matrix() is complete.
template <class S, int recon> struct Link {
  using real = Real<S>;
  using Stored = Record<S, recon, false>;
  Stored q;
  const Gauge<S, recon> &gauge;
  Place place;
  int mu;

  QUDA_DEVICE static Complex<real> stored(const Stored &r, int i, int j)
  {
    return {r.raw(6 * i + 2 * j), r.raw(6 * i + 2 * j + 1)};
  }

  QUDA_DEVICE Complex<real> operator()(int i, int j) const
  {
    if (recon == 18 || i < 2) return stored(q, i, j);
    const auto r = q.again();
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    return conj_cross(stored(r, 0, k), stored(r, 1, l), stored(r, 0, l), stored(r, 1, k));
  }

  /// The third row with its scale, if it has to be rebuilt: made once for all of its elements that are needed.
  struct ThirdRow {
    Complex<real> e[recon == 18 ? 1 : 3];
  };
  QUDA_DEVICE ThirdRow third_row() const
  {
    ThirdRow row {};
    if constexpr (recon != 18) {
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) row.e[j] = (*this)(2, j);
      scale(row.e);
    }
    return row;
  }
  /// Element (i, j), from that row if i is 2.
  QUDA_DEVICE Complex<real> element(int i, int j, const ThirdRow &row) const
  {
    if (recon == 18 || i < 2) return stored(q, i, j);
    return row.e[j];
  }

  /// Multiplies n numbers by the scale of the third row.
  template <int n> QUDA_DEVICE void scale(Complex<real> (&a)[n]) const;
};

template <class S, int reconstruct> struct Gauge {
  static constexpr int recon = reconstruct;
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  Storage<S, recon, false> storage; // fixed-point links have one scale
  number anisotropy;
  int time_sign;   // nonzero: the boundary is antiperiodic
  int O3;          // extent of a block in time
  int first_block; // of the rank in time
  int blocks;      // in time, of the global lattice
  int parts;       // registers a site
  unsigned char block[max_lanes];

  QUDA_DEVICE Gauge() {}
  QUDA_DEVICE explicit Gauge(const GaugeView &g)
      : storage(g.field)
      , anisotropy(static_cast<number>(g.anisotropy))
      , time_sign(g.t_boundary == -1)
      , O3(g.field.lattice.O[3])
      , first_block(g.field.lattice.first_block[3])
      , blocks(g.field.lattice.blocks[3])
      , parts(g.field.lattice.parts)
  {
    for (int l = 0; l < max_lanes; l++) block[l] = g.field.lattice.block[3][l];
  }

  /// Sign of the time links at block coordinate t, a multiple of O3 less one, lane by lane.
  QUDA_DEVICE real boundary_sign(const Place &n) const
  {
    alignas(64) number sign[width<S>];
    const int part = n.record % parts;
    const int beyond = (n.t + 1) / O3 + first_block + blocks;
    for (int l = 0; l < width<S>; l++)
      sign[l] = (beyond + block[part * width<S> + l]) % blocks == 0 ? number(-1) : number(1);
    return load_array(sign);
  }

  /// Whether the rebuilt third row of a link must be scaled in some lane.
  QUDA_DEVICE bool scales(const Place &n, int mu) const
  {
    if (recon == 18) return false;
    if (mu < 3) return anisotropy != 1;
    return time_sign && (n.t == O3 - 1 || ((n.t < 0 || n.t >= O3) && (n.t + 1) % O3 == 0));
  }

  QUDA_DEVICE real scale_of(const Place &n, int mu) const { return mu < 3 ? real(anisotropy) : boundary_sign(n); }

  QUDA_DEVICE Link<S, recon> link(const Place &n, int mu) const { return {storage.read(n, mu), *this, n, mu}; }

  /// The whole link in the lanes of the calling register.
  QUDA_DEVICE Matrix<real> matrix(const Place &n, int mu) const
  {
    Matrix<real> m;
    if constexpr (recon == 8) {
      m = unpack_8(storage.read(n, mu), scales(n, mu) ? scale_of(n, mu) : real(1.0));
    } else {
      const Link<S, recon> u = link(n, mu);
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) {
        Complex<real> row[3];
        QUDA_UNROLL
        for (int j = 0; j < 3; j++) row[j] = u(i, j);
        if (i == 2) u.scale(row);
        QUDA_UNROLL
        for (int j = 0; j < 3; j++) m(i, j) = is_fixed<S> ? scaled(real(number(link_unit<S>)), row[j]) : row[j];
      }
    }
    if (n.shift) {
      QUDA_UNROLL
      for (int k = 0; k < 9; k++) m.e[k] = {moved(m.e[k].re, n), moved(m.e[k].im, n)};
    }
    return m;
  }

  /// Writes the stored rows of a link.
  QUDA_DEVICE void write(const Place &n, int mu, const Matrix<real> &m) const
  {
    real v[recon];
    pack(v, m.e);
    storage.write(n, mu, v);
  }
};

template <class S, int recon> template <int n> QUDA_DEVICE void Link<S, recon>::scale(Complex<real> (&a)[n]) const
{
  const bool scales = gauge.scales(place, mu);
  if (recon == 18 || (!is_fixed<S> && __builtin_expect(!scales, 1))) return;
  real s = real(number_of<S>(link_unit<S>));
  if (__builtin_expect(scales, 0)) s = is_fixed<S> ? s * gauge.scale_of(place, mu) : gauge.scale_of(place, mu);
  QUDA_UNROLL
  for (int k = 0; k < n; k++) a[k] = scaled(s, a[k]);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
