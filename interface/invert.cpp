/// Linear systems of the host's quark fields.
///
///   invertQuda         : one right-hand side
///   invertMultiSrcQuda : num_src of them, in one solve
///   flushChronoQuda    : forgets the solutions of one store, 0 to 11, or of all (negative)
/// solution_type says what is solved, M x = b, M^dag M x = b or the same of M_pc, with dagger of M^dag; solve_type says
/// how: by the matrix itself, by the normal equations (NORMOP, NORMERR), on all sites or, prepared and reconstructed,
/// on one parity, where that of staggered fermions is Hermitian and needs no normal equations. The mass normalisation
/// multiplies the source.
/// Results       : true_res is |b - A x| / |b| of the system that was asked for, with NORMOP solves of its normal
///                 equations, with distance preconditioning of what the method sees; NaN where the call failed. iter
///                 below maxiter means that every right-hand side has converged; else it is maxiter at least. secs is
///                 the time of the slowest rank; gflops the 1e-9 operations of all ranks, a count.
/// Precisions    : cuda_prec half is the next better one with half inside; a sloppy precision or reconstruct that the
///                 operator has no kernels for is replaced by the next better one.
/// Kept          : solutions may stay in the library: the last call's (make_resident_solution; the host's array is then
///                 left alone), and those of earlier systems as the method sees them, from which the first guess is
///                 made (chrono_...; solvers/chronology.h).
/// Preconditioner: inv_type_precondition, of GCR and PCG, is maxiter_precondition steps of any inverter on the same
///                 system, precondition_cycle times, in cuda_prec_precondition, with schwarz_type inside of domains;
///                 the number of its steps is fixed, so that tol_precondition is not read. With QUDA_MG_INVERTER it is
///                 a multigrid hierarchy, `preconditioner`, and nothing else of it is read (interface/multigrid.h).
/// Low modes     : with eig_param, taken from the residual before the iterations and as it falls (interface/deflate.h);
///                 left for later solves by eigCG (interface/incremental.h).
/// Errors        : a parameter structure is checked as far as the call reads it.

#include "interface/invert.h"

