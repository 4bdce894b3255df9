#pragma once
/// Factory of the Dirac operators.

#include "dirac/dirac_param.h"
#include "ops/links/link_set.h"

namespace quda
{

SpinorShape spinor_shape(const DiracParam &param);

/// The operator that `param` describes. The set must outlive it.
std::unique_ptr<Dirac> make_dirac(const DiracParam &param, const LinkSet &links, LinkStorage storage);

} // namespace quda
