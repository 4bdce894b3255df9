#pragma once
/// Fields of the tests of forces: momenta and matrices between the library and the plain reference, path sets.

#include "ops/gauge/path_set.h"
#include "reference/force/loops.h"
#include "reference/force/momentum.h"
#include "support/native_fields.h"

#include <cmath>

namespace force_test
{

inline quda::PathSet path_set(const reference::PathTerms &terms)
{
  quda::PathSet set;
  for (int mu = 0; mu < 4; mu++)
    for (const auto &term : terms[mu]) set[mu].push_back({term.steps, term.coefficient});
  return set;
}

inline quda::GaugeFieldParam param_of(const support::Place &place, quda::Precision precision, bool momentum)
{
  quda::GaugeFieldParam param;
  param.lattice = place.lattice;
  param.precision = precision;
  param.link_type = momentum ? quda::LinkType::momentum : quda::LinkType::su3;
  param.reconstruct = momentum ? quda::Reconstruct::r10 : quda::Reconstruct::none;
  return param;
}

/// A host field in QDP order over arrays of `reals` a site.
inline quda::GaugeField foreign(const support::Place &place, reference::QdpLinks<double> &arrays, bool momentum)
{
  quda::GaugeFieldParam param = param_of(place, quda::Precision::double_, momentum);
  param.order = quda::GaugeOrder::qdp;
  param.location = quda::Location::host;
  param.create = quda::Create::reference;
  for (int mu = 0; mu < 4; mu++) param.data[mu] = arrays[mu].data();
  return quda::GaugeField(param);
}

inline quda::GaugeField native_momentum(const support::Place &place, const reference::GaugeField &a,
                                        quda::Precision precision)
{
  reference::QdpLinks<double> arrays;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < place.part.local.volume(); slot++)
      for (const double v : reference::ten_numbers(a.at(mu, place.part.global_coords(slot)))) arrays[mu].push_back(v);
  quda::GaugeField field(param_of(place, precision, true));
  field = foreign(place, arrays, true);
  return field;
}

/// The numbers of a native field of momenta (10 reals a link) or matrices (18), QDP order.
inline reference::QdpLinks<double> numbers(const support::Place &place, const quda::GaugeField &field)
{
  const bool momentum = field.link_type() == quda::LinkType::momentum;
  reference::QdpLinks<double> arrays;
  for (auto &array : arrays) array.resize(place.part.local.volume() * (momentum ? 10 : 18));
  quda::GaugeField host = foreign(place, arrays, momentum);
  host = field;
  return arrays;
}

/// The largest difference from the reference's matrices, in units of their root mean square.
inline double deviation(const support::Place &place, const quda::GaugeField &field, const reference::GaugeField &right)
{
  const auto arrays = numbers(place, field);
  const bool momentum = field.link_type() == quda::LinkType::momentum;
  double largest = 0, squares = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < place.part.local.volume(); slot++) {
      reference::Link found;
      if (momentum)
        found = reference::from_ten(&arrays[mu][10 * slot]);
      else
        for (int k = 0; k < 9; k++)
          found.data()[k] = {arrays[mu][18 * slot + 2 * k], arrays[mu][18 * slot + 2 * k + 1]};
      const reference::Link &link = right.at(mu, place.part.global_coords(slot));
      const double here = (found - link).cwiseAbs().maxCoeff();
      if (!(here <= largest)) largest = here;
      squares += link.squaredNorm();
    }
  return largest / std::sqrt(squares / (36.0 * static_cast<double>(place.part.local.volume())));
}

} // namespace force_test
