/// Bad calls of multigrid: each member by name.

#include "bad_calls.h"
#include "c_multigrid.h"
#include "eigen_param.h"

#include "quda_ext.h"

#include "core/environment_support.h"
#include "interface/params/param_table.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace test
{

namespace
{

  using OfModes = std::function<void(QudaEigParam &)>;

  constexpr int blocks[1][4] = {{2, 2, 2, 3}};

  using OfHierarchy = std::function<void(QudaMultigridParam &)>;

  host_multigrid small_hierarchy()
  {
    const host_operator wilson {0.12, 0, 0};
    host_multigrid host;
    c_chroma_clover(&host, &wilson, 2, blocks, 1);
    host.hierarchy.n_vec[0] = 4;
    host.hierarchy.setup_maxiter[0] = 2;
    host.hierarchy.run_verify = QUDA_BOOLEAN_FALSE;
    return host;
  }

  std::function<void()> hierarchy(const OfHierarchy &spoil)
  {
    return [spoil] {
      host_multigrid host = small_hierarchy();
      host.hierarchy.invert_param = &host.inner;
      spoil(host.hierarchy);
      destroyMultigridQuda(newMultigridQuda(&host.hierarchy));
    };
  }

  /// Four low modes of a level.
  std::function<void()> with_low_modes(int level, const OfModes &spoil)
  {
    return hierarchy([level, spoil](QudaMultigridParam &p) {
      static QudaEigParam modes;
      modes = smallest_pairs(1e-3, 50);
      modes.use_poly_acc = modes.require_convergence = QUDA_BOOLEAN_FALSE;
      p.use_eig_solver[level] = QUDA_BOOLEAN_TRUE;
      p.eig_param[level] = &modes;
      spoil(modes);
    });
  }

  template <class T> T no_such() { return static_cast<T>(77); }

} // namespace

TEST_F(BadCalls, MultigridLevels)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const std::string function = "newMultigridQuda";
  std::vector<Wrong> all = {
      fault("null structure", {function, "QudaMultigridParam", "null"}, [] { newMultigridQuda(nullptr); }),
      fault("no operator", {function, "invert_param"}, hierarchy([](auto &p) { p.invert_param = nullptr; })),
      fault("wrong size", {"struct_size = 8"}, hierarchy([](auto &p) { p.struct_size = 8; })),
      fault("levels unset", {"n_level"}, hierarchy([](auto &p) { p.n_level = newQudaMultigridParam().n_level; })),
      beyond("one level", {"n_level = 1", "2 to 5"}, hierarchy([](auto &p) { p.n_level = 1; })),
      fault("six levels", {"n_level = 6"}, hierarchy([](auto &p) { p.n_level = 6; })),
      fault("block unset", {"geo_block_size[0][2]", "unset"},
            hierarchy([](auto &p) { p.geo_block_size[0][2] = newQudaMultigridParam().geo_block_size[0][2]; })),
      fault("block", {"geo_block_size[0][1] = 0"}, hierarchy([](auto &p) { p.geo_block_size[0][1] = 0; })),
      fault("aggregates of one site", {"geo_block_size[0] = 1 1 1 1", "one site"}, hierarchy([](auto &p) {
              for (int &block : p.geo_block_size[0]) block = 1;
            })),
      fault("vectors", {"n_vec[0] = 0"}, hierarchy([](auto &p) { p.n_vec[0] = 0; })),
      fault("more vectors than an aggregate has", {"n_vec[0] = 145", "1 to 144"},
            hierarchy([](auto &p) { p.n_vec[0] = 145; })),
      beyond("spins", {"spin_block_size[0] = 4"}, hierarchy([](auto &p) { p.spin_block_size[0] = 4; })),
      fault("precision", {"precision_null[0]"},
            hierarchy([](auto &p) { p.precision_null[0] = no_such<QudaPrecision>(); })),
      fault("verbosity", {"verbosity[1] = 77"}, hierarchy([](auto &p) { p.verbosity[1] = no_such<QudaVerbosity>(); })),
      fault("set-up", {"setup_inv_type[0]"},
            hierarchy([](auto &p) { p.setup_inv_type[0] = no_such<QudaInverterType>(); })),
      beyond("set-up of another library", {"setup_inv_type[0]", "QUDA_FGMRESDR_INVERTER", "QUDA_CGNR_INVERTER"},
             hierarchy([](auto &p) { p.setup_inv_type[0] = QUDA_FGMRESDR_INVERTER; })),
      fault("set-up by a preconditioned method", {"setup_inv_type[0]", "QUDA_PCG_INVERTER"},
            hierarchy([](auto &p) { p.setup_inv_type[0] = QUDA_PCG_INVERTER; })),
      fault("batch", {"n_vec_batch[0] = -3"}, hierarchy([](auto &p) { p.n_vec_batch[0] = -3; })),
      fault("passes", {"num_setup_iter[0] = -1"}, hierarchy([](auto &p) { p.num_setup_iter[0] = -1; })),
      fault("tolerance", {"setup_tol[0] = nan"}, hierarchy([](auto &p) { p.setup_tol[0] = NAN; })),
      fault("steps", {"setup_maxiter[0] = -5"}, hierarchy([](auto &p) { p.setup_maxiter[0] = -5; })),
      fault("refresh", {"setup_maxiter_refresh[0] = -5"}, hierarchy([](auto &p) { p.setup_maxiter_refresh[0] = -5; })),
      fault("basis of the set-up", {"setup_ca_basis[0]"}, hierarchy([](auto &p) {
              p.setup_inv_type[0] = QUDA_CA_CGNR_INVERTER;
              p.setup_ca_basis[0] = QUDA_INVALID_BASIS;
            })),
      fault("its size", {"setup_ca_basis_size[0] = 0"}, hierarchy([](auto &p) {
              p.setup_inv_type[0] = QUDA_CA_CGNR_INVERTER;
              p.setup_ca_basis_size[0] = 0;
            })),
      fault("more than memory is there for", {"setup_ca_basis_size[0] = 100000", "1 to 1024"}, hierarchy([](auto &p) {
              p.setup_inv_type[0] = QUDA_CA_CGNR_INVERTER;
              p.setup_ca_basis_size[0] = 100000;
            })),
      fault("its ends", {"setup_ca_lambda_min[0] = 3", "setup_ca_lambda_max[0] = 2"}, hierarchy([](auto &p) {
              p.setup_inv_type[0] = QUDA_CA_CGNR_INVERTER;
              p.setup_ca_basis[0] = QUDA_CHEBYSHEV_BASIS;
              p.setup_ca_lambda_min[0] = 3;
              p.setup_ca_lambda_max[0] = 2;
            })),
      fault("what is sought", {"setup_type = 77"}, hierarchy([](auto &p) { p.setup_type = no_such<QudaSetupType>(); })),
      fault("solver of a coarse grid", {"coarse_solver[1]", "QUDA_CG_INVERTER", "not Hermitian"},
            hierarchy([](auto &p) { p.coarse_solver[1] = QUDA_CG_INVERTER; })),
      fault("its tolerance", {"coarse_solver_tol[1] = -1"}, hierarchy([](auto &p) { p.coarse_solver_tol[1] = -1; })),
      fault("its steps", {"coarse_solver_maxiter[1] = 0"}, hierarchy([](auto &p) { p.coarse_solver_maxiter[1] = 0; })),
      fault("its basis", {"coarse_solver_ca_basis[1]"},
            hierarchy([](auto &p) { p.coarse_solver_ca_basis[1] = QUDA_INVALID_BASIS; })),
      fault("its size", {"coarse_solver_ca_basis_size[1] = -4"},
            hierarchy([](auto &p) { p.coarse_solver_ca_basis_size[1] = -4; })),
      fault("its ends", {"coarse_solver_ca_lambda_max[1] = nan"}, hierarchy([](auto &p) {
              p.coarse_solver_ca_basis[1] = QUDA_CHEBYSHEV_BASIS;
              p.coarse_solver_ca_lambda_max[1] = NAN;
            })),
      fault("its lower end", {"coarse_solver_ca_lambda_min[1] = -0.5"}, hierarchy([](auto &p) {
              p.coarse_solver_ca_basis[1] = QUDA_CHEBYSHEV_BASIS;
              p.coarse_solver_ca_lambda_min[1] = -0.5;
            })),
      fault("smoother unset", {"smoother[0]", "unset"},
            hierarchy([](auto &p) { p.smoother[0] = QUDA_INVALID_INVERTER; })),
      fault("smoother", {"smoother[0]", "QUDA_CG_INVERTER"},
            hierarchy([](auto &p) { p.smoother[0] = QUDA_CG_INVERTER; })),
      fault("smoothing before", {"nu_pre[0] = -1"}, hierarchy([](auto &p) { p.nu_pre[0] = -1; })),
      fault("smoothing after", {"nu_post[0]", "unset"},
            hierarchy([](auto &p) { p.nu_post[0] = newQudaMultigridParam().nu_post[0]; })),
      fault("basis of the smoother", {"smoother_solver_ca_basis[0]"},
            hierarchy([](auto &p) { p.smoother_solver_ca_basis[0] = QUDA_INVALID_BASIS; })),
      fault("its ends", {"smoother_solver_ca_lambda_min[0] = -1"}, hierarchy([](auto &p) {
              p.smoother_solver_ca_basis[0] = QUDA_CHEBYSHEV_BASIS;
              p.smoother_solver_ca_lambda_min[0] = -1;
            })),
      fault("the other end", {"smoother_solver_ca_lambda_max[0] = inf"}, hierarchy([](auto &p) {
              p.smoother_solver_ca_basis[0] = QUDA_CHEBYSHEV_BASIS;
              p.smoother_solver_ca_lambda_max[0] = INFINITY;
            })),
      fault("relaxation", {"omega[0] = nan"}, hierarchy([](auto &p) {
              p.smoother[0] = QUDA_MR_INVERTER;
              p.omega[0] = NAN;
            })),
      fault("domains", {"smoother_schwarz_type[0] = 77"},
            hierarchy([](auto &p) { p.smoother_schwarz_type[0] = no_such<QudaSchwarzType>(); })),
      fault("cycles of domains", {"smoother_schwarz_cycle[0] = 0"}, hierarchy([](auto &p) {
              p.smoother_schwarz_type[0] = QUDA_ADDITIVE_SCHWARZ;
              p.smoother_schwarz_cycle[0] = 0;
            })),
      beyond("full multigrid", {"cycle_type[0]", "QUDA_MG_CYCLE_FCYCLE", "QUDA_MG_CYCLE_RECURSIVE"},
             hierarchy([](auto &p) { p.cycle_type[0] = QUDA_MG_CYCLE_FCYCLE; })),
      beyond("twice", {"cycle_type[0]", "QUDA_MG_CYCLE_WCYCLE"},
             hierarchy([](auto &p) { p.cycle_type[0] = QUDA_MG_CYCLE_WCYCLE; })),
      fault("low modes without parameters", {"QudaMultigridParam.eig_param[1] = null", "use_eig_solver[1]"},
            hierarchy([](auto &p) {
              p.use_eig_solver[1] = QUDA_BOOLEAN_TRUE;
              p.eig_param[1] = nullptr;
            })),
      fault("whether there are low modes", {"use_eig_solver[1] = 77"},
            hierarchy([](auto &p) { p.use_eig_solver[1] = no_such<QudaBoolean>(); })),
      fault("whether they are kept", {"preserve_deflation = 77"},
            hierarchy([](auto &p) { p.preserve_deflation = no_such<QudaBoolean>(); })),
      fault("low modes of a size", {"struct_size = 8"}, with_low_modes(1, [](auto &e) { e.struct_size = 8; })),
      fault("low modes by slices", {"eig_type", "QUDA_EIG_TR_LANCZOS_3D", "QudaMultigridParam.eig_param"},
            with_low_modes(1, [](auto &e) { e.eig_type = QUDA_EIG_TR_LANCZOS_3D; })),
      fault("high modes", {"spectrum", "QUDA_SPECTRUM_LR_EIG", "QudaMultigridParam.eig_param"},
            with_low_modes(1, [](auto &e) { e.spectrum = QUDA_SPECTRUM_LR_EIG; })),
      fault("more low modes than there are", {"n_conv = 7"}, with_low_modes(1, [](auto &e) { e.n_conv = 7; })),
      fault("more of them in use", {"n_ev_deflate = 5", "n_conv = 4"},
            with_low_modes(1, [](auto &e) { e.n_ev_deflate = 5; })),
      fault("more than the grid has", {"n_kr = 64", "7 to 63"}, with_low_modes(1, [](auto &e) { e.n_kr = 64; })),
      beyond("files of low modes", {"QudaEigParam.vec_infile", "modes"},
             with_low_modes(1, [](auto &e) { std::strcpy(e.vec_infile, "modes"); })),
      fault("fewer modes than vectors", {"n_vec[0] = 4", "n_conv = 3", "eig_param[0]"},
            with_low_modes(0, [](auto &e) { e.n_conv = 3; })),
      beyond("no vectors", {"compute_null_vector", "QUDA_COMPUTE_NULL_VECTOR_NO"},
             hierarchy([](auto &p) { p.compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_NO; })),
      fault("whether all levels seek", {"generate_all_levels"},
            hierarchy([](auto &p) { p.generate_all_levels = no_such<QudaBoolean>(); })),
      fault("verification", {"run_verify"}, hierarchy([](auto &p) { p.run_verify = no_such<QudaBoolean>(); })),
      beyond("low modes", {"run_low_mode_check"}, hierarchy([](auto &p) { p.run_low_mode_check = QUDA_BOOLEAN_TRUE; })),
      beyond("oblique projections", {"run_oblique_proj_check"},
             hierarchy([](auto &p) { p.run_oblique_proj_check = QUDA_BOOLEAN_TRUE; })),
      fault("vectors read from nowhere", {"vec_infile[0] = \"\"", "vec_load[0]"},
            hierarchy([](auto &p) { p.vec_load[0] = QUDA_BOOLEAN_TRUE; })),
      fault("a name without end", {"vec_infile[0]", "255"}, hierarchy([](auto &p) {
              p.vec_load[0] = QUDA_BOOLEAN_TRUE;
              std::memset(p.vec_infile[0], 'x', sizeof p.vec_infile[0]);
            })),
      fault("vectors written nowhere", {"vec_outfile[0] = \"\"", "vec_store[0]"},
            hierarchy([](auto &p) { p.vec_store[0] = QUDA_BOOLEAN_TRUE; })),
      refusal(QUDA_ERROR_KIND_FILE, "no folder", {"QudaMultigridParam.vec_outfile[0]", "/no/such/folder/"},
              hierarchy([](auto &p) {
                p.vec_store[0] = QUDA_BOOLEAN_TRUE;
                std::strcpy(p.vec_outfile[0], "/no/such/folder/vectors");
              })),
      fault("a file a rank", {"mg_vec_partfile[0] = 77"}, hierarchy([](auto &p) {
              p.vec_store[0] = QUDA_BOOLEAN_TRUE;
              p.mg_vec_partfile[0] = no_such<QudaBoolean>();
              std::strcpy(p.vec_outfile[0], "/tmp/vectors");
            })),
      fault("whether vectors are read", {"vec_load[0]"},
            hierarchy([](auto &p) { p.vec_load[0] = no_such<QudaBoolean>(); })),
      beyond("Kaehler and Dirac", {"transfer_type[0]", "QUDA_TRANSFER_OPTIMIZED_KD", "staggered"},
             hierarchy([](auto &p) { p.transfer_type[0] = QUDA_TRANSFER_OPTIMIZED_KD; })),
      fault("its verbosity", {"verbosity"},
            hierarchy([](auto &p) { p.invert_param->verbosity = no_such<QudaVerbosity>(); })),
      fault("an even-odd solve", {"invert_param", "solve_type", "QUDA_DIRECT_PC_SOLVE", "QUDA_DIRECT_SOLVE"},
            hierarchy([](auto &p) { p.invert_param->solve_type = QUDA_DIRECT_PC_SOLVE; })),
      beyond("covariant shifts", {"invert_param", "dslash_type", "QUDA_COVDEV_DSLASH", "QUDA_WILSON_DSLASH"},
             hierarchy([](auto &p) { p.invert_param->dslash_type = QUDA_COVDEV_DSLASH; })),
      beyond("Moebius fermions", {"dslash_type", "QUDA_MOBIUS_DWF_DSLASH"},
             hierarchy([](auto &p) { p.invert_param->dslash_type = QUDA_MOBIUS_DWF_DSLASH; })),
      beyond("a doublet", {"twist_flavor", "QUDA_TWIST_NONDEG_DOUBLET"}, hierarchy([](auto &p) {
               p.invert_param->dslash_type = QUDA_TWISTED_MASS_DSLASH;
               p.invert_param->twist_flavor = QUDA_TWIST_NONDEG_DOUBLET;
               p.invert_param->mu = 0.1;
               p.invert_param->epsilon = 0.05;
             })),
      fault("factor of the twist", {"mu_factor[1] = nan"}, hierarchy([](auto &p) {
              p.invert_param->dslash_type = QUDA_TWISTED_MASS_DSLASH;
              p.invert_param->twist_flavor = QUDA_TWIST_SINGLET;
              p.invert_param->mu = 0.1;
              p.mu_factor[1] = NAN;
            })),
      beyond("the adjoint", {"dagger"}, hierarchy([](auto &p) { p.invert_param->dagger = QUDA_DAG_YES; })),
      beyond("weights", {"distance_pc_alpha0 = 0.1"}, hierarchy([](auto &p) {
               p.invert_param->distance_pc_alpha0 = 0.1;
               p.invert_param->distance_pc_t0 = 1;
             })),
      fault("no clover term", {"clover"},
            hierarchy([](auto &p) { p.invert_param->dslash_type = QUDA_CLOVER_WILSON_DSLASH; })),
      fault("kappa", {"kappa = nan"}, hierarchy([](auto &p) { p.invert_param->kappa = NAN; })),
      fault("parity", {"matpc_type"},
            hierarchy([](auto &p) { p.invert_param->matpc_type = no_such<QudaMatPCType>(); })),
  };
  expect_refused(all);
  // each member of the structure is refused by name but that of updates, below, and those that change nothing: hosts leave
  // them unset
  const std::set<std::string> not_here = {"thin_update_only",     "n_block_ortho",
                                          "block_ortho_two_pass", "pre_orthonormalize",
                                          "post_orthonormalize",  "setup_use_mma",
                                          "dslash_use_mma",       "transfer_use_mma",
                                          "smoother_tol",         "smoother_halo_precision",
                                          "smoother_solve_type",  "coarse_grid_solution_type",
                                          "global_reduction",     "location",
                                          "setup_location",       "coarse_guess",
                                          "allow_truncation",     "staggered_kd_dagger_approximation"};
  std::size_t left = 0;
  for (const quda::params::Field &member : quda::params::table<QudaMultigridParam>().fields) {
    const std::string name = member.name;
    const bool told = std::any_of(all.begin(), all.end(), [&](const Wrong &wrong) {
      return std::any_of(wrong.words.begin(), wrong.words.end(), [&](const std::string &word) {
        const std::size_t at = word.find(name);
        return at != std::string::npos && (at == 0 || word[at - 1] == '.') && !std::isalnum(word[at + name.size()]) &&
               word[at + name.size()] != '_';
      });
    });
    left += not_here.count(name);
    EXPECT_NE(told, not_here.count(name) > 0) << name;
  }
  EXPECT_EQ(left, not_here.size());
}

