#include "interface/multigrid_options.h"

#include "quda_ext.h"

#include "core/built.h"
#include "core/log.h"
#include "dirac/make_dirac.h"
#include "interface/eigen_options.h"
#include "interface/inverters.h"
#include "interface/multigrid_staggered.h"
#include "interface/params/param_table.h"
#include "multigrid/gathering.h"

#include <algorithm>
#include <cmath>

namespace quda
{

namespace
{

  using P = QudaMultigridParam;

  constexpr int longest_cycle = 64; // of GCR between restarts: coarse vectors are small

  /// Name of a level's element of a member, for messages.
  std::string on_level(const std::string &member, int level)
  {
    return text("QudaMultigridParam.%s[%d]", member.c_str(), level);
  }

  /// Polynomial basis of a method that makes several products at once.
  struct Basis {
    const char *member; // name, without the tail that tells its ends
    QudaCABasis (P::*kind)[QUDA_MAX_MG_LEVEL];
    int (P::*size)[QUDA_MAX_MG_LEVEL]; // null: one per step
    double (P::*least)[QUDA_MAX_MG_LEVEL], (P::*most)[QUDA_MAX_MG_LEVEL];
  };
  constexpr Basis of_setup = {"setup_ca", &P::setup_ca_basis, &P::setup_ca_basis_size, &P::setup_ca_lambda_min,
                              &P::setup_ca_lambda_max},
                  of_coarse_solver = {"coarse_solver_ca", &P::coarse_solver_ca_basis, &P::coarse_solver_ca_basis_size,
                                      &P::coarse_solver_ca_lambda_min, &P::coarse_solver_ca_lambda_max},
                  of_smoother = {"smoother_solver_ca", &P::smoother_solver_ca_basis, nullptr,
                                 &P::smoother_solver_ca_lambda_min, &P::smoother_solver_ca_lambda_max};

  const MethodRow &method_of(const char *function, const char *member, int level, QudaInverterType type)
  {
    const MethodRow *method = find_method(type);
    if (!method) refuse(function, on_level(member, level), type, inverters(), ErrorKind::unsupported);
    return *method;
  }

  /// Refuses methods that need a Hermitian matrix; returns the others.
  const MethodRow &direct_method_of(const char *function, const char *member, int level, QudaInverterType type)
  {
    const MethodRow &method = method_of(function, member, level, type);
    if (method.positive)
      refuse(function, on_level(member, level), type, "a method for matrices that are not Hermitian");
    return method;
  }

  MethodOptions options_of(Checks &checks, const P &param, int level, const MethodRow &method, const Basis &basis,
                           int steps)
  {
    MethodOptions options;
    options.krylov = method.method == Method::gcr ? std::clamp(steps, 1, longest_cycle) : 4;
    if (!method.reads(MethodRow::polynomials)) return options;
    check(checks, param, between(level, level + 1, basis.kind), between(level, level + 1, basis.least),
          between(level, level + 1, basis.most));
    const auto i = static_cast<std::size_t>(level);
    const bool chebyshev = (param.*basis.kind)[i] == QUDA_CHEBYSHEV_BASIS;
    const double least = (param.*basis.least)[i], most = (param.*basis.most)[i];
    if (chebyshev && (least < 0 || (most > 0 && least >= most)))
      refuse(checks.function, on_level(basis.member + std::string("_lambda_min"), level),
             text("%g with %s_lambda_max[%d] = %g", least, basis.member, level, most),
             text("0 or more, below %s_lambda_max", basis.member));
    options.polynomials = static_cast<Polynomials>((param.*basis.kind)[i]);
    options.spectrum = {least, most};
    if (basis.size) {
      check(checks, param, between(level, level + 1, basis.size));
      options.krylov = (param.*basis.size)[i];
    } else {
      options.krylov = equal_part(steps, options.polynomials);
    }
    if (options.krylov > most_directions)
      refuse(checks.function, on_level(basis.member + std::string("_basis_size"), level), options.krylov,
             text("1 to %d", most_directions));
    return options;
  }