#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/application.h"
#include "interface/deflate.h"
#include "interface/domain_wall.h"
#include "interface/incremental.h"
#include "interface/inverters.h"
#include "interface/jobs.h"
#include "interface/multigrid.h"
#include "interface/resident.h"
#include "interface/split_grid.h"
#include "ops/blas/block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace quda
{

bool on_one_parity(QudaSolveType type)
{
  return type == QUDA_DIRECT_PC_SOLVE || type == QUDA_NORMOP_PC_SOLVE || type == QUDA_NORMERR_PC_SOLVE;
}
bool by_normal_operator(QudaSolveType type) { return type == QUDA_NORMOP_SOLVE || type == QUDA_NORMOP_PC_SOLVE; }
bool by_normal_error(QudaSolveType type) { return type == QUDA_NORMERR_SOLVE || type == QUDA_NORMERR_PC_SOLVE; }
bool of_normal_operator(QudaSolutionType type)
{
  return type == QUDA_MATDAG_MAT_SOLUTION || type == QUDA_MATPCDAG_MATPC_SOLUTION;
}

namespace
{

  /// Refuses the trained map to a shorter fifth dimension and its files. Its other members mean nothing without it.
  void check_accelerator(const char *function, const QudaInvertParam &param)
  {
    const auto refuse_member = [&](const char *member, const std::string &value, const char *allowed) {
      fail(ErrorKind::unsupported,
           text("%s: QudaInvertParam.%s = %s asks for the domain-wall accelerator, a map to a shorter fifth dimension "
                "that is trained before it preconditions, which the library does not have; allowed: %s",
                function, member, value.c_str(), allowed));
    };
    if (param.accelerator_type_precondition != QUDA_INVALID_ACCELERATOR)
      refuse_member("accelerator_type_precondition", value_text(param.accelerator_type_precondition),
                    "QUDA_INVALID_ACCELERATOR");
    if (!domain_wall(param.dslash_type)) return;
    if (param.madwf_param_load != QUDA_BOOLEAN_FALSE)
      refuse_member("madwf_param_load", value_text(param.madwf_param_load), "QUDA_BOOLEAN_FALSE");
    if (param.madwf_param_save != QUDA_BOOLEAN_FALSE)
      refuse_member("madwf_param_save", value_text(param.madwf_param_save), "QUDA_BOOLEAN_FALSE");
  }

} // namespace

void check_solve(Checks &checks, const QudaInvertParam &param)
{
  using P = QudaInvertParam;
  check(checks, param, &P::inv_type, &P::solution_type, &P::solve_type, &P::dslash_type, &P::mass_normalization,
        &P::residual_type, &P::maxiter, &P::reliable_delta, &P::make_resident_solution, &P::compute_action);
  check_mass(checks, param);
  if (!staggered(param.dslash_type) && !domain_wall(param.dslash_type) && param.kappa == 0)
    warn("%s: QudaInvertParam.kappa = 0: the operator has no hop", checks.function);
  if (on_one_parity(param.solve_type)) check(checks, param, &P::matpc_type);
  check_if_set(checks, param, &P::cuda_prec_sloppy);
  if (domain_wall(param.dslash_type)) check_accelerator(checks.function, param);
}

double source_factor(const QudaInvertParam &param)
{
  if (staggered(param.dslash_type)) {
    const double twice = param.mass_normalization == QUDA_KAPPA_NORMALIZATION ? 2 * param.mass : 1;
    return of_normal_operator(param.solution_type) ? twice * twice : twice;
  }
  if (param.mass_normalization == QUDA_KAPPA_NORMALIZATION) return 1;
  const double twice = 2 * kappa_of(param);
  const bool squared = param.mass_normalization == QUDA_MASS_NORMALIZATION && preconditioned(param.solution_type);
  const double one = squared ? twice * twice : twice;
  return of_normal_operator(param.solution_type) ? one * one : one;
}

int told_iterations(bool converged, int iterations, const QudaInvertParam &param)
{
  return converged ? std::clamp(iterations, 1, std::max(param.maxiter - 1, 1)) : std::max(iterations, param.maxiter);
}

void forget_results(QudaInvertParam *param)
{
  if (!param || (param->struct_size != sizeof *param && !is_unset(*param, &QudaInvertParam::struct_size))) return;
  forget_results(param->true_res, QUDA_MAX_MULTI_SRC);
  forget_results(param->true_res_hq, QUDA_MAX_MULTI_SRC);
  forget_results(param->true_res_offset, QUDA_MAX_MULTI_SHIFT);
  forget_results(param->iter_res_offset, QUDA_MAX_MULTI_SHIFT);
  forget_results(param->true_res_hq_offset, QUDA_MAX_MULTI_SHIFT);
}

void forget_results(double *residuals, int n)
{
  if (residuals) std::fill_n(residuals, std::max(n, 0), std::numeric_limits<double>::quiet_NaN());
}

FoundTogether refusal_by_name(const char *function, const NotFinite &found, const QuarkJob &job, bool given)
{
  const auto j = static_cast<std::size_t>(source_of(job, found.rhs));
  const std::string &source = job.in_names[j % job.in_names.size()]; // of several shifts
  return {ErrorKind::bad_argument,
          text("%s: %s holds a number that is NaN, infinite or too large to compute with; allowed: finite numbers",
               function,
               (!found.guess ? source
                : given      ? job.out_names[j]
                             : "the first guess for " + source)
                   .c_str()),
          {found.file(), found.line(), found.function()}};
}

void check_finite(const char *function, const std::function<std::string(std::size_t)> &name,
                  const ColorSpinorField &field)
{
  const std::vector<double> largest = blas::block::amax(field);
  for (std::size_t j = 0; j < largest.size(); j++)
    if (!std::isfinite(largest[j]))
      throw FoundTogether(
          ErrorKind::bad_argument,
          text("%s: %s holds a number that is NaN or infinite; allowed: finite numbers", function, name(j).c_str()));
}

namespace
{

  [[noreturn]] void refuse_solve(ErrorKind kind, const char *function, const QudaInvertParam &param, const char *why)
  {
    fail(kind, text("%s: QudaInvertParam.inv_type = %s with solution_type = %s, solve_type = %s: %s", function,
                    value_text(param.inv_type).c_str(), value_text(param.solution_type).c_str(),
                    value_text(param.solve_type).c_str(), why));
  }

  void check_combination(const char *function, const QudaInvertParam &param)
  {
    const QudaSolutionType solution = param.solution_type;
    const QudaSolveType solve = param.solve_type;
    const auto no = [&](const char *why) { refuse_solve(ErrorKind::bad_argument, function, param, why); };
    if (solution != QUDA_MAT_SOLUTION && solution != QUDA_MATPC_SOLUTION && !of_normal_operator(solution))
      no("allowed solutions: QUDA_MAT_SOLUTION, QUDA_MATDAG_MAT_SOLUTION, QUDA_MATPC_SOLUTION, "
         "QUDA_MATPCDAG_MATPC_SOLUTION");
    if (preconditioned(solution) && !on_one_parity(solve)) no("a solution on one parity needs a solve on one parity");
    if (solution == QUDA_MATDAG_MAT_SOLUTION && on_one_parity(solve))
      no("QUDA_MATDAG_MAT_SOLUTION needs a solve on all sites");
    if (by_normal_error(solve) && of_normal_operator(solution))
      no("NORMERR solves need QUDA_MAT_SOLUTION or QUDA_MATPC_SOLUTION");
    const bool direct = !by_normal_operator(solve) && !by_normal_error(solve);
    const bool hermitian = staggered(param.dslash_type) && on_one_parity(solve);
    if (hermitian && (!direct || of_normal_operator(solution)))
      no("of staggered fermions the matrix on one parity is Hermitian itself; allowed: QUDA_DIRECT_PC_SOLVE");
    const MethodRow *method = find_method(param.inv_type);
    if (!method) refuse_solve(ErrorKind::unsupported, function, param, ("allowed inverters: " + inverters()).c_str());
    if (method->positive && direct && !hermitian)
      no("the matrix is not Hermitian; allowed: NORMOP and NORMERR solves, or another inverter");
    if (method->system != System::direct && !direct)
      no("this inverter forms the normal equations itself; allowed: QUDA_DIRECT_SOLVE, QUDA_DIRECT_PC_SOLVE");
    if (param.inv_type_precondition != QUDA_INVALID_INVERTER) {
      const MethodRow *inner = find_method(param.inv_type_precondition);
      const auto no_inner = [&](ErrorKind kind, const std::string &why) {
        fail(kind, text("%s: QudaInvertParam.inv_type_precondition = %s with inv_type = %s, solve_type = %s: %s",
                        function, value_text(param.inv_type_precondition).c_str(), value_text(param.inv_type).c_str(),
                        value_text(solve).c_str(), why.c_str()));
      };
      const bool multigrid = param.inv_type_precondition == QUDA_MG_INVERTER;
      if (!inner && !multigrid)
        no_inner(ErrorKind::unsupported, "allowed: QUDA_INVALID_INVERTER, QUDA_MG_INVERTER, " + inverters());
      if (!method->reads(MethodRow::preconditioner))
        no_inner(ErrorKind::bad_argument, "QUDA_GCR_INVERTER and QUDA_PCG_INVERTER alone take a preconditioner");
      if (inner && inner->leaves_modes())
        no_inner(ErrorKind::bad_argument, "a preconditioner leaves no low modes; allowed: QUDA_CG_INVERTER");
      if (inner && inner->positive && direct && !hermitian)
        no_inner(ErrorKind::bad_argument, "the matrix is not Hermitian; allowed: another inverter");
    }
  }

  std::string shape_text(const ColorSpinorParam &shape)
  {
    const Lattice &on = *shape.lattice;
    const char *sites = shape.subset == SiteSubset::full ? "all" : shape.parity ? "the odd" : "the even";
    return text("%d right-hand side%s on %s sites of %dx%dx%dx%d", shape.rhs, shape.rhs == 1 ? "" : "s", sites, on.X(0),
                on.X(1), on.X(2), on.X(3));
  }

  /// Solutions that stay in the library between calls: those that the call uses must be there, and all of one shape.
  void check_resident(Checks &checks, const QuarkJob &fields, const QudaInvertParam &param)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    const auto refuse = [&](const char *member, const std::string &why) {
      fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.%s: %s", function, member, why.c_str()));
    };
    const auto agree = [&](const char *member, const ColorSpinorParam &is, const ColorSpinorParam &now) {
      if (!same_shape(is, now))
        refuse(member, "what is kept has " + shape_text(is) + ", this system has " + shape_text(now));
    };
    ColorSpinorParam shape = native_block(fields.h_in, fields.links->precise().precision());
    if (param.use_resident_solution && !param.chrono_use_resident) {
      if (!checks.session.solution)
        refuse("use_resident_solution", "no solution is resident; make_resident_solution = 1 keeps one");
      agree("use_resident_solution", checks.session.solution->param(), shape);
    }
    if (!param.chrono_use_resident && !param.chrono_make_resident) return;
    check(checks, param, &P::chrono_index, &P::chrono_max_dim, &P::chrono_replace_last);
    check_if_set(checks, param, &P::chrono_precision);
    const Chronology &store = checks.session.chronologies[static_cast<std::size_t>(param.chrono_index)];
    checks.same("solutions of QudaInvertParam.chrono_index", store.size());
    if (param.chrono_make_resident && param.chrono_max_dim < std::max(store.size(), 1))
      refuse("chrono_max_dim", text("%d; allowed: 1 or more, and no fewer than the %d solutions of chrono_index = %d",
                                    param.chrono_max_dim, store.size(), param.chrono_index));
    if (on_one_parity(param.solve_type)) {
      shape.subset = SiteSubset::parity;
      shape.parity = parity_of(static_cast<MatPC>(param.matpc_type));
    }
    if (store.size() > 0) agree(text("chrono_index = %d", param.chrono_index).c_str(), store.shape(), shape);
  }

  /// The polynomials of a method, or, with `of` "_precondition", of a preconditioner's.
  void check_basis(Checks &checks, const QudaInvertParam &param, const char *of, QudaCABasis QudaInvertParam::*basis,
                   double QudaInvertParam::*least, double QudaInvertParam::*most)
  {
    check(checks, param, basis);
    if (param.*basis != QUDA_CHEBYSHEV_BASIS) return;
    check(checks, param, least, most);
    if (param.*least < 0 || (param.*most > 0 && param.*least >= param.*most))
      fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.ca_lambda_min%s = %g with ca_lambda_max%s = %g; allowed: "
                                         "0 or more, below ca_lambda_max%s",
                                         checks.function, of, param.*least, of, param.*most, of));
  }

  /// Limit of the iterations: maxiter, and Nsteps times that for minimal residuals.
  int iterations_of(const QudaInvertParam &param)
  {
    if (param.inv_type != QUDA_MR_INVERTER) return param.maxiter;
    const long long all = static_cast<long long>(param.maxiter) * std::max(param.Nsteps, 1);
    return static_cast<int>(std::min<long long>(all, std::numeric_limits<int>::max()));
  }

  bool preconditioned_by_steps(const QudaInvertParam &param)
  {
    return param.inv_type_precondition != QUDA_INVALID_INVERTER && param.inv_type_precondition != QUDA_MG_INVERTER;
  }

  /// What a preconditioner that is steps of a method reads.
  void check_preconditioner(Checks &checks, const QudaInvertParam &param)
  {
    using P = QudaInvertParam;
    check(checks, param, &P::maxiter_precondition, &P::precondition_cycle, &P::schwarz_type);
    check_if_set(checks, param, &P::cuda_prec_precondition);
    if (param.maxiter_precondition < 1)
      refuse(checks.function, "QudaInvertParam.maxiter_precondition", param.maxiter_precondition, "1 or more");
    const MethodRow &method = *find_method(param.inv_type_precondition);
    if (method.reads(MethodRow::omega)) check(checks, param, &P::omega);
    if (method.reads(MethodRow::polynomials))
      check_basis(checks, param, "_precondition", &P::ca_basis_precondition, &P::ca_lambda_min_precondition,
                  &P::ca_lambda_max_precondition);
    check_accelerator(checks.function, param);
    if (param.schwarz_type == QUDA_INVALID_SCHWARZ) return;
    if (param.overlap != 0)
      refuse(checks.function, "QudaInvertParam.overlap", param.overlap, "0, domains that do not overlap",
             ErrorKind::unsupported);
    for (const int extent : checks.session.schwarz.block) checks.same("qudaSetSchwarzBlock(extents)", extent);
  }

  DiracPreconditionerForm preconditioner_of(Session &session, const QudaInvertParam &param)
  {
    DiracPreconditionerForm how;
    how.method = static_cast<Method>(param.inv_type_precondition);
    how.steps = param.maxiter_precondition;
    how.options.polynomials = static_cast<Polynomials>(param.ca_basis_precondition);
    how.options.spectrum = {param.ca_lambda_min_precondition, param.ca_lambda_max_precondition};
    // l of BiCGstab(l) and vectors of a power basis are few; GCR does all its steps in one cycle if it can
    const bool chebyshev =
        row_of(how.method).reads(MethodRow::polynomials) && how.options.polynomials == Polynomials::chebyshev;
    how.options.krylov = std::min(how.steps, how.method == Method::gcr ? most_directions : chebyshev ? 16 : 4);
    how.options.omega = param.omega;
    how.cycles = std::max(param.precondition_cycle, 1);
    if (is_unset(param, &QudaInvertParam::cuda_prec_precondition))
      how.storage = iteration_storage(session, param, LinkCopy::sloppy, &QudaInvertParam::cuda_prec_sloppy);
    else
      how.storage = iteration_storage(session, param, LinkCopy::precondition, &QudaInvertParam::cuda_prec_precondition);
    if (param.schwarz_type != QUDA_INVALID_SCHWARZ)
      how.schwarz = SchwarzForm {param.schwarz_type == QUDA_MULTIPLICATIVE_SCHWARZ, session.schwarz};
    return how;
  }

} // namespace

