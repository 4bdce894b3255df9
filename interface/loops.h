#pragma once

/// Traces of loops, for the calls that measure them.
///   traces[i] = factor loop_coeff[i] sum_x tr Loop_i(x), summed over the global lattice, no normalisation

#include "quda.h"

#include "interface/guard.h"
#include "ops/links/link_set.h"

namespace quda
{

/// Refuses invalid loops: null lists, lengths, steps, coefficients, reach on the lattice. Collective: no.
void check_loop_traces(Checks &checks, const Lattice &lattice, const QudaGaugeObservableParam &param);

/// Fills param->traces from num_paths, input_path_buff, path_length, loop_coeff and factor, which have been checked. A
/// coefficient of 0 gives 0. The same bits on all ranks and for any rank grid. Collective.
void measure_loop_traces(const char *function, const LinkSet &links, QudaGaugeObservableParam &param);

} // namespace quda
