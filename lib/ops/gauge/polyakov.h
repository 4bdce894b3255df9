#pragma once
/// Polyakov loop of a gauge field.

#include <complex>

#include "fields/gauge_field.h"

namespace quda
{

/// Trace of the product of the time links, t = 0 leftmost, averaged over space: 3 for unit links. Links as stored, with
/// the boundary's sign. If time is cut between ranks, the product so far is passed from rank to rank, so that the
/// result has the same bits for any rank grid. links: native; a border is not needed. Collective over the field's
/// communicator.
std::complex<double> polyakov_loop(const GaugeField &links);

} // namespace quda
