#pragma once

/// Steps of smearing or flow with measurements between them, whatever a step is (smear.cpp, flow.cpp, quark_flow.cpp).
/// obs_param[0] is measured before, entry m after step m meas_interval; the links then are the smeared resident ones.
/// Errors     : bad_argument, naming function, argument or member and value.

#include <functional>

#include "quda.h"

#include "interface/guard.h"
#include "ops/smear/stout.h"

namespace quda
{

/// Checks smear_type, the number of steps and how often to measure.
void check_steps(Checks &checks, const QudaGaugeSmearParam *param);

/// smear_anisotropy, checked; 1 where it is 0.
double anisotropy(Checks &checks, const QudaGaugeSmearParam &param);

/// dir_ignore of APE and stout smearing: t where it is negative.
constexpr int ignored_or_time(int dir_ignore) { return dir_ignore < 0 ? 3 : dir_ignore; }

/// Stout smearing by rho, dir_ignore and smear_anisotropy, the first and the last checked.
StoutSmearing stout_smearing(Checks &checks, const QudaGaugeSmearParam &param);

/// Number of entries of obs_param.
unsigned measurements(const QudaGaugeSmearParam &param);

/// Checks obs_param, whose entries are measured on links like these.
void check_measurements(Checks &checks, const QudaGaugeSmearParam &param, const QudaGaugeObservableParam *observables,
                        const GaugeField &links);

/// Told of each measurement: the step, and what was found.
using Report = std::function<void(unsigned, const QudaGaugeObservableParam &)>;

/// All steps, each by next().
void run_steps(const char *function, const QudaGaugeSmearParam &param, QudaGaugeObservableParam *observables,
               SmearChain &chain, const Report &report, const std::function<void()> &next);

} // namespace quda
