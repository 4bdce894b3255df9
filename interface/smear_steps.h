#pragma once

/// Loop over steps of smearing or flow with measurements between them (smear.cpp, flow.cpp, quark_flow.cpp).
/// obs_param[0] is measured first, entry m after step m meas_interval; the links are then the smeared resident ones.
/// Errors     : bad_argument, with function, argument or member and value.

#include <functional>

#include "quda.h"

#include "interface/guard.h"
#include "ops/smear/stout.h"

namespace quda
{

/// Checks smear_type and the number of steps.
void check_steps(Checks &checks, const QudaGaugeSmearParam *param);

/// The checked smear_anisotropy; 1 if it is 0.
double anisotropy(Checks &checks, const QudaGaugeSmearParam &param);

/// dir_ignore of APE and stout smearing: t if it is negative.
constexpr int ignored_or_time(int dir_ignore) { return dir_ignore < 0 ? 3 : dir_ignore; }

/// Stout smearing with rho, dir_ignore and smear_anisotropy, of which the first and the last are checked.
StoutSmearing stout_smearing(Checks &checks, const QudaGaugeSmearParam &param);

/// Number of entries of obs_param.
unsigned measurements(const QudaGaugeSmearParam &param);

/// Checks the interval of measurements, and obs_param for those on links like these.
void check_measurements(Checks &checks, const QudaGaugeSmearParam &param, const QudaGaugeObservableParam *observables,
                        const GaugeField &links);

/// Called after each measurement with the step and the results.
using Report = std::function<void(unsigned, const QudaGaugeObservableParam &)>;

/// Runs all steps, each by next(); the last links become the resident smeared ones.
void run_steps(Session &session, const char *function, const QudaGaugeSmearParam &param,
               QudaGaugeObservableParam *observables, SmearChain &chain, const Report &report,
               const std::function<void()> &next);

} // namespace quda
