/// Spaces of low modes that solves fill.
///
///   newDeflationQuda     : an empty space; its handle goes to QudaInvertParam's deflation_op
///   destroyDeflationQuda : frees it; null: nothing
/// Read   : invert_param: inv_type, which must be one that fills such spaces, n_ev, deflation_grid and cuda_prec_ritz;
///          nk, np and cuda_prec_ritz if they are set: vectors per right-hand side (n_ev), capacity of the space (n_ev
///          deflation_grid), and their precision, double or single. run_verify: each solve that adds vectors reports
///          how far they are from orthonormal. Memory is allocated, and reported, with the first vectors.
/// Refused: import_vectors, vec_infile, vec_outfile, arpack_check.
/// The other members belong to eigensolveQuda(), or are hints: extlib_type, mem_type_ritz, location.

#include "interface/incremental.h"

#include "dirac/identity.h"
#include "interface/deflate.h"
#include "interface/eigen_options.h"
#include "interface/jobs.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/blas/vector_set.h"
#include "solvers/method.h"

namespace quda
{

namespace
{

  bool fills_spaces(QudaInverterType type)
  {
    const MethodRow *const row = find_method(type);
    return row && row->leaves_modes();
  }

  std::unique_ptr<IncrementalSpace> prepare_space(Checks &checks, const QudaEigParam *param)
  {
    using P = QudaEigParam;
    using I = QudaInvertParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::invert_param, &P::nk, &P::np, &P::import_vectors, &P::run_verify, &P::arpack_check);
    check_if_set(checks, *param, &P::cuda_prec_ritz);
    const I &invert = *param->invert_param;
    check_struct(function, &invert);
    check(checks, invert, &I::inv_type, &I::n_ev, &I::deflation_grid);
    if (!fills_spaces(invert.inv_type))
      refuse(function, "QudaInvertParam.inv_type", invert.inv_type,
             "QUDA_EIGCG_INVERTER, QUDA_INC_EIGCG_INVERTER, QUDA_GMRESDR_PROJ_INVERTER");
    if (param->import_vectors)
      refuse(function, "QudaEigParam.import_vectors", value_text(param->import_vectors), "QUDA_BOOLEAN_FALSE",
             ErrorKind::unsupported);
    if (param->arpack_check)
      refuse(function, "QudaEigParam.arpack_check", value_text(param->arpack_check), "QUDA_BOOLEAN_FALSE",
             ErrorKind::unsupported);
    check_no_eigen_files(checks, *param);
    const bool own = !is_unset(*param, &P::cuda_prec_ritz);
    if (!own) check(checks, invert, &I::cuda_prec_ritz);
    const QudaPrecision precision = own ? param->cuda_prec_ritz : invert.cuda_prec_ritz;
    if (precision != QUDA_DOUBLE_PRECISION && precision != QUDA_SINGLE_PRECISION)
      fail(ErrorKind::bad_argument,
           text("%s: %s.cuda_prec_ritz = %s; allowed: QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION", function,
                own ? "QudaEigParam" : "QudaInvertParam", value_text(precision).c_str()));
    if (param->nk != 0 && param->nk != invert.n_ev)
      refuse(function, "QudaEigParam.nk", text("%d", param->nk), text("0, or invert_param->n_ev = %d", invert.n_ev));
    const long long room = param->np > 0 ? param->np : static_cast<long long>(invert.n_ev) * invert.deflation_grid;
    if (room % invert.n_ev != 0)
      refuse(function, "QudaEigParam.np", text("%d", param->np), text("0, or a multiple of n_ev = %d", invert.n_ev));
    if (room > most_modes)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.n_ev = %d, deflation_grid = %d, QudaEigParam.np = %d: room "
                "for %lld vectors; allowed: up to %d",
                function, invert.n_ev, invert.deflation_grid, param->np, room, most_modes));
    return std::make_unique<IncrementalSpace>(invert.n_ev, static_cast<int>(room), static_cast<Precision>(precision),
                                              param->run_verify == QUDA_BOOLEAN_TRUE);
  }

  void *keep(Session &session, std::unique_ptr<IncrementalSpace> &space)
  {
    return session.spaces.keep(std::move(space));
  }

  void check_members(Checks &checks, const QudaInvertParam &param, const IncrementalSpace &space)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    const auto no = [&](const char *member, const std::string &value, const std::string &allowed,
                        ErrorKind kind = ErrorKind::bad_argument) {
      fail(kind, text("%s: QudaInvertParam.%s = %s with inv_type = %s; allowed: %s", function, member, value.c_str(),
                      value_text(param.inv_type).c_str(), allowed.c_str()));
    };
    check(checks, param, &P::tol_restart, &P::inc_tol, &P::max_restart_num, &P::eigenval_tol, &P::rhs_idx);
    const int widest = blas::VectorSet::most_rotated();
    if (param.n_ev != space.each())
      no("n_ev", text("%d", param.n_ev), text("%d, as newDeflationQuda() was told", space.each()));
    if (find_method(param.inv_type)->reads(MethodRow::window) && param.max_search_dim <= 2 * param.n_ev)
      no("max_search_dim", text("%d", param.max_search_dim), text("more than twice n_ev = %d", param.n_ev));
    if (param.max_search_dim > widest)
      no("max_search_dim", text("%d", param.max_search_dim), text("up to %d", widest), ErrorKind::unsupported);
    if (param.tol_restart >= 1) no("tol_restart", text("%g", param.tol_restart), "0 to below 1");
    if (param.inc_tol >= 1) no("inc_tol", text("%g", param.inc_tol), "0 to below 1");
    checks.same("whether QudaInvertParam.eig_param is null", param.eig_param == nullptr);
    if (param.eig_param) no("eig_param", text("%p", param.eig_param), "null: deflation_op has the low modes");
    if (param.chrono_use_resident || param.chrono_make_resident)
      no(param.chrono_use_resident ? "chrono_use_resident" : "chrono_make_resident", "1", "0", ErrorKind::unsupported);
  }

} // namespace

