#pragma once

/// A job's operator applied to its fields, by all ranks or, where several sources are shared out (interface/split_grid.h),
/// by sub-grids of them. Collective.

#include "interface/quark_job.h"

namespace quda
{

class Dirac;

/// What is done with the library's fields; returns its operations on this rank.
using Application = std::function<double(const Dirac &, ColorSpinorField &out, const ColorSpinorField &in)>;
/// Fields in, application, fields out; secs and gflops.
void carry_out(QuarkJob &job, QudaInvertParam &param, const Application &apply);
/// The application alone. reads_out: it needs the numbers that out has. What fails on one sub-grid is told all ranks.
double on_sub_grids(QuarkJob &job, ColorSpinorField &out, const ColorSpinorField &in, bool reads_out,
                    const Application &apply);

} // namespace quda
