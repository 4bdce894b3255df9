/// Members of QudaInvertParam: solves, operators, clover terms, and what stays between solves.

#include "eigen_param.h"
#include "members.h"

#include <complex>

namespace
{

using namespace test;
using I = QudaInvertParam;
using G = QudaGaugeParam;

/// Links of both boundaries, and a source.
class MembersOfSolves : public Members
{
protected:
  MembersOfSolves() { load(gauge_param_of_solves()); }

  static G gauge_param_of_solves()
  {
    G param = gauge_param(small.X);
    param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = param.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
    return param;
  }
  void load(G param)
  {
    HostLinks<double> host(links_, whole, QUDA_QDP_GAUGE_ORDER);
    loadGaugeQuda(host.pointer(), &param);
  }

  /// num_src sources in the host's precision.
  template <class real> void solve_in(I param, Seen &all, bool several)
  {
    const int n = several ? param.num_src : 1;
    std::vector<std::vector<real>> in, out;
    std::vector<void *> b, x;
    for (int j = 0; j < n; j++) {
      in.emplace_back(reals_);
      for (std::size_t i = 0; i < reals_; i++) in.back()[i] = static_cast<real>(source_[(i + 24 * j) % reals_]);
      out.emplace_back(guess_.begin(), guess_.end());
    }
    for (int j = 0; j < n; j++) {
      b.push_back(in[j].data());
      x.push_back(out[j].data());
    }
    several ? invertMultiSrcQuda(x.data(), b.data(), &param) : invertQuda(x[0], b[0], &param);
    for (const auto &one : out) all.result.insert(all.result.end(), one.begin(), one.end());
    all.iter = param.iter;
    all.flops = param.gflops;
    all.told.assign(param.true_res, param.true_res + n);
    all.told.insert(all.told.end(), {param.action[0], param.action[1], param.true_res_hq[0], param.ca_lambda_max});
  }
  Seen solve(const I &param, bool several = false)
  {
    return seen([&](Seen &all) {
      param.cpu_prec == QUDA_SINGLE_PRECISION ? solve_in<float>(param, all, several)
                                              : solve_in<double>(param, all, several);
    });
  }
  Seen shifts(I param)
  {
    return seen([&](Seen &all) {
      std::vector<std::vector<double>> out(static_cast<std::size_t>(param.num_offset), std::vector<double>(reals_));
      std::vector<double> in = source_;
      std::vector<void *> x;
      for (auto &one : out) x.push_back(one.data());
      invertMultiShiftQuda(x.data(), in.data(), &param);
      for (const auto &one : out) all.result.insert(all.result.end(), one.begin(), one.end());
      all.iter = param.iter;
      all.flops = param.gflops;
      all.told.assign(param.true_res_offset, param.true_res_offset + param.num_offset);
      all.told.insert(all.told.end(), {param.action[0], param.action[1], param.true_res_hq_offset[0]});
    });
  }
  Seen matrix(I param)
  {
    return seen([&](Seen &all) {
      std::vector<double> in(QUDA_MAX_DWF_LS * reals_), out(in.size());
      for (std::size_t i = 0; i < in.size(); i++) in[i] = source_[(7 * i) % reals_];
      MatQuda(out.data(), in.data(), &param);
      all.result = out;
    });
  }