DiracSolve solve_of(Session &session, const QuarkJob &job, const QudaInvertParam &param)
{
  DiracSolve how;
  how.system.dagger = job.dagger;
  how.system.normal = of_normal_operator(param.solution_type);
  if (preconditioned(param.solution_type))
    how.system.matpc = static_cast<MatPC>(param.matpc_type);
  else if (on_one_parity(param.solve_type))
    how.prepared = static_cast<MatPC>(param.matpc_type);
  if (distance_preconditioned(param))
    how.system.weights = TimeWeights {std::abs(param.distance_pc_alpha0), param.distance_pc_t0};
  if (by_normal_operator(param.solve_type)) how.equations = Equations::normal_operator;
  if (by_normal_error(param.solve_type)) how.equations = Equations::normal_error;
  how.method = static_cast<Method>(param.inv_type);
  how.options = {.krylov = param.gcrNkrylov,
                 .omega = param.omega,
                 .polynomials = static_cast<Polynomials>(param.ca_basis),
                 .spectrum = {param.ca_lambda_min, param.ca_lambda_max},
                 .space = param.max_search_dim,
                 .kept = param.n_ev};
  if (preconditioned_by_steps(param)) how.precondition = preconditioner_of(session, param);
  how.deflate_again = param.tol_restart;
  how.sloppy = iteration_storage(session, param, LinkCopy::sloppy, &QudaInvertParam::cuda_prec_sloppy);
  if (param.residual_type & QUDA_L2_RELATIVE_RESIDUAL) how.tolerance.relative = param.tol;
  if (param.residual_type & QUDA_L2_ABSOLUTE_RESIDUAL) how.tolerance.absolute = param.tol;
  if (param.residual_type & QUDA_HEAVY_QUARK_RESIDUAL) how.tolerance.heavy_quark = param.tol_hq;
  how.limits = {.iterations = iterations_of(param), .reliable_delta = param.reliable_delta};
  how.guess = param.use_init_guess == QUDA_USE_INIT_GUESS_YES || param.use_resident_solution;
  if (!param.chrono_use_resident && !param.chrono_make_resident) return how;
  how.history = &session.chronologies[static_cast<std::size_t>(param.chrono_index)];
  how.extrapolate = param.chrono_use_resident;
  if (param.chrono_make_resident) how.remember = param.chrono_max_dim;
  how.replace_newest = param.chrono_replace_last;
  how.history_precision = static_cast<Precision>(
      is_unset(param, &QudaInvertParam::chrono_precision) ? param.cuda_prec : param.chrono_precision);
  return how;
}

