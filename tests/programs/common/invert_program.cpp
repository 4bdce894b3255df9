#include "programs/common/operator_programs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <quda_ext.h>

#include "programs/common/eigen_wish.h"
#include "programs/common/multigrid_wish.h"
#include "programs/common/plain_operator.h"
#include "programs/common/quarks.h"
#include "programs/common/residual_mass.h"
#include "reference/gauge/links.h"

namespace program
{

namespace
{

  using reference::Spinors;

  bool on_one_parity(QudaSolveType type)
  {
    return type == QUDA_DIRECT_PC_SOLVE || type == QUDA_NORMOP_PC_SOLVE || type == QUDA_NORMERR_PC_SOLVE;
  }
  bool by_normal_operator(QudaSolveType type) { return type == QUDA_NORMOP_SOLVE || type == QUDA_NORMOP_PC_SOLVE; }
  bool on_one_parity(QudaSolutionType type)
  {
    return type == QUDA_MATPC_SOLUTION || type == QUDA_MATPCDAG_MATPC_SOLUTION;
  }
  bool of_normal_operator(QudaSolutionType type)
  {
    return type == QUDA_MATDAG_MAT_SOLUTION || type == QUDA_MATPCDAG_MATPC_SOLUTION;
  }

  QudaInvertParam solve_param(const Options &options)
  {
    QudaInvertParam param = invert_param(options);
    param.solution_type = options.solution_type;
    param.solve_type = options.solve_type;
    param.tol = options.tol;
    param.tol_hq = options.tol_hq;
    param.residual_type = static_cast<QudaResidualType>((options.tol > 0 ? QUDA_L2_RELATIVE_RESIDUAL : 0) |
                                                        (options.tol_hq > 0 ? QUDA_HEAVY_QUARK_RESIDUAL : 0));
    param.maxiter = options.niter;
    param.reliable_delta = options.reliable_delta;
    param.gcrNkrylov = options.gcr_nkrylov;
    param.omega = options.omega;
    param.inv_type_precondition = options.precon;
    param.maxiter_precondition = options.precon_steps;
    param.schwarz_type = options.precon_schwarz;
    if (options.precon_prec != QUDA_INVALID_PRECISION) param.cuda_prec_precondition = options.precon_prec;
    param.ca_basis = options.ca_basis;
    param.ca_lambda_min = options.ca_lambda_min;
    param.ca_lambda_max = options.ca_lambda_max;
    std::copy(options.partition.begin(), options.partition.end(), param.split_grid);
    if (options.multishift == 1) return param;
    param.num_offset = options.multishift;
    for (int i = 0; i < options.multishift; i++) {
      param.offset[i] = 0.06 + 0.1 * i * i;
      param.tol_offset[i] = options.tol;
      param.tol_hq_offset[i] = options.tol_hq;
    }
    return param;
  }

  struct Solved {
    std::vector<double> b, x;
    double residual, heavy_quark; // as the library reports them, the latter where it was asked for
    double shift = 0;
  };

  struct Work {
    int iterations = 0;
    double seconds = 0, gflops = 0;
    bool converged = true;
  };

  int sub_grids_of(const QudaInvertParam &param)
  {
    return param.split_grid[0] * param.split_grid[1] * param.split_grid[2] * param.split_grid[3];
  }

  // Sources first ... first + count - 1 in one call; each with all its shifts.
  Work solve(std::vector<Solved> &all, std::size_t first, std::size_t count, QudaInvertParam param)
  {
    std::vector<void *> b, x;
    const std::size_t shifts = static_cast<std::size_t>(std::max(param.num_offset, 1));
    for (std::size_t i = first * shifts; i < (first + count) * shifts; i++) {
      if (i % shifts == 0) b.push_back(all[i].b.data());
      x.push_back(all[i].x.data());
      if (param.num_offset > 0) all[i].shift = param.offset[i % shifts];
    }
    param.num_src = static_cast<int>(count);
    param.num_src_per_sub_partition = param.num_src / sub_grids_of(param);
    if (param.num_offset > 0 && count == 1)
      invertMultiShiftQuda(x.data(), b[0], &param);
    else if (param.num_offset > 0)
      invertMultiSrcMultiShiftQuda(x.data(), b.data(), &param);
    else if (count == 1 && sub_grids_of(param) == 1)
      invertQuda(x[0], b[0], &param);
    else
      invertMultiSrcQuda(x.data(), b.data(), &param);
    for (std::size_t i = 0; i < count * shifts; i++) {
      Solved &one = all[first * shifts + i];
      one.residual = param.num_offset > 0 ? param.true_res_offset[i % shifts] : param.true_res[i];
      one.heavy_quark = param.num_offset > 0 ? param.true_res_hq_offset[i % shifts] : param.true_res_hq[i];
    }
    return {param.iter, param.secs, param.gflops, param.iter < param.maxiter};
  }

