#pragma once

/// What is measured on gauge fields, for the calls that measure.

#include "quda.h"

#include "interface/resident.h"

namespace quda
{

/// Even, and deep enough for what is measured.
constexpr int observable_border = 2;

/// The smeared links where there are any; the gauge field is needed all the same.
ResidentLinks &measured_links(const char *function);

/// Refuses smeared links on some ranks alone: each may have freed its own. Collective.
void same_measured_links(const char *function, Communicator &communicator);

/// The members that choose, and what the choice needs of links like these; refuses what this library does not measure.
/// Does not communicate.
void check_observables(const char *function, const QudaGaugeObservableParam *param, const GaugeField &links);

/// Refuses choices that differ between ranks. Collective.
void same_observables(const char *function, Communicator &communicator, const QudaGaugeObservableParam &param);

/// The links projected onto SU(3), border filled. Collective; links that cannot be projected are an error that all
/// ranks find.
GaugeField projected(const char *function, const GaugeField &links);

/// Measures what param asks for on links with a border of observable_border in cut directions, current. Collective.
void measure_observables(const char *function, QudaGaugeObservableParam &param, const GaugeField &links);

} // namespace quda