void check_inverter(Checks &checks, const QudaInvertParam &param)
{
  using P = QudaInvertParam;
  check_solve(checks, param);
  check(checks, param, &P::use_init_guess, &P::inv_type_precondition, &P::use_resident_solution,
        &P::chrono_use_resident, &P::chrono_make_resident);
  if (param.residual_type & (QUDA_L2_RELATIVE_RESIDUAL | QUDA_L2_ABSOLUTE_RESIDUAL)) check(checks, param, &P::tol);
  if (param.residual_type & QUDA_HEAVY_QUARK_RESIDUAL) check(checks, param, &P::tol_hq);
  check_combination(checks.function, param);
  checks.same("QudaInvertParam.Nsteps", iterations_of(param));
  const MethodRow &method = *find_method(param.inv_type);
  if (method.reads(MethodRow::krylov)) check(checks, param, &P::gcrNkrylov);
  if (method.reads(MethodRow::omega)) check(checks, param, &P::omega);
  if (method.reads(MethodRow::polynomials))
    check_basis(checks, param, "", &P::ca_basis, &P::ca_lambda_min, &P::ca_lambda_max);
  if (method.reads(MethodRow::deflation)) {
    check(checks, param, &P::n_ev, &P::max_search_dim);
    if (param.n_ev > param.max_search_dim - 2)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.n_ev = %d with max_search_dim = %d; allowed: at least two fewer", checks.function,
                param.n_ev, param.max_search_dim));
  }
  if (method.reads(MethodRow::window)) check(checks, param, &P::n_ev, &P::max_search_dim);
  if (preconditioned_by_steps(param)) check_preconditioner(checks, param);
  if (staggered(param.dslash_type) && param.mass == 0 && param.solution_type == QUDA_MAT_SOLUTION &&
      on_one_parity(param.solve_type))
    refuse_solve(ErrorKind::bad_argument, checks.function, param,
                 "with mass = 0 the other parity cannot be reconstructed");
}

