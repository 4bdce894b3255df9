/// The gauge part of MILC's molecular dynamics, and fields held by a handle: each function is one of quda.h with the
/// parameters that MILC means.
///
/// A momentum that qudaMomLoad() has made resident is what force, action and update use until qudaMomSave(); else they
/// take the host's. Links stay resident from one qudaUpdateUPhasedPipeline() that wants it to the next, and to the
/// unitarisation that ends the trajectory. The phases of MILC (phase_in) are taken off for force and projection.
/// qudaRephase() and qudaGaugeFixingFFT() know the links in MILC order only.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/gauge_action_paths.h"
#include "interface/jobs.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

#include <limits>

namespace quda
{

namespace
{

  void gauge_force(const char *function, int precision, int loop_types, const double *coefficients, double eb3,
                   const QudaMILCSiteArg_t *arg, int phase_in)
  {
    MilcArrays arrays;
    guard_agreed_job(
        function,
        [&](Checks &checks) {
          GaugeActionPaths::check(checks, loop_types, "milc_loop_coeff", coefficients);
          check_number(function, "eb3", eb3);
          arrays = milc_arrays(checks, precision, arg, phase_in, MilcNeeds::both);
          QudaGaugeParam &param = arrays.param;
          if (!phase_in) param.reconstruct = QUDA_RECONSTRUCT_12;
          param.use_resident_gauge = milc_links_resident(checks.session);
          param.make_resident_gauge = 1;
          use_milc_momentum(checks.session, param);
        },
        [&](Checks &checks) {
          GaugeActionPaths paths(loop_types, coefficients);
          return jobs::computeGaugeForceQuda(checks, arrays.momenta, arrays.links, paths.steps(), paths.lengths(),
                                             paths.weights(), paths.count(), GaugeActionPaths::longest, eb3,
                                             &arrays.param);
        });
  }

  void update(const char *function, int precision, double eps, const QudaMILCSiteArg_t *arg, int phase_in, int pipeline)
  {
    MilcArrays arrays;
    guard_agreed_job(
        function,
        [&](Checks &checks) {
          check_number(function, "eps", eps);
          check_range(function, "want_gaugepipe", pipeline, 0, 1);
          checks.same("want_gaugepipe", pipeline);
          arrays = milc_arrays(checks, precision, arg, phase_in, MilcNeeds::both);
          QudaGaugeParam &param = arrays.param;
          param.use_resident_gauge = pipeline && milc_links_resident(checks.session);
          param.make_resident_gauge = pipeline;
          use_milc_momentum(checks.session, param);
        },
        [&](Checks &checks) {
          return jobs::updateGaugeFieldQuda(checks, arrays.links, arrays.momenta, eps, 0, 0, &arrays.param)
              .then([&milc = checks.session.milc, pipeline] { milc.links = pipeline; });
        });
  }

  void unitarise(const char *function, int precision, double tol, const QudaMILCSiteArg_t *arg, int phase_in)
  {
    MilcArrays arrays;
    guard_agreed_job(
        function,
        [&](Checks &checks) {
          arrays = milc_arrays(checks, precision, arg, phase_in, MilcNeeds::links);
          arrays.param.use_resident_gauge = milc_links_resident(checks.session);
        },
        [&](Checks &checks) {
          return jobs::projectSU3Quda(checks, arrays.links, tol, &arrays.param).then([&session = checks.session] {
            session.milc.links = false;
            session.free_links(); // all that was made of the old links
          });
        });
  }

  /// The momentum that stays between calls, in or out.
  void exchange_momentum(const char *function, int precision, const QudaMILCSiteArg_t *arg, bool load)
  {
    MilcArrays arrays;
    guard_agreed_job(
        function,
        [&](Checks &checks) {
          arrays = milc_arrays(checks, precision, arg, 0, MilcNeeds::momenta);
          arrays.param.make_resident_mom = load;
          arrays.param.return_result_mom = !load;
        },
        [&](Checks &checks) {
          return jobs::momResidentQuda(checks, arrays.momenta, &arrays.param).then([&milc = checks.session.milc, load] {
            milc.momentum = load;
          });
        });
  }

  /// Of gauge fixing; the library's own arguments are unsigned.
  void check_steps(const char *function, int n, int verbose_interval)
  {
    check_range(function, "Nsteps", n, 0, std::numeric_limits<int>::max());
    check_range(function, "verbose_interval", verbose_interval, 1, std::numeric_limits<int>::max());
  }

