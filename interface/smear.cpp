/// Smearing of gauge fields.
///
///   performGaugeSmearQuda : APE, stout, over-improved stout, HYP; always from the resident links (restart is not
///                           read), with measurements between the steps; leaves the smeared resident links
///   stoutQuda             : stout smearing from a host's field to a host's field

#include "quda.h"
#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/host_gauge.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "interface/smear_steps.h"
#include "ops/halo/gauge_border.h"
#include "ops/smear/projected.h"
#include "ops/smear/stout.h"

namespace quda
{

namespace
{

  /// A kind of smearing with its parameters, without its links.
  using MakeChain = std::function<std::unique_ptr<SmearChain>(GaugeField &&)>;

  struct SmearJob {
    MakeChain make_chain;
    const GaugeField *first;
  };

  template <class Chain, class Smearing> MakeChain make(const Smearing &smearing)
  {
    return [smearing](GaugeField &&links) { return std::make_unique<Chain>(std::move(links), smearing); };
  }

  /// The smearing that the parameters describe. A negative dir_ignore is t for APE and stout smearing, none for others.
  MakeChain checked_smearing(Checks &checks, const QudaGaugeSmearParam *param)
  {
    using P = QudaGaugeSmearParam;
    check_steps(checks, param);
    check(checks, *param, &P::dir_ignore);
    const int ignored = param->dir_ignore;
    switch (param->smear_type) {
    case QUDA_GAUGE_SMEAR_APE: {
      check(checks, *param, &P::alpha);
      ProjectedSmearing ape = ProjectedSmearing::ape(param->alpha, ignored_or_time(ignored));
      ape.anisotropy = anisotropy(checks, *param);
      return make<ProjectedChain>(ape);
    }
    case QUDA_GAUGE_SMEAR_HYP:
      check(checks, *param, &P::alpha1, &P::alpha2, &P::alpha3);
      return make<ProjectedChain>(ProjectedSmearing::hyp_levels(param->alpha1, param->alpha2, param->alpha3, ignored));
    case QUDA_GAUGE_SMEAR_STOUT:
      return make<StoutChain>(stout_smearing(checks, *param));
    case QUDA_GAUGE_SMEAR_OVRIMP_STOUT: {
      check(checks, *param, &P::rho, &P::epsilon);
      StoutSmearing stout = StoutSmearing::over_improved_stout(param->rho, param->epsilon, ignored);
      stout.anisotropy = anisotropy(checks, *param);
      return make<StoutChain>(stout);
    }
    default:
      refuse(checks.function, "QudaGaugeSmearParam.smear_type", param->smear_type,
             "QUDA_GAUGE_SMEAR_APE, QUDA_GAUGE_SMEAR_STOUT, QUDA_GAUGE_SMEAR_OVRIMP_STOUT, QUDA_GAUGE_SMEAR_HYP");
    }
  }

  struct StoutJob {
    GaugeField in, out;
    GaugeFieldParam device;
    StoutSmearing smearing;
  };

  StoutJob prepare_stout(Checks &checks, void *h_out, void *h_in, unsigned n_steps, double rho, int dir_ignore,
                         const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check_host_gauge(checks, *param);
    refuse_staggered_phases(checks, *param);
    check(checks, *param, &P::cuda_prec, &P::reconstruct);
    check_built(function, "QudaGaugeParam.cuda_prec", param->cuda_prec);
    check_built(function, "QudaGaugeParam.reconstruct", param->reconstruct);
    check_range(function, "dir_ignore", dir_ignore, -1, 3);
    check_number(function, "rho", rho);
    checks.same("n_steps", n_steps);
    checks.same("rho", rho);
    checks.same("dir_ignore", dir_ignore);
    StoutJob stout {host_links(checks, "h_in", h_in, *param), host_links(checks, "h_out", h_out, *param),
                    gauge_param(checks, *param), StoutSmearing::stout(rho, dir_ignore)};
    stout.device.precision = static_cast<Precision>(param->cuda_prec);
    stout.device.reconstruct = static_cast<Reconstruct>(param->reconstruct);
    check_finite(function, "h_in", stout.in);
    return stout;
  }

  void carry_out_stout(StoutJob &stout, unsigned n_steps)
  {
    GaugeField links(stout.device);
    {
      const PhaseScope phase(Phase::h2d);
      links = stout.in;
    }
    const PhaseScope phase(Phase::compute);
    const Lattice &lattice = links.lattice();
    const bool cut = lattice.cut(0) || lattice.cut(1) || lattice.cut(2) || lattice.cut(3);
    StoutChain chain(cut ? extended(links, stout_border) : std::move(links), stout.smearing);
    for (unsigned step = 0; step < n_steps; step++) chain.step();
    const PhaseScope back(Phase::d2h);
    stout.out = chain.links();
  }

} // namespace

} // namespace quda

extern "C" {

void performGaugeSmearQuda(QudaGaugeSmearParam *smear_param, QudaGaugeObservableParam *obs_param)
{
  using namespace quda;
  const char *function = __func__;
  guard_collective(
      function,
      [&](Checks &checks) {
        SmearJob job {checked_smearing(checks, smear_param), &checks.session.wilson.precise(function)};
        check_measurements(checks, *smear_param, obs_param, *job.first);
        return job;
      },
      [&](Session &session, const SmearJob &job) {
        const std::unique_ptr<SmearChain> chain = job.make_chain(smeared_copy(*job.first, smear_border));
        const auto report = [&](unsigned step, const QudaGaugeObservableParam &now) {
          if (now.compute_qcharge == QUDA_BOOLEAN_TRUE || now.compute_qcharge_density == QUDA_BOOLEAN_TRUE)
            print(Verbosity::summarize, "%s: Q charge at step %03u = %+.16e\n", function, step, now.qcharge);
        };
        run_steps(session, function, *smear_param, obs_param, *chain, report, [&] { chain->step(); });
      });
}

void stoutQuda(void *h_out, void *h_in, unsigned int n_steps, double rho, int dir_ignore,
               struct QudaGaugeParam_s *param)
{
  quda::guard_collective(
      __func__,
      [&](quda::Checks &checks) { return quda::prepare_stout(checks, h_out, h_in, n_steps, rho, dir_ignore, param); },
      [&](quda::StoutJob &stout) { quda::carry_out_stout(stout, n_steps); });
}

} // extern "C"
