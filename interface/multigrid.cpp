/// Multigrid hierarchies.
///
///   newMultigridQuda     : seeks the vectors and makes the coarse operators for the operator of invert_param on the
///                          resident links; null if it fails
///   updateMultigridQuda  : uses the same vectors on the links that are resident now, or with other constants of the
///                          operator, solvers, smoothers or mu_factor; with setup_maxiter_refresh it improves them
///                          first; with thin_update_only it replaces only the finest level's operators. If it fails,
///                          the hierarchy is lost; the next update makes it anew.
///   destroyMultigridQuda : frees it; null: nothing
///   dumpMultigridQuda    : writes the vectors of its levels to files (interface/multigrid_files.h)
///   multigridProfileQuda : time of the last solve, level by level
/// Handles are valid until they are destroyed or the library ends. A hierarchy has copies of links and clover term.
/// Parameters: interface/multigrid_options.h; solves with a hierarchy: interface/multigrid.h.

#include "interface/multigrid.h"

#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/digest.h"
#include "interface/jobs.h"
#include "interface/multigrid_files.h"
#include "interface/multigrid_options.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/clover/clover_set.h"

namespace quda
{

MultigridSource::Constants constants_of(const DiracParam &dirac)
{
  MultigridSource::Constants all;
  all.kind = dirac.index();
  const CloverSet *const clover = clover_of(dirac);
  all.clover = clover != nullptr;
  if (clover) all.shift = clover->shift;
  std::visit(
      [&](const auto &of) {
        if constexpr (requires { of.kappa; }) all.kappa = of.kappa;
        if constexpr (requires { of.mass; }) all.mass = of.mass;
        if constexpr (requires { of.long_links; }) all.improved = of.long_links != nullptr;
        if constexpr (requires { of.twist; }) {
          all.mu = of.twist.mu;
          all.epsilon = of.twist.epsilon;
          all.rho = of.twist.rho;
          all.flavours = of.twist.flavours;
        }
      },
      dirac);
  return all;
}

namespace
{

  std::string text_of(const MultigridSource::Constants &constants)
  {
    if (constants.kind == DiracParam(StaggeredFermions {}).index()) return text("mass = %g", constants.mass);
    std::string all = text("kappa = %g", constants.kappa);
    if (constants.kind == DiracParam(TwistedFermions {}).index())
      all += text(", 2 kappa mu = %g, 2 kappa tm_rho = %g", constants.mu, constants.rho);
    if (constants.shift != 0) all += text(", clover_rho = %g", constants.shift);
    return all;
  }

  std::uint64_t clover_tag(const DiracParam &dirac)
  {
    const CloverSet *const clover = clover_of(dirac);
    return clover ? clover->precise().tag() : 0;
  }

  std::uint64_t digest_of(const GaugeField &links)
  {
    GaugeFieldParam param = links.param();
    param.location = Location::host;
    param.order = GaugeOrder::milc;
    param.reconstruct = Reconstruct::none;
    for (int &R : param.R) R = 0;
    GaugeField host(param);
    host = links;
    return digest(host.data(), host.bytes());
  }

  /// Long links of improved staggered fermions; null if there are none.
  const GaugeField *long_links_of(const DiracParam &dirac)
  {
    const StaggeredFermions *const staggered = std::get_if<StaggeredFermions>(&dirac);
    return staggered && staggered->long_links ? &staggered->long_links->precise() : nullptr;
  }

  MultigridSource source_of(const QuarkJob &job)
  {
    const GaugeField *const longs = long_links_of(job.dirac);
    return {.constants = constants_of(job.dirac),
            .links = job.links->precise().tag(),
            .clover = clover_tag(job.dirac),
            .long_links = longs ? longs->tag() : 0,
            .digest = digest_of(job.links->precise()),
            .long_digest = longs ? digest_of(*longs) : 0};
  }

  struct MultigridJob {
    QudaMultigridParam *param;
    QuarkJob quarks;
    MultigridForm form;
    MultigridFiles files {};
    HeldMultigrid *held = nullptr; // for an update
    bool thin = false;
  };