  /// Operators that have members of their own.
  std::vector<Group<I>> operators()
  {
    const auto call = [&](const I &param) { return matrix(param); };
    const auto kind = [](QudaDslashType type) {
      I param = wilson_param();
      param.dslash_type = type;
      param.verbosity = QUDA_SILENT;
      return param;
    };
    const auto put = [](double _Complex *to, double value) {
      for (int s = 0; s < 6; s++) {
        const std::complex<double> z(value);
        std::memcpy(&to[s], &z, sizeof z);
      }
    };
    I moebius = kind(QUDA_MOBIUS_DWF_DSLASH);
    moebius.mass = 0.06;
    moebius.m5 = -1.6;
    moebius.Ls = 4;
    put(moebius.b_5, 1.5);
    put(moebius.c_5, 0.5);
    I one_flavour = moebius;
    one_flavour.dslash_type = QUDA_MOBIUS_DWF_EOFA_DSLASH;
    one_flavour.eofa_pm = 1;
    one_flavour.eofa_shift = -0.2;
    one_flavour.mq1 = 0.05;
    one_flavour.mq2 = 0.3;
    one_flavour.mq3 = 1;
    I twisted = kind(QUDA_TWISTED_MASS_DSLASH);
    twisted.twist_flavor = QUDA_TWIST_NONDEG_DOUBLET;
    twisted.mu = 0.9;
    twisted.epsilon = 0.4;
    I laplace = kind(QUDA_LAPLACE_DSLASH);
    laplace.laplace3D = 3;
    laplace.mass = 0.1;
    I shift = kind(QUDA_COVDEV_DSLASH);
    shift.covdev_mu = 1;
    return {{"Moebius",
             moebius,
             call,
             {{"dslash_type", [](I &p) { p.dslash_type = QUDA_DOMAIN_WALL_DSLASH; }, result},
              {"mass", [](I &p) { p.mass = 0.5; }, result},
              {"m5", [](I &p) { p.m5 = -1.2; }, result},
              {"Ls", [](I &p) { p.Ls = 6; }, result},
              {"b_5", [put](I &p) { put(p.b_5, 1.8); }, result},
              {"c_5", [put](I &p) { put(p.c_5, 0.9); }, result}}},
            {"one flavour",
             one_flavour,
             call,
             {{"eofa_pm", [](I &p) { p.eofa_pm = 0; }, result},
              {"eofa_shift", [](I &p) { p.eofa_shift = -0.9; }, result},
              {"mq1", [](I &p) { p.mq1 = 4; }, result},
              {"mq2", [](I &p) { p.mq2 = 0.9; }, result},
              {"mq3", [](I &p) { p.mq3 = 0.6; }, result}}},
            {"twisted",
             twisted,
             call,
             {{"mu", [](I &p) { p.mu = 0.2; }, result},
              {"epsilon", [](I &p) { p.epsilon = 0.1; }, result},
              {"twist_flavor", [](I &p) { p.twist_flavor = QUDA_TWIST_SINGLET; }, result}}},
            {"Laplace", laplace, call, {{"laplace3D", [](I &p) { p.laplace3D = 4; }, result}}},
            {"shift", shift, call, {{"covdev_mu", [](I &p) { p.covdev_mu = 2; }, result}}}};
  }

  /// Loads of a term, what they return and tell, and what the matrix with it gives.
  template <class real> void load_term(I param, Seen &all)
  {
    std::vector<real> term(72 * small.volume()), inverse(term.size());
    for (std::size_t i = 0; i < term.size(); i++) term[i] = i % 36 < 6 ? real(0.5) : real(0.001 * (i % 5)); // positive
    loadCloverQuda(term.data(), param.compute_clover_inverse ? inverse.data() : nullptr, &param);
    all.told.assign(param.trlogA, param.trlogA + 2);
    for (const auto *one : {&term, &inverse}) all.result.insert(all.result.end(), one->begin(), one->end());
    std::vector<double> in = source_, out(reals_);
    I apply = param;
    apply.cpu_prec = QUDA_DOUBLE_PRECISION;
    MatQuda(out.data(), in.data(), &apply);
    all.result.insert(all.result.end(), out.begin(), out.end());
  }
  std::vector<Group<I>> clover_terms()
  {
    const auto call = [&](const I &param) {
      return seen([&](Seen &all) {
        param.clover_cpu_prec == QUDA_SINGLE_PRECISION ? load_term<float>(param, all) : load_term<double>(param, all);
      });
    };
    I given = wilson_param();
    given.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
    given.clover_cpu_prec = given.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
    given.clover_order = QUDA_PACKED_CLOVER_ORDER;
    given.clover_coeff = 0.1;
    given.compute_clover_trlog = 0;
    I computed = given;
    computed.compute_clover = computed.compute_clover_inverse = computed.compute_clover_trlog = 1;
    computed.return_clover = computed.return_clover_inverse = 1;
    I from_csw = computed;
    from_csw.clover_coeff = 0;
    from_csw.clover_csw = 1;
    I twisted = given;
    twisted.dslash_type = QUDA_TWISTED_CLOVER_DSLASH;
    twisted.twist_flavor = QUDA_TWIST_SINGLET;
    twisted.mu = 0.3;
    twisted.solution_type = QUDA_MATPC_SOLUTION;
    twisted.matpc_type = QUDA_MATPC_EVEN_EVEN_ASYMMETRIC;
    return {{"a term of the host",
             given,
             call,
             {{"compute_clover", [](I &p) { p.compute_clover = 1; }, result},
              {"compute_clover_trlog", [](I &p) { p.compute_clover_trlog = 1; }, told},
              {"compute_clover_inverse", [](I &p) { p.compute_clover_inverse = p.return_clover_inverse = 1; }, result},
              {"clover_rho", [](I &p) { p.clover_rho = 0.4; }, result}}},
            {"a computed term",
             computed,
             call,
             {{"clover_coeff", [](I &p) { p.clover_coeff = 0.2; }, result},
              {"return_clover", [](I &p) { p.return_clover = 0; }, result},
              {"return_clover_inverse", [](I &p) { p.return_clover_inverse = 0; }, result},
              {"clover_cpu_prec", [](I &p) { p.clover_cpu_prec = QUDA_SINGLE_PRECISION; }, rounding},
              {"clover_cuda_prec", [](I &p) { p.clover_cuda_prec = QUDA_SINGLE_PRECISION; }, refused}}},
            {"a term of c_sw", from_csw, call, {{"clover_csw", [](I &p) { p.clover_csw = 1.5; }, result}}},
            {"a twisted term", twisted, call, {{"tm_rho", [](I &p) { p.tm_rho = 0.7; }, result}}}};
  }