namespace
{

  struct InvertJob {
    QuarkJob quarks;
    DiracSolve how;
    std::optional<Deflation> deflation;
    std::optional<Gathering> gathering;
    HeldMultigrid *multigrid;
  };

  InvertJob prepare(Checks &checks, void *const *x, void *const *b, bool several, const QudaInvertParam *param)
  {
    const char *function = checks.function;
    check_struct(function, param);
    check_inverter(checks, *param);
    if (several) {
      check_not_null(function, "_hp_x", x);
      check_not_null(function, "_hp_b", b);
    }
    QuarkJob application = quark_job(checks, *param, false);
    if (several) check_sources(checks, application, *param);
    check_split_solve(function, application, *param);
    const int n = several ? param->num_src : 1;
    const int parity = preconditioned(param->solution_type) ? parity_of(static_cast<MatPC>(param->matpc_type)) : -1;
    for (int j = 0; j < n; j++)
      add_fields(function, application, *param, {several ? text("_hp_x[%d]", j) : "h_x", x[j], parity},
                 {several ? text("_hp_b[%d]", j) : "h_b", b[j], parity});
    check_resident(checks, application, *param);
    if (preconditioned_by_steps(*param) && param->schwarz_type != QUDA_INVALID_SCHWARZ) {
      const Domains &domains = checks.session.schwarz;
      refuse_with_split(function, application, *param, domains.of_ranks(), "schwarz_type",
                        value_text(param->schwarz_type) + " on what a rank holds", "domains by qudaSetSchwarzBlock()");
      domains.check(function, application.links->precise().lattice());
    }
    InvertJob all {.quarks = std::move(application), .how = {}, .deflation = {}, .gathering = {}, .multigrid = nullptr};
    all.how = solve_of(checks.session, all.quarks, *param);
    if (param->inv_type_precondition == QUDA_MG_INVERTER)
      all.multigrid = &multigrid_of(checks, *param, all.quarks, all.how);
    all.gathering = prepare_gathering(checks, *param, all.quarks, all.how);
    if (!all.gathering) all.deflation = prepare_deflation(checks, *param, all.quarks, all.how);
    return all;
  }

