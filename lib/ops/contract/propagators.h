#pragma once
/// Contractions of two propagators, site by site: nothing is summed over sites. The first one is conjugated.

#include "fields/color_spinor_field.h"
#include "fields/site_field.h"

namespace quda
{

/// The result's field for propagators like x: a right-hand side each entry, 1 or 16, complex.
SiteFieldParam propagators_param(const ColorSpinorField &x);

/// result = the contraction of x and y as lib/kernels/contract/propagators.launch.cpp has it, overwritten. x, y:
/// native, full, one shape and precision, double or single, 3 colors; of one spin a right-hand side for each colour of
/// the source, of four spins one for each spin and colour, spins outermost. They may be one field. result: as
/// propagators_param() says. Collective: no, except for the tuning over the fields' communicator.
void contract_propagators(const ColorSpinorField &x, const ColorSpinorField &y, SiteField &result);

} // namespace quda
