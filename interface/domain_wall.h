#pragma once

/// Domain-wall fermions of QudaInvertParam.

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
/// Ls, b_5, c_5 and the one-flavour term, checked; mass and m5 as they stand.
DiracParam domain_wall_of(Checks &checks, const QudaInvertParam &param);

/// The kappa of mass normalisations: 1 / (2 (5 + m5)) of domain-wall fermions, Moebius ones too, else the member.
double kappa_of(const QudaInvertParam &param);

/// ", mass = ..." and so on, all that tells one operator of dslash_type from another.
std::string domain_wall_text(const QudaInvertParam &param);

} // namespace quda
