#pragma once
/// The error of a step of the gradient flow, for adaptive steps.

#include "fields/gauge_field.h"

namespace quda
{

/// The largest over the links of the global lattice of |V - exp(epsilon (2 Z_1 - Z_0)) V_0|, the Frobenius norm; NaN
/// if any number is NaN. after: V; before: V_0, without border; first, second: Z_0 and Z_1 - 17/32 Z_0, native momenta
/// without border. The same bits on all ranks and for any rank grid. Collective over the links' communicator.
double flow_error(const GaugeField &after, const GaugeField &before, const GaugeField &first, const GaugeField &second,
                  double epsilon);

} // namespace quda
