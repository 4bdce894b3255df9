#include "programs/common/multigrid_wish.h"

#include <charconv>
#include <functional>
#include <vector>

#include <quda_ext.h>

#include "programs/common/process.h"
#include "programs/common/quarks.h"

namespace program
{

namespace
{

  QudaBoolean flag(bool yes) { return yes ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE; }

  template <class T> T number_of(const std::string &option, const std::string &word)
  {
    T number {};
    const char *const end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || at != end) throw UsageError(option + ": " + word + " is not such a number");
    return number;
  }

  /// An option of a level and `count` words behind it, which may be repeated.
  void add_of_level(CommandLine &line, const std::string &option, std::size_t count, const std::string &type,
                    const std::string &text, const std::function<void(std::size_t, const std::string *)> &take)
  {
    line.add_texts(
        option, CommandLine::one_or_more,
        [=](const std::vector<std::string> &words) {
          if (words.size() % (count + 1) != 0)
            throw UsageError(option + ": a level and " + std::to_string(count) + " more are wanted, each time");
          for (std::size_t i = 0; i < words.size(); i += count + 1) {
            const int level = number_of<int>(option, words[i]);
            if (level < 0 || level >= QUDA_MAX_MG_LEVEL)
              throw UsageError(option + ": level " + words[i] + " is not from 0 to " +
                               std::to_string(QUDA_MAX_MG_LEVEL - 1));
            take(static_cast<std::size_t>(level), &words[i + 1]);
          }
        },
        "LEVEL " + type, text);
  }

  template <class T>
  void add_numbers(CommandLine &line, const std::string &option, Levels<T> &values, const std::string &text)
  {
    std::string standard = std::to_string(values[0]);
    if constexpr (std::is_floating_point_v<T>) {
      char short_text[32];
      std::snprintf(short_text, sizeof short_text, "%g", values[0]);
      standard = short_text;
    }
    add_of_level(
        line, option, 1, std::is_floating_point_v<T> ? "REAL" : "INT", text + " [" + standard + "]",
        [&values, option](std::size_t level, const std::string *word) { values[level] = number_of<T>(option, *word); });
  }

  template <class T> void add_names(CommandLine &line, const std::string &option, Levels<T> &values,
                                    const Names<T> &names, const std::string &text)
  {
    std::string all, standard;
    for (const auto &[name, value] : names) {
      all += (all.empty() ? "" : "|") + name;
      if (value == values[0]) standard = name;
    }
    add_of_level(line, option, 1, all, text + " [" + standard + "]",
                 [&values, names, all, option](std::size_t level, const std::string *word) {
                   const auto found = names.find(*word);
                   if (found == names.end()) throw UsageError(option + ": " + *word + " is none of " + all);
                   values[level] = found->second;
                 });
  }

  void add_flags(CommandLine &line, const std::string &option, Levels<bool> &values, const std::string &text)
  {
    add_of_level(line, option, 1, "true|false", text + (values[0] ? " [true]" : " [false]"),
                 [&values, option](std::size_t level, const std::string *word) {
                   if (*word != "true" && *word != "false")
                     throw UsageError(option + ": " + *word + " is none of true|false");
                   values[level] = *word == "true";
                 });
  }

  const Names<QudaVerbosity> verbosities = {
      {"silent", QUDA_SILENT}, {"summarize", QUDA_SUMMARIZE}, {"verbose", QUDA_VERBOSE}, {"debug", QUDA_DEBUG_VERBOSE}};
  const Names<QudaSetupType> setup_types = {{"null", QUDA_NULL_VECTOR_SETUP}, {"test", QUDA_TEST_VECTOR_SETUP}};
  const Names<QudaPrecision> precisions = {
      {"double", QUDA_DOUBLE_PRECISION}, {"single", QUDA_SINGLE_PRECISION}, {"half", QUDA_HALF_PRECISION}};
  const Names<QudaTransferType> transfers = {{"aggregate", QUDA_TRANSFER_AGGREGATE},
                                             {"kd-coarse", QUDA_TRANSFER_COARSE_KD},
                                             {"kd-optimized", QUDA_TRANSFER_OPTIMIZED_KD},
                                             {"kd-optimized-drop-long", QUDA_TRANSFER_OPTIMIZED_KD_DROP_LONG}};
  const Names<QudaCABasis> bases = {{"power", QUDA_POWER_BASIS}, {"chebyshev", QUDA_CHEBYSHEV_BASIS}};

