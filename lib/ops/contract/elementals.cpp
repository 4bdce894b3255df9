#include "ops/contract/elementals.h"

#include <algorithm>

#include "kernels/contract/wave_panel_call.h"
#include "ops/contract/slice_products.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(WavePanelCall, wave_panel)

namespace
{

  constexpr const char *function = "elementals";
  constexpr int spins = 4;       // of a field of the panel: products of a vector and a wave
  constexpr int most_waves = 16; // of a panel: six fields' memory a vector

  /// Vectors times waves; product k is spin k % 4 of field k / 4, k = vector n_waves + wave.
  void fill_panel(ColorSpinorField &panel, const ColorSpinorField &vectors, std::span<const PlaneWave> waves,
                  const int (&origin)[4])
  {
    const Lattice &lattice = vectors.lattice();
    const FieldView view = vectors.view().field;
    const int bytes = bytes_of(vectors.precision()), n_waves = static_cast<int>(waves.size()), fields = panel.rhs();
    const DeviceBuffer table = wave_table(lattice, view.lattice, vectors.precision(), waves, origin);
    launch({.name = "WavePanel",
            .lattice = lattice,
            .extent = {registers(vectors), 2, static_cast<unsigned>(fields)},
            .aux = key_text("prec=", bytes, ",fields=", rhs_class(fields), ",waves=", n_waves),
            .flops = lattice.volume() * fields * spins * 36,
            .bytes = lattice.volume() * (6LL * vectors.rhs() + 24LL * fields) * bytes},
           wave_panel_kernels().find(function, bytes), {view, panel.view().field, table.device(), n_waves});
    panel.mark_written();
  }

} // namespace

std::vector<std::complex<double>> elementals(const ColorSpinorField &left, const ColorSpinorField &right,
                                             std::span<const PlaneWave> waves, const int (&origin)[4])
{
  if (!right.native() || right.spins() != 1 || right.colors() != 3 || right.parities() != 2 || right.layers() != 1)
    fail(ErrorKind::internal, text("%s: native full fields of one spin and 3 colors, please", function));
  if (right.lattice().skew() >= 0) return elementals(in_even_blocks(left), in_even_blocks(right), waves, origin);
  const std::size_t n_left = left.rhs(), n_right = right.rhs(), T = left.lattice().global_X()[3];
  std::vector<std::complex<double>> result(waves.size() * T * n_left * n_right);
  for (std::size_t first = 0; first < waves.size(); first += most_waves) {
    const std::size_t n = std::min<std::size_t>(most_waves, waves.size() - first), products = n_right * n;
    ColorSpinorParam shape = right.param();
    shape.spins = spins;
    shape.rhs = static_cast<int>((products + spins - 1) / spins);
    shape.basis = GammaBasis::degrand_rossi;
    ColorSpinorField panel(shape);
    fill_panel(panel, right, waves.subspan(first, n), origin);
    const std::vector<std::complex<double>> sums = slice_products(left, panel); // (field, left, t, spin)
    for (std::size_t k = 0; k < products; k++)
      for (std::size_t i = 0; i < n_left; i++)
        for (std::size_t t = 0; t < T; t++)
          result[(((first + k % n) * T + t) * n_left + i) * n_right + k / n] =
              sums[((k / spins * n_left + i) * T + t) * spins + k % spins];
  }
  return result;
}

double elementals_flops(const Lattice &lattice) { return 24.0 * static_cast<double>(lattice.volume()); }

} // namespace quda