  SetupForm setup_of(Checks &checks, const P &param, int level)
  {
    const char *function = checks.function;
    const auto here = [&](auto member) { return between(level, level + 1, member); };
    check(checks, param, here(&P::setup_inv_type), here(&P::num_setup_iter), here(&P::setup_tol),
          here(&P::setup_maxiter), here(&P::setup_maxiter_refresh), here(&P::n_vec_batch));
    SetupForm setup;
    setup.tolerance = param.setup_tol[level];
    setup.steps = param.setup_maxiter[level];
    setup.rounds = param.num_setup_iter[level];
    setup.refresh_steps = param.setup_maxiter_refresh[level];
    setup.together = param.n_vec_batch[level] > 1 ? param.n_vec_batch[level] : 0;
    setup.inverse = param.setup_type == QUDA_TEST_VECTOR_SETUP;
    if (checks.session.multigrid_filter) setup.filter = *checks.session.multigrid_filter;
    const int filter[] = {setup.filter.order, setup.filter.step, setup.filter.sources};
    checks.same("qudaSetMultigridFilter(order, step, sources)", filter, 3);
    const QudaInverterType type = param.setup_inv_type[level];
    if (type == QUDA_MG_INVERTER) { // vectors from the method that is best otherwise, then from the cycle itself
      setup.bootstrap = std::max(setup.rounds, 1);
      setup.rounds = 1;
      return setup;
    }
    const MethodRow &asked = method_of(function, "setup_inv_type", level, type);
    switch (asked.method) { // for M^dag M
    case Method::cg:
      setup.method = Method::cgnr;
      break;
    case Method::cg3:
      setup.method = Method::cg3nr;
      break;
    case Method::ca_cg:
      setup.method = Method::ca_cgnr;
      break;
    default:
      setup.method = direct_method_of(function, "setup_inv_type", level, type).method;
    }
    setup.options = options_of(checks, param, level, row_of(setup.method), of_setup, setup.steps);
    if (setup.method == Method::gcr && !is_unset(*param.invert_param, &QudaInvertParam::gcrNkrylov))
      setup.options.krylov = std::clamp(param.invert_param->gcrNkrylov, 1, most_directions);
    return setup;
  }

  SmootherForm smoother_of(Checks &checks, const P &param, int level)
  {
    const char *function = checks.function;
    const auto here = [&](auto member) { return between(level, level + 1, member); };
    check(checks, param, here(&P::smoother), here(&P::nu_pre), here(&P::nu_post), here(&P::smoother_schwarz_type));
    const MethodRow &method = direct_method_of(function, "smoother", level, param.smoother[level]);
    SmootherForm smoother;
    smoother.method = method.method;
    smoother.before = param.nu_pre[level];
    smoother.after = param.nu_post[level];
    smoother.options = options_of(checks, param, level, method, of_smoother, std::max(smoother.before, smoother.after));
    if (method.reads(MethodRow::omega)) {
      check(checks, param, here(&P::omega));
      smoother.options.omega = param.omega[level];
    }
    if (param.smoother_schwarz_type[level] == QUDA_INVALID_SCHWARZ) return smoother;
    check(checks, param, here(&P::smoother_schwarz_cycle));
    smoother.schwarz = SchwarzForm {param.smoother_schwarz_type[level] == QUDA_MULTIPLICATIVE_SCHWARZ,
                                    level == 0 ? checks.session.schwarz : Domains {}};
    smoother.cycles = param.smoother_schwarz_cycle[level];
    return smoother;
  }

