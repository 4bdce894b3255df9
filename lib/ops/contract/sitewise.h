#pragma once
/// Contractions of two spinor fields, site by site: nothing is summed over sites. The first field is conjugated.

#include "fields/color_spinor_field.h"
#include "fields/site_field.h"

namespace quda
{

/// Kind of contraction at each site; entries, spin and colour indices as in lib/kernels/contract/sitewise.h.
enum class Contraction {
  open,                // 16: x^dag_a y_b, at 4 a + b
  bilinears,           // 16: x^dag Gamma_G y, with QUDA's entries 11 and 15
  corrected_bilinears, // 16: the same, with sigma_13 and sigma_34 there
  staggered            // 1: x^dag y, fields of one spin
};

/// Parameters of the result for spinors like x: entries one after the other, complex.
SiteFieldParam contraction_param(const ColorSpinorField &x, Contraction type);

/// result = the contraction of x and y, overwritten; lattice units. x, y: native, one shape and
/// precision, 3 colors, 4 spins (staggered: 1); they may be one field. result: as in contraction_param(), no alias
/// of x and y. Collective: no, except for the tuning over the fields' communicator.
void contract(const ColorSpinorField &x, const ColorSpinorField &y, SiteField &result, Contraction type);

} // namespace quda
