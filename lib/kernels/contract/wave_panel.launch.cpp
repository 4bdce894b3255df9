/// Colour vectors times plane waves, four products in a field of four spins:
///   panel^{k / 4}_{k % 4, c}(x) = f_w(x) v^e_c(x),   k = e n_waves + w
/// v     : (parity, x_cb, e, color 3) complex. f: a table, in the precision of v (kernels/contract/waves.h).
/// panel : (parity, x_cb, field, spin 4, color 3) complex, overwritten; spins beyond the last product repeat it.
/// Index : x registers; y parities; z fields of the panel, the last fastest, so that a site's vectors are read once.
/// Halo  : none. Collective: no. Flops: 6 a complex number and 18 a wave.

#include "device/complex.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/contract/wave_panel_call.h"
#include "kernels/contract/waves.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct WavePanelArg : SiteArg {
  using real = Real<S>;
  static constexpr int spins = 4;
  Storage<S, 6> vectors;
  Storage<S, 6 * spins> panel;
  WaveTable<number_of<S>> waves;
  unsigned n_waves, last;

  WavePanelArg(const WavePanelCall &c, const TuneParam &)
      : SiteArg(c.vectors.lattice, 2, c.panel.inner)
      , vectors(c.vectors)
      , panel(c.panel)
      , waves(c.waves, c.n_waves, c.vectors.lattice)
      , n_waves(c.n_waves)
      , last(c.vectors.inner * c.n_waves - 1)
  {
  }
};

template <class Arg> struct WavePanel : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, unsigned z) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x);
    real all[6 * Arg::spins];
    QUDA_UNROLL
    for (unsigned s = 0; s < Arg::spins; s++) {
      const unsigned wish = Arg::spins * z + s, k = wish < arg.last ? wish : arg.last, e = k / arg.n_waves;
      const auto v = arg.vectors.read(here, static_cast<int>(e));
      const Complex<real> wave = arg.waves.at(x, static_cast<int>(k - e * arg.n_waves));
      QUDA_UNROLL
      for (unsigned c = 0; c < 3; c++) {
        const Complex<real> product = multiply(wave, Complex<real> {v[2 * c], v[2 * c + 1]});
        all[6 * s + 2 * c] = product.re;
        all[6 * s + 2 * c + 1] = product.im;
      }
    }
    arg.panel.write(here, static_cast<int>(z), all);
  }
};

QUDA_INSTANCES(wave_panel, WavePanelCall, Launch3D<WavePanel, WavePanelArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
