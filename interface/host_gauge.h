#pragma once

/// Gauge and momentum arrays of a host program as fields, and the checks that their descriptions share.
/// Ownership : the fields refer to the host's memory, which must outlive them.
/// Errors    : bad_argument, unsupported and not_built, naming function, member and value. Collective: no.

#include "quda.h"

#include "fields/gauge_field.h"
#include "interface/guard.h"
#include "interface/resident.h"

#include <optional>

namespace quda
{

/// Refuses what this library cannot do, or this build leaves out. name: "QudaGaugeParam.cuda_prec" or the like.
void check_built(const char *function, const char *name, QudaPrecision precision);
void check_built(const char *function, const char *name, QudaReconstructType reconstruct);

/// The resident set of a link type; refuses types that have none. also: ends the list of what is allowed.
ResidentLinks &links_of(const char *function, QudaLinkType type, const char *also = "");

/// The extents; the lattice that they make is cut into lanes alike on all ranks.
void check_lattice(Checks &checks, const QudaGaugeParam &param);

/// The members that describe links in host memory: location, X, type, gauge_order, t_boundary, cpu_prec, gauge_fix and
/// what the type needs; the same on all ranks, which tune copies together.
void check_host_gauge(Checks &checks, const QudaGaugeParam &param);

/// Refuses links with staggered phases, for functions that know nothing of phases.
void refuse_staggered_phases(Checks &checks, const QudaGaugeParam &param);

/// The members that tell of staggered phases; the same on all ranks.
void check_phases(Checks &checks, const QudaGaugeParam &param);

/// Refuses storage that cannot hold links with staggered phases, where param says that they carry them.
/// name: "QudaGaugeParam.reconstruct" or the like.
void check_phases_stored(const char *function, const QudaGaugeParam &param, const char *name,
                         QudaReconstructType reconstruct);

/// Refuses a description that differs from the resident field's in what a copy keeps, naming the first such member.
void check_like_resident(const char *function, const GaugeField &described, const GaugeField &resident);

/// The links that param describes, in native order; precision and reconstruct are left to the caller.
GaugeFieldParam gauge_param(const QudaGaugeParam &param);
/// The momenta, likewise.
GaugeFieldParam momentum_param(const QudaGaugeParam &param);

/// The host's arrays as they are. name: of the argument.
GaugeField host_links(const char *function, const char *name, void *arrays, const QudaGaugeParam &param);
GaugeField host_momentum(const char *function, const char *name, void *arrays, const QudaGaugeParam &param);

/// The host's array that takes links like these: order and precision as param says, all else as `like` has it.
GaugeField host_links_like(const char *function, const char *name, void *array, const QudaGaugeParam &param,
                           const GaugeFieldParam &like);

/// Refuses numbers that are NaN or infinite, naming the first.
void check_finite(const char *function, const char *name, const GaugeField &host);

} // namespace quda
