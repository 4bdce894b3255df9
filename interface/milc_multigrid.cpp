/// MILC's multigrid for staggered quarks, (2 m + D) x = b on all sites.
///
///   qudaMultigridCreate  : a hierarchy by a file of parameters (interface/milc_multigrid_file.h), which the first rank reads
///   qudaInvertMG         : GCR with it; x is the first guess. Where links or mass are others than those that it was made
///                          for, it is updated first: mg_rebuild_type 1 all of it, 0 the finest level alone.
///   qudaMultigridDestroy : frees it; of a null pointer, nothing
/// The library's matrix is 2 m - D: it is solved with the mass -m, and x changes sign.
/// Residuals, num_iters, precisions and links as in interface/milc_solve.cpp; iterations are in single precision where no
/// Fermilab residual is asked for.
/// Errors     : bad_argument, unsupported, and of kind file.

#include "quda.h"
#include "quda_milc_interface.h"

#include "core/error.h"
#include "interface/guard.h"
#include "interface/invert.h"
#include "interface/jobs.h"
#include "interface/milc_multigrid_file.h"
#include "interface/milc_operator.h"
#include "interface/milc_site.h"
#include "interface/multigrid.h"
#include "interface/params/param_table.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

namespace quda
{

struct MilcMultigrid {
  MilcMultigridParams params {};
  QudaInvertParam inner {};
  void *hierarchy = nullptr;
  double mass = 0;
  LinkDigests links {};
};

namespace
{

  constexpr double reliable_delta = 1e-4;
  constexpr int directions = 15; // of GCR

  MilcMultigrid &multigrid_of(Session &session, const char *function, void *pack)
  {
    if (MilcMultigrid *const found = session.milc_multigrids.find(pack)) return *found;
    fail(ErrorKind::bad_argument,
         text("%s: mg_pack_ptr = %p; allowed: what qudaMultigridCreate() has given and nobody has destroyed", function,
              pack));
  }

  /// All of a file, or why there is none.
  bool read_file(const char *name, std::string &contents)
  {
    std::FILE *const file = std::fopen(name, "rb");
    if (!file) return false;
    char piece[4096];
    for (std::size_t n; (n = std::fread(piece, 1, sizeof piece, file)) > 0;) contents.append(piece, n);
    const bool good = !std::ferror(file);
    std::fclose(file);
    return good;
  }

  /// The same on all ranks, as the first one reads it.
  std::string file_of_first_rank(const char *function, const char *name)
  {
    Communicator &communicator = *default_communicator();
    std::string contents;
    long long length = 0;
    if (communicator.rank() == 0) length = read_file(name, contents) ? static_cast<long long>(contents.size()) : -1;
    communicator.broadcast(&length, sizeof length, 0);
    if (length < 0)
      throw FoundTogether(ErrorKind::file, text("%s: mg_param_file = \"%s\" cannot be read", function, name));
    contents.resize(static_cast<std::size_t>(length));
    if (length > 0) communicator.broadcast(contents.data(), contents.size(), 0);
    return contents;
  }

  MilcMultigridParams params_of(const char *function, const char *name)
  {
    const std::string contents = file_of_first_rank(function, name);
    try {
      return milc_multigrid_params(function, name, contents);
    } catch (const Error &error) { // on all ranks alike
      throw FoundTogether(error.kind(), error.what(), {error.file(), error.line(), error.function()});
    }
  }

  /// Parameters of the system on all sites; mass is that of the library's matrix.
  void set_system(QudaInvertParam &param, double mass)
  {
    param.inv_type = QUDA_GCR_INVERTER;
    param.gcrNkrylov = directions;
    param.reliable_delta = reliable_delta;
    param.solution_type = QUDA_MAT_SOLUTION;
    param.solve_type = QUDA_DIRECT_SOLVE;
    param.mass = -mass;
  }

  struct CreateJob {
    MilcSolveJob solve;
    double mass;
  };

  void *create(Session &session, const char *function, CreateJob &job, const char *name)
  {
    auto made = std::make_shared<MilcMultigrid>();
    made->params = params_of(function, name);
    QudaMultigridParam &hierarchy = made->params.hierarchy;
    made->inner = job.solve.quarks;
    set_system(made->inner, job.mass);
    made->inner.tol = 1e-10; // not read
    made->inner.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
    made->inner.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    made->inner.cuda_prec_precondition = made->params.precision;
    made->inner.verbosity = hierarchy.verbosity[0];
    hierarchy.invert_param = &made->inner;
    for (int level = 0; level < QUDA_MAX_MG_LEVEL; level++)
      if (hierarchy.use_eig_solver[level]) hierarchy.eig_param[level] = &made->params.modes;
    made->params.modes.invert_param = &made->inner;
    const NaiveLinks naive(session, !job.solve.longs);
    made->links = take_links(session, function, job.solve);
    made->mass = job.mass;
    made->hierarchy = step(function, jobs::newMultigridQuda, &hierarchy);
    return session.milc_multigrids.keep(std::move(made));
  }

  struct InvertJob {
    MilcSolveJob solve;
    MilcMultigrid *multigrid;
    double mass;
    bool thin;
  };

