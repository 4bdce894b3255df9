/// Landau and Coulomb gauge.
///
///   computeGaugeFixingOVRQuda : over-relaxation; computeGaugeFixingFFTQuda: steepest descent with Fourier acceleration
/// The host's links, in cpu_prec, are made unitary (unless they have an anisotropy) and transformed in place;
/// make_resident_gauge makes the result the resident Wilson links, too. Unlike QUDA, both work on any grid of ranks,
/// for Coulomb gauge FFT works slice by slice, and rotations are kept unitary at every step, whatever reunit_interval
/// is.

#include "quda.h"
#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/params/param_table.h"
#include "ops/fix/fourier.h"
#include "ops/fix/gauge_fix.h"
#include "ops/gauge/project.h"

#include <cmath>
#include <optional>

namespace quda
{

namespace
{

  /// Arguments of both calls.
  struct Fixing {
    void *gauge, *rotation;
    bool returns_rotation;
    unsigned gauge_dir, steps, verbose_interval;
    double tolerance;
    bool by_theta;
    QudaGaugeParam *param;
  };

  struct GaugeFixingJob {
    GaugeField host;
    GaugeFieldParam device;
    std::optional<ColorSpinorField> rotation;
  };

  ColorSpinorField host_rotation(const Fixing &fixing, const GaugeFieldParam &device)
  {
    ColorSpinorParam param;
    param.lattice = device.lattice;
    param.precision = device.precision;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = fixing.rotation;
    param.order = DiracOrder::dirac;
    param.spins = 1;
    param.colors = 9;
    return ColorSpinorField(param);
  }

  void check_positive(Checks &checks, const char *name, unsigned value)
  {
    if (value == 0) fail(ErrorKind::bad_argument, text("%s: %s = 0; allowed: 1 or more", checks.function, name));
    checks.same(name, value);
  }

  GaugeFixingJob prepare(Checks &checks, const Fixing &fixing)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    const QudaGaugeParam *param = fixing.param;
    check_struct(function, param);
    check_range(function, "gauge_dir", fixing.gauge_dir, 3, 4);
    check_positive(checks, "verbose_interval", fixing.verbose_interval);
    if (!(std::isfinite(fixing.tolerance) && fixing.tolerance >= 0))
      refuse(function, "tolerance", fixing.tolerance, "finite numbers, 0 or more");
    check_host_gauge(checks, *param);
    if (param->type != QUDA_WILSON_LINKS) refuse(function, "QudaGaugeParam.type", param->type, "QUDA_WILSON_LINKS");
    refuse_staggered_phases(checks, *param);
    check(checks, *param, &P::reconstruct, &P::make_resident_gauge);
    check_built(function, "QudaGaugeParam.cpu_prec", param->cpu_prec);
    check_built(function, "QudaGaugeParam.reconstruct", param->reconstruct);
    checks.same("gauge_dir", fixing.gauge_dir);
    checks.same("Nsteps", fixing.steps);
    checks.same("tolerance", fixing.tolerance);
    checks.same("stopWtheta", fixing.by_theta);
    GaugeFixingJob request {host_links(checks, "gauge", fixing.gauge, *param), gauge_param(checks, *param), {}};
    request.device.precision = static_cast<Precision>(param->cpu_prec);
    request.device.reconstruct = static_cast<Reconstruct>(param->reconstruct);
    check_finite(function, "gauge", request.host);
    if (fixing.returns_rotation) {
      check_not_null(function, "rotation", fixing.rotation);
      request.rotation.emplace(host_rotation(fixing, request.device));
    }
    return request;
  }

  GaugeField load(const char *function, const GaugeFixingJob &request)
  {
    GaugeField links(request.device);
    {
      const PhaseScope phase(Phase::h2d);
      links = request.host;
    }
    if (links.anisotropy() != 1) return links; // multiples of unitary links
    const PhaseScope phase(Phase::compute);
    const double tolerance = projection_tolerance(links.precision());
    const long long failures = make_unitary(links, links, tolerance);
    if (failures > 0)
      throw FoundTogether(ErrorKind::bad_argument,
                          text("%s: %lld links cannot be made unitary to %g", function, failures, tolerance));
    return links;
  }

  /// fix(rotation, what, report) makes the steps.
  template <class Fix>
  int carry_out(Session &session, const char *function, const Fixing &fixing, GaugeFixingJob &request, Fix &&fix)
  {
    const GaugeField links = load(function, request);
    const GaugeFixing what {static_cast<int>(fixing.gauge_dir), fixing.steps, fixing.tolerance, fixing.by_theta};
    GaugeRotation rotation(links, what.directions);
    auto out = std::make_unique<GaugeField>(request.device);
    {
      const PhaseScope phase(Phase::compute);
      fix(rotation, what, [&](unsigned step, const GaugeQuality &now, double change) {
        if (step % fixing.verbose_interval == 0)
          print(Verbosity::summarize, "Step: %u\tAction: %.16e\ttheta: %.16e\tDelta: %.16e\n", step, now.functional,
                now.theta, change);
      });
      rotation.rotate(*out);
    }
    {
      const PhaseScope phase(Phase::d2h);
      request.host = *out;
      if (request.rotation) *request.rotation = rotation.rotation();
    }
    if (fixing.param->make_resident_gauge) make_resident(session.wilson, std::move(out));
    return 0;
  }

