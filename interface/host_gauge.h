#pragma once

/// Gauge and momentum arrays of a host program as fields, and the common checks of their descriptions.
/// Ownership : the fields refer to the host's memory, which must outlive them.
/// Errors    : bad_argument, unsupported and not_built, with function, member and value. Collective: no.

#include "quda.h"

#include "fields/gauge_field.h"
#include "interface/guard.h"
#include "interface/resident.h"

#include <optional>

namespace quda
{

/// Refuses precisions that this library does not have, or this build leaves out. name: "QudaGaugeParam.cuda_prec" etc.
void check_built(const char *function, const char *name, QudaPrecision precision);
void check_built(const char *function, const char *name, QudaReconstructType reconstruct);

/// How the library keeps what a host wants in this precision: half in the next better one, of which operators have
/// copies, as solutions are judged and links measured in that.
Precision kept_in(const char *function, const char *name, QudaPrecision precision);

/// The resident set of a link type; refuses types without one. also: ends the list of allowed values.
ResidentLinks &links_of(Session &session, const char *function, QudaLinkType type, const char *also = "");

/// Checks the extents; the lanes of their lattice are the same on all ranks.
void check_lattice(Checks &checks, const QudaGaugeParam &param);

/// Checks the members that describe links in host memory: location, X, type, gauge_order, t_boundary, cpu_prec,
/// gauge_fix and those that the type needs. They are the same on all ranks, which tune copies together.
void check_host_gauge(Checks &checks, const QudaGaugeParam &param);

/// Refuses links with staggered phases, for functions that do not support phases.
void refuse_staggered_phases(Checks &checks, const QudaGaugeParam &param);

/// Checks the members about staggered phases; they are the same on all ranks.
void check_phases(Checks &checks, const QudaGaugeParam &param);

/// Refuses storage that cannot hold links with staggered phases, if param says that they carry them. name:
/// "QudaGaugeParam.reconstruct" or the like.
void check_phases_stored(const char *function, const QudaGaugeParam &param, const char *name,
                         QudaReconstructType reconstruct);

/// Refuses a description that differs from the resident field in a property that copies keep; names the first one.
void check_like_resident(const char *function, const GaugeField &described, const GaugeField &resident);

/// The links that param describes, in native order; the caller sets precision and reconstruct.
GaugeFieldParam gauge_param(Checks &checks, const QudaGaugeParam &param);
/// The momenta, likewise.
GaugeFieldParam momentum_param(Checks &checks, const QudaGaugeParam &param);

/// The host's arrays as a field. name: of the argument.
GaugeField host_links(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param);
GaugeField host_momentum(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param);

/// The host's array for links like these: order and precision from param, the rest from `like`.
GaugeField host_links_like(Checks &checks, const char *name, void *array, const QudaGaugeParam &param,
                           const GaugeFieldParam &like);

/// Refuses numbers that are NaN or infinite; names the first.
void check_finite(const char *function, const char *name, const GaugeField &host);

} // namespace quda
