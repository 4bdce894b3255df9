#include "ops/contract/plane_waves.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/contract/plane_waves_call.h"
#include "ops/contract/slice_sums.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(PlaneWavesCall, plane_waves)

namespace
{

  constexpr const char *function = "sum_plane_waves";
  constexpr unsigned most_groups = 512; // of a launch: 4096 sums

  /// exp(2 pi i n / L), quarters of a turn exact, symmetric to the bit.
  std::complex<double> root_of_unity(long long n, long long L)
  {
    n = (n % L + L) % L;
    const long long quarter = 4 * n / L, rest = 4 * n % L;
    const bool mirrored = 2 * rest > L;
    const double angle = 0.5 * std::numbers::pi * static_cast<double>(mirrored ? L - rest : rest) / L;
    double c = std::cos(angle), s = std::sin(angle);
    if (mirrored) std::swap(c, s);
    switch (quarter) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
    }
  }

  std::complex<double> factor(const PlaneWave &wave, int d, long long x, int origin, long long L)
  {
    const std::complex<double> z = root_of_unity(wave.mode[d] % L * ((x - origin) % L), L);
    switch (wave.kind[d]) {
    case Wave::cosine:
      return z.real();
    case Wave::sine:
      return {0, z.imag()};
    default:
      return z;
    }
  }

} // namespace

DeviceBuffer wave_table(const Lattice &lattice, const LatticeView &view, Precision precision,
                        std::span<const PlaneWave> waves, const int (&origin)[4])
{
  return coordinate_table(lattice, view, precision == Precision::single, 2 * static_cast<int>(waves.size()),
                          [&](int d, long long x, int i) {
                            const std::complex<double> z =
                                factor(waves[static_cast<std::size_t>(i / 2)], d, x, origin[d], lattice.global_X()[d]);
                            return i % 2 ? z.imag() : z.real();
                          });
}

std::vector<std::complex<double>> sum_plane_waves(const SiteField &numbers, int direction,
                                                  std::span<const PlaneWave> waves, const int (&origin)[4])
{
  if (!numbers.native() || numbers.reals() != 2 || numbers.parities() != 2)
    fail(ErrorKind::internal, text("%s: a native full field of complex numbers, please", function));
  const Lattice &lattice = numbers.lattice();
  Communicator &comm = lattice.communicator();
  const int bytes = bytes_of(numbers.precision()), entries = numbers.inner(), n_waves = static_cast<int>(waves.size());
  const int entries_tile = entries == 1 ? 1 : wave_pairs, waves_tile = wave_pairs / entries_tile;
  const int waves_tiles = (n_waves + waves_tile - 1) / waves_tile;
  const int ranks = comm.extent(direction);
  const auto slices = static_cast<unsigned>(lattice.X(direction)), global = slices * ranks;
  const unsigned groups = (entries + entries_tile - 1) / entries_tile * waves_tiles * slices;
  const LatticeView view = numbers.view().lattice;
  const unsigned face = view.volume_cb / (direction == view.skew ? 1 : view.O[direction]) * view.parts;
  constexpr int sums_of_group = 2 * wave_pairs;

  const DeviceBuffer table = wave_table(lattice, view, numbers.precision(), waves, origin);
  std::vector<std::complex<double>> result(static_cast<std::size_t>(n_waves) * global * entries);
  std::vector<ExactLimbs> here; // of a launch
  for (unsigned first = 0; first < groups; first += most_groups) {
    const unsigned count = std::min(most_groups, groups - first);
    here.assign(static_cast<std::size_t>(count) * sums_of_group, {});
    const long long sites = lattice.volume() / slices * count;
    launch({.name = "PlaneWaves",
            .lattice = lattice,
            .extent = {face, 2, count},
            .aux = key_text("prec=", bytes, ",entries=", entries_tile, ",direction=", direction,
                            ",groups=", rhs_class(static_cast<int>(count))),
            .flops = sites * (18 * waves_tile + 6 * wave_pairs),
            .bytes = sites * 2 * entries_tile * bytes,
            .sums = here},
           plane_waves_kernels().find(function, bytes, entries_tile),
           {numbers.view(), table.device(), n_waves, direction, first, count, here.data()});
    const std::vector<double> totals = sum_slices(lattice, direction, here);

    for (unsigned group = 0; group < count; group++)
      for (int pair = 0; pair < wave_pairs; pair++) {
        const unsigned tile = (first + group) / slices, slice = (first + group) % slices;
        const int entry = static_cast<int>(tile) / waves_tiles * entries_tile + pair % entries_tile;
        const int wave = static_cast<int>(tile) % waves_tiles * waves_tile + pair / entries_tile;
        if (entry >= entries || wave >= n_waves) continue;
        for (int rank = 0; rank < ranks; rank++) {
          const double *sum = &totals[(static_cast<std::size_t>(rank) * count + group) * sums_of_group + 2 * pair];
          result[(static_cast<std::size_t>(wave) * global + rank * slices + slice) * entries + entry] = {sum[0],
                                                                                                         sum[1]};
        }
      }
  }
  return result;
}

double plane_waves_flops(const SiteField &numbers, std::size_t waves)
{
  return static_cast<double>(numbers.sites()) * static_cast<double>(waves) * (18 + 6 * numbers.inner());
}

} // namespace quda
