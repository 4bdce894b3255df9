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
    guard_collective(
        function,
        [&](Checks &checks) {
          GaugeActionPaths::check(checks, loop_types, "milc_loop_coeff", coefficients);
          check_number(function, "eb3", eb3);
          return milc_arrays(checks, precision, arg, phase_in, MilcNeeds::both);
        },
        [&](MilcArrays &arrays) {
          QudaGaugeParam &param = arrays.param;
          if (!phase_in) param.reconstruct = QUDA_RECONSTRUCT_12;
          param.use_resident_gauge = milc_links_resident();
          param.make_resident_gauge = 1;
          param.use_resident_mom = param.make_resident_mom = milc_momentum_resident();
          param.return_result_mom = !param.use_resident_mom;

          GaugeActionPaths paths(loop_types, coefficients);
          computeGaugeForceQuda(arrays.momenta, arrays.links, paths.steps(), paths.lengths(), paths.weights(),
                                paths.count(), GaugeActionPaths::longest, eb3, &param);
        });
  }

  void update(const char *function, int precision, double eps, const QudaMILCSiteArg_t *arg, int phase_in, int pipeline)
  {
    guard_collective(
        function,
        [&](Checks &checks) {
          check_number(function, "eps", eps);
          check_range(function, "want_gaugepipe", pipeline, 0, 1);
          checks.same("want_gaugepipe", pipeline);
          return milc_arrays(checks, precision, arg, phase_in, MilcNeeds::both);
        },
        [&](MilcArrays &arrays) {
          QudaGaugeParam &param = arrays.param;
          param.use_resident_gauge = pipeline && milc_links_resident();
          param.make_resident_gauge = pipeline;
          param.use_resident_mom = param.make_resident_mom = milc_momentum_resident();
          updateGaugeFieldQuda(arrays.links, arrays.momenta, eps, 0, 0, &param);
          milc_session().links = pipeline;
        });
  }

  void unitarise(const char *function, int precision, double tol, const QudaMILCSiteArg_t *arg, int phase_in)
  {
    guard_collective(
        function, [&](Checks &checks) { return milc_arrays(checks, precision, arg, phase_in, MilcNeeds::links); },
        [&](MilcArrays &arrays) {
          QudaGaugeParam &param = arrays.param;
          param.use_resident_gauge = milc_links_resident();
          projectSU3Quda(arrays.links, tol, &param);
          milc_session().links = false;
          freeGaugeQuda(); // all that was made of the old links
        });
  }

  /// The momentum that stays between calls, in or out.
  void exchange_momentum(const char *function, int precision, const QudaMILCSiteArg_t *arg, bool load)
  {
    guard_collective(
        function, [&](Checks &checks) { return milc_arrays(checks, precision, arg, 0, MilcNeeds::momenta); },
        [&](MilcArrays &arrays) {
          arrays.param.make_resident_mom = load;
          arrays.param.return_result_mom = !load;
          momResidentQuda(arrays.momenta, &arrays.param);
          milc_session().momentum = load;
        });
  }

  void *create_field(const char *function, void *gauge, int geometry, int precision, bool of_resident)
  {
    return guard_collective(
        function,
        [&](Checks &checks) {
          if (of_resident) {
            resident_links(LinkType::su3)->precise(function);
            check_range(function, "geometry", geometry, 4, 4);
          }
          return milc_param(checks, precision);
        },
        [&](QudaGaugeParam &param) {
          void *const field = createGaugeFieldQuda(of_resident ? nullptr : gauge, geometry, &param);
          if (of_resident) copyExtendedResidentGaugeQuda(field);
          return field;
        });
  }

} // namespace

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
  return quda::guard_collective(
      __func__,
      [&](quda::Checks &checks) { return quda::milc_arrays(checks, precision, arg, 0, quda::MilcNeeds::momenta); },
      [](quda::MilcArrays &arrays) {
        arrays.param.use_resident_mom = arrays.param.make_resident_mom = quda::milc_momentum_resident();
        return momActionQuda(arrays.momenta, &arrays.param);
      });
}

