/// The CPU targets, seen from the host: what instructions they need, and their TargetApi.
#pragma once

#include "targets/target.h"

namespace quda
{

/// The name of what the processor must have for a CPU target.
const char *instructions_of(Target target);

/// Whether the processor, and the system on it, run the instructions of a CPU target; no for any other target.
bool processor_has(Target target);

/// For tests: processor_has(target) says no from now on, or the truth again.
void pretend_processor_lacks(Target target, bool lacking);

/// Null where the processor lacks the instructions. Never destroyed: pools and static fields may outlive all else.
const TargetApi *cpu_target(Target target);

} // namespace quda