  void add_basis(CommandLine &line, const std::string &type, const std::string &ends, MultigridWish::Basis &basis)
  {
    add_names(line, type, basis.kind, bases, "Polynomials of CA methods there");
    add_numbers(line, ends + "-min", basis.least, "Lower end of the spectrum that chebyshev is for");
    add_numbers(line, ends + "-max", basis.most, "Upper end of it, not positive: estimated");
  }

} // namespace

void add_multigrid_options(CommandLine &line, MultigridWish &wish)
{
  Names<QudaInverterType> setups = inverter_names();
  setups["mg"] = QUDA_MG_INVERTER;
  line.add("--inv-multigrid", wish.wanted, "GCR with a multigrid preconditioner, which the --mg options describe");
  line.add("--mg-levels", wish.levels, "Grids, the finest among them", {2, QUDA_MAX_MG_LEVEL});
  add_of_level(line, "--mg-block-size", 4, "INT x 4", "Extents of a level's aggregates [4 4 4 4]",
               [&wish](std::size_t level, const std::string *words) {
                 for (std::size_t d = 0; d < 4; d++) wish.block[level][d] = number_of<int>("--mg-block-size", words[d]);
               });
  add_numbers(line, "--mg-nvec", wish.vectors, "Vectors of a level's transfer");
  add_numbers(line, "--mg-nvec-batch", wish.batch, "Vectors sought at once; 1: all");
  line.add_choice("--prec-null", wish.null, precisions, "Precision of the vectors [--prec-sloppy]");
  add_names(line, "--mg-setup-inv", wish.setup, setups,
            "Solver that seeks the vectors; mg: the cycle itself, after CGNR");
  add_numbers(line, "--mg-setup-iters", wish.setup_rounds, "How often the search goes on from its results");
  add_numbers(line, "--mg-setup-tol", wish.setup_tol, "Residual that ends a search");
  add_numbers(line, "--mg-setup-maxiter", wish.setup_steps, "Iterations that end it");
  add_numbers(line, "--mg-setup-maxiter-refresh", wish.refresh_steps, "Iterations of an update that refreshes vectors");
  add_numbers(line, "--mg-setup-ca-basis-size", wish.setup_basis_size, "Vectors that CA solvers multiply at once");
  add_basis(line, "--mg-setup-ca-basis-type", "--mg-setup-cheby-basis-eig", wish.setup_basis);
  line.add_choice("--mg-setup-type", wish.setup_type, setup_types, "Vectors from M x = 0 or from M x = themselves");
  line.add("--mg-setup-filter-order", wish.filter_order,
           "Vectors by Chebyshev polynomials of M_pc^dag M_pc of this degree in place of solves; 0: none", {0});
  line.add("--mg-setup-filter-step", wish.filter_step, "Degree from one vector to the next", {1});
  line.add("--mg-setup-filter-sources", wish.filter_sources, "Random vectors that they begin with", {1});
  add_names(line, "--mg-coarse-solver", wish.coarse, inverter_names(), "Solver of a level's system, from level 1 on");
  add_numbers(line, "--mg-coarse-solver-tol", wish.coarse_tol, "Residual that ends it");
  add_numbers(line, "--mg-coarse-solver-maxiter", wish.coarse_steps, "Iterations that end it");
  add_numbers(line, "--mg-coarse-solver-ca-basis-size", wish.coarse_basis_size,
              "Vectors that CA solvers multiply at once");
  add_basis(line, "--mg-coarse-solver-ca-basis-type", "--mg-coarse-solver-cheby-basis-eig", wish.coarse_basis);
  add_names(line, "--mg-smoother", wish.smoother, inverter_names(), "Smoother");
  add_numbers(line, "--mg-smoother-tol", wish.smoother_tol, "Not read: steps are counted");
  add_numbers(line, "--mg-nu-pre", wish.nu_pre, "Its steps before the coarse correction");
  add_numbers(line, "--mg-nu-post", wish.nu_post, "Its steps after it");
  add_basis(line, "--mg-smoother-ca-basis-type", "--mg-smoother-cheby-basis-eig", wish.smoother_basis);
  line.add("--mg-omega", wish.omega, "Relaxation of smoothers that have one");
  add_names(line, "--mg-schwarz-type", wish.schwarz, schwarz_types, "Smoothers on ranks by themselves");
  add_numbers(line, "--mg-schwarz-cycle", wish.schwarz_cycles, "Schwarz cycles of a smoothing");
  add_numbers(line, "--mg-mu-factor", wish.mu_factor, "Factor of a level's twist, from level 1 on");
  line.add("--mg-generate-all-levels", wish.all_levels,
           "Each level seeks vectors, else the finer one's are restricted");
  add_flags(line, "--mg-eig", wish.eigen.wanted,
            "A level's low modes: of the last one its solver takes them, of others "
            "they are its vectors");
  add_numbers(line, "--mg-eig-n-ev", wish.eigen.n_ev, "Low modes that are sought");
  add_numbers(line, "--mg-eig-n-kr", wish.eigen.n_kr, "Vectors of the space that they are sought in");
  add_numbers(line, "--mg-eig-n-conv", wish.eigen.n_conv, "Low modes that must be good; negative: all that are sought");
  add_numbers(line, "--mg-eig-tol", wish.eigen.tol, "Residual that is good");
  add_numbers(line, "--mg-eig-max-restarts", wish.eigen.restarts, "Restarts of the search");
  add_flags(line, "--mg-eig-use-poly-acc", wish.eigen.poly, "A Chebyshev polynomial stands in the operator's place");
  add_numbers(line, "--mg-eig-poly-deg", wish.eigen.degree, "Its degree");
  add_numbers(line, "--mg-eig-amin", wish.eigen.least, "Lower end of what it suppresses; 0: estimated");
  add_numbers(line, "--mg-eig-amax", wish.eigen.most, "Upper end of it, not positive: estimated");
  line.add("--mg-eig-preserve-deflation", wish.eigen.preserve, "Updates keep the last level's low modes");
  const auto add_files = [&line](const std::string &option, Levels<std::string> &names, const std::string &text) {
    add_of_level(line, option, 1, "STEM", text,
                 [&names](std::size_t level, const std::string *word) { names[level] = *word; });
  };
  add_files("--mg-load-vec", wish.load, "Vectors of a level from the file STEM_level_LEVEL_nvec_N [none]");
  add_files("--mg-save-vec", wish.save, "Vectors of a level to such a file [none]");
  add_flags(line, "--mg-vec-partfile", wish.parts, "A file a rank");
  add_names(line, "--mg-verbosity", wish.verbosity, verbosities, "What a level prints");
}

