#pragma once
/// Name of a matrix, built from the numbers that define it. Two matrices with one name are the same to the bit: links
/// and clover terms enter by their tags, which change when a field is loaded or written.

#include <string>

#include "dirac/dirac_param.h"
#include "dirac/dirac_system.h"

namespace quda
{

std::string identity(const DiracParam &dirac, const LinkSet &links, const DiracSystemForm &form);

} // namespace quda