  void announce(const char *function, const Fixing &fixing, const char *speed, double value)
  {
    print(Verbosity::summarize, "%s: %s gauge, %s %g, at most %u steps, until %s is below %g, a line each %u steps\n",
          function, fixing.gauge_dir == 4 ? "Landau" : "Coulomb", speed, value, fixing.steps,
          fixing.by_theta ? "theta" : "the change of the functional", fixing.tolerance, fixing.verbose_interval);
  }

  Job<int> over_relax(Checks &checks, const Fixing &fixing, double boost, unsigned reunit_interval)
  {
    const char *function = checks.function;
    if (!(boost >= 1 && boost <= 2)) refuse(function, "relax_boost", boost, "1 to 2");
    checks.same("relax_boost", boost);
    check_positive(checks, "reunit_interval", reunit_interval);
    return {prepare(checks, fixing), [=](Session &session, GaugeFixingJob &request) {
              announce(function, fixing, "over-relaxation", boost);
              return carry_out(session, function, fixing, request,
                               [&](GaugeRotation &rotation, const GaugeFixing &what, auto &&report) {
                                 relax_gauge(rotation, what, boost, report);
                               });
            }};
  }
  Job<int> over_relax_links(Checks &checks, void *gauge, unsigned gauge_dir, unsigned steps, unsigned verbose_interval,
                            double boost, double tolerance, unsigned reunit_interval, unsigned by_theta,
                            QudaGaugeParam *param)
  {
    return over_relax(checks,
                      {gauge, nullptr, false, gauge_dir, steps, verbose_interval, tolerance, by_theta != 0, param},
                      boost, reunit_interval);
  }

  Job<int> descend(Checks &checks, const Fixing &fixing, double alpha, bool adapt)
  {
    const char *function = checks.function;
    if (!(std::isfinite(alpha) && alpha > 0)) refuse(function, "alpha", alpha, "finite numbers above 0");
    checks.same("alpha", alpha);
    checks.same("autotune", adapt);
    GaugeFixingJob job = prepare(checks, fixing);
    check_fourier(function);
    return {std::move(job), [=](Session &session, GaugeFixingJob &request) {
              announce(function, fixing, "Fourier acceleration with alpha", alpha);
              return carry_out(session, function, fixing, request,
                               [&](GaugeRotation &rotation, const GaugeFixing &what, auto &&report) {
                                 descend_gauge(rotation, what, alpha, adapt, report);
                               });
            }};
  }
  Job<int> descend_links(Checks &checks, void *gauge, unsigned gauge_dir, unsigned steps, unsigned verbose_interval,
                         double alpha, unsigned adapt, double tolerance, unsigned by_theta, QudaGaugeParam *param)
  {
    return descend(checks, {gauge, nullptr, false, gauge_dir, steps, verbose_interval, tolerance, by_theta != 0, param},
                   alpha, adapt != 0);
  }

} // namespace

constexpr JobOf<::computeGaugeFixingOVRQuda> jobs::computeGaugeFixingOVRQuda {"computeGaugeFixingOVRQuda",
                                                                              over_relax_links};
constexpr JobOf<::computeGaugeFixingFFTQuda> jobs::computeGaugeFixingFFTQuda {"computeGaugeFixingFFTQuda",
                                                                              descend_links};

} // namespace quda

extern "C" {

int computeGaugeFixingOVRQuda(void *gauge, const unsigned int gauge_dir, const unsigned int Nsteps,
                              const unsigned int verbose_interval, const double relax_boost, const double tolerance,
                              const unsigned int reunit_interval, const unsigned int stopWtheta, QudaGaugeParam *param)
{
  return quda::jobs::computeGaugeFixingOVRQuda.call(gauge, gauge_dir, Nsteps, verbose_interval, relax_boost, tolerance,
                                                    reunit_interval, stopWtheta, param);
}

int computeGaugeFixingFFTQuda(void *gauge, const unsigned int gauge_dir, const unsigned int Nsteps,
                              const unsigned int verbose_interval, const double alpha, const unsigned int autotune,
                              const double tolerance, const unsigned int stopWtheta, QudaGaugeParam *param)
{
  return quda::jobs::computeGaugeFixingFFTQuda.call(gauge, gauge_dir, Nsteps, verbose_interval, alpha, autotune,
                                                    tolerance, stopWtheta, param);
}

int gaugeFixingOVRRotationQuda(void *gauge, void *rotation, unsigned int gauge_dir, unsigned int Nsteps,
                               unsigned int verbose_interval, double relax_boost, double tolerance,
                               unsigned int stopWtheta, QudaGaugeParam *param)
{
  return quda::guard_job(__func__, [&](quda::Checks &checks) {
    return quda::over_relax(
        checks, {gauge, rotation, true, gauge_dir, Nsteps, verbose_interval, tolerance, stopWtheta != 0, param},
        relax_boost, 1);
  });
}

int gaugeFixingFFTRotationQuda(void *gauge, void *rotation, unsigned int gauge_dir, unsigned int Nsteps,
                               unsigned int verbose_interval, double alpha, unsigned int autotune, double tolerance,
                               unsigned int stopWtheta, QudaGaugeParam *param)
{
  return quda::guard_job(__func__, [&](quda::Checks &checks) {
    return quda::descend(
        checks, {gauge, rotation, true, gauge_dir, Nsteps, verbose_interval, tolerance, stopWtheta != 0, param}, alpha,
        autotune != 0);
  });
}

} // extern "C"
