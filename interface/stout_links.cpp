/// Actions of smeared links: smearing of the gauge field, and the way back for forces.
///
///   stoutGaugeQuda : smears the resident gauge field by stout steps, keeps all levels, and replaces the field by the
///                    result, where operators, clover terms, solvers and forces find it
///   thinGaugeQuda  : restores the gauge field before smearing, untouched; the levels stay
///   stoutForceQuda : A_mu(x) = A_mu(x) + dt f_mu(x), f the force of the thin links computed from that of the smeared
///                    ones by the chain rule through all levels
/// Levels are out of date as soon as the gauge field is neither their thin links nor their smeared links, both
/// unchanged: tags tell.

#include "quda.h"
#include "quda_ext.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/link_source.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "interface/smear_steps.h"
#include "ops/force/force_monitor.h"
#include "ops/smear/stout_force.h"

namespace quda
{

struct StoutLinks {
  StoutLevels levels;
  std::uint64_t thin_tag, smeared_tag;
  std::unique_ptr<GaugeField> thin; // while the smeared links are in their place
};

namespace
{

  /// Replaces the gauge field by links, stored as its copies were; returns the old one.
  std::unique_ptr<GaugeField> exchange(ResidentLinks &wilson, std::unique_ptr<GaugeField> links)
  {
    std::unique_ptr<GaugeField> before = wilson.release();
    wilson.load(std::move(links));
    return before;
  }

  struct SmearJob {
    StoutSmearing smearing;
    unsigned steps;
    GaugeField *thin;
  };

  SmearJob prepare_smearing(Checks &checks, const QudaGaugeSmearParam *param)
  {
    using P = QudaGaugeSmearParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::smear_type, &P::n_steps, &P::dir_ignore);
    if (param->smear_type != QUDA_GAUGE_SMEAR_STOUT)
      refuse(function, "QudaGaugeSmearParam.smear_type", param->smear_type, "QUDA_GAUGE_SMEAR_STOUT",
             ErrorKind::unsupported);
    if (param->n_steps == 0) refuse(function, "QudaGaugeSmearParam.n_steps", "0", "1 or more");
    GaugeField &thin = checks.session.wilson.set(function).precise();
    const StoutLinks *const links = checks.session.stout.get();
    if (links && links->thin && thin.tag() == links->smeared_tag)
      fail(ErrorKind::bad_argument,
           text("%s: the gauge field is smeared already; allowed: after thinGaugeQuda()", function));
    if (thin.precision() != Precision::double_ && thin.precision() != Precision::single)
      fail(ErrorKind::unsupported,
           text("%s: the resident links are of half precision; allowed: double and single", function));
    if (thin.anisotropy() != 1)
      fail(ErrorKind::unsupported, text("%s: the resident links were loaded with QudaGaugeParam.anisotropy = %g; "
                                        "allowed: 1; that of the smearing is QudaGaugeSmearParam.smear_anisotropy",
                                        function, thin.anisotropy()));
    if (thin.phases().applied)
      fail(ErrorKind::unsupported, text("%s: the resident links carry staggered phases (staggered_phase_applied = 1); "
                                        "allowed: 0",
                                        function));
    return {stout_smearing(checks, *param), param->n_steps, &thin};
  }

  void smear(Session &session, const SmearJob &job)
  {
    const PhaseScope phase(Phase::compute);
    StoutLevels levels(*job.thin, job.smearing, job.steps);
    auto smeared = std::make_unique<GaugeField>(job.thin->param());
    *smeared = levels.smeared();
    session.stout =
        std::make_shared<StoutLinks>(StoutLinks {std::move(levels), job.thin->tag(), smeared->tag(), nullptr});
    session.stout->thin = exchange(session.wilson, std::move(smeared));
  }

  struct ForceJob {
    const StoutLevels *levels;
    std::optional<GaugeField> host; // the force of smeared links, unless the resident momentum is that
    double dt;
    MomentumSource momentum;
    bool overwrite, recorded;
  };

  const StoutLevels &current_levels(Checks &checks)
  {
    const char *function = checks.function;
    const StoutLinks *const links = checks.session.stout.get();
    if (!links)
      fail(ErrorKind::bad_argument, text("%s: no smearing is kept; allowed: after stoutGaugeQuda()", function));
    const std::uint64_t tag = checks.session.wilson.precise(function).tag();
    if (tag != links->thin_tag && tag != links->smeared_tag)
      fail(ErrorKind::bad_argument, text("%s: the smearing that is kept is stale, the gauge field has been written "
                                         "since; allowed: after stoutGaugeQuda() of the links as they are now",
                                         function));
    return links->levels;
  }

