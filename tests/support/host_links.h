#pragma once
/// Links of a native field of the library, back in a field of the plain reference.

#include <cstring>

#include "support/native_fields.h"

namespace support
{

/// The host arrays of a rank's links, double precision, QDP order.
inline reference::QdpLinks<double> host_links(const quda::GaugeField &links)
{
  reference::QdpLinks<double> host;
  quda::GaugeFieldParam param = links.param();
  param.precision = quda::Precision::double_;
  param.reconstruct = quda::Reconstruct::none;
  param.order = quda::GaugeOrder::qdp;
  param.location = quda::Location::host;
  param.create = quda::Create::reference;
  for (int d = 0; d < 4; d++) {
    param.R[d] = 0;
    host[d].resize(18 * links.lattice().volume());
    param.data[d] = host[d].data();
  }
  quda::GaugeField foreign(param);
  foreign = links;
  return host;
}

/// The whole field, of a process on its own.
inline reference::GaugeField reference_links(const quda::GaugeField &links)
{
  const int *X = links.lattice().X();
  return reference::from_qdp(reference::Lattice({X[0], X[1], X[2], X[3]}), host_links(links));
}

/// Links of the rank that differ, in some bit, from those of the whole lattice.
inline int differing_links(const quda::GaugeField &links, const Place &place, const reference::QdpLinks<double> &whole)
{
  const auto mine = host_links(links);
  int n = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < place.part.local.volume(); slot++)
      n += std::memcmp(&mine[mu][18 * slot], &whole[mu][18 * place.global.slot(place.part.global_coords(slot))],
                       18 * sizeof(double)) != 0;
  return n;
}

} // namespace support
