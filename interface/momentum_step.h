#pragma once

/// The step of momenta that a force's call ends with.

#include "interface/link_source.h"

#include <functional>

namespace quda
{

/// Adds a force: add(momentum, step, overwrite) to what `source` opens, which goes where its flags say; recorded: once
/// more with step 1, for the force monitor (ops/force/force_monitor.h), where the force is called `name`. A resident
/// momentum that is half written when add() fails is freed, and the message says so. Collective.
void add_force(const char *function, const char *name, MomentumSource &source, double step, bool overwrite,
               bool recorded, const std::function<void(GaugeField &momentum, double step, bool overwrite)> &add);

} // namespace quda