  MultigridJob prepare(Checks &checks, QudaMultigridParam *param)
  {
    QuarkJob quarks = multigrid_operator(checks, param);
    MultigridForm form = multigrid_form(checks, *param, quarks);
    return {
        .param = param, .quarks = std::move(quarks), .form = std::move(form), .files = multigrid_files(checks, *param)};
  }

  MultigridJob prepare_update(Checks &checks, void *handle, QudaMultigridParam *param)
  {
    HeldMultigrid &held = held_multigrid(checks.session, checks.function, "mg_instance", handle);
    MultigridJob job = prepare(checks, param);
    check(checks, *param, &QudaMultigridParam::thin_update_only);
    job.held = &held;
    job.thin = param->thin_update_only;
    checks.same("whether an earlier update of mg_instance failed", held.hierarchy == nullptr);
    if (!held.hierarchy) return job;
    const MultigridSource::Constants constants = constants_of(job.quarks.dirac);
    if (!constants.same_kind(held.made_for.constants))
      fail(
          ErrorKind::bad_argument,
          text("%s: QudaMultigridParam.invert_param: QudaInvertParam.dslash_type = %s; allowed for an update: the kind "
               "of operator that mg_instance was made for",
               checks.function, value_text(param->invert_param->dslash_type).c_str()));
    check_same_hierarchy(checks.function, job.form, held.hierarchy->form());
    return job;
  }

  std::unique_ptr<Multigrid> make(MultigridJob &job)
  {
    print(Verbosity::summarize, "%s", hierarchy_text(job.form, job.quarks.links->precise().lattice()).c_str());
    read_multigrid_vectors(job.files, job.quarks, job.form);
    auto hierarchy = std::make_unique<Multigrid>(job.quarks.dirac, *job.quarks.links, job.form);
    write_multigrid_vectors(job.files, *hierarchy);
    return hierarchy;
  }

  struct DumpJob {
    const HeldMultigrid *held;
    MultigridFiles files;
  };

  DumpJob prepare_dump(Checks &checks, void *handle, const QudaMultigridParam *param)
  {
    const HeldMultigrid &held = held_multigrid(checks.session, checks.function, "mg_instance", handle);
    check_struct(checks.function, param);
    if (!held.hierarchy)
      fail(ErrorKind::bad_argument, text("%s: mg_instance = %p, whose last update failed; allowed: a hierarchy that "
                                         "updateMultigridQuda() has made anew",
                                         checks.function, handle));
    if (held.hierarchy->form().kaehler_dirac)
      fail(ErrorKind::unsupported, text("%s: mg_instance = %p is a hierarchy of staggered fermions, whose level 0 has "
                                        "no vectors; allowed: one of "
                                        "the other kinds",
                                        checks.function, handle));
    return {&held, multigrid_dump_files(checks, *param, held.hierarchy->form())};
  }

  void say(const char *what, const MultigridJob &job)
  {
    print(Verbosity::summarize, "Multigrid: %s in %.3g s, %s\n", what, job.quarks.timer.seconds(),
          text_of(constants_of(job.quarks.dirac)).c_str());
  }

  void *create(Session &session, MultigridJob &job)
  {
    job.quarks.timer.start();
    const VerbosityScope printing(verbosity_of(*job.param->invert_param));
    if (log_prints(Verbosity::debug)) printQudaMultigridParam(job.param);
    const PhaseScope phase(Phase::compute);
    auto held = std::make_shared<HeldMultigrid>();
    held->hierarchy = make(job);
    held->made_for = source_of(job.quarks);
    job.quarks.timer.stop();
    say("made", job);
    return session.multigrids.keep(std::move(held));
  }

