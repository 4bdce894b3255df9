#pragma once
/// Projection of links onto SU(3).

#include "fields/gauge_field.h"

namespace quda
{

/// What observables and smearing ask of a projected link.
constexpr double projection_tolerance(Precision precision) { return precision == Precision::double_ ? 2e-15 : 1e-6; }

/// Refuses, naming `function`, links like these where their storage cannot hold projected ones. Collective: no.
void check_projection(const char *function, const GaugeFieldParam &links);

/// out = the SU(3) matrix nearest to each link of `in`: the unitary factor of its polar decomposition, made special by
/// the principal cube root of its determinant. Returns how many links of the global lattice are then not unitary to
/// within `tolerance` in some component of U^dag U, or are no numbers.
/// in, out   : native, one precision, reconstruct and border; may be one field. Borders are not written.
/// The signs of an antiperiodic boundary stay where links have them (a determinant below 0): what is projected are the
/// links without them, but for fields with staggered phases, whose part they are. An anisotropy does not stay, and
/// reconstruct 12 cannot hold links without it, nor bare links of such a boundary with phases: unsupported there
/// (check_projection). Collective over the field's communicator.
long long project_su3(GaugeField &out, const GaugeField &in, double tolerance);

/// The same without the last step: the unitary matrix nearest to each link, whose determinant keeps its phase, so that
/// boundary signs stay; an anisotropy does not. Collective.
long long make_unitary(GaugeField &out, const GaugeField &in, double tolerance);

} // namespace quda