  /// Solutions and low modes that stay.
  std::vector<Group<I>> low_modes()
  {
    I plain = solve_param(QUDA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE);
    const auto in_turn = [this](const I &param, int sources, const I &last) {
      const std::vector<double> before = source_;
      std::vector<int> iterations;
      Seen all;
      for (int j = 0; j < sources; j++) {
        std::rotate(source_.begin(), source_.begin() + 48, source_.end());
        solve(param);
      }
      const std::vector<double> newest = source_; // and half of the one before
      for (std::size_t i = 0; i < reals_; i++) source_[i] += 0.5 * newest[(i + reals_ - 48) % reals_];
      all = solve(last);
      source_ = before;
      return all;
    };
    I stored = plain;
    stored.chrono_use_resident = stored.chrono_make_resident = 1;
    stored.chrono_max_dim = 4;
    const auto with_store = [this, in_turn, stored](const I &param) {
      flushChronoQuda(-1);
      return in_turn(param, 2, stored);
    };
    I gathered = plain;
    gathered.inv_type = QUDA_INC_EIGCG_INVERTER;
    gathered.n_ev = 4;
    gathered.max_search_dim = 16;
    gathered.deflation_grid = 2;
    gathered.eigenval_tol = 10;
    gathered.kappa = 0.15;
    const auto with_space = [in_turn](I param) {
      QudaEigParam eigen = newQudaEigParam();
      eigen.invert_param = &param;
      param.deflation_op = newDeflationQuda(&eigen);
      const Seen all = in_turn(param, 3, param);
      destroyDeflationQuda(param.deflation_op);
      return all;
    };
    I deflated = plain;
    deflated.kappa = 0.15;
    const auto with_modes = [this](I param) {
      QudaEigParam eigen = smallest_pairs(1e-3, 100);
      eigen.invert_param = &param;
      param.eig_param = &eigen;
      return solve(param);
    };
    return {{"a store of solutions",
             stored,
             with_store,
             {{"chrono_make_resident", [](I &p) { p.chrono_make_resident = 0; }, more},
              {"chrono_replace_last", [](I &p) { p.chrono_replace_last = 1; }, more},
              {"chrono_max_dim", [](I &p) { p.chrono_max_dim = 1; }, more},
              {"chrono_index", [](I &p) { p.chrono_index = 2; }, more},
              {"chrono_precision", [](I &p) { p.chrono_precision = QUDA_HALF_PRECISION; }, more}}},
            {"a space of low modes",
             gathered,
             with_space,
             {{"deflation_grid", [](I &p) { p.deflation_grid = 1; }, rounding},
              {"eigenval_tol", [](I &p) { p.eigenval_tol = 1e-6; }, rounding},
              {"max_restart_num", [](I &p) { p.max_restart_num = 0; }, rounding},
              {"inc_tol", [](I &p) { p.inc_tol = 0.5; }, rounding},
              {"tol_restart", [](I &p) { p.tol_restart = 0.1; }, rounding},
              {"cuda_prec_ritz", [](I &p) { p.cuda_prec_ritz = QUDA_DOUBLE_PRECISION; }, rounding}}},
            {"low modes",
             deflated,
             with_modes,
             {{"cuda_prec_eigensolver", [](I &p) { p.cuda_prec_eigensolver = QUDA_DOUBLE_PRECISION; }, rounding}}}};
  }

