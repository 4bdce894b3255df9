/// Polyakov loop: the trace of the product of time links, averaged over space.
#pragma once

#include "reference/field.h"

namespace reference
{

Complex polyakov_loop(const GaugeField &gauge);

} // namespace reference