void qudaRephase(int prec, void *gauge, int flag, double i_mu)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_not_null(function, "gauge", gauge);
        quda::check_range(function, "flag", flag, 0, 1);
        quda::check_number(function, "i_mu", i_mu);
        return quda::milc_param(checks, prec);
      },
      [&](QudaGaugeParam &param) {
        param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
        param.staggered_phase_applied = 1 - flag;
        param.t_boundary = QUDA_ANTI_PERIODIC_T;
        param.i_mu = i_mu;
        staggeredPhaseQuda(gauge, &param);
      });
}

void qudaLoadGaugeField(int external_precision, int quda_precision, QudaInvertArgs_t inv_args, const void *milc_link)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_range(function, "external_precision", external_precision, 1, 2);
        quda::check_range(function, "quda_precision", quda_precision, 1, 2);
        quda::check_range(function, "inv_args.mixed_precision", inv_args.mixed_precision, 0, 2);
        quda::check_not_null(function, "milc_link", milc_link);
        return quda::milc_param(checks, external_precision);
      },
      [&](QudaGaugeParam &param) {
        const double *phase = inv_args.boundary_phase;
        const bool plain = phase[0] == 0 && phase[1] == 0 && phase[2] == 0 && (phase[3] == 0 || phase[3] == 1);
        param.t_boundary = plain && phase[3] == 1 ? QUDA_ANTI_PERIODIC_T : QUDA_PERIODIC_T;
        param.reconstruct = plain ? QUDA_RECONSTRUCT_12 : QUDA_RECONSTRUCT_NO;
        param.cuda_prec = quda_precision == 1 ? QUDA_SINGLE_PRECISION : QUDA_DOUBLE_PRECISION;
        const QudaPrecision sloppy[] = {param.cuda_prec, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION};
        param.cuda_prec_sloppy = param.cuda_prec_precondition = sloppy[inv_args.mixed_precision];
        loadGaugeQuda(const_cast<void *>(milc_link), &param);
      });
}

void qudaFreeGaugeField(void) { freeGaugeQuda(); }

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
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        const quda::HeldField &field = quda::held(function, "inGauge", inGauge);
        quda::check_not_null(function, "gauge", gauge);
        const quda::Precision precision = field.links ? field.links->precision() : field.matrices->precision();
        return quda::milc_param(checks, precision == quda::Precision::single ? 1 : 2);
      },
      [&](QudaGaugeParam &param) { saveGaugeFieldQuda(gauge, inGauge, &param); });
}

void qudaDestroyGaugeField(void *gauge)
{
  const char *function = __func__;
  quda::guard(function, [&] {
    if (gauge) quda::free_held(function, "gauge", gauge);
  });
}

void qudaGaugeFixingOVR(int precision, unsigned int gauge_dir, int Nsteps, int verbose_interval, double relax_boost,
                        double tolerance, unsigned int reunit_interval, unsigned int stopWtheta, QudaMILCSiteArg_t *arg)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_range(function, "Nsteps", Nsteps, 0, std::numeric_limits<int>::max());
        quda::check_range(function, "verbose_interval", verbose_interval, 1, std::numeric_limits<int>::max());
        return quda::milc_arrays(checks, precision, arg, 0, quda::MilcNeeds::links);
      },
      [&](quda::MilcArrays &arrays) {
        computeGaugeFixingOVRQuda(arrays.links, gauge_dir, Nsteps, verbose_interval, relax_boost, tolerance,
                                  reunit_interval, stopWtheta, &arrays.param);
      });
}

void qudaGaugeFixingFFT(int precision, unsigned int gauge_dir, int Nsteps, int verbose_interval, double alpha,
                        unsigned int autotune, double tolerance, unsigned int stopWtheta, void *milc_sitelink)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_range(function, "Nsteps", Nsteps, 0, std::numeric_limits<int>::max());
        quda::check_range(function, "verbose_interval", verbose_interval, 1, std::numeric_limits<int>::max());
        quda::check_not_null(function, "milc_sitelink", milc_sitelink);
        return quda::milc_param(checks, precision);
      },
      [&](QudaGaugeParam &param) {
        computeGaugeFixingFFTQuda(milc_sitelink, gauge_dir, Nsteps, verbose_interval, alpha, autotune, tolerance,
                                  stopWtheta, &param);
      });
}

} // extern "C"