  void *create_field(const char *function, void *gauge, int geometry, int precision, bool of_resident)
  {
    QudaGaugeParam param;
    return guard_collective(
        function,
        [&](Checks &checks) {
          if (of_resident) {
            checks.session.wilson.precise(function);
            check_range(function, "geometry", geometry, 4, 4);
          }
          param = milc_param(checks, precision);
          return jobs::createGaugeFieldQuda(checks, of_resident ? nullptr : gauge, geometry, &param);
        },
        [&](const Job<void *> &create) {
          void *const field = create();
          if (of_resident) step(function, jobs::copyExtendedResidentGaugeQuda, field);
          return field;
        });
  }

} // namespace

Job<> jobs::qudaLoadGaugeField(Checks &call, int external_precision, int quda_precision,
                               const QudaInvertArgs_t &inv_args, const void *milc_link)
{
  Checks checks(call, __func__);
  const char *function = checks.function;
  check_range(function, "external_precision", external_precision, 1, 2);
  check_range(function, "quda_precision", quda_precision, 1, 2);
  check_range(function, "inv_args.mixed_precision", inv_args.mixed_precision, 0, 2);
  check_not_null(function, "milc_link", milc_link);
  const auto param = std::make_shared<QudaGaugeParam>(milc_param(checks, external_precision));
  const double *phase = inv_args.boundary_phase;
  const bool plain = phase[0] == 0 && phase[1] == 0 && phase[2] == 0 && (phase[3] == 0 || phase[3] == 1);
  param->t_boundary = plain && phase[3] == 1 ? QUDA_ANTI_PERIODIC_T : QUDA_PERIODIC_T;
  param->reconstruct = plain ? QUDA_RECONSTRUCT_12 : QUDA_RECONSTRUCT_NO;
  param->cuda_prec = quda_precision == 1 ? QUDA_SINGLE_PRECISION : QUDA_DOUBLE_PRECISION;
  const QudaPrecision sloppy[] = {param->cuda_prec, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION};
  param->cuda_prec_sloppy = param->cuda_prec_precondition = sloppy[inv_args.mixed_precision];
  const Job<> load = jobs::loadGaugeQuda(checks, const_cast<void *>(milc_link), param.get());
  return {param, [load](const auto &) { load(); }};
}

} // namespace quda

