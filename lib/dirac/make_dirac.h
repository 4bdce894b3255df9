#pragma once
/// Operators by their kind.

#include <span>

#include "dirac/dirac.h"

namespace quda
{

/// The kinds that this library has.
std::span<const DiracKind> dirac_kinds();

/// Spins and layers of the fields of a kind.
SpinorShape spinor_shape(const DiracParam &param);

/// The set must outlive the Dirac. Errors: unsupported for a kind that this library does not have.
std::unique_ptr<Dirac> make_dirac(const DiracParam &param, const LinkSet &links, LinkStorage storage);

} // namespace quda