void add_staggered_multigrid_options(CommandLine &line, MultigridWish &wish)
{
  wish.vectors[0] = 3;
  wish.block[0].fill(1);
  add_multigrid_options(line, wish);
  line.add_choice("--mg-staggered-coarsen-type", wish.hypercubes, transfers, "From level 0 to level 1");
  line.add("--mg-allow-truncation", wish.allow_truncation,
           "Changes nothing: long links that level 2 has no room for are left out");
  line.add("--mg-staggered-kd-dagger-approximation", wish.dagger_approximation,
           "Changes nothing: level 1 has the inverse of its blocks");
}

namespace
{

  QudaEigParam low_modes(const MultigridWish::Eigen &wish, std::size_t level, QudaInvertParam &inner)
  {
    QudaEigParam param = newQudaEigParam();
    param.invert_param = &inner;
    param.eig_type = QUDA_EIG_TR_LANCZOS;
    param.spectrum = QUDA_SPECTRUM_SR_EIG;
    param.use_norm_op = QUDA_BOOLEAN_TRUE;
    param.n_ev = wish.n_ev[level];
    param.n_kr = wish.n_kr[level];
    param.n_conv = wish.n_conv[level] < 0 ? wish.n_ev[level] : wish.n_conv[level];
    param.tol = wish.tol[level];
    param.max_restarts = wish.restarts[level];
    param.require_convergence = QUDA_BOOLEAN_FALSE;
    param.use_poly_acc = flag(wish.poly[level]);
    param.poly_deg = wish.degree[level];
    param.a_min = wish.least[level];
    param.a_max = wish.most[level];
    return param;
  }

  void name_file(const std::string &option, char (&to)[256], const std::string &stem)
  {
    if (stem.size() >= sizeof to) throw UsageError(option + ": names of up to 255 characters");
    stem.copy(to, stem.size());
    to[stem.size()] = 0;
  }

} // namespace

