#pragma once

/// What is measured on gauge fields, for the calls that measure.

#include "quda.h"

#include "interface/guard.h"
#include "interface/resident.h"

namespace quda
{

/// Even, and deep enough for what is measured.
constexpr int observable_border = 2;

/// The members that choose, and what the choice needs of links like these; refuses what this library does not measure.
/// Does not communicate.
void check_observables(Checks &checks, const QudaGaugeObservableParam *param, const GaugeField &links);

/// The links projected onto SU(3), border filled. Collective; links that cannot be projected are an error that all
/// ranks find.
GaugeField projected(const char *function, const GaugeField &links);

/// Measures what param asks for. Collective.
void measure_observables(const char *function, QudaGaugeObservableParam &param, const LinkSet &links);

} // namespace quda
