#pragma once
/// Contractions of two propagators, site by site: nothing is summed over sites. The first one is conjugated.

#include "fields/color_spinor_field.h"
#include "fields/site_field.h"

namespace quda
{

/// Parameters of the result for propagators like x: a right-hand side for each entry, 1 or 16, complex.
SiteFieldParam propagators_param(const ColorSpinorField &x);

/// result = the contraction of x and y of lib/kernels/contract/propagators.launch.cpp, overwritten. x, y:
/// native, full, one shape and precision, double or single, 3 colors; for one spin a right-hand side for each colour of
/// the source, for four spins one for each spin and colour, spins outermost. They may be one field. result: as in
/// propagators_param(). Collective: no, except for the tuning over the fields' communicator.
void contract_propagators(const ColorSpinorField &x, const ColorSpinorField &y, SiteField &result);

} // namespace quda
