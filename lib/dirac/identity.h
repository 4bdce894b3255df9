#pragma once
/// The name of a matrix: what it is made of, by number. Two that have one name are the same to the bit: links and
/// clover terms count by their tags, which change when one is loaded or written.

#include <string>

#include "dirac/dirac_param.h"
#include "dirac/dirac_system.h"

namespace quda
{

std::string identity(const DiracParam &dirac, const LinkSet &links, const DiracSystemForm &form);

} // namespace quda
