#pragma once
/// A record of how large forces are, for tuning an integrator: QUDA_ENABLE_FORCE_MONITOR = 1.
///
/// force.tsv in QUDA_RESOURCE_PATH (B_force.tsv with QUDA_PROFILE_OUTPUT_BASE = B): the line "Force L1 L2 dt", then one
/// a force: its name, the largest L1 norm of its matrices over lattice and directions (largest sum of moduli of a
/// column), the largest Frobenius norm, and the step it is taken with; tabs between, five digits. The first rank
/// writes, after each thousand forces and when the library ends; a process begins the file anew, sessions go on with
/// it.

#include "fields/gauge_field.h"

namespace quda
{

/// Whether forces are to be recorded. All ranks should have been told the same.
bool force_monitor();

/// Records a force, a native field of link type momentum without its step. Collective over the field's communicator.
void record_force(const char *name, const GaugeField &force, double dt);

/// Writes what is not written yet. A file that cannot be written is a warning. Never fails. Collective: no.
void flush_force_monitor() noexcept;

} // namespace quda
