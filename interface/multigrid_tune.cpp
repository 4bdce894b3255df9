/// Search for a multigrid hierarchy's parameters.
///
///   newQudaMultigridTuneParam : default parameters of the search
///   tuneMultigridQuda         : finds the best parameters on the resident links (multigrid/tune.h), writes them into
///                               the initial ones, and prints them as members to copy
/// Parameters: interface/multigrid_options.h, and for the solves interface/invert.cpp; the solves have random
/// sources.

#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "dirac/make_dirac.h"
#include "interface/invert.h"
#include "interface/multigrid.h"
#include "interface/multigrid_files.h"
#include "interface/multigrid_options.h"
#include "interface/params/param_table.h"
#include "multigrid/tune.h"

#include <cmath>
#include <cstring>

namespace quda
{

namespace
{

  using P = QudaMultigridParam;

  struct TuneJob {
    QuarkJob quarks, outer;
    MultigridForm form;
    TuneSearch search;
  };

  void check_search(Checks &checks, const QudaMultigridTuneParam *how)
  {
    const char *function = checks.function;
    check_not_null(function, "how", how);
    if (how->struct_size != sizeof *how)
      fail(ErrorKind::bad_argument,
           text("%s: QudaMultigridTuneParam.struct_size = %zu; allowed: %zu, as newQudaMultigridTuneParam() sets it",
                function, how->struct_size, sizeof *how));
    const auto whole = [&](const char *name, int value, int low, int high) {
      check_range(function, name, value, low, high);
      checks.same(name, value);
    };
    whole("QudaMultigridTuneParam.by_flops", how->by_flops, 0, 1);
    whole("QudaMultigridTuneParam.n_src", how->n_src, 1, QUDA_MAX_MULTI_SRC);
    if (!(how->max_seconds >= 0) || !std::isfinite(how->max_seconds))
      refuse(function, "QudaMultigridTuneParam.max_seconds", how->max_seconds, "a number of 0 or more");
    checks.same("QudaMultigridTuneParam.max_seconds", how->max_seconds);
  }

  TuneJob prepare(Checks &checks, const QudaMultigridParam *param, const QudaInvertParam *solve,
                  const QudaMultigridTuneParam *how)
  {
    const char *function = checks.function;
    QuarkJob quarks = multigrid_operator(checks, param);
    MultigridForm form = multigrid_form(checks, *param, quarks);
    if (form.kaehler_dirac)
      fail(ErrorKind::unsupported,
           text("%s: QudaMultigridParam.invert_param: QudaInvertParam.dslash_type = %s; allowed: Wilson, clover and "
                "twisted fermions, whose finest level has vectors",
                function, value_text(param->invert_param->dslash_type).c_str()));
    const MultigridFiles files = multigrid_files(checks, *param);
    for (const auto *of : {&files.in, &files.out})
      for (const auto &file : *of)
        if (file)
          fail(ErrorKind::unsupported, text("%s: QudaMultigridParam.%s = \"%s\"; allowed: no files in a search, which "
                                            "seeks the vectors itself",
                                            function, file->member, file->path.c_str()));
    check_search(checks, how);
    check_struct(function, solve);
    check_inverter(checks, *solve);
    if (solve->inv_type_precondition != QUDA_MG_INVERTER)
      refuse(function, "QudaInvertParam.inv_type_precondition", solve->inv_type_precondition, "QUDA_MG_INVERTER");
    if (distance_preconditioned(*solve))
      refuse(function, "QudaInvertParam.distance_pc_alpha0", solve->distance_pc_alpha0, "0", ErrorKind::unsupported);
    if (solve->eig_param) refuse(function, "QudaInvertParam.eig_param", "set", "null", ErrorKind::unsupported);
    if (solve->chrono_use_resident || solve->chrono_make_resident)
      refuse(function, "QudaInvertParam.chrono_use_resident, chrono_make_resident", "QUDA_BOOLEAN_TRUE",
             "QUDA_BOOLEAN_FALSE", ErrorKind::unsupported);
    QuarkJob outer = quark_job(checks, *solve, false);
    if (!constants_of(outer.dirac).same_kind(constants_of(quarks.dirac)))
      refuse(function, "QudaInvertParam.dslash_type", solve->dslash_type,
             "the kind of operator that QudaMultigridParam.invert_param describes");
    TuneSearch search;
    search.solve = solve_of(checks.session, outer, *solve);
    search.rhs = how->n_src;
    search.by_flops = how->by_flops;
    search.longest = how->max_seconds;
    return {std::move(quarks), std::move(outer), std::move(form), std::move(search)};
  }

  std::string text_of(const TuneTrial &trial, int n_src)
  {
    std::string line = text("Multigrid tune: %-34s %s: ", trial.what.c_str(), trial.taken ? "taken" : "left ");
    if (trial.setup > 0) line += text("set-up %.3g s; ", trial.setup);
    return line + text("%d iterations%s, %.3g s, %.4g Gflop for %d source%s\n", trial.iterations,
                       trial.converged ? "" : ", NOT converged", trial.seconds, 1e-9 * trial.flops, n_src,
                       n_src == 1 ? "" : "s");
  }

  /// Moves rows `first` to `first` + `count` of all arrays of levels to `to`.
  void move_levels(P &param, int first, int count, int to)
  {
    for (const params::Field &field : params::table<P>().fields) {
      if (!field.is_array || field.extents[0] != QUDA_MAX_MG_LEVEL) continue;
      const std::size_t row = field.element_size * static_cast<std::size_t>(field.extents[1]);
      char *const rows = reinterpret_cast<char *>(&param) + field.offset;
      std::memmove(rows + static_cast<std::size_t>(to) * row, rows + static_cast<std::size_t>(first) * row,
                   static_cast<std::size_t>(count) * row);
    }
  }

