#pragma once
/// What the tests of contractions summed over slices share: propagators as native fields, and momenta.

#include "contractions.h"

#include "ops/contract/plane_waves.h"
#include "ops/contract/propagators.h"
#include "reference/contract/propagators.h"

namespace contractions
{

constexpr int source[4] = {1, 3, 0, 5};
const reference::Coords source_coords {1, 3, 0, 5};

/// Of all kinds; more than fit a tile.
const std::vector<reference::PlaneWave> plane_waves = {{{0, 0, 0, 0}, {3, 3, 3, 3}},  {{1, -1, 2, 0}, {3, 2, 1, 3}},
                                                       {{-3, 5, 1, 7}, {3, 3, 3, 3}}, {{1, 1, 1, 1}, {1, 1, 1, 1}},
                                                       {{2, 0, -1, 3}, {2, 2, 2, 2}}, {{0, 1, 0, 0}, {1, 3, 2, 1}},
                                                       {{1, 2, 3, -4}, {3, 1, 3, 2}}};

inline std::vector<quda::PlaneWave> library_waves(const std::vector<reference::PlaneWave> &from = plane_waves)
{
  std::vector<quda::PlaneWave> waves;
  for (const reference::PlaneWave &wave : from) {
    quda::PlaneWave one {};
    for (int d = 0; d < 4; d++) {
      one.mode[d] = wave.mode[d];
      one.kind[d] = wave.kind[d] == 3   ? quda::Wave::exponential
                    : wave.kind[d] == 2 ? quda::Wave::cosine
                                        : quda::Wave::sine;
    }
    waves.push_back(one);
  }
  return waves;
}

inline reference::Propagator random_propagator(const reference::Lattice &lattice, int spins, int colors, int seed)
{
  reference::Propagator columns;
  for (int i = 0; i < spins * colors; i++) columns.push_back(reference::random_spinors(lattice, seed + i));
  return columns;
}

inline quda::ColorSpinorField native(const support::Place &place, const reference::Propagator &columns,
                                     quda::Precision precision, int spins)
{
  quda::ColorSpinorField field = native_field(place, precision, spins, static_cast<int>(columns.size()));
  for (int i = 0; i < field.rhs(); i++)
    field.columns(i, 1) = native(place, columns[static_cast<std::size_t>(i)], quda::Precision::double_, spins);
  field.mark_written();
  return field;
}

inline quda::SiteField products(const quda::ColorSpinorField &x, const quda::ColorSpinorField &y)
{
  quda::SiteField numbers(quda::propagators_param(x));
  quda::contract_propagators(x, y, numbers);
  return numbers;
}

inline reference::SiteNumbers expected_products(const reference::Propagator &x, const reference::Propagator &y,
                                                int spins)
{
  return spins == 4 ? reference::propagator_contraction(x, y) : reference::color_contraction(x, y);
}

} // namespace contractions