  void update(MultigridJob &job)
  {
    job.quarks.timer.start();
    const VerbosityScope printing(verbosity_of(*job.param->invert_param));
    if (log_prints(Verbosity::debug)) printQudaMultigridParam(job.param);
    const PhaseScope phase(Phase::compute);
    HeldMultigrid &held = *job.held;
    const bool anew = !held.hierarchy;
    std::unique_ptr<Multigrid> hierarchy = anew ? make(job) : std::move(held.hierarchy);
    if (!anew) hierarchy->update(job.quarks.dirac, *job.quarks.links, job.form, job.thin);
    held.made_for = source_of(job.quarks);
    held.warned = {};
    held.hierarchy = std::move(hierarchy);
    job.quarks.timer.stop();
    say(anew ? "made anew" : job.thin ? "updated, the finest level alone," : "updated", job);
  }

} // namespace

HeldMultigrid &held_multigrid(Session &session, const char *function, const char *name, void *handle)
{
  if (HeldMultigrid *const held = session.multigrids.find(handle)) return *held;
  fail(ErrorKind::bad_argument, text("%s: %s = %p; allowed: a handle of newMultigridQuda() that has not been destroyed",
                                     function, name, handle));
}

void free_multigrid(Session &session, const char *function, const char *name, void *handle)
{
  held_multigrid(session, function, name, handle);
  session.multigrids.free(handle);
}

HeldMultigrid &multigrid_of(Checks &checks, const QudaInvertParam &param, const QuarkJob &job, const DiracSolve &how)
{
  const char *function = checks.function;
  HeldMultigrid &held =
      held_multigrid(checks.session, function, "QudaInvertParam.preconditioner", param.preconditioner);
  checks.same("whether an update of QudaInvertParam.preconditioner failed", held.hierarchy == nullptr);
  if (!held.hierarchy)
    fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.preconditioner = %p, whose last update failed; allowed: a "
                                       "hierarchy that updateMultigridQuda() has made anew",
                                       function, param.preconditioner));
  const DiracSystemForm form = form_of_method(how);
  const auto unsupported = [&](const std::string &with, const char *allowed) {
    fail(ErrorKind::unsupported,
         text("%s: QudaInvertParam.inv_type_precondition = QUDA_MG_INVERTER with %s; allowed: %s", function,
              with.c_str(), allowed));
  };
  if (form.weights) unsupported(text("distance_pc_alpha0 = %g", param.distance_pc_alpha0), "0");
  if (!constants_of(job.dirac).same_kind(held.made_for.constants))
    fail(ErrorKind::bad_argument,
         text("%s: QudaInvertParam.preconditioner = %p with dslash_type = %s; allowed: the kind of operator that the "
              "hierarchy was made for",
              function, param.preconditioner, value_text(param.dslash_type).c_str()));
  const MultigridForm &made = held.hierarchy->form();
  if (made.kaehler_dirac && (form.normal || how.system.normal))
    unsupported("staggered fermions, solution_type = " + value_text(param.solution_type) +
                    ", solve_type = " + value_text(param.solve_type),
                "QUDA_MAT_SOLUTION, QUDA_MATPC_SOLUTION, QUDA_DIRECT_SOLVE, QUDA_DIRECT_PC_SOLVE: the matrix itself");
  if (made.kaehler_dirac && form.dagger)
    unsupported("staggered fermions, dagger = " + value_text(param.dagger), "QUDA_DAG_NO");
  if (made.kaehler_dirac && form.matpc && parity_of(*form.matpc) != parity_of(made.matpc))
    fail(ErrorKind::unsupported, text("%s: QudaInvertParam.preconditioner = %p of staggered fermions with matpc_type = "
                                      "%s; allowed: the parity of the "
                                      "matpc_type that the hierarchy was made for, or QUDA_DIRECT_SOLVE",
                                      function, param.preconditioner, value_text(param.matpc_type).c_str()));
  return held;
}

