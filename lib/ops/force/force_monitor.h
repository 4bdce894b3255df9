#pragma once
/// A record of the sizes of forces, for tuning an integrator: QUDA_ENABLE_FORCE_MONITOR = 1.
///
/// force.tsv in QUDA_RESOURCE_PATH (B_force.tsv with QUDA_PROFILE_OUTPUT_BASE = B): the line "Force L1 L2 dt", then one
/// a force: its name, the largest L1 norm of its matrices over lattice and directions (largest sum of moduli of a
/// column), the largest Frobenius norm, and its step size; tabs between, five digits. The first rank
/// writes, after each thousand forces and when the library ends; a process starts a new file, its later sessions append
/// to it.

#include "fields/gauge_field.h"

namespace quda
{

/// Whether forces are to be recorded. The setting should be the same on all ranks.
bool force_monitor();

/// Records a force, a native field of link type momentum without its step. Collective over the field's communicator.
void record_force(const char *name, const GaugeField &force, double dt);

/// Writes the remaining records. A file that cannot be written gives a warning. Never fails. Collective: no.
void flush_force_monitor() noexcept;

} // namespace quda