  double norm(const Spinors &psi) { return std::sqrt(reference::norm2(psi)); }

  Spinors combined(const Spinors &x, double b, const Spinors &y) // x + b y
  {
    Spinors out(x.size());
    for (std::size_t i = 0; i < x.size(); i++) out[i] = x[i] + b * y[i];
    return out;
  }

  // sqrt(mean |r|^2 / |x|^2) over sites, 1 where x is zero
  double heavy_quark_of(const Spinors &x, const Spinors &r)
  {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); i++) sum += x[i].isZero(0) ? 1 : r[i].squaredNorm() / x[i].squaredNorm();
    return std::sqrt(sum / static_cast<double>(x.size()));
  }

  struct Judgement {
    double asked;       // |b - A x| / |b| of what was to be solved
    double residual;    // the same, or that of its normal equations where these are solved
    double heavy_quark; // of the system that the solver saw
    bool good;
  };

  // Puts solutions into the plain operator.
  class Judge
  {
  public:
    Judge(const HostGauge &gauge, const Options &options)
        : plain_(gauge, options)
        , options_(options)
        , largest_(staggered(options) ? 100 : 10)
    {
    }

    Judgement operator()(Spinors x, Spinors b, const Solved &library) const
    {
      const bool normal = of_normal_operator(options_.solution_type),
                 by_normal = by_normal_operator(options_.solve_type);
      const bool two_solves = normal && !by_normal; // with the adjoint, then with the matrix
      bool pc = on_one_parity(options_.solution_type);
      if (pc) {
        b = reference::half_of(b, plain_.parity());
        x = reference::half_of(x, plain_.parity());
      }
      const double n = plain_.normalisation(pc);
      b = reference::scaled(b, 1 / (normal ? n * n : n));
      const Spinors once = plain_.apply(pc, x);
      Spinors r = combined(b, -1, normal ? plain_.apply(pc, once, true) : once);
      if (library.shift != 0) {
        // of staggered fermions a shift stands for all of 4 m^2, whatever the normalisation
        const double massive = 4 * options_.mass * options_.mass;
        r = combined(r, staggered(options_) ? massive - library.shift : -library.shift / (n * n), x);
      }
      const double rounding = options_.prec == QUDA_DOUBLE_PRECISION ? 1e-15 : 1e-7;
      Judgement found {};
      found.asked = found.residual = norm(r) / norm(b);
      if (!normal && by_normal) found.residual = norm(plain_.apply(pc, r, true)) / norm(plain_.apply(pc, b, true));
      const double noise = rounding * (1 + largest_ * norm(x) / norm(b));
      found.good = true;
      if (!pc && on_one_parity(options_.solve_type)) {
        // the other parity was not solved for, but reconstructed
        const Spinors other = reference::half_of(r, 1 - plain_.parity());
        found.good = norm(other) <= rounding * (norm(b) + largest_ * norm(x));
        r = plain_.residual_pc(reference::half_of(r, plain_.parity()));
        x = plain_.solution_pc(reference::half_of(x, plain_.parity()));
        pc = true;
      }
      if (!normal && by_normal) r = plain_.apply(pc, r, true);
      found.heavy_quark = heavy_quark_of(x, r);
      constexpr double slack = 1.001;
      const double tol = options_.tol > 0 ? options_.tol : INFINITY;
      const double tol_hq = options_.tol_hq > 0 ? options_.tol_hq : INFINITY;
      // of several sources with shifts the library tells the worst
      const bool honest = library.shift != 0 && options_.nsrc_tile > 1
                              ? found.residual <= 1.001 * library.residual + noise
                              : std::abs(found.residual - library.residual) <= 1e-3 * found.residual + noise;
      // of two solves the heavy-quark residual is that of the second
      found.good = found.good && found.residual <= slack * tol + noise && honest &&
                   (two_solves || found.heavy_quark <= slack * tol_hq + noise);
      return found;
    }

  private:
    PlainOperator plain_;
    const Options &options_;
    const double largest_; // more than the norm of a matrix
  };

  bool verify(const Process &process, const HostGauge &gauge, const Options &options, const std::vector<Solved> &all)
  {
    const int parity = on_one_parity(options.solution_type) ? options.matpc % 2 : -1;
    const Judge judge(gauge, options);
    bool good = true;
    say(process,
        "source  residual, heavy-quark: the library's    the plain reference's        of the system asked for\n");
    for (std::size_t j = 0; j < all.size(); j++) {
      const Judgement found =
          judge(gathered(process, gauge, all[j].x, parity), gathered(process, gauge, all[j].b, parity), all[j]);
      say(process, "%6zu     %12.6e  %11.4e        %12.6e  %11.4e        %12.6e%s\n", j, all[j].residual,
          all[j].heavy_quark, found.residual, found.heavy_quark, found.asked, found.good ? "" : "  FAILED");
      good = good && found.good;
    }
    return good;
  }

  std::vector<Solved> sources(const HostGauge &gauge, const Options &options)
  {
    const int parity = on_one_parity(options.solution_type) ? options.matpc % 2 : -1;
    std::vector<Solved> all(static_cast<std::size_t>(options.nsrc * options.multishift));
    for (int i = 0; i < options.nsrc * options.multishift; i++) {
      const int j = i / options.multishift;
      // points: all columns a time slice, on sites of the parity that fields are on
      const int columns = 3 * static_cast<int>(spins(options)), t = j / columns % gauge.global().X[3],
                x = parity < 0 ? 0 : (t + parity) % 2;
      Solved &one = all[static_cast<std::size_t>(i)];
      one.b = options.source == Source::random
                  ? random_share(gauge, options.seed + 1 + static_cast<unsigned long>(j), parity)
                  : point_share(gauge, {x, 0, 0, t}, j % columns / 3, j % 3, parity);
      one.x.assign(one.b.size(), NAN);
    }
    return all;
  }

  /// The space of eigCG, which sources leave low modes in.
  struct SpaceWish {
    int n_ev = 8, search = 64, grid = 1;
    double tol_restart = 5e-5, tol_inc = 1e-2, tol_eigenval = 0.1;
    int restarts = 3;
    QudaPrecision prec = QUDA_SINGLE_PRECISION;
  };

  bool fills_space(QudaInverterType type)
  {
    return type == QUDA_EIGCG_INVERTER || type == QUDA_INC_EIGCG_INVERTER || type == QUDA_GMRESDR_PROJ_INVERTER;
  }

  void add_space_options(CommandLine &line, SpaceWish &wish)
  {
    static const Names<QudaPrecision> precisions = {{"double", QUDA_DOUBLE_PRECISION},
                                                    {"single", QUDA_SINGLE_PRECISION}};
    line.add("--df-n-ev", wish.n_ev, "eigCG, GMRES-Proj: low modes that a source leaves", {1, 1024});
    line.add("--df-max-search-dim", wish.search,
             "Vectors of its window, more than twice as many (GMRES-Proj: two more)", {3, 1024});
    line.add("--df-deflation-grid", wish.grid, "Sources that fill its space", {1, 4096});
    line.add("--df-tol-restart", wish.tol_restart, "Fall of the residual after which low modes are taken again",
             not_negative);
    line.add("--df-tol-inc", wish.tol_inc, "The further falls", not_negative);
    line.add("--df-max-restart-num", wish.restarts, "How often at most", {0, 1000000});
    line.add("--df-tol-eigenval", wish.tol_eigenval, "Residual of the modes that the full space keeps", not_negative);
    line.add_choice("--prec-ritz", wish.prec, precisions, "Precision of the space");
  }

  void set_space(const SpaceWish &wish, QudaInvertParam &param)
  {
    param.n_ev = wish.n_ev;
    param.max_search_dim = wish.search;
    param.deflation_grid = wish.grid;
    param.tol_restart = wish.tol_restart;
    param.inc_tol = wish.tol_inc;
    param.max_restart_num = wish.restarts;
    param.eigenval_tol = wish.tol_eigenval;
    param.cuda_prec_ritz = wish.prec;
  }

  /// Low modes that are taken from the residuals, or not.
  struct Deflation {
    bool wanted = false;
    EigenWish modes {};
    SpaceWish space {};
  };

  void check(Options &options, Deflation &deflation, MultigridWish &multigrid)
  {
    multigrid.verify = options.verify;
    if (multigrid.wanted && options.inv_type != QUDA_PCG_INVERTER) options.inv_type = QUDA_GCR_INVERTER;
    EigenWish &modes = deflation.modes;
    if (modes.n_conv < 0) modes.n_conv = modes.n_ev;
    if (modes.tol < 0) modes.tol = 1e-6;
    modes.pc = on_one_parity(options.solve_type);
    modes.norm_op = !staggered(options);
    if (options.tol < 0) options.tol = options.prec == QUDA_DOUBLE_PRECISION ? 1e-10 : 1e-5;
    if (options.tol == 0 && options.tol_hq == 0) throw UsageError("--tol 0 with --tolhq 0: nothing is asked for");
    if (options.multishift > 1) {
      options.inv_type = QUDA_CG_INVERTER;
      const bool full = options.solution_type == QUDA_MATDAG_MAT_SOLUTION;
      const bool hermitian = staggered(options); // on one parity
      if (!full) options.solution_type = hermitian ? QUDA_MATPC_SOLUTION : QUDA_MATPCDAG_MATPC_SOLUTION;
      options.solve_type = full ? QUDA_NORMOP_SOLVE : hermitian ? QUDA_DIRECT_PC_SOLVE : QUDA_NORMOP_PC_SOLVE;
    }
    const int parts = sub_grids(options);
    if (options.nsrc_tile == 0) options.nsrc_tile = std::min(options.nsrc, QUDA_MAX_MULTI_SRC / parts * parts);
    if (options.nsrc % parts || options.nsrc_tile % parts)
      throw UsageError("--nsrc " + std::to_string(options.nsrc) + " --nsrc-tile " + std::to_string(options.nsrc_tile) +
                       ": multiples of the sub-grids of --grid-partition, " + std::to_string(parts) + ", are expected");
    complete_operator(options);
  }

  /// The residual mass of twelve columns from the origin; whether they converged and the Ward identity holds.
  bool tell_residual_mass(const Process &process, const HostGauge &gauge, const Options &options,
                          const QudaInvertParam &param)
  {
    const ResidualMass found = residual_mass(process, gauge, options, param);
    say(process, "Done: 12 sources, %d iterations, %.4g s\n  t   P(t)              J(t)              J(t) / P(t)\n",
        found.iterations, found.seconds);
    for (std::size_t t = 0; t < found.pion.size(); t++)
      say(process, "%3zu   %.10e  %.10e  %.10e\n", t, found.pion[t], found.midpoint[t],
          found.midpoint[t] / found.pion[t]);
    say(process, "residual mass %.10e\n", found.mean());
    if (!found.converged) say(process, "FAILED: not converged within --niter %d\n", options.niter);
    if (found.current.empty()) return found.converged;
    const double violation = found.violation(options.mass), allowed = 1e3 * options.tol;
    const bool good = violation <= allowed;
    say(process, "%s: axial Ward identity, relative violation %.1e, allowed %.0e\n", good ? "PASSED" : "FAILED",
        violation, allowed);
    return good && found.converged;
  }

  int run(const Process &process, const std::string &program, Options &options, Deflation &deflation,
          MultigridWish &multigrid, bool of_residual_mass)
  {
    if (of_residual_mass && (!domain_wall(options) || options.Ls % 2 || options.solution_type != QUDA_MAT_SOLUTION))
      throw UsageError("--residual-mass true: of domain-wall quarks, an even --Lsdim and --solution-type mat");
    if (of_residual_mass && sub_grids(options) > 1)
      throw UsageError("--residual-mass true: all processes solve it; allowed: --grid-partition 1 1 1 1");
    check(options, deflation, multigrid);
    HostGauge gauge(process, options);
    const auto &X = gauge.global().X;
    QudaInvertParam param = solve_param(options);
    QudaEigParam modes = eigen_param(deflation.modes, param);
    modes.preserve_deflation = QUDA_BOOLEAN_TRUE; // one search for all tiles
    if (deflation.wanted) param.eig_param = &modes;
    set_space(deflation.space, param);
    QudaInvertParam of_hierarchy;
    QudaMultigridParam hierarchy = multigrid_param(multigrid, param, of_hierarchy);
    if (multigrid.wanted) param.inv_type_precondition = QUDA_MG_INVERTER;
    say(process,
        "%s: %s%s, %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision, sloppy %s, "
        "reconstruct %d\n",
        program.c_str(), name(options.dslash_type), options.dagger ? ", adjoint" : "", X[0], X[1], X[2], X[3],
        options.grid[0], options.grid[1], options.grid[2], options.grid[3], name(options.prec),
        name(param.cuda_prec_sloppy), static_cast<int>(options.recon));
    say(process, "links: %s\n%s\n", gauge.source(), operator_text(options).c_str());
    say(process, "%s, solve %s, solution %s, %d sources, %d at once, %d shifts\n", name(options.inv_type),
        name(options.solve_type), name(options.solution_type), options.nsrc, options.nsrc_tile, param.num_offset);

    start_library(options);
    if (options.precon_block[0] > 0) qudaSetSchwarzBlock(options.precon_block.data());
    gauge.load();
    load_clover(gauge, options);
    if (fills_space(options.inv_type)) {
      QudaEigParam space = newQudaEigParam();
      space.invert_param = &param;
      param.deflation_op = newDeflationQuda(&space);
    }
    if (multigrid.wanted) param.preconditioner = newMultigridQuda(&hierarchy);
    if (of_residual_mass) {
      const bool good = tell_residual_mass(process, gauge, options, param);
      freeGaugeQuda();
      endQuda();
      return good ? 0 : 1;
    }
    std::vector<Solved> all = sources(gauge, options);
    const std::size_t nsrc = static_cast<std::size_t>(options.nsrc), tile = static_cast<std::size_t>(options.nsrc_tile);
    if (options.tune) { // a few iterations, so that the time below has no tuning of them in it
      QudaInvertParam few = param;
      few.eig_param = nullptr;
      if (fills_space(options.inv_type))
        few.inv_type = options.inv_type == QUDA_GMRESDR_PROJ_INVERTER ? QUDA_GMRESDR_INVERTER : QUDA_CG_INVERTER;
      few.maxiter = options.gcr_nkrylov + 2;
      few.verbosity = QUDA_SILENT;
      for (const std::size_t count : {std::min(tile, nsrc), nsrc % tile})
        if (count > 0) solve(all, 0, count, few);
    }
    Work work;
    for (std::size_t first = 0; first < nsrc; first += tile) {
      const Work one = solve(all, first, std::min(tile, nsrc - first), param);
      work.iterations += one.iterations;
      work.seconds += one.seconds;
      work.gflops += one.gflops;
      work.converged = work.converged && one.converged;
    }
    if (fills_space(options.inv_type)) destroyDeflationQuda(param.deflation_op);
    destroyMultigridQuda(param.preconditioner);
    freeCloverQuda();
    freeGaugeQuda();
    endQuda();

    say(process, "Done: %d sources, %d iterations, %.4g s, %.4g GFLOP/s\n", options.nsrc, work.iterations, work.seconds,
        work.gflops / work.seconds);
    const bool good = !options.verify || verify(process, gauge, options, all);
    if (!work.converged) say(process, "FAILED: not converged within --niter %d\n", options.niter);
    if (options.verify) say(process, "%s: residuals by the plain reference\n", good ? "PASSED" : "FAILED");
    return good && work.converged ? 0 : 1;
  }

} // namespace