std::optional<Gathering> prepare_gathering(Checks &checks, const QudaInvertParam &param, const QuarkJob &job,
                                           const DiracSolve &how)
{
  if (!fills_spaces(param.inv_type)) return std::nullopt;
  const char *function = checks.function;
  const std::string type = "inv_type = " + value_text(param.inv_type);
  IncrementalSpace *const space = checks.session.spaces.find(param.deflation_op);
  if (!space)
    fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.deflation_op = %p with %s; allowed: a handle of "
                                       "newDeflationQuda() that has not been freed",
                                       function, param.deflation_op, type.c_str()));
  check_members(checks, param, *space);
  check_low_mode_solve(function, param, how, type, "another inverter");
  if (how.equations == Equations::normal_error)
    fail(ErrorKind::unsupported, text("%s: QudaInvertParam.%s with solve_type = %s; allowed: another inverter, or a "
                                      "NORMOP solve",
                                      function, type.c_str(), value_text(param.solve_type).c_str()));
  Gathering gathering {
      .space = space,
      .options = {.alone = param.inv_type == QUDA_EIGCG_INVERTER,
                  .again = {param.tol_restart, param.inc_tol, param.max_restart_num},
                  .good_enough = param.eigenval_tol},
      .of = identity(job.dirac, *job.links, form_of_method(how)),
  };
  checks.same("low modes in the space of QudaInvertParam.deflation_op", space->modes().size());
  checks.same("whether the low modes of QudaInvertParam.deflation_op are of the operator",
              space->modes().holds(gathering.of, 1));
  return gathering;
}

constexpr JobOf<::newDeflationQuda> jobs::newDeflationQuda {"newDeflationQuda", by<prepare_space, keep>};

} // namespace quda

extern "C" {

void *newDeflationQuda(QudaEigParam *param) { return quda::jobs::newDeflationQuda.call(param); }

void destroyDeflationQuda(void *df_instance)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    if (!df_instance) return;
    if (!session.spaces.find(df_instance))
      quda::fail(quda::ErrorKind::bad_argument,
                 quda::text("%s: df_instance = %p; allowed: null, or a handle of newDeflationQuda() that has not been "
                            "freed",
                            function, df_instance));
    session.spaces.free(df_instance);
  });
}

} // extern "C"