  CoarseForm coarse_of(Checks &checks, const P &param, int level)
  {
    const char *function = checks.function;
    const auto here = [&](auto member) { return between(level, level + 1, member); };
    check(checks, param, here(&P::coarse_solver), here(&P::coarse_solver_tol), here(&P::coarse_solver_maxiter));
    const MethodRow &method = direct_method_of(function, "coarse_solver", level, param.coarse_solver[level]);
    const bool last = level + 1 == param.n_level, wraps = param.cycle_type[level - 1] == QUDA_MG_CYCLE_RECURSIVE;
    if (!last && wraps && !method.reads(MethodRow::preconditioner))
      refuse(function, on_level("coarse_solver", level), param.coarse_solver[level],
             text("QUDA_GCR_INVERTER with cycle_type[%d] = %s, another one on the last level alone", level - 1,
                  value_text(param.cycle_type[level - 1]).c_str()),
             ErrorKind::unsupported);
    if (param.coarse_solver_maxiter[level] < 1)
      refuse(function, on_level("coarse_solver_maxiter", level), param.coarse_solver_maxiter[level], "1 or more");
    return {.method = method.method,
            .options = options_of(checks, param, level, method, of_coarse_solver, param.coarse_solver_maxiter[level]),
            .tolerance = param.coarse_solver_tol[level],
            .steps = param.coarse_solver_maxiter[level]};
  }

  /// Low modes of a level on this grid. vectors: number for P, made from the modes; 0: on the last level.
  std::optional<LowModeForm> low_modes_of(Checks &checks, const P &param, int level, const GridOfRanks &grid,
                                          Precision precision, int vectors)
  {
    const char *function = checks.function;
    if (!param.use_eig_solver[level]) return std::nullopt;
    const QudaEigParam *const eigen = param.eig_param[level];
    checks.same("whether an entry of QudaMultigridParam.eig_param is null", eigen == nullptr);
    if (!eigen)
      refuse(function, on_level("eig_param", level), "null",
             text("an eigensolver's parameters with use_eig_solver[%d] = %s", level,
                  value_text(param.use_eig_solver[level]).c_str()));
    check_struct(function, eigen);
    const EigenMethodRow &row = check_low_modes(checks, *eigen, "QudaMultigridParam.eig_param");
    if (eigen->n_conv < vectors)
      refuse(function, on_level("n_vec", level), vectors,
             text("1 to n_conv = %d of eig_param[%d]", eigen->n_conv, level));
    long long numbers = level == 0 ? 12 : 2 * param.n_vec[level - 1];
    for (std::size_t d = 0; d < 4; d++) numbers *= static_cast<long long>(grid.X[d]) * grid.ranks[d];
    LowModeForm form;
    form.options = eigen_options(function, *eigen, row, eigen_block(checks, *eigen, row), numbers / 2);
    form.used = used_low_modes(*eigen);
    form.kept = precision;
    form.required = eigen->require_convergence;
    return form;
  }

  /// Sets the aggregates of a level on this grid, which becomes the next one.
  void set_blocks(Checks &checks, const P &param, int level, MultigridLevel &to, GridOfRanks &grid)
  {
    const char *function = checks.function;
    const std::array<int, 4> whole = grid.X;
    int sites = 1;
    for (int d = 0; d < 4; d++) {
      const int wish = param.geo_block_size[level][d];
      if (wish < 1)
        fail(ErrorKind::bad_argument,
             text("%s: QudaMultigridParam.geo_block_size[%d][%d] = %s; allowed: 1 or more", function, level, d,
                  wish == params::unset_int ? "unset" : text("%d", wish).c_str()));
      checks.same(
          {"QudaMultigridParam", "geo_block_size", level * QUDA_MAX_DIM + d, guarded::Choice::Kind::integer, wish});
      int block = wish;
      while (block > 1 && grid.together(d, block) == 0) block /= 2;
      to.block[d] = block;
      sites *= block;
    }
    grid.coarsen(to.block);
    if (sites < 2)
      fail(ErrorKind::bad_argument,
           text("%s: QudaMultigridParam.geo_block_size[%d] = %d %d %d %d on local extents of %d %d %d %d: halved until "
                "each divides and leaves an even extent of one rank or of two, aggregates are of one site; allowed: "
                "others, or fewer levels",
                function, level, param.geo_block_size[level][0], param.geo_block_size[level][1],
                param.geo_block_size[level][2], param.geo_block_size[level][3], whole[0], whole[1], whole[2],
                whole[3]));
    const int rows = level == 0 ? 6 : param.n_vec[level - 1]; // per site and chirality
    if (to.vectors > sites * rows)
      refuse(function, on_level("n_vec", level), to.vectors,
             text("1 to %d, the complex numbers of an aggregate of %d sites and one chirality", sites * rows, sites));
  }

