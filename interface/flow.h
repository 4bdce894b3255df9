#pragma once

/// What flows of links and flows of quark fields with them share (flow.cpp, quark_flow.cpp).
/// Errors     : bad_argument, naming function, member and value.

#include "quda.h"

#include "fields/gauge_field.h"
#include "interface/guard.h"
#include "ops/smear/flow.h"

namespace quda
{

/// The flow that QudaGaugeSmearParam describes.
GradientFlow checked_flow(Checks &checks, const QudaGaugeSmearParam *param);

/// The links that it begins with: the resident ones, or with restart the smeared ones.
const GaugeField &first_links(Checks &checks, const QudaGaugeSmearParam &param);

} // namespace quda
