/// Sums over the slices of a lattice of numbers times plane waves:
///   sums(w, s, e) = sum over x with x_d = s of f_{w0}(x_0) f_{w1}(x_1) f_{w2}(x_2) f_{w3}(x_3) C_e(x)
/// C     : (parity, x_cb, entry) complex. f: a table, in the precision of C.
/// Groups: (entries tile, waves tile, slice of the rank), slice fastest, wave_pairs complex sums each: one wave and as
///         many entries, or one entry and as many waves, so that numbers or waves are used again; entries of a tile
///         beyond the last repeat it and are discarded. If a slice lies in some lanes, the others add zero;
///         if blocks are skewed along d, each slice looks at all registers.
/// Sums  : exact; of (f_0 f_1) (f_2 f_3) C, products rounded as written.
/// Index : x, y: registers and parities of a slice, or of all; z: groups. Halo: none. Collective: no.
/// Flops : 18 a wave and 6 a wave and entry, of each site.

#include "device/array.h"
#include "device/block_lanes.h"
#include "device/complex.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/contract/plane_waves_call.h"
#include "kernels/contract/waves.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int n> struct PlaneWavesArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int entries_tile = n, waves_tile = wave_pairs / n;
  Storage<S, 2> numbers;
  WaveTable<number> waves;
  unsigned n_entries, n_waves;
  int direction;
  unsigned slices, waves_tiles; // strides of a group's number
  unsigned first;

  PlaneWavesArg(const PlaneWavesCall &c, const TuneParam &)
      : SiteArg(c.numbers.lattice, 2, c.groups)
      , numbers(c.numbers)
      , waves(c.waves, c.n_waves, c.numbers.lattice)
      , n_entries(c.numbers.inner)
      , n_waves(c.n_waves)
      , direction(c.direction)
      , slices(c.numbers.lattice.X[c.direction])
      , waves_tiles((c.n_waves + waves_tile - 1) / waves_tile)
      , first(c.first)
  {
    if (direction != index.lattice.skew) threads[0] = index.face_cb[direction] * parts_of(index.lattice);
  }
};

template <class Arg> struct PlaneWaves : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 2 * wave_pairs> operator()(unsigned record, int parity, unsigned z) const
  {
    const unsigned group = arg.first + z;
    const unsigned tile = group / arg.slices, slice = group - tile * arg.slices;
    const unsigned entries = tile / arg.waves_tiles, waves = tile - entries * arg.waves_tiles;
    const int d = arg.direction, O = arg.index.lattice.O[d], block = static_cast<int>(slice) / O;
    const bool skewed = d == arg.index.lattice.skew;
    const Coord x = skewed ? arg.index.coord(record, parity)
                           : arg.index.face_coord(record, parity, d, static_cast<int>(slice) - block * O);
    const Place here = arg.index.here(x);

    Complex<real> c[Arg::entries_tile], w[Arg::waves_tile];
    QUDA_UNROLL
    for (unsigned e = 0; e < Arg::entries_tile; e++) {
      const unsigned entry = entries * Arg::entries_tile + e;
      const auto q = arg.numbers.read(here, entry < arg.n_entries ? entry : arg.n_entries - 1);
      c[e] = {q[0], q[1]};
    }
    QUDA_UNROLL
    for (unsigned k = 0; k < Arg::waves_tile; k++) {
      const unsigned wave = waves * Arg::waves_tile + k;
      w[k] = arg.waves.at(x, wave < arg.n_waves ? wave : arg.n_waves - 1);
    }
    array<real, 2 * wave_pairs> sums;
    QUDA_UNROLL
    for (int i = 0; i < wave_pairs; i++) {
      const Complex<real> one = multiply(w[i / Arg::entries_tile], c[i % Arg::entries_tile]);
      sums[2 * i] = one.re;
      sums[2 * i + 1] = one.im;
    }
    if (arg.index.lattice.S[d] > 1 || skewed) {
      using number = typename Arg::number;
      const real zero = real(0.0), mine = skewed
                                              ? lanes_of_slice<number>(arg.index.lattice, d, x, static_cast<int>(slice))
                                              : lanes_of_block<number>(arg.index.lattice, d, block, x.part);
      QUDA_UNROLL
      for (int i = 0; i < 2 * wave_pairs; i++) sums[i] = select(mine > zero, sums[i], zero);
    }
    return sums;
  }
};

/// Variants: entries of a tile.
QUDA_INSTANCES(plane_waves, PlaneWavesCall, Sum3D<PlaneWaves, PlaneWavesArg>, Floating, Variants<4, 1>)

} // namespace quda::QUDA_TARGET_NAMESPACE