int invert_program(int argc, char **argv, const std::string &name, QudaDslashType type, bool in_sequence)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line(type == QUDA_WILSON_DSLASH ? "Linear systems of a Dirac operator"
                                                : "Linear systems of a staggered operator");
    Options options;
    options.niter = 1000;
    options.dslash_type = type;
    if (staggered(options)) options.inv_type = QUDA_CG_INVERTER;
    if (in_sequence) {
      options.inv_type = QUDA_INC_EIGCG_INVERTER;
      options.solve_type = QUDA_NORMOP_PC_SOLVE;
    }
    add_common_options(line, options, "Most iterations of a solve");
    add_dirac_options(line, options);
    add_solve_options(line, options);
    add_partition_option(line, options);
    Deflation deflation;
    line.add("--inv-deflate", deflation.wanted,
             "Low modes of the solve's matrix, found first as the --eig options say, are taken from residuals");
    add_eigen_options(line, deflation.modes);
    add_space_options(line, deflation.space);
    MultigridWish multigrid;
    if (staggered(options))
      add_staggered_multigrid_options(line, multigrid);
    else
      add_multigrid_options(line, multigrid);
    bool of_residual_mass = false;
    if (!staggered(options) && !in_sequence)
      line.add("--residual-mass", of_residual_mass,
               "Domain-wall quarks: a propagator from a point, its residual mass, and of Shamir's the axial Ward "
               "identity (true or false)");
    int code = 0;
    return line.parse(argc, argv, process.rank(), code)
               ? run(process, name, options, deflation, multigrid, of_residual_mass)
               : code;
  });
}

} // namespace program
