#pragma once
/// Fields of several entries a site, right-hand sides, slices of the fifth dimension, flavours: one field of the plain
/// reference each.

#include "support/native_fields.h"

namespace support
{

/// all: of the global lattice, on all slots.
inline void set_entries(quda::ColorSpinorField &field, const Place &place, const std::vector<reference::Spinors> &all)
{
  std::vector<double> host;
  for (int p = 0; p < field.parities(); p++)
    for (const reference::Spinors &psi : all) {
      const int parity = field.parities() == 2 ? p : field.parity();
      const auto numbers = reference::to_host<double>(psi, place.global, place.part, parity);
      host.insert(host.end(), numbers.begin(), numbers.end());
    }
  set_from_host(field, host);
}

/// On one rank: of all slots, or of those of the field's parity.
inline std::vector<reference::Spinors> entries_of(const quda::ColorSpinorField &field)
{
  const reference::Spinors host = reference::from_host<double>(host_array(field), false);
  std::vector<reference::Spinors> all(field.inner());
  const std::size_t half = host.size() / field.parities() / all.size();
  for (std::size_t i = 0; i < host.size(); i++) all[i / half % all.size()].push_back(host[i]);
  return all;
}

/// Of all entries together (reference::deviation).
inline double deviation(const std::vector<reference::Spinors> &a, const std::vector<reference::Spinors> &b)
{
  reference::Spinors all_a, all_b;
  for (const reference::Spinors &psi : a) all_a.insert(all_a.end(), psi.begin(), psi.end());
  for (const reference::Spinors &psi : b) all_b.insert(all_b.end(), psi.begin(), psi.end());
  return reference::deviation(all_a, all_b);
}

} // namespace support