  ForceJob prepare_force(Checks &checks, void *mom, void *smeared_force, double dt, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check_lattice(checks, *param);
    check(checks, *param, &P::cuda_prec, &P::overwrite_mom, &P::use_resident_mom);
    check_number(function, "dt", dt);
    checks.same("dt", dt);
    checks.same("whether smeared_force is null", smeared_force == nullptr);
    const StoutLevels &levels = current_levels(checks);
    const GaugeField &links = levels.smeared();
    const auto fits = [&](const Lattice &lattice) { return same_sites(lattice, links.lattice()); };
    GaugeFieldParam described = momentum_param(checks, *param);
    if (!fits(*described.lattice) || static_cast<int>(param->cuda_prec) != bytes_of(links.precision()))
      fail(ErrorKind::bad_argument,
           text("%s: QudaGaugeParam.X = %d %d %d %d, cuda_prec = %s; allowed: those of the smeared links, %d %d %d %d, "
                "%d bytes",
                function, param->X[0], param->X[1], param->X[2], param->X[3], value_text(param->cuda_prec).c_str(),
                links.lattice().X(0), links.lattice().X(1), links.lattice().X(2), links.lattice().X(3),
                bytes_of(links.precision())));
    std::optional<GaugeField> host;
    if (smeared_force) {
      check(checks, *param, &P::gauge_order, &P::cpu_prec);
      host.emplace(host_momentum(checks, "smeared_force", smeared_force, *param));
      check_finite(function, "smeared_force", *host);
    } else {
      if (param->use_resident_mom)
        fail(ErrorKind::bad_argument,
             text("%s: QudaGaugeParam.use_resident_mom = 1 with smeared_force = null; allowed: 0, the resident "
                  "momentum is then the force of the smeared links",
                  function));
      const GaugeField *const resident = checks.session.momentum.get();
      if (!resident || !fits(resident->lattice()) || resident->precision() != links.precision())
        refuse(
            function, "smeared_force", "null",
            "with a resident momentum on the smeared links' lattice and of their precision, which is then the force");
    }
    const bool recorded = force_monitor();
    checks.same("QUDA_ENABLE_FORCE_MONITOR", recorded);
    return {&levels,
            std::move(host),
            dt,
            momentum_source(checks, "mom", mom, *param, param->cuda_prec, "QudaGaugeParam.cuda_prec",
                            !param->overwrite_mom, true),
            param->overwrite_mom != 0,
            recorded};
  }

  void add_force(ForceJob &job)
  {
    GaugeField force(job.momentum.field);
    if (job.host) {
      const PhaseScope phase(Phase::h2d);
      force = *job.host;
    } else {
      force = *job.momentum.there;
    }
    GaugeField &momentum = job.momentum.open();
    const auto work = [&] {
      {
        const PhaseScope phase(Phase::compute);
        if (job.recorded) {
          GaugeField alone(force.param()), copy(force.param());
          copy = force;
          job.levels->add_force(alone, copy, 1, true);
          record_force("stout", alone, job.dt);
        }
        job.levels->add_force(momentum, force, job.dt, job.overwrite);
      }
      job.momentum.close();
    };
    if (job.momentum.resident)
      write_or_free(momentum, job.momentum.function, work, [&] { job.momentum.there.reset(); });
    else
      work();
  }

} // namespace

} // namespace quda

extern "C" {

void stoutGaugeQuda(const QudaGaugeSmearParam *param)
{
  quda::guard_job(__func__, quda::by<quda::prepare_smearing, quda::smear>, param);
}

void thinGaugeQuda(void)
{
  const char *function = __func__;
  quda::guard(function, [&](quda::Session &session) {
    quda::StoutLinks *const links = session.stout.get();
    if (!links || !links->thin)
      quda::fail(quda::ErrorKind::bad_argument,
                 quda::text("%s: no thin links are kept; allowed: after stoutGaugeQuda()", function));
    quda::exchange(session.wilson, std::move(links->thin));
  });
}

int stoutForceQuda(void *mom, void *smeared_force, double dt, QudaGaugeParam *param)
{
  quda::guard_job(__func__, quda::by<quda::prepare_force, quda::add_force>, mom, smeared_force, dt, param);
  return 0;
}

} // extern "C"