  /// The hierarchy becomes that of the links and mass at hand.
  void follow(const char *function, InvertJob &job, const LinkDigests &links)
  {
    MilcMultigrid &multigrid = *job.multigrid;
    double others = links[0] != multigrid.links[0] || links[1] != multigrid.links[1] || job.mass != multigrid.mass;
    default_communicator()->max(&others, 1);
    if (others == 0) return;
    multigrid.inner.mass = -job.mass;
    multigrid.params.hierarchy.thin_update_only = job.thin ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
    step(function, jobs::updateMultigridQuda, multigrid.hierarchy, &multigrid.params.hierarchy);
    multigrid.links = links;
    multigrid.mass = job.mass;
  }

  template <class real> void change_sign(void *array, std::size_t n)
  {
    real *const numbers = static_cast<real *>(array);
    for (std::size_t i = 0; i < n; i++) numbers[i] = -numbers[i];
  }
  void change_sign(const QudaGaugeParam &links, void *array)
  {
    std::size_t n = 6;
    for (const int extent : links.X) n *= static_cast<std::size_t>(extent);
    if (links.cpu_prec == QUDA_DOUBLE_PRECISION)
      change_sign<double>(array, n);
    else
      change_sign<float>(array, n);
  }

} // namespace

} // namespace quda

extern "C" {

void *qudaMultigridCreate(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                          const void *const milc_fatlink, const void *const milc_longlink,
                          const char *const mg_param_file)
{
  using namespace quda;
  const char *const function = __func__;
  return guard_collective(
      function,
      [&](Checks &checks) {
        const int links_as_they_are = 0;
        CreateJob job {prepare_milc_solve(checks, external_precision, quda_precision, inv_args, mass, milc_fatlink,
                                          milc_longlink, &links_as_they_are, false),
                       mass};
        check_not_null(function, "mg_param_file", mg_param_file);
        if (default_communicator()->rank() == 0 && access(mg_param_file, R_OK) != 0)
          fail(ErrorKind::file, text("%s: mg_param_file = \"%s\" cannot be read; allowed: the name of a file of "
                                     "multigrid parameters",
                                     function, mg_param_file));
        return job;
      },
      [&](Session &session, CreateJob &job) { return create(session, function, job, mg_param_file); });
}

void qudaInvertMG(int external_precision, int quda_precision, double mass, QudaInvertArgs_t inv_args,
                  double target_residual, double target_fermilab_residual, const void *const milc_fatlink,
                  const void *const milc_longlink, void *mg_pack_ptr, int mg_rebuild_type, void *source, void *solution,
                  double *const final_residual, double *const final_fermilab_residual, int *num_iters)
{
  using namespace quda;
  const char *const function = __func__;
  forget_results(final_residual, 1);
  forget_results(final_fermilab_residual, 1);
  guard_collective(
      function,
      [&](Checks &checks) {
        const QudaResidualType tested = milc_residuals(checks, target_residual, target_fermilab_residual);
        const bool fermilab = target_fermilab_residual > 0;
        InvertJob job {prepare_milc_solve(checks, external_precision, quda_precision, inv_args, mass, milc_fatlink,
                                          milc_longlink, num_iters, fermilab),
                       &multigrid_of(checks.session, function, mg_pack_ptr), mass, mg_rebuild_type == 0};
        check_range(function, "mg_rebuild_type", mg_rebuild_type, 0, 1);
        checks.same("mg_rebuild_type", mg_rebuild_type);
        check_not_null(function, "source", source);
        check_not_null(function, "solution", solution);
        check_not_null(function, "final_residual", final_residual);
        check_not_null(function, "final_fermilab_residual", final_fermilab_residual);
        QudaInvertParam &quarks = job.solve.quarks;
        set_system(quarks, mass);
        if (!fermilab) quarks.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
        quarks.residual_type = tested;
        quarks.tol = target_residual;
        quarks.tol_hq = target_fermilab_residual;
        quarks.use_init_guess = QUDA_USE_INIT_GUESS_YES;
        quarks.inv_type_precondition = QUDA_MG_INVERTER;
        return job;
      },
      [&](Session &session, InvertJob &job) {
        const NaiveLinks naive(session, !milc_longlink);
        follow(function, job, take_links(session, function, job.solve));
        QudaInvertParam &param = job.solve.quarks;
        param.preconditioner = job.multigrid->hierarchy;
        change_sign(job.solve.links, solution);
        step(function, jobs::invertQuda, solution, source, &param);
        change_sign(job.solve.links, solution);
        *final_residual = param.true_res[0];
        *final_fermilab_residual = param.true_res_hq[0];
        *num_iters = param.iter;
      });
}

void qudaMultigridDestroy(void *mg_pack_ptr)
{
  using namespace quda;
  guard(__func__, [&, function = __func__](Session &session) {
    if (!mg_pack_ptr) return;
    void *const hierarchy = multigrid_of(session, function, mg_pack_ptr).hierarchy;
    session.milc_multigrids.free(mg_pack_ptr);
    free_multigrid(session, function, "mg_instance", hierarchy);
  });
}

} // extern "C"
