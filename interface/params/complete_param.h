#pragma once

/// Completion of unset members from other members, in the caller's structure, as QUDA's hosts expect. A chain is
/// followed as far as it is set. Collective: no.

#include "quda.h"

namespace quda
{

/// Precisions and reconstructions of the copies: sloppy and eigensolver follow the precise field, refinement and
/// preconditioner follow sloppy; reconstruct_eigensolver follows reconstruct_sloppy.
void complete_gauge_param(QudaGaugeParam &param);

/// Precisions of a solve's quark fields: sloppy follows cuda_prec, the others follow sloppy; the history follows
/// cuda_prec.
void complete_invert_param(QudaInvertParam &param);

/// Precisions of the clover field's copies: sloppy and eigensolver follow clover_cuda_prec, the others follow sloppy.
void complete_clover_param(QudaInvertParam &param);

} // namespace quda
