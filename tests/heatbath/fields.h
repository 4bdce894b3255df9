#pragma once
/// Links of the library as a field of the plain reference, one process.

#include <cstring>

#include "ops/heatbath/heatbath.h"
#include "support/native_fields.h"
#include "support/untuned.h"

namespace heatbath_tests
{

/// This rank's part, QDP order.
inline reference::QdpLinks<double> host_links(const quda::GaugeField &links)
{
  quda::GaugeFieldParam param = links.param();
  param.precision = quda::Precision::double_;
  param.order = quda::GaugeOrder::qdp;
  param.location = quda::Location::host;
  param.reconstruct = quda::Reconstruct::none;
  param.create = quda::Create::reference;
  for (int &border : param.R) border = 0;
  reference::QdpLinks<double> host;
  for (int mu = 0; mu < 4; mu++) {
    host[mu].resize(18 * links.lattice().volume());
    param.data[mu] = host[mu].data();
  }
  quda::GaugeField foreign(param);
  foreign = links;
  return host;
}

inline reference::GaugeField links_of(const quda::GaugeField &links, const support::Place &place)
{
  return reference::from_qdp(place.global, host_links(links));
}

inline bool same_bits(const reference::GaugeField &a, const reference::GaugeField &b)
{
  for (int mu = 0; mu < 4; mu++)
    if (std::memcmp(a.U[mu].data(), b.U[mu].data(), a.U[mu].size() * sizeof(reference::Link)) != 0) return false;
  return true;
}

} // namespace heatbath_tests
