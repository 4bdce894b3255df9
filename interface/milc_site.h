#pragma once

/// Common state of MILC's functions: the lattice given to qudaInit(), what stays resident from call to call, and the
/// host's links and momenta as QudaGaugeParam describes them.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/guard.h"

namespace quda
{

/// Whether calls use the resident links.
bool milc_links_resident(const Session &session);
/// A force is added to the resident momenta if calls use these, or goes to the host.
void use_milc_momentum(const Session &session, QudaGaugeParam &param);

/// Checks a residual or a shift: 0 or more.
void check_target(Checks &checks, const char *name, double target);
/// The residuals that a solve tests: those with nonzero targets, one at least.
QudaResidualType milc_residuals(Checks &checks, double target_residual, double target_fermilab_residual);

/// Links or momenta of a call.
struct MilcArrays {
  QudaGaugeParam param; // SU(3) links of all 18 reals, both precisions alike, no resident flags
  void *links, *momenta;
  const char *links_name, *momenta_name; // names in messages
};

/// The arrays that a call reads or writes.
enum class MilcNeeds { links, momenta, both };

/// Parameters with the lattice, MILC order and the precision (1 or 2).
QudaGaugeParam milc_param(Checks &checks, int precision);
/// Checked arrays of arg and their parameters. phase_in: the links carry MILC's phases and the boundary sign.
MilcArrays milc_arrays(Checks &checks, int precision, const QudaMILCSiteArg_t *arg, int phase_in, MilcNeeds needs);

/// The job of that function (interface/jobs.h).
namespace jobs
{
  Job<> qudaLoadGaugeField(Checks &call, int external_precision, int quda_precision, const QudaInvertArgs_t &inv_args,
                           const void *milc_link);
}

} // namespace quda