extern "C" {

void qudaGaugeForce(int precision, int num_loop_types, double milc_loop_coeff[3], double eb3, QudaMILCSiteArg_t *arg)
{
  quda::gauge_force(__func__, precision, num_loop_types, milc_loop_coeff, eb3, arg, 0);
}

void qudaGaugeForcePhased(int precision, int num_loop_types, double milc_loop_coeff[3], double eb3,
                          QudaMILCSiteArg_t *arg, int phase_in)
{
  quda::gauge_force(__func__, precision, num_loop_types, milc_loop_coeff, eb3, arg, phase_in);
}

void qudaUpdateU(int precision, double eps, QudaMILCSiteArg_t *arg)
{
  quda::update(__func__, precision, eps, arg, 0, 0);
}

void qudaUpdateUPhased(int precision, double eps, QudaMILCSiteArg_t *arg, int phase_in)
{
  quda::update(__func__, precision, eps, arg, phase_in, 0);
}

void qudaUpdateUPhasedPipeline(int precision, double eps, QudaMILCSiteArg_t *arg, int phase_in, int want_gaugepipe)
{
  quda::update(__func__, precision, eps, arg, phase_in, want_gaugepipe);
}

void qudaUnitarizeSU3(int prec, double tol, QudaMILCSiteArg_t *arg) { quda::unitarise(__func__, prec, tol, arg, 0); }

void qudaUnitarizeSU3Phased(int prec, double tol, QudaMILCSiteArg_t *arg, int phase_in)
{
  quda::unitarise(__func__, prec, tol, arg, phase_in);
}

void qudaMomLoad(int precision, QudaMILCSiteArg_t *arg) { quda::exchange_momentum(__func__, precision, arg, true); }

void qudaMomSave(int precision, QudaMILCSiteArg_t *arg) { quda::exchange_momentum(__func__, precision, arg, false); }

double qudaMomAction(int precision, QudaMILCSiteArg_t *arg)
{
  quda::MilcArrays arrays;
  return quda::guard_agreed_job(
      __func__,
      [&](quda::Checks &checks) {
        arrays = quda::milc_arrays(checks, precision, arg, 0, quda::MilcNeeds::momenta);
        quda::use_milc_momentum(checks.session, arrays.param);
      },
      [&](quda::Checks &checks) { return quda::jobs::momActionQuda(checks, arrays.momenta, &arrays.param); });
}

void qudaRephase(int prec, void *gauge, int flag, double i_mu)
{
  QudaGaugeParam param;
  quda::guard_agreed_job(
      __func__,
      [&](quda::Checks &checks) {
        quda::check_not_null(checks.function, "gauge", gauge);
        quda::check_range(checks.function, "flag", flag, 0, 1);
        quda::check_number(checks.function, "i_mu", i_mu);
        param = quda::milc_param(checks, prec);
        param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
        param.staggered_phase_applied = 1 - flag;
        param.t_boundary = QUDA_ANTI_PERIODIC_T;
        param.i_mu = i_mu;
      },
      [&](quda::Checks &checks) { return quda::jobs::staggeredPhaseQuda(checks, gauge, &param); });
}

void qudaLoadGaugeField(int external_precision, int quda_precision, QudaInvertArgs_t inv_args, const void *milc_link)
{
  quda::guard_agreed_job(
      __func__, [&](quda::Checks &checks) { checks.same("external_precision", external_precision); },
      [&](quda::Checks &checks) {
        return quda::jobs::qudaLoadGaugeField(checks, external_precision, quda_precision, inv_args, milc_link);
      });
}

void qudaFreeGaugeField(void)
{
  quda::guard(__func__, [](quda::Session &session) { session.free_links(); });
}

void *qudaCreateGaugeField(void *gauge, int geometry, int precision)
{
  return quda::create_field(__func__, gauge, geometry, precision, false);
}

void *qudaCreateExtendedGaugeField(void *gauge, int geometry, int precision)
{
  return quda::create_field(__func__, gauge, geometry, precision, false);
}

void *qudaResidentExtendedGaugeField(void *, int geometry, int precision)
{
  return quda::create_field(__func__, nullptr, geometry, precision, true);
}

void qudaSaveGaugeField(void *gauge, void *inGauge)
{
  QudaGaugeParam param;
  quda::guard_agreed_job(
      __func__,
      [&](quda::Checks &checks) {
        const quda::HeldField &field = quda::held(checks.session, checks.function, "inGauge", inGauge);
        quda::check_not_null(checks.function, "gauge", gauge);
        const quda::Precision precision = field.links ? field.links->precision() : field.matrices->precision();
        param = quda::milc_param(checks, precision == quda::Precision::single ? 1 : 2);
      },
      [&](quda::Checks &checks) { return quda::jobs::saveGaugeFieldQuda(checks, gauge, inGauge, &param); });
}

void qudaDestroyGaugeField(void *gauge)
{
  const char *function = __func__;
  quda::guard(function, [&](quda::Session &session) {
    if (gauge) quda::free_held(session, function, "gauge", gauge);
  });
}

void qudaGaugeFixingOVR(int precision, unsigned int gauge_dir, int Nsteps, int verbose_interval, double relax_boost,
                        double tolerance, unsigned int reunit_interval, unsigned int stopWtheta, QudaMILCSiteArg_t *arg)
{
  quda::MilcArrays arrays;
  quda::guard_agreed_job(
      __func__,
      [&](quda::Checks &checks) {
        quda::check_steps(checks.function, Nsteps, verbose_interval);
        arrays = quda::milc_arrays(checks, precision, arg, 0, quda::MilcNeeds::links);
      },
      [&](quda::Checks &checks) {
        return quda::jobs::computeGaugeFixingOVRQuda(checks, arrays.links, gauge_dir, Nsteps, verbose_interval,
                                                     relax_boost, tolerance, reunit_interval, stopWtheta,
                                                     &arrays.param);
      });
}

void qudaGaugeFixingFFT(int precision, unsigned int gauge_dir, int Nsteps, int verbose_interval, double alpha,
                        unsigned int autotune, double tolerance, unsigned int stopWtheta, void *milc_sitelink)
{
  QudaGaugeParam param;
  quda::guard_agreed_job(
      __func__,
      [&](quda::Checks &checks) {
        quda::check_steps(checks.function, Nsteps, verbose_interval);
        quda::check_not_null(checks.function, "milc_sitelink", milc_sitelink);
        param = quda::milc_param(checks, precision);
      },
      [&](quda::Checks &checks) {
        return quda::jobs::computeGaugeFixingFFTQuda(checks, milc_sitelink, gauge_dir, Nsteps, verbose_interval, alpha,
                                                     autotune, tolerance, stopWtheta, &param);
      });
}

} // extern "C"
