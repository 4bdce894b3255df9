#pragma once
/// Operators by their parameters.

#include "dirac/dirac_param.h"
#include "ops/links/link_set.h"

namespace quda
{

SpinorShape spinor_shape(const DiracParam &param);

/// The set must outlive the Dirac.
std::unique_ptr<Dirac> make_dirac(const DiracParam &param, const LinkSet &links, LinkStorage storage);

} // namespace quda