  /// The solve itself. given: x holds first guesses of the host.
  SolveReport solved(Session &session, const char *function, InvertJob &all, QudaInvertParam &param, const Dirac &dirac,
                     ColorSpinorField &x, const ColorSpinorField &b, bool given)
  {
    std::optional<LowModes> low_modes;
    std::vector<double> largest;
    double flops = 0;
    SolveReport report;
    try {
      if (all.deflation) {
        all.how.largest = largest = finite_amax(function, b); // before a long search
        if (given) finite_amax(function, x, true);
        low_modes.emplace(session, *all.deflation);
        flops = low_modes->provide(function, dirac, all.how);
      }
      if (all.multigrid) precondition(function, *all.multigrid, all.quarks, all.how);
      if (const auto &gathering = all.gathering) {
        report = gathering->space->solve(dirac, all.how, gathering->options, x, b, gathering->of);
        param.rhs_idx += b.rhs();
      } else {
        report = solve(dirac, all.how, x, b);
      }
    } catch (const NotFinite &found) {
      throw refusal_by_name(function, found, all.quarks, given);
    }
    if (all.multigrid) tell_levels(*all.multigrid);
    report.flops += flops;
    return report;
  }

  void invert(Session &session, const char *function, InvertJob &all, QudaInvertParam &param)
  {
    QuarkJob &job = all.quarks;
    job.timer.start();
    const VerbosityScope printing(verbosity_of(param));
    if (log_prints(Verbosity::debug)) printQudaInvertParam(&param);
    const GaugeField &links = job.links->precise();
    std::optional<ColorSpinorField> b;
    std::unique_ptr<ColorSpinorField> x;
    const bool given = !param.chrono_use_resident && !param.use_resident_solution &&
                       param.use_init_guess == QUDA_USE_INIT_GUESS_YES; // x, by the host
    {
      const PhaseScope phase(Phase::init);
      b.emplace(native_block(job.h_in, links.precision()));
      x = std::make_unique<ColorSpinorField>(native_block(job.h_out, links.precision()));
    }
    {
      const PhaseScope phase(Phase::h2d);
      load_block(*b, job.h_in);
      if (given) load_block(*x, job.h_out);
      if (param.use_resident_solution && !param.chrono_use_resident) *x = *session.solution;
    }
    SolveReport report;
    {
      const PhaseScope phase(Phase::compute);
      const double factor = source_factor(param);
      if (factor != 1) blas::ax(factor, *b);
      on_sub_grids(job, *x, *b, given,
                   [&](const Dirac &dirac, ColorSpinorField &x_here, const ColorSpinorField &b_here) {
                     report = solved(session, function, all, param, dirac, x_here, b_here, given);
                     return report.flops;
                   });
      report = of_all_sources(job, report);
      if (param.compute_action) {
        const std::complex<double> action = blas::block::cdot(b->columns(0, 1), x->columns(0, 1))[0];
        param.action[0] = action.real();
        param.action[1] = action.imag();
      }
    }
    if (param.make_resident_solution) {
      session.solution = std::move(x);
    } else {
      const PhaseScope phase(Phase::d2h);
      save_block(job.h_out, *x);
      session.solution.reset();
    }
    for (std::size_t j = 0; j < report.rhs.size(); j++) {
      param.true_res[j] = report.rhs[j].residual;
      param.true_res_hq[j] = report.rhs[j].heavy_quark;
    }
    if (report.largest_eigenvalue > 0) param.ca_lambda_max = report.largest_eigenvalue;
    param.iter = told_iterations(report.converged(), report.iterations, param);
    report_work(job, param, report.flops);
  }

