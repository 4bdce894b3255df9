#pragma once

/// The momentum step that ends a force calculation.

#include "interface/link_source.h"

#include <functional>

namespace quda
{

/// Adds a force: calls add(momentum, step, overwrite) on the field that `source` opens, and closes that; recorded: once
/// more with step 1 for the force monitor (ops/force/force_monitor.h), which calls the force `name`. If add() fails
/// with the resident momentum half written, the momentum is freed, and the message says so. Collective.
void add_force(const char *function, const char *name, MomentumSource &source, double step, bool overwrite,
               bool recorded, const std::function<void(GaugeField &momentum, double step, bool overwrite)> &add);

} // namespace quda