QudaMultigridParam multigrid_param(MultigridWish &wish, const QudaInvertParam &outer, QudaInvertParam &inner)
{
  inner = outer;
  inner.solve_type = QUDA_DIRECT_SOLVE;
  inner.solution_type = QUDA_MAT_SOLUTION;
  inner.dagger = QUDA_DAG_NO;
  inner.eig_param = nullptr;
  inner.cuda_prec_precondition = outer.cuda_prec_sloppy;
  QudaMultigridParam param = newQudaMultigridParam();
  param.invert_param = &inner;
  param.n_level = wish.levels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(wish.levels); i++) {
    for (std::size_t d = 0; d < 4; d++) param.geo_block_size[i][d] = wish.block[i][d];
    param.spin_block_size[i] = i == 0 ? 2 : 1;
    param.n_vec[i] = wish.vectors[i];
    param.n_vec_batch[i] = wish.batch[i];
    param.precision_null[i] = wish.null == QUDA_INVALID_PRECISION ? outer.cuda_prec_sloppy : wish.null;
    param.verbosity[i] = wish.verbosity[i];
    param.setup_inv_type[i] = wish.setup[i];
    param.num_setup_iter[i] = wish.setup_rounds[i];
    param.setup_tol[i] = wish.setup_tol[i];
    param.setup_maxiter[i] = wish.setup_steps[i];
    param.coarse_solver[i] = wish.coarse[i];
    param.coarse_solver_tol[i] = wish.coarse_tol[i];
    param.coarse_solver_maxiter[i] = wish.coarse_steps[i];
    param.coarse_solver_ca_basis_size[i] = wish.coarse_basis_size[i];
    param.coarse_solver_ca_basis[i] = wish.coarse_basis.kind[i];
    param.coarse_solver_ca_lambda_min[i] = wish.coarse_basis.least[i];
    param.coarse_solver_ca_lambda_max[i] = wish.coarse_basis.most[i];
    param.setup_ca_basis_size[i] = wish.setup_basis_size[i];
    param.setup_ca_basis[i] = wish.setup_basis.kind[i];
    param.setup_ca_lambda_min[i] = wish.setup_basis.least[i];
    param.setup_ca_lambda_max[i] = wish.setup_basis.most[i];
    param.smoother_solver_ca_basis[i] = wish.smoother_basis.kind[i];
    param.smoother_solver_ca_lambda_min[i] = wish.smoother_basis.least[i];
    param.smoother_solver_ca_lambda_max[i] = wish.smoother_basis.most[i];
    param.smoother[i] = wish.smoother[i];
    param.smoother_tol[i] = wish.smoother_tol[i];
    param.nu_pre[i] = wish.nu_pre[i];
    param.nu_post[i] = wish.nu_post[i];
    param.omega[i] = wish.omega;
    param.smoother_schwarz_type[i] = wish.schwarz[i];
    param.smoother_schwarz_cycle[i] = wish.schwarz_cycles[i];
    param.coarse_grid_solution_type[i] = QUDA_MATPC_SOLUTION;
    param.smoother_solve_type[i] = QUDA_DIRECT_PC_SOLVE;
    param.cycle_type[i] = QUDA_MG_CYCLE_RECURSIVE;
    param.location[i] = QUDA_CUDA_FIELD_LOCATION;
    param.mu_factor[i] = wish.mu_factor[i];
    param.vec_load[i] = flag(!wish.load[i].empty());
    param.vec_store[i] = flag(!wish.save[i].empty());
    param.mg_vec_partfile[i] = flag(wish.parts[i]);
    name_file("--mg-load-vec", param.vec_infile[i], wish.load[i]);
    name_file("--mg-save-vec", param.vec_outfile[i], wish.save[i]);
    if (!wish.eigen.wanted[i]) continue;
    wish.eigen.params[i] = low_modes(wish.eigen, i, inner);
    param.use_eig_solver[i] = QUDA_BOOLEAN_TRUE;
    param.eig_param[i] = &wish.eigen.params[i];
  }
  qudaSetMultigridFilter(wish.filter_order, wish.filter_step, wish.filter_sources);
  param.preserve_deflation = flag(wish.eigen.preserve);
  if (outer.dslash_type == QUDA_STAGGERED_DSLASH || outer.dslash_type == QUDA_ASQTAD_DSLASH) {
    param.transfer_type[0] = wish.hypercubes;
    param.spin_block_size[0] = param.spin_block_size[1] = 0;
  }
  param.allow_truncation = flag(wish.allow_truncation);
  param.staggered_kd_dagger_approximation = flag(wish.dagger_approximation);
  param.setup_type = wish.setup_type;
  param.compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_YES;
  param.generate_all_levels = flag(wish.all_levels);
  param.run_verify = flag(wish.verify);
  return param;
}

QudaInvertParam multigrid_solve(const Options &options)
{
  QudaInvertParam param = invert_param(options);
  param.inv_type = QUDA_GCR_INVERTER;
  param.inv_type_precondition = QUDA_MG_INVERTER;
  param.solution_type = options.solution_type;
  param.solve_type = options.solve_type;
  param.tol = options.tol;
  param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  param.maxiter = options.niter;
  param.reliable_delta = options.reliable_delta;
  param.gcrNkrylov = options.gcr_nkrylov;
  return param;
}

} // namespace program
