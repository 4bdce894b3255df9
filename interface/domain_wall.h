#pragma once

/// Domain-wall operators in QudaInvertParam: checks, parameters and normalisation.

#include "quda.h"

#include "dirac/dirac_param.h"
#include "interface/params/param_table.h"

#include <string>

namespace quda
{

/// Whether an operator's fields have a fifth dimension of Ls layers.
bool domain_wall(QudaDslashType type);

/// Checks mass and m5.
void check_domain_wall_mass(Checks &checks, const QudaInvertParam &param);
/// Operator with checked Ls, b_5, c_5 and one-flavour term; mass and m5 as given.
DiracParam domain_wall_of(Checks &checks, const QudaInvertParam &param);

/// The kappa of mass normalisations: 1 / (2 (5 + m5)) for domain-wall fermions, also Moebius; else the member.
double kappa_of(const QudaInvertParam &param);

/// ", mass = ..." and so on: all parameters that tell one operator of dslash_type from another.
std::string domain_wall_text(const QudaInvertParam &param);

} // namespace quda