  const reference::GaugeField links_ = reference::random_gauge(small, 41, reference::Kind::su3);
  std::vector<double> source_ = reference::to_host<double>(reference::random_spinors(small, 5), small, whole);
  const std::size_t reals_ = source_.size();
  std::vector<double> guess_ = std::vector<double>(reals_);
};

} // namespace

TEST_F(MembersOfSolves, ChangeWhatTheyShould)
{
  // as the solution of a system nearby
  I plain = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  plain.verbosity = QUDA_SUMMARIZE;
  guess_ = solve(plain).result;
  I gcr = plain;
  gcr.inv_type = QUDA_GCR_INVERTER;
  gcr.kappa = 0.18;
  gcr.reliable_delta = 1e-4;
  I inner = gcr;
  inner.inv_type_precondition = QUDA_MR_INVERTER;
  inner.maxiter_precondition = 2;
  inner.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
  I of_powers = inner;
  of_powers.inv_type_precondition = QUDA_CA_GCR_INVERTER;
  of_powers.maxiter_precondition = 4;
  I minimal = plain;
  minimal.inv_type = QUDA_MR_INVERTER;
  minimal.maxiter = 5;
  I normal = solve_param(QUDA_CA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  normal.ca_basis = QUDA_CHEBYSHEV_BASIS;
  normal.ca_lambda_max = 3;
  normal.gcrNkrylov = 4;
  I restarted = plain;
  restarted.inv_type = QUDA_GMRESDR_INVERTER;
  restarted.n_ev = 4;
  restarted.max_search_dim = 10;
  I heavy = plain;
  heavy.residual_type = QUDA_HEAVY_QUARK_RESIDUAL;
  heavy.tol_hq = 1e-6;
  I distant = plain;
  distant.distance_pc_alpha0 = 0.3;
  distant.distance_pc_t0 = 1;

  I shifted = solve_param(QUDA_CG_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE);
  shifted.num_offset = 2;
  shifted.offset[1] = 0.2;
  shifted.tol_offset[0] = shifted.tol_offset[1] = 1e-8;
  shifted.cuda_prec_refinement_sloppy = QUDA_SINGLE_PRECISION;
  shifted.compute_action = shifted.num_src = 1;
  shifted.residue[0] = shifted.residue[1] = 1;
  I refined = shifted; // far from a point the Krylov space is not what a heavy quark's residual asks for
  refined.kappa = 0.03;
  refined.residual_type = QUDA_HEAVY_QUARK_RESIDUAL;
  refined.tol_hq_offset[0] = 1e-2;
  refined.tol_hq_offset[1] = 1e-8;

  const auto solved_here = [&](const I &param) { return solve(param); };
  const auto from_nothing = [&](const I &param) {
    const auto before = std::exchange(guess_, std::vector<double>(reals_));
    const Seen all = solve(param);
    guess_ = before;
    return all;
  };
  const auto from_a_point = [&](const I &param) {
    const auto before = std::exchange(source_, std::vector<double>(reals_));
    source_[0] = 1;
    const Seen all = shifts(param);
    source_ = before;
    return all;
  };
  const auto after_another = [&](const I &param) { // two solves of one store
    flushChronoQuda(-1);
    I first = plain;
    first.make_resident_solution = 1;
    first.chrono_make_resident = 1;
    first.chrono_max_dim = 2;
    first.chrono_index = 3;
    solve(first);
    return solve(param);
  };
  const std::vector<Group<I>> groups = {
      {"a solve",
       plain,
       solved_here,
       {{"inv_type", [](I &p) { p.inv_type = QUDA_GCR_INVERTER; }, rounding},
        {"kappa", [](I &p) { p.kappa = 0.05; }, result},
        {"tol", [](I &p) { p.tol = 1e-4; }, fewer},
        {"maxiter", [](I &p) { p.maxiter = 3; }, fewer},
        {"reliable_delta", [](I &p) { p.reliable_delta = 0.5; }, more_work},
        {"solution_type",
         [](I &p) {
           p.solution_type = QUDA_MATDAG_MAT_SOLUTION;
           p.solve_type = QUDA_DIRECT_SOLVE;
         },
         result},
        {"solve_type", [](I &p) { p.solve_type = QUDA_DIRECT_SOLVE; }, more},
        {"matpc_type", [](I &p) { p.matpc_type = QUDA_MATPC_ODD_ODD; }, rounding},
        {"dagger", [](I &p) { p.dagger = QUDA_DAG_YES; }, result},
        {"mass_normalization", [](I &p) { p.mass_normalization = QUDA_MASS_NORMALIZATION; }, result},
        {"cpu_prec", [](I &p) { p.cpu_prec = QUDA_SINGLE_PRECISION; }, rounding},
        {"cuda_prec", [](I &p) { p.cuda_prec = QUDA_SINGLE_PRECISION; }, refused},
        {"cuda_prec_sloppy", [](I &p) { p.cuda_prec_sloppy = QUDA_HALF_PRECISION; }, rounding},
        {"dirac_order", [](I &p) { p.dirac_order = QUDA_QDP_DIRAC_ORDER; }, result},
        {"gamma_basis", [](I &p) { p.gamma_basis = QUDA_UKQCD_GAMMA_BASIS; }, result},
        {"use_init_guess", [](I &p) { p.use_init_guess = QUDA_USE_INIT_GUESS_YES; }, fewer},
        {"verbosity", [](I &p) { p.verbosity = QUDA_SILENT; }, words},
        {"compute_action", [](I &p) { p.compute_action = 1; }, told},
        {"residual_type", [](I &p) { p.residual_type = QUDA_L2_ABSOLUTE_RESIDUAL; }, more},
        {"distance_pc_alpha0",
         [](I &p) {
           p.distance_pc_alpha0 = 0.3;
           p.distance_pc_t0 = 1;
         },
         told}}},
      {"a solve from nothing",
       plain,
       from_nothing,
       {{"make_resident_solution", [](I &p) { p.make_resident_solution = 1; }, result}}},
      {"a solve after another",
       plain,
       after_another,
       {{"use_resident_solution", [](I &p) { p.use_resident_solution = 1; }, fewer},
        {"chrono_use_resident",
         [](I &p) {
           p.chrono_use_resident = 1;
           p.chrono_index = 3;
         },
         fewer}}},
      {"distance preconditioning",
       distant,
       solved_here,
       {{"distance_pc_t0", [](I &p) { p.distance_pc_t0 = 3; }, told}}},
      {"several sources",
       plain,
       [&](const I &param) { return solve(param, true); },
       {{"num_src", [](I &p) { p.num_src = p.num_src_per_sub_partition = 2; }, result}}},
      {"GCR",
       gcr,
       solved_here,
       {{"gcrNkrylov", [](I &p) { p.gcrNkrylov = 2; }, more_work},
        {"inv_type_precondition",
         [](I &p) {
           p.inv_type_precondition = QUDA_MR_INVERTER;
           p.maxiter_precondition = 4;
         },
         fewer}}},
      {"preconditioned",
       inner,
       solved_here,
       {{"maxiter_precondition", [](I &p) { p.maxiter_precondition = 6; }, fewer},
        {"precondition_cycle", [](I &p) { p.precondition_cycle = 3; }, fewer},
        {"cuda_prec_precondition", [](I &p) { p.cuda_prec_precondition = QUDA_HALF_PRECISION; }, rounding},
        {"omega", [](I &p) { p.omega = 0.5; }, more},
        {"schwarz_type",
         [](I &p) {
           const int block[4] = {2, 2, 2, 2};
           qudaSetSchwarzBlock(block);
           p.schwarz_type = QUDA_ADDITIVE_SCHWARZ;
         },
         rounding},
        {"accelerator_type_precondition", [](I &p) { p.accelerator_type_precondition = QUDA_MADWF_ACCELERATOR; },
         refused}}},
      {"preconditioned by powers",
       of_powers,
       solved_here,
       {{"ca_basis_precondition",
         [](I &p) {
           p.ca_basis_precondition = QUDA_CHEBYSHEV_BASIS;
           p.ca_lambda_max_precondition = 2;
         },
         rounding}}},
      {"rounds of minimal residuals", minimal, solved_here, {{"Nsteps", [](I &p) { p.Nsteps = 20; }, more_work}}},
      {"communication-avoiding",
       normal,
       solved_here,
       {{"ca_basis", [](I &p) { p.ca_basis = QUDA_POWER_BASIS; }, rounding},
        {"ca_lambda_min", [](I &p) { p.ca_lambda_min = 0.5; }, rounding},
        {"ca_lambda_max", [](I &p) { p.ca_lambda_max = -1; }, told}}},
      {"GMRES-DR",
       restarted,
       solved_here,
       {{"n_ev", [](I &p) { p.n_ev = 2; }, rounding},
        {"max_search_dim", [](I &p) { p.max_search_dim = 20; }, rounding}}},
      {"heavy quarks", heavy, solved_here, {{"tol_hq", [](I &p) { p.tol_hq = 1e-10; }, more}}},
      {"shifts",
       shifted,
       [&](const I &param) { return shifts(param); },
       {{"num_offset", [](I &p) { p.num_offset = 1; }, result},
        {"offset", [](I &p) { p.offset[1] = 0.5; }, result},
        {"tol_offset", [](I &p) { p.tol_offset[0] = p.tol_offset[1] = 1e-4; }, fewer},
        {"compute_true_res", [](I &p) { p.compute_true_res = 0; }, told},
        {"residue", [](I &p) { p.residue[1] = 3; }, told}}},
      {"refined shifts",
       refined,
       from_a_point,
       {{"tol_hq_offset", [](I &p) { p.tol_hq_offset[1] = 1e-4; }, fewer},
        {"reliable_delta_refinement", [](I &p) { p.reliable_delta_refinement = 0.7; }, more_work},
        {"cuda_prec_refinement_sloppy", [](I &p) { p.cuda_prec_refinement_sloppy = QUDA_HALF_PRECISION; }, rounding}}},
  };
  std::set<std::string> done = expect_rows(groups);
  qudaSetSchwarzBlock(nullptr);
  for (const auto &more_rows : {expect_rows(operators()), expect_rows(clover_terms()), expect_rows(low_modes())})
    done.insert(more_rows.begin(), more_rows.end());
  // with tests of their own: pointers and what belongs to them, orders of terms, refusals, forces; and what solves do not
  // look at: libraries of small dense problems, a counter, copies of terms (below)
  expect_complete<I>(done, {"struct_size",
                            "rhs_idx",
                            "extlib_type",
                            "native_blas_lapack",
                            "clover_order",
                            "overlap",
                            "split_grid",
                            "preconditioner",
                            "deflation_op",
                            "eig_param",
                            "evmax",
                            "num_src_per_sub_partition",
                            "ca_lambda_min_precondition",
                            "ca_lambda_max_precondition",
                            "madwf_diagonal_suppressor",
                            "madwf_ls",
                            "madwf_null_miniter",
                            "madwf_null_tol",
                            "madwf_train_maxiter",
                            "madwf_param_load",
                            "madwf_param_save",
                            "madwf_param_infile",
                            "madwf_param_outfile",
                            "clover_cuda_prec_sloppy",
                            "clover_cuda_prec_refinement_sloppy",
                            "clover_cuda_prec_precondition",
                            "clover_cuda_prec_eigensolver"});
  I silent = plain;
  for (const quda::params::Field &field : quda::params::table<I>().fields)
    if (is_never_read(field)) spoil(field, silent);
  const Seen before = solve(plain), after = solve(silent);
  EXPECT_TRUE(same_bits(before.result, after.result) && before.iter == after.iter && before.refused == after.refused)
      << after.refused;
}

/// Precisions of a term's copies are checked; copies are made in those of the solves.
TEST_F(MembersOfSolves, OfCopiesOfTheTermChangeNothing)
{
  I param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
  param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
  param.clover_coeff = 0.1;
  Seen all[2];
  for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_HALF_PRECISION}) {
    param.clover_cuda_prec_sloppy = param.clover_cuda_prec_refinement_sloppy = param.clover_cuda_prec_precondition =
        param.clover_cuda_prec_eigensolver = precision;
    loadCloverQuda(nullptr, nullptr, &param);
    all[precision == QUDA_HALF_PRECISION] = solve(param);
  }
  EXPECT_TRUE(same_bits(all[0].result, all[1].result));
  EXPECT_EQ(all[0].refused + all[1].refused, "");
}
