/// The CPU targets, seen from the host: required instructions, and their TargetApi.
#pragma once

#include "targets/target.h"

namespace quda
{

/// The name of the instruction set that a CPU target requires.
const char *instructions_of(Target target);

/// Whether the processor, and the operating system, run the instructions of a CPU target; false for any other target.
bool processor_has(Target target);

/// For tests: processor_has(target) returns false from now on, or the truth again.
void pretend_processor_lacks(Target target, bool lacking);

/// Null if the processor lacks the instructions. Never destroyed: pools and static fields may outlive everything else.
const TargetApi *cpu_target(Target target);

} // namespace quda