void precondition(const char *function, HeldMultigrid &held, const QuarkJob &job, DiracSolve &how)
{
  MultigridSource &made_for = held.made_for;
  const auto refuse = [&](const char *what) {
    throw FoundTogether(ErrorKind::bad_argument,
                        text("%s: QudaInvertParam.preconditioner: the hierarchy is stale: the %s loaded since it was "
                             "made or updated; allowed: to call updateMultigridQuda() first, with thin_update_only at "
                             "least",
                             function, what));
  };
  const auto check_links = [&](const GaugeField &links, std::uint64_t &tag, std::uint64_t digest, const char *what) {
    if (links.tag() == tag) return;
    double changed = digest_of(links) != digest;
    links.lattice().communicator().max(&changed, 1);
    if (changed != 0) refuse(what);
    tag = links.tag();
  };
  check_links(job.links->precise(), made_for.links, made_for.digest, "links have been");
  if (const GaugeField *const longs = long_links_of(job.dirac))
    check_links(*longs, made_for.long_links, made_for.long_digest, "long links have been");
  if (clover_tag(job.dirac) != made_for.clover) refuse("clover term has been");
  const MultigridSource::Constants constants = constants_of(job.dirac);
  if (constants != made_for.constants && constants != held.warned) {
    warn("%s: QudaInvertParam.preconditioner: the hierarchy was made for %s, this system has %s", function,
         text_of(made_for.constants).c_str(), text_of(constants).c_str());
    held.warned = constants;
  }
  how.preconditioner = held.hierarchy.get();
  held.before = held.hierarchy->report();
}

void tell_levels(HeldMultigrid &held)
{
  held.solve = held.hierarchy->report();
  for (std::size_t n = 0; n < held.solve.size(); n++) {
    held.solve[n] = held.solve[n] - held.before[n];
    const bool asked = held.hierarchy->form().levels[n].verbosity >= Verbosity::summarize;
    print(asked ? Verbosity::summarize : Verbosity::verbose, "%s", text_of(held.solve[n], static_cast<int>(n)).c_str());
  }
}

constexpr JobOf<::newMultigridQuda> jobs::newMultigridQuda {"newMultigridQuda", by<prepare, create>};
constexpr JobOf<::updateMultigridQuda> jobs::updateMultigridQuda {"updateMultigridQuda", by<prepare_update, update>};

} // namespace quda

extern "C" {

void *newMultigridQuda(QudaMultigridParam *param) { return quda::jobs::newMultigridQuda.call(param); }

void updateMultigridQuda(void *mg_instance, QudaMultigridParam *param)
{
  quda::jobs::updateMultigridQuda.call(mg_instance, param);
}

void destroyMultigridQuda(void *mg_instance)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    if (mg_instance) quda::free_multigrid(session, function, "mg_instance", mg_instance);
  });
}

void multigridProfileQuda(void *mg_instance, int n_level, QudaMultigridLevelProfile *levels)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    const quda::HeldMultigrid &held = quda::held_multigrid(session, function, "mg_instance", mg_instance);
    quda::check_not_null(function, "levels", levels);
    if (held.solve.empty() || static_cast<std::size_t>(n_level) != held.solve.size())
      quda::fail(quda::ErrorKind::bad_argument,
                 quda::text("%s: n_level = %d; allowed: %s", function, n_level,
                            held.solve.empty() ? "none before the first solve with the hierarchy"
                                               : quda::text("the hierarchy's, %zu", held.solve.size()).c_str()));
    for (const quda::LevelReport &level : held.solve)
      *levels++ = {.rows = level.rows,
                   .secs = level.cycles,
                   .smoother_secs = level.smoothers,
                   .operator_secs = level.operators,
                   .transfer_secs = level.transfers,
                   .solver_secs = level.method(),
                   .setup_secs = level.setup,
                   .solves = level.solves,
                   .iterations = level.iterations,
                   .flops = level.flops};
  });
}

void dumpMultigridQuda(void *mg_instance, QudaMultigridParam *param)
{
  quda::guard_collective(
      __func__, [&](quda::Checks &checks) { return quda::prepare_dump(checks, mg_instance, param); },
      [](quda::DumpJob &job) { quda::write_multigrid_vectors(job.files, *job.held->hierarchy); });
}

} // extern "C"
