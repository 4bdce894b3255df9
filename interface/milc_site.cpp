#include "interface/milc_site.h"

#include "interface/params/param_table.h"
#include "interface/resident.h"

namespace quda
{

namespace
{

  /// The array of a call: in the site array, or its own.
  void *array_of(const char *function, const QudaMILCSiteArg_t &arg, void *own, const char *own_name,
                 const char *offset_name, std::size_t offset, std::size_t bytes)
  {
    if (!arg.site) {
      if (!own)
        fail(ErrorKind::bad_argument,
             text("%s: arg->site and arg->%s are null; allowed: one of them", function, own_name));
      return own;
    }
    if (arg.size < bytes)
      fail(ErrorKind::bad_argument, text("%s: arg->size = %zu; allowed: %zu or more", function, arg.size, bytes));
    if (offset > arg.size - bytes)
      fail(ErrorKind::bad_argument, text("%s: arg->%s = %zu; allowed: up to arg->size - %zu = %zu", function,
                                         offset_name, offset, bytes, arg.size - bytes));
    return arg.site;
  }

} // namespace

void use_milc_momentum(const Session &session, QudaGaugeParam &param)
{
  param.use_resident_mom = param.make_resident_mom = session.milc.momentum && session.momentum;
  param.return_result_mom = !param.use_resident_mom;
}

bool milc_links_resident(const Session &session) { return session.milc.links && session.wilson.loaded(); }

QudaGaugeParam milc_param(Checks &checks, int precision)
{
  const char *function = checks.function;
  require_initialised(function);
  const MilcSession &milc = checks.session.milc;
  if (milc.X[0] == 0)
    fail(ErrorKind::bad_argument, text("%s: no lattice is known; call qudaInit() or qudaSetLayout() first", function));
  check_range(function, "precision", precision, 1, 2);
  checks.same("precision", precision);
  QudaGaugeParam param = default_param<QudaGaugeParam>();
  for (int d = 0; d < 4; d++) param.X[d] = milc.X[d];
  param.cpu_prec = param.cuda_prec = precision == 1 ? QUDA_SINGLE_PRECISION : QUDA_DOUBLE_PRECISION;
  param.type = QUDA_WILSON_LINKS;
  param.reconstruct = QUDA_RECONSTRUCT_NO;
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  param.t_boundary = QUDA_PERIODIC_T;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.anisotropy = param.tadpole_coeff = param.scale = 1;
  param.ga_pad = 0;
  return param;
}

void check_target(Checks &checks, const char *name, double target)
{
  check_number(checks.function, name, target);
  if (target < 0) fail(ErrorKind::bad_argument, text("%s: %s = %g; allowed: 0 or more", checks.function, name, target));
  checks.same(name, target);
}

QudaResidualType milc_residuals(Checks &checks, double target_residual, double target_fermilab_residual)
{
  check_target(checks, "target_residual", target_residual);
  check_target(checks, "target_fermilab_residual", target_fermilab_residual);
  if (target_residual == 0 && target_fermilab_residual == 0)
    fail(ErrorKind::bad_argument,
         text("%s: target_residual = 0 with target_fermilab_residual = 0; allowed: one of them above 0",
              checks.function));
  return static_cast<QudaResidualType>((target_residual > 0 ? QUDA_L2_RELATIVE_RESIDUAL : 0) |
                                       (target_fermilab_residual > 0 ? QUDA_HEAVY_QUARK_RESIDUAL : 0));
}

MilcArrays milc_arrays(Checks &checks, int precision, const QudaMILCSiteArg_t *arg, int phase_in, MilcNeeds needs)
{
  const char *function = checks.function;
  MilcArrays arrays {milc_param(checks, precision), nullptr, nullptr, "", ""};
  QudaGaugeParam &param = arrays.param;
  check_not_null(function, "arg", arg);
  check_range(function, "phase_in", phase_in, 0, 1);
  checks.same("phase_in", phase_in);
  const std::size_t real = param.cpu_prec;
  if (needs != MilcNeeds::momenta)
    arrays.links = array_of(function, *arg, arg->link, "link", "link_offset", arg->link_offset, 72 * real);
  if (needs != MilcNeeds::links)
    arrays.momenta = array_of(function, *arg, arg->mom, "mom", "mom_offset", arg->mom_offset, 40 * real);
  arrays.links_name = arg->site ? "arg->site" : "arg->link";
  arrays.momenta_name = arg->site ? "arg->site" : "arg->mom";
  param.gauge_order = arg->site ? QUDA_MILC_SITE_GAUGE_ORDER : QUDA_MILC_GAUGE_ORDER;
  param.gauge_offset = arg->link_offset;
  param.mom_offset = arg->mom_offset;
  param.site_size = arg->size;
  param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  param.staggered_phase_applied = phase_in;
  if (phase_in) param.t_boundary = QUDA_ANTI_PERIODIC_T;
  return arrays;
}

} // namespace quda
