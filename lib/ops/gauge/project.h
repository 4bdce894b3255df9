#pragma once
/// Projection of links onto SU(3).

#include "fields/gauge_field.h"

namespace quda
{

/// Tolerance of observables and smearing for a projected link.
constexpr double projection_tolerance(Precision precision) { return precision == Precision::double_ ? 2e-15 : 1e-6; }

/// Refuses, naming `function`, such links if their storage cannot hold projected ones. Collective: no.
void check_projection(const char *function, const GaugeFieldParam &links);

/// out = the SU(3) matrix nearest to each link of `in`: the unitary factor of its polar decomposition, made special by
/// the principal cube root of its determinant. Returns the number of links of the global lattice that are not unitary
/// to within `tolerance` in some component of U^dag U, or are NaN.
/// in, out   : native, one precision, reconstruct and border; may be one field. Borders are not written.
/// The signs of an antiperiodic boundary stay where links have them (a determinant below 0): the links are projected
/// without them, except in fields with staggered phases, which contain them. An anisotropy does not stay, and
/// reconstruct 12 cannot hold links without it, nor bare links of such a boundary with phases: unsupported there
/// (check_projection). Collective over the field's communicator.
long long project_su3(GaugeField &out, const GaugeField &in, double tolerance);

/// The same without the last step: the unitary matrix nearest to each link, whose determinant keeps its phase, so that
/// boundary signs stay; an anisotropy does not. Collective.
long long make_unitary(GaugeField &out, const GaugeField &in, double tolerance);

} // namespace quda
