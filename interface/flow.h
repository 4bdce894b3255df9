#pragma once

/// Common parts of flows of links, and of quark fields together with links (flow.cpp, quark_flow.cpp).
/// Errors     : bad_argument, with function, member and value.

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