  /// Checks the parameters of a level's transfer.
  void check_vectors(Checks &checks, const P &param, int level)
  {
    const char *function = checks.function;
    const auto here = [&](auto member) { return between(level, level + 1, member); };
    check(checks, param, here(&P::n_vec), here(&P::precision_null), here(&P::spin_block_size), here(&P::transfer_type),
          here(&P::vec_load), here(&P::vec_store), here(&P::cycle_type));
    const int merged = level == 0 ? 2 : 1;
    if (param.transfer_type[level] != QUDA_TRANSFER_AGGREGATE)
      refuse(function, on_level("transfer_type", level), param.transfer_type[level],
             "QUDA_TRANSFER_AGGREGATE; on level 0 of staggered fermions one of the others", ErrorKind::unsupported);
    if (param.spin_block_size[level] != merged)
      refuse(function, on_level("spin_block_size", level), param.spin_block_size[level],
             text("%d, which keeps the chiralities", merged), ErrorKind::unsupported);
    const QudaMultigridCycleType cycle = param.cycle_type[level];
    if (cycle != QUDA_MG_CYCLE_VCYCLE && cycle != QUDA_MG_CYCLE_RECURSIVE)
      refuse(function, on_level("cycle_type", level), cycle, "QUDA_MG_CYCLE_VCYCLE, QUDA_MG_CYCLE_RECURSIVE",
             ErrorKind::unsupported);
  }

  void check_whole(Checks &checks, const P &param)
  {
    const char *function = checks.function;
    check(checks, param, &P::n_level, &P::setup_type, &P::generate_all_levels, &P::run_verify, &P::run_low_mode_check,
          &P::run_oblique_proj_check, &P::preserve_deflation);
    if (param.n_level < 2)
      fail(ErrorKind::unsupported,
           text("%s: QudaMultigridParam.n_level = %d; allowed: 2 to %d", function, param.n_level, QUDA_MAX_MG_LEVEL));
    check(checks, param, first(param.n_level, &P::verbosity), first(param.n_level, &P::use_eig_solver));
    const auto unsupported = [&](const char *member, const std::string &value, const char *allowed) {
      fail(ErrorKind::unsupported,
           text("%s: QudaMultigridParam.%s = %s; allowed: %s", function, member, value.c_str(), allowed));
    };
    if (param.run_low_mode_check)
      unsupported("run_low_mode_check", value_text(param.run_low_mode_check), "QUDA_BOOLEAN_FALSE");
    if (param.run_oblique_proj_check)
      unsupported("run_oblique_proj_check", value_text(param.run_oblique_proj_check), "QUDA_BOOLEAN_FALSE");
  }

  /// The parameters with MultigridForm's values for members that some hosts leave unset.
  P completed(const P &param)
  {
    P all = param;
    const auto complete = [](auto &member, auto unset, auto otherwise) {
      if (member == unset) member = otherwise;
    };
    const CoarseForm solve {};
    for (int level = 0; level < QUDA_MAX_MG_LEVEL; level++) {
      complete(all.coarse_solver[level], QUDA_INVALID_INVERTER, static_cast<QudaInverterType>(solve.method));
      complete(all.coarse_solver_tol[level], params::unset_double, solve.tolerance);
      complete(all.coarse_solver_maxiter[level], params::unset_int, solve.steps);
      complete(all.cycle_type[level], QUDA_MG_CYCLE_INVALID, QUDA_MG_CYCLE_RECURSIVE);
      complete(all.n_vec_batch[level], params::unset_int, 1);
      complete(all.setup_inv_type[level], QUDA_INVALID_INVERTER, QUDA_CGNR_INVERTER);
    }
    complete(all.generate_all_levels, QUDA_BOOLEAN_INVALID, QUDA_BOOLEAN_TRUE);
    complete(all.run_verify, QUDA_BOOLEAN_INVALID, QUDA_BOOLEAN_FALSE);
    return all;
  }