TEST_F(BadCalls, MultigridHandles)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  host_multigrid host = small_hierarchy();
  host.hierarchy.invert_param = &host.inner;
  void *const handle = newMultigridQuda(&host.hierarchy);
  ASSERT_NE(handle, nullptr) << handler.text();
  int not_a_handle = 0;
  const auto update = [&](const OfHierarchy &spoil) {
    return [&host, handle, spoil] {
      host_multigrid changed = host;
      changed.hierarchy.invert_param = &changed.inner;
      spoil(changed.hierarchy);
      updateMultigridQuda(handle, &changed.hierarchy);
    };
  };
  const auto solve = [&](const std::function<void(QudaInvertParam &)> &spoil) {
    return [this, &host, handle, spoil] {
      QudaInvertParam param = host.outer;
      param.preconditioner = handle;
      spoil(param);
      std::vector<double> x(in.size());
      invertQuda(x.data(), in.data(), &param);
    };
  };
  expect_refused({
      fault("no handle", {"updateMultigridQuda", "mg_instance"},
            [&] { updateMultigridQuda(&not_a_handle, &host.hierarchy); }),
      fault("null", {"updateMultigridQuda", "mg_instance"}, [&] { updateMultigridQuda(nullptr, &host.hierarchy); }),
      fault("no parameters", {"updateMultigridQuda", "null"}, [&] { updateMultigridQuda(handle, nullptr); }),
      fault("thin", {"thin_update_only"}, update([](auto &p) { p.thin_update_only = no_such<QudaBoolean>(); })),
      fault("other blocks", {"updateMultigridQuda", "geo_block_size[0] = 2 2 2 1", "2 2 2 3"},
            update([](auto &p) { p.geo_block_size[0][3] = 1; })),
      fault("more vectors", {"n_vec[0] = 5", "4"}, update([](auto &p) { p.n_vec[0] = 5; })),
      fault("other precision", {"precision_null[0] = half", "single"},
            update([](auto &p) { p.precision_null[0] = QUDA_HALF_PRECISION; })),
      fault("more levels", {"n_level = 3", "2"}, update([](auto &p) {
              p.n_level = 3;
              p.n_vec[1] = 4;
              p.geo_block_size[0][3] = 1;
              for (int d = 0; d < 4; d++) p.geo_block_size[1][d] = d == 3 ? 3 : 1;
              p.nu_pre[1] = p.nu_post[1] = 1;
              p.smoother[1] = QUDA_MR_INVERTER;
              p.omega[1] = 1;
              p.coarse_solver[1] = p.coarse_solver[2] = QUDA_GCR_INVERTER;
              p.coarse_solver_tol[2] = 0.1;
              p.coarse_solver_maxiter[2] = 4;
              p.cycle_type[1] = QUDA_MG_CYCLE_RECURSIVE;
            })),
      fault("other parity", {"matpc_type"}, update([](auto &p) { p.invert_param->matpc_type = QUDA_MATPC_EVEN_EVEN; })),
      fault("another operator", {"dslash_type", "QUDA_TWISTED_MASS_DSLASH"}, update([](auto &p) {
              p.invert_param->dslash_type = QUDA_TWISTED_MASS_DSLASH;
              p.invert_param->twist_flavor = QUDA_TWIST_SINGLET;
              p.invert_param->mu = 0.1;
            })),
      fault("no handle", {"destroyMultigridQuda", "mg_instance"}, [&] { destroyMultigridQuda(&not_a_handle); }),
      fault("no file", {"dumpMultigridQuda", "vec_outfile[0]"}, [&] { dumpMultigridQuda(handle, &host.hierarchy); }),
      fault("no parameters for files", {"dumpMultigridQuda", "null"}, [&] { dumpMultigridQuda(handle, nullptr); }),
      fault("files of nothing", {"dumpMultigridQuda", "mg_instance"},
            [&] { dumpMultigridQuda(nullptr, &host.hierarchy); }),
      fault("a solve without one", {"invertQuda", "QudaInvertParam.preconditioner", "newMultigridQuda"},
            solve([](auto &p) { p.preconditioner = nullptr; })),
      fault("a solve with another", {"invertQuda", "QudaInvertParam.preconditioner"},
            solve([&](auto &p) { p.preconditioner = &not_a_handle; })),
      fault("an inverter without preconditioner",
            {"invertQuda", "inv_type_precondition", "QUDA_MG_INVERTER", "QUDA_GCR_INVERTER"},
            solve([](auto &p) { p.inv_type = QUDA_BICGSTAB_INVERTER; })),
      beyond("multigrid itself", {"invertQuda", "inv_type", "QUDA_MG_INVERTER"},
             solve([](auto &p) { p.inv_type = QUDA_MG_INVERTER; })),
      fault("conjugate gradients of a matrix that is not Hermitian", {"invertQuda", "inv_type", "QUDA_PCG_INVERTER"},
            solve([](auto &p) { p.inv_type = QUDA_PCG_INVERTER; })),
      beyond("weights", {"QUDA_MG_INVERTER", "distance_pc_alpha0 = 0.1"}, solve([](auto &p) {
               p.distance_pc_alpha0 = 0.1;
               p.distance_pc_t0 = 1;
             })),
      fault("another operator", {"dslash_type", "QUDA_TWISTED_MASS_DSLASH", "hierarchy"}, solve([](auto &p) {
              p.dslash_type = QUDA_TWISTED_MASS_DSLASH;
              p.twist_flavor = QUDA_TWIST_SINGLET;
              p.mu = 0.1;
              p.epsilon = 0;
            })),
  });
  destroyMultigridQuda(handle);
  destroyMultigridQuda(nullptr);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST_F(BadCalls, MultigridProfilesAndSearches)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  host_multigrid host = small_hierarchy();
  host.hierarchy.invert_param = &host.inner;
  void *const handle = newMultigridQuda(&host.hierarchy);
  ASSERT_NE(handle, nullptr) << handler.text();
  QudaMultigridLevelProfile levels[3];
  int not_a_handle = 0;
  const std::string function = "tuneMultigridQuda";
  const auto search = [&](const std::function<void(host_multigrid &, QudaMultigridTuneParam &)> &spoil) {
    return [&host, spoil] {
      host_multigrid other = host;
      other.hierarchy.invert_param = &other.inner;
      QudaMultigridTuneParam how = newQudaMultigridTuneParam();
      spoil(other, how);
      tuneMultigridQuda(&other.hierarchy, &other.outer, &how);
    };
  };
  QudaMultigridTuneParam how = newQudaMultigridTuneParam();
  expect_refused({
      fault("no handle", {"multigridProfileQuda", "mg_instance"},
            [&] { multigridProfileQuda(&not_a_handle, 2, levels); }),
      fault("nowhere to go", {"multigridProfileQuda", "levels"}, [&] { multigridProfileQuda(handle, 2, nullptr); }),
      fault("before a solve", {"multigridProfileQuda", "n_level = 2", "before the first solve"},
            [&] { multigridProfileQuda(handle, 2, levels); }),
      fault("a degree", {"qudaSetMultigridFilter", "order = -1"}, [&] { qudaSetMultigridFilter(-1, 1, 1); }),
      fault("the next one's", {"qudaSetMultigridFilter", "step = 0"}, [&] { qudaSetMultigridFilter(10, 0, 1); }),
      fault("random vectors", {"qudaSetMultigridFilter", "sources = 0"}, [&] { qudaSetMultigridFilter(10, 1, 0); }),
      fault("no hierarchy", {function, "QudaMultigridParam"}, [&] { tuneMultigridQuda(nullptr, &host.outer, &how); }),
      fault("no solve", {function, "QudaInvertParam"}, [&] { tuneMultigridQuda(&host.hierarchy, nullptr, &how); }),
      fault("no search", {function, "how = null"}, [&] { tuneMultigridQuda(&host.hierarchy, &host.outer, nullptr); }),
      fault("a search of another size", {function, "QudaMultigridTuneParam.struct_size = 7"},
            search([](auto &, auto &s) { s.struct_size = 7; })),
      fault("what decides", {function, "by_flops = 2"}, search([](auto &, auto &s) { s.by_flops = 2; })),
      fault("sources", {function, "n_src = 0"}, search([](auto &, auto &s) { s.n_src = 0; })),
      fault("time", {function, "max_seconds = nan"}, search([](auto &, auto &s) { s.max_seconds = NAN; })),
      fault("another preconditioner", {function, "inv_type_precondition", "QUDA_MG_INVERTER"},
            search([](auto &h, auto &) { h.outer.inv_type_precondition = QUDA_INVALID_INVERTER; })),
      beyond("weights", {function, "distance_pc_alpha0 = 0.1"}, search([](auto &h, auto &) {
               h.outer.distance_pc_alpha0 = 0.1;
               h.outer.distance_pc_t0 = 1;
             })),
      beyond("low modes of the solve", {function, "eig_param"},
             search([](auto &h, auto &s) { h.outer.eig_param = &s; })),
      fault("another operator", {function, "dslash_type", "QUDA_TWISTED_MASS_DSLASH"}, search([](auto &h, auto &) {
              h.outer.dslash_type = QUDA_TWISTED_MASS_DSLASH;
              h.outer.twist_flavor = QUDA_TWIST_SINGLET;
              h.outer.mu = 0.1;
              h.outer.epsilon = 0;
            })),
      beyond("files", {function, "vec_outfile[0]"}, search([](auto &h, auto &) {
               h.hierarchy.vec_store[0] = QUDA_BOOLEAN_TRUE;
               std::strcpy(h.hierarchy.vec_outfile[0], "/tmp/vectors");
             })),
      fault("the hierarchy", {function, "n_vec[0] = 0"}, search([](auto &h, auto &) { h.hierarchy.n_vec[0] = 0; })),
      fault("the solve", {function, "tol = nan"}, search([](auto &h, auto &) { h.outer.tol = NAN; })),
      fault("no convergence", {function, "no convergence"}, search([](auto &h, auto &) { h.outer.maxiter = 1; })),
  });
  QudaInvertParam param = host.outer;
  param.preconditioner = handle;
  std::vector<double> x(in.size());
  invertQuda(x.data(), in.data(), &param);
  multigridProfileQuda(handle, 2, levels);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  expect_refused({fault("levels", {"multigridProfileQuda", "n_level = 3", "the hierarchy's, 2"},
                        [&] { multigridProfileQuda(handle, 3, levels); })});
  destroyMultigridQuda(handle);
}

} // namespace test
