#pragma once

/// Observables of gauge fields, for the calls that measure.

#include "quda.h"

#include "interface/guard.h"
#include "interface/resident.h"

namespace quda
{

/// Border of a measured field: even, and deep enough for all observables.
constexpr int observable_border = 2;

/// Checks the members that select observables, and the requirements of the selection for these links; refuses
/// observables that this library does not have. No communication.
void check_observables(Checks &checks, const QudaGaugeObservableParam *param, const GaugeField &links);

/// The links projected onto SU(3), with borders. Collective; if links cannot be projected, all ranks get the
/// error.
GaugeField projected(const char *function, const GaugeField &links);

/// Measures the observables that param selects. Collective.
void measure_observables(const char *function, QudaGaugeObservableParam &param, const LinkSet &links);

} // namespace quda