  const char *precision_name(Precision precision)
  {
    switch (precision) {
    case Precision::double_:
      return "double";
    case Precision::single:
      return "single";
    default:
      return "half";
    }
  }

} // namespace

QuarkJob multigrid_operator(Checks &checks, const QudaMultigridParam *param)
{
  using I = QudaInvertParam;
  const char *function = checks.function;
  check_struct(function, param);
  check(function, *param, &P::invert_param);
  const I &fine = *param->invert_param;
  check_struct(function, &fine);
  check(checks, fine, &I::solve_type, &I::dslash_type, &I::dagger);
  const std::string of = "QudaMultigridParam.invert_param: QudaInvertParam.";
  if (fine.solve_type != QUDA_DIRECT_SOLVE)
    refuse(function, of + "solve_type", fine.solve_type,
           "QUDA_DIRECT_SOLVE; the solve that the hierarchy preconditions has its own");
  const char *const kinds = "QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH, QUDA_TWISTED_MASS_DSLASH, "
                            "QUDA_TWISTED_CLOVER_DSLASH, QUDA_STAGGERED_DSLASH, QUDA_ASQTAD_DSLASH";
  if (!staggered(fine.dslash_type) && fine.dslash_type != QUDA_WILSON_DSLASH &&
      fine.dslash_type != QUDA_CLOVER_WILSON_DSLASH && fine.dslash_type != QUDA_TWISTED_MASS_DSLASH &&
      fine.dslash_type != QUDA_TWISTED_CLOVER_DSLASH)
    refuse(function, of + "dslash_type", fine.dslash_type, kinds, ErrorKind::unsupported);
  if (fine.dagger == QUDA_DAG_YES) refuse(function, of + "dagger", fine.dagger, "QUDA_DAG_NO", ErrorKind::unsupported);
  if (distance_preconditioned(fine))
    refuse(function, of + "distance_pc_alpha0", fine.distance_pc_alpha0, "0", ErrorKind::unsupported);
  check_mass(checks, fine);
  if (staggered(fine.dslash_type) && fine.mass == 0)
    refuse(function, of + "mass", "0", "another number, which each of two parities is told from the other by",
           ErrorKind::unsupported);
  check_if_set(checks, fine, &I::matpc_type);
  check_if_set(checks, fine, &I::cuda_prec_sloppy);
  check_if_set(checks, fine, &I::cuda_prec_precondition);
  QuarkJob job = quark_job(checks, fine, true);
  if (spinor_shape(job.dirac).flavours != 1)
    refuse(function, of + "twist_flavor", fine.twist_flavor, "QUDA_TWIST_SINGLET", ErrorKind::unsupported);
  return job;
}

MultigridForm multigrid_form(Checks &checks, const QudaMultigridParam &given, const QuarkJob &fine)
{
  using I = QudaInvertParam;
  P param = completed(given);
  check_whole(checks, param);
  MultigridForm form;
  form.kaehler_dirac = std::holds_alternative<StaggeredFermions>(fine.dirac);
  const Lattice &lattice = fine.links->precise().lattice();
  if (form.kaehler_dirac) {
    param = on_hypercubes(checks, param, lattice.X());
    form.long_links = given.transfer_type[0] == QUDA_TRANSFER_OPTIMIZED_KD &&
                      std::get<StaggeredFermions>(fine.dirac).long_links != nullptr;
  }
  const I &invert = *param.invert_param;
  form.levels.resize(static_cast<std::size_t>(param.n_level));
  form.all_levels = param.generate_all_levels;
  form.verify = param.run_verify;
  form.keep_low_modes = param.preserve_deflation;
  if (!is_unset(invert, &I::matpc_type))
    form.matpc = parity_of(static_cast<MatPC>(invert.matpc_type)) ? MatPC::odd_odd : MatPC::even_even;
  const auto inner = is_unset(invert, &I::cuda_prec_precondition) ? &I::cuda_prec_sloppy : &I::cuda_prec_precondition;
  form.smoothing = iteration_storage(checks.session, invert,
                                     inner == &I::cuda_prec_sloppy ? LinkCopy::sloppy : LinkCopy::precondition, inner);
  form.smoothing.precision = at_least(form.smoothing.precision);
  if (form.kaehler_dirac) form.smoothing.reconstruct = Reconstruct::none; // of the hierarchy's copies
  form.precision = form.smoothing.precision == Precision::double_ ? Precision::double_ : at_least(Precision::single);
  GridOfRanks grid(lattice);
  const bool twisted = std::holds_alternative<TwistedFermions>(fine.dirac);
  for (int level = 0; level < param.n_level; level++) {
    MultigridLevel &to = form.levels[static_cast<std::size_t>(level)];
    const bool last = level + 1 == param.n_level;
    if (!last) check_vectors(checks, param, level);
    to.verbosity = static_cast<Verbosity>(param.verbosity[level]);
    if (level > 0) {
      to.solve = coarse_of(checks, param, level);
      if (twisted) {
        check(checks, param, between(level, level + 1, &P::mu_factor));
        to.mu_factor = param.mu_factor[level];
      }
    }
    to.low_modes = low_modes_of(checks, param, level, grid, form.precision, last ? 0 : param.n_vec[level]);
    if (last) break;
    to.vectors = param.n_vec[level];
    to.stored = at_least(static_cast<Precision>(param.precision_null[level]));
    if (bytes_of(to.stored) > bytes_of(form.precision)) to.stored = form.precision;
    const int finest = form.kaehler_dirac ? 1 : 0; // with vectors
    if (level == finest || (level > finest && form.all_levels)) to.setup = setup_of(checks, param, level);
    to.smoother = smoother_of(checks, param, level);
    to.recursive = param.cycle_type[level] == QUDA_MG_CYCLE_RECURSIVE;
    set_blocks(checks, param, level, to, grid);
    if (level > finest && !form.all_levels && to.vectors > form.levels[static_cast<std::size_t>(level) - 1].vectors)
      refuse(
          checks.function, on_level("n_vec", level), to.vectors,
          text("1 to n_vec[%d] = %d with generate_all_levels = QUDA_BOOLEAN_FALSE", level - 1, param.n_vec[level - 1]));
  }
  return form;
}

void check_same_hierarchy(const char *function, const MultigridForm &asked, const MultigridForm &made)
{
  const auto differs = [&](const std::string &member, const std::string &is, const std::string &was) {
    fail(ErrorKind::bad_argument,
         text("%s: QudaMultigridParam.%s = %s; allowed for an update: that of the hierarchy, %s", function,
              member.c_str(), is.c_str(), was.c_str()));
  };
  const auto number = [](auto n) { return text("%d", static_cast<int>(n)); };
  if (asked.levels.size() != made.levels.size())
    differs("n_level", number(asked.levels.size()), number(made.levels.size()));
  for (std::size_t n = 0; n + 1 < asked.levels.size(); n++) {
    const MultigridLevel &is = asked.levels[n], &was = made.levels[n];
    const auto of_level = [n](const char *member) { return text("%s[%zu]", member, n); };
    const auto blocks = [](const int *b) { return text("%d %d %d %d", b[0], b[1], b[2], b[3]); };
    if (!std::equal(is.block, is.block + 4, was.block))
      differs(of_level("geo_block_size"), blocks(is.block), blocks(was.block));
    if (is.vectors != was.vectors) differs(of_level("n_vec"), number(is.vectors), number(was.vectors));
    if (is.stored != was.stored)
      differs(of_level("precision_null"), precision_name(is.stored), precision_name(was.stored));
  }
  if (asked.long_links != made.long_links)
    differs("transfer_type[0]", asked.long_links ? "QUDA_TRANSFER_OPTIMIZED_KD" : "one without long links",
            made.long_links ? "QUDA_TRANSFER_OPTIMIZED_KD" : "one without long links");
  if (asked.matpc != made.matpc)
    differs("invert_param->matpc_type", value_text(static_cast<QudaMatPCType>(asked.matpc)),
            value_text(static_cast<QudaMatPCType>(made.matpc)));
  if (asked.precision != made.precision)
    differs("invert_param->cuda_prec_precondition", precision_name(asked.smoothing.precision),
            precision_name(made.smoothing.precision));
}

std::string hierarchy_text(const MultigridForm &form, const Lattice &lattice)
{
  constexpr double mega = 1e6, lanes = 16;
  const auto padded = [&](int rows) { return lanes * std::ceil(rows / lanes); };
  GridOfRanks grid(lattice);
  const auto ranks = [&grid] { return grid.ranks[0] * grid.ranks[1] * grid.ranks[2] * grid.ranks[3]; };
  const int all_ranks = ranks();
  double all = 0;
  std::string lines;
  double rows = form.kaehler_dirac ? 3 : 12;
  for (std::size_t n = 0; n < form.levels.size(); n++) {
    const MultigridLevel &level = form.levels[n];
    const auto &X = grid.X;
    const double sites = 1.0 * X[0] * X[1] * X[2] * X[3], number = 2 * bytes_of(form.precision);
    const bool hypercubes = form.kaehler_dirac && n == 1;
    // M's matrices and those of X^-1, in half precision with a scale per lane; and the pieces of both. On hypercubes
    // X^-1 and, unless M is applied on the sites, eight matrices with half the columns
    const double applied = (!hypercubes       ? 18
                            : form.long_links ? 1
                                              : 5) *
                           (form.narrow() ? 4 + 4 * lanes / rows : number),
                 kept = form.kaehler_dirac ? 0 : 9 * number;
    const double matrices = n == 0 ? 0 : sites * rows * rows * (applied + kept);
    lines += text("Multigrid: level %zu: %dx%dx%dx%d", n, X[0], X[1], X[2], X[3]);
    if (ranks() < all_ranks) lines += text(" on one of %d ranks", all_ranks / ranks());
    if (form.kaehler_dirac && n == 0) {
      lines += form.long_links ? ", hypercubes of 2x2x2x2 with long links" : ", hypercubes of 2x2x2x2";
    } else if (n + 1 < form.levels.size()) {
      const double vectors =
          sites * rows * level.vectors * (number + 2 * bytes_of(n == 0 ? level.stored : form.precision));
      lines += text(", %d vectors, aggregates of %dx%dx%dx%d: vectors %.1f MB", level.vectors, level.block[0],
                    level.block[1], level.block[2], level.block[3], vectors / mega);
      all += vectors;
    }
    if (n > 0) lines += text("%s matrices %.1f MB", n + 1 < form.levels.size() ? "," : ":", matrices / mega);
    if (level.low_modes) { // of half the sites; the space that they are sought in
      const double space = sites / 2 * rows * number * level.low_modes->options.space;
      lines += text(", %d low modes %.1f MB", level.low_modes->options.pairs, space / mega);
      all += space;
    }
    lines += "\n";
    all += matrices;
    rows = padded(2 * level.vectors);
    if (n + 1 < form.levels.size()) grid.coarsen(level.block);
  }
  return lines + text("Multigrid: %.1f MB a rank in all\n", all / mega);
}

} // namespace quda

extern "C" {

void qudaSetMultigridFilter(int order, int step, int sources)
{
  quda::guard(__func__, [&, function = __func__](quda::Session &session) {
    quda::FilterForm filter;
    filter.order = order;
    quda::check_range(function, "order", order, 0, 100000);
    if (order > 0) {
      quda::check_range(function, "step", step, 1, 100000);
      quda::check_range(function, "sources", sources, 1, 1024);
      filter.step = step;
      filter.sources = sources;
    }
    session.multigrid_filter = std::make_shared<quda::FilterForm>(filter);
  });
}

} // extern "C"