  /// Writes the parameters that a search may change.
  void write(const MultigridForm &form, P &param)
  {
    const int levels = static_cast<int>(form.levels.size());
    if (levels > param.n_level) {
      move_levels(param, param.n_level - 1, 1, levels - 1);
      move_levels(param, 0, 1, levels - 2);
      param.spin_block_size[levels - 2] = 1;
      param.setup_maxiter[levels - 2] = form.levels[static_cast<std::size_t>(levels) - 2].setup.steps;
      param.setup_inv_type[levels - 2] =
          static_cast<QudaInverterType>(form.levels[static_cast<std::size_t>(levels) - 2].setup.method);
      param.num_setup_iter[levels - 2] = 1;
      param.mu_factor[levels - 2] = 1;
      param.smoother_schwarz_type[levels - 2] = QUDA_INVALID_SCHWARZ;
      param.use_eig_solver[levels - 2] = QUDA_BOOLEAN_FALSE;
      param.eig_param[levels - 2] = nullptr;
    } else if (levels < param.n_level) {
      move_levels(param, param.n_level - 1, 1, levels - 1);
    }
    param.n_level = levels;
    for (int n = 0; n < levels; n++) {
      const MultigridLevel &level = form.levels[static_cast<std::size_t>(n)];
      if (n > 0) {
        param.coarse_solver[n] = static_cast<QudaInverterType>(level.solve.method);
        param.coarse_solver_tol[n] = level.solve.tolerance;
        param.coarse_solver_maxiter[n] = level.solve.steps;
      }
      if (n + 1 == levels) break;
      for (int d = 0; d < 4; d++) param.geo_block_size[n][d] = level.block[d];
      param.n_vec[n] = level.vectors;
      param.nu_pre[n] = level.smoother.before;
      param.nu_post[n] = level.smoother.after;
    }
  }

  /// The enumerator in "2 (QUDA_GCR_INVERTER)".
  std::string enumerator_of(const std::string &value)
  {
    const std::size_t open = value.find('(');
    return open == std::string::npos ? value : value.substr(open + 1, value.find(')') - open - 1);
  }

  /// The changed members as lines of a host's input.
  std::string members_of(const P &param)
  {
    std::string lines = text("Multigrid tune: n_level = %d;\n", param.n_level);
    for (int n = 0; n < param.n_level; n++) {
      std::string line;
      if (n > 0)
        line += text(" coarse_solver[%d] = %s; coarse_solver_tol[%d] = %g; coarse_solver_maxiter[%d] = %d;", n,
                     enumerator_of(value_text(param.coarse_solver[n])).c_str(), n, param.coarse_solver_tol[n], n,
                     param.coarse_solver_maxiter[n]);
      if (n + 1 < param.n_level) {
        for (int d = 0; d < 4; d++) line += text(" geo_block_size[%d][%d] = %d;", n, d, param.geo_block_size[n][d]);
        line += text(" n_vec[%d] = %d; nu_pre[%d] = %d; nu_post[%d] = %d;", n, param.n_vec[n], n, param.nu_pre[n], n,
                     param.nu_post[n]);
      }
      lines += "Multigrid tune:" + line + "\n";
    }
    return lines;
  }

  void search(TuneJob &job, P &param, QudaMultigridTuneParam &how)
  {
    const VerbosityScope printing(verbosity_of(*param.invert_param));
    const PhaseScope phase(Phase::compute);
    const GaugeField &links = job.outer.links->precise();
    const auto outer = make_dirac(job.outer.dirac, *job.outer.links, {links.precision(), links.reconstruct()});
    job.search.tell = [n = how.n_src](const TuneTrial &trial) {
      print(Verbosity::summarize, "%s", text_of(trial, n).c_str());
    };
    const Tuned tuned = tune(job.quarks.dirac, *job.quarks.links, *outer, job.form, job.search);
    write(tuned.form, param);
    how.vector_secs = tuned.vectors;
    how.n_vec = tuned.sought;
    const TuneTrial *const ends[2] = {&tuned.first, &tuned.best};
    for (int i = 0; i < 2; i++) {
      how.iterations[i] = ends[i]->iterations;
      how.secs[i] = ends[i]->seconds;
      how.gflop[i] = 1e-9 * ends[i]->flops;
      how.setup_secs[i] = ends[i]->setup;
    }
    print(
        Verbosity::summarize,
        "Multigrid tune: %d vectors took %.3g s; a solve takes %.3g s and %.4g Gflop, at first %.3g s and %.4g Gflop\n",
        how.n_vec, how.vector_secs, how.secs[1], how.gflop[1], how.secs[0], how.gflop[0]);
    print(Verbosity::summarize, "%s", members_of(param).c_str());
  }

} // namespace

} // namespace quda

extern "C" {

QudaMultigridTuneParam newQudaMultigridTuneParam(void)
{
  QudaMultigridTuneParam how {};
  how.struct_size = sizeof how;
  how.n_src = 1;
  how.max_seconds = 600;
  return how;
}

void tuneMultigridQuda(QudaMultigridParam *param, QudaInvertParam *solve, QudaMultigridTuneParam *how)
{
  quda::guard_collective(
      __func__, [&](quda::Checks &checks) { return quda::prepare(checks, param, solve, how); },
      [&](quda::TuneJob &job) { quda::search(job, *param, *how); });
}

} // extern "C"