  Job<> invert_job(Checks &checks, void *const *x, void *const *b, bool several, QudaInvertParam *param)
  {
    return {prepare(checks, x, b, several, param),
            [param, function = checks.function](Session &session, InvertJob &all) {
              invert(session, function, all, *param);
            }};
  }
  Job<> invert_one(Checks &checks, void *x, void *b, QudaInvertParam *param)
  {
    return invert_job(checks, &x, &b, false, param);
  }
  Job<> invert_several(Checks &checks, void **x, void **b, QudaInvertParam *param)
  {
    return invert_job(checks, x, b, true, param);
  }

} // namespace

constexpr JobOf<::invertQuda> jobs::invertQuda {"invertQuda", invert_one};
constexpr JobOf<::invertMultiSrcQuda> jobs::invertMultiSrcQuda {"invertMultiSrcQuda", invert_several};

} // namespace quda

extern "C" {

void invertQuda(void *h_x, void *h_b, QudaInvertParam *param)
{
  quda::forget_results(param);
  quda::jobs::invertQuda.call(h_x, h_b, param);
}

void invertMultiSrcQuda(void **_hp_x, void **_hp_b, QudaInvertParam *param)
{
  quda::forget_results(param);
  quda::jobs::invertMultiSrcQuda.call(_hp_x, _hp_b, param);
}

void flushChronoQuda(int index)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    const int n = static_cast<int>(session.chronologies.size());
    if (index >= n)
      quda::fail(quda::ErrorKind::bad_argument,
                 quda::text("%s: index = %d; allowed: 0 to %d, or negative for all", function, index, n - 1));
    for (int i = 0; i < n; i++)
      if (index < 0 || i == index) session.chronologies[static_cast<std::size_t>(i)].clear();
  });
}

} // extern "C"
