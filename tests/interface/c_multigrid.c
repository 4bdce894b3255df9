#include "c_multigrid.h"

#include <string.h>

static void begin(struct host_multigrid *host)
{
  host->inner = newQudaInvertParam();
  host->outer = newQudaInvertParam();
  host->hierarchy = newQudaMultigridParam();
  host->hierarchy.invert_param = &host->inner;
}

static void set_fields(QudaInvertParam *param)
{
  param->dirac_order = QUDA_DIRAC_ORDER;
  param->gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param->input_location = param->output_location = QUDA_CPU_FIELD_LOCATION;
  param->dagger = QUDA_DAG_NO;
  param->Ls = 1;
}

static void set_precisions(QudaInvertParam *param, QudaPrecision sloppy, QudaPrecision precondition)
{
  param->cpu_prec = param->cuda_prec = QUDA_DOUBLE_PRECISION;
  param->cuda_prec_sloppy = sloppy;
  param->cuda_prec_precondition = precondition;
  param->clover_cpu_prec = param->clover_cuda_prec = QUDA_DOUBLE_PRECISION;
  param->clover_cuda_prec_sloppy = sloppy;
  param->clover_cuda_prec_precondition = precondition;
  param->clover_order = QUDA_PACKED_CLOVER_ORDER;
}

static void set_operator(QudaInvertParam *param, const struct host_operator *fermions)
{
  param->dslash_type = fermions->csw != 0 ? QUDA_CLOVER_WILSON_DSLASH : QUDA_WILSON_DSLASH;
  param->kappa = fermions->kappa;
  param->clover_coeff = fermions->csw * fermions->kappa;
}

static void chroma_outer(QudaInvertParam *param, const struct host_operator *fermions)
{
  set_fields(param);
  set_precisions(param, QUDA_SINGLE_PRECISION, QUDA_SINGLE_PRECISION);
  set_operator(param, fermions);
  param->inv_type = QUDA_GCR_INVERTER;
  param->tol = 1e-10;
  param->maxiter = 200;
  param->reliable_delta = 1e-5;
  param->pipeline = 1;
  param->gcrNkrylov = 8;
  param->solution_type = QUDA_MATPC_SOLUTION;
  param->solve_type = QUDA_DIRECT_PC_SOLVE;
  param->matpc_type = QUDA_MATPC_ODD_ODD;
  param->mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param->tol_precondition = 0.1;
  param->maxiter_precondition = 10;
  param->schwarz_type = QUDA_ADDITIVE_SCHWARZ;
  param->precondition_cycle = 1;
  param->inv_type_precondition = QUDA_MG_INVERTER;
  param->verbosity_precondition = QUDA_SILENT;
  param->verbosity = QUDA_SILENT;
}

static void chroma_inner(QudaInvertParam *param, const struct host_operator *fermions)
{
  set_fields(param);
  set_precisions(param, QUDA_SINGLE_PRECISION, QUDA_SINGLE_PRECISION);
  set_operator(param, fermions);
  param->inv_type = QUDA_GCR_INVERTER;
  param->tol = 1e-10;
  param->maxiter = 10000;
  param->reliable_delta = 1e-10;
  param->gcrNkrylov = 10;
  param->mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param->matpc_type = QUDA_MATPC_ODD_ODD;
  param->solution_type = QUDA_MAT_SOLUTION;
  param->solve_type = QUDA_DIRECT_SOLVE;
  param->verbosity = QUDA_SILENT;
  param->verbosity_precondition = QUDA_SILENT;
}

/* the last level has a block, and neither vectors nor smoothing steps */
static void chroma_levels(QudaMultigridParam *param, int levels, const int (*blocks)[4])
{
  int i, j;
  param->n_level = levels;
  for (i = 0; i < levels; i++) {
    for (j = 0; j < 4; j++) param->geo_block_size[i][j] = i < levels - 1 ? blocks[i][j] : 4;
    param->spin_block_size[i] = i == 0 ? 2 : 1;
    if (i < levels - 1) {
      param->n_vec[i] = 16;
      param->nu_pre[i] = 0;
      param->nu_post[i] = 6;
      param->setup_location[i] = QUDA_CUDA_FIELD_LOCATION;
    }
    param->smoother_tol[i] = 0.1;
    param->smoother[i] = QUDA_MR_INVERTER;
    param->omega[i] = 0.85;
    param->location[i] = QUDA_CUDA_FIELD_LOCATION;
    param->smoother_solve_type[i] = QUDA_DIRECT_PC_SOLVE;
    param->coarse_grid_solution_type[i] = QUDA_MATPC_SOLUTION;
    param->vec_infile[i][0] = param->vec_outfile[i][0] = 0;
  }
  param->smoother[levels - 1] = QUDA_GCR_INVERTER;
  param->compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_YES;
  param->run_verify = QUDA_BOOLEAN_NO;
}

void c_chroma_wilson(struct host_multigrid *host, const struct host_operator *fermions, int levels,
                     const int (*blocks)[4])
{
  int i;
  begin(host);
  chroma_outer(&host->outer, fermions);
  chroma_inner(&host->inner, fermions);
  chroma_levels(&host->hierarchy, levels, blocks);
  for (i = 0; i < levels; i++) host->hierarchy.global_reduction[i] = QUDA_BOOLEAN_YES;
}

void c_chroma_clover(struct host_multigrid *host, const struct host_operator *fermions, int levels,
                     const int (*blocks)[4], int kcycle)
{
  QudaMultigridParam *param = &host->hierarchy;
  int i;
  begin(host);
  chroma_outer(&host->outer, fermions);
  chroma_inner(&host->inner, fermions);
  chroma_levels(param, levels, blocks);
  for (i = 0; i < levels; i++) {
    param->mu_factor[i] = 1;
    if (i < levels - 1) {
      param->setup_inv_type[i] = QUDA_CG_INVERTER;
      param->setup_tol[i] = 5e-6;
      param->setup_maxiter[i] = 500;
      param->setup_maxiter_refresh[i] = 0;
      param->num_setup_iter[i] = 1;
      param->precision_null[i] = host->inner.cuda_prec_precondition;
      param->smoother[i] = QUDA_CA_GCR_INVERTER;
    }
    param->coarse_solver[i] = i == levels - 1 ? QUDA_CA_GCR_INVERTER : QUDA_GCR_INVERTER;
    param->coarse_solver_tol[i] = 0.1;
    param->coarse_solver_maxiter[i] = 12;
    param->smoother_schwarz_type[i] = QUDA_INVALID_SCHWARZ;
    param->smoother_schwarz_cycle[i] = 1;
    param->global_reduction[i] = QUDA_BOOLEAN_YES;
    param->cycle_type[i] = kcycle ? QUDA_MG_CYCLE_RECURSIVE : QUDA_MG_CYCLE_VCYCLE;
    param->coarse_grid_solution_type[i] = kcycle || i == 0 ? QUDA_MATPC_SOLUTION : QUDA_MAT_SOLUTION;
  }
  param->setup_type = QUDA_NULL_VECTOR_SETUP;
  param->pre_orthonormalize = QUDA_BOOLEAN_NO;
  param->post_orthonormalize = QUDA_BOOLEAN_YES;
  param->generate_all_levels = QUDA_BOOLEAN_YES;
  param->run_verify = QUDA_BOOLEAN_YES;
}

void c_pyquda(struct host_multigrid *host, const struct host_operator *fermions, int levels, const int (*blocks)[4])
{
  QudaInvertParam *const inner = &host->inner, *const outer = &host->outer;
  QudaMultigridParam *const param = &host->hierarchy;
  int i, j;
  begin(host);
  set_fields(inner);
  set_precisions(inner, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION);
  set_operator(inner, fermions);
  inner->mass = 1 / (2 * fermions->kappa) - 4;
  inner->m5 = 0;
  inner->clover_coeff = 1;
  inner->inv_type = QUDA_GCR_INVERTER;
  inner->solution_type = QUDA_MAT_SOLUTION;
  inner->solve_type = QUDA_DIRECT_SOLVE;
  inner->matpc_type = QUDA_MATPC_EVEN_EVEN;
  inner->mass_normalization = QUDA_ASYMMETRIC_MASS_NORMALIZATION;
  inner->solver_normalization = QUDA_DEFAULT_NORMALIZATION;
  inner->tol = 0;
  inner->maxiter = 0;
  inner->reliable_delta = 1e-5;
  inner->gcrNkrylov = 8;
  inner->use_init_guess = QUDA_USE_INIT_GUESS_NO;
  inner->verbosity = QUDA_SUMMARIZE;
  inner->verbosity_precondition = QUDA_SILENT;

  param->n_level = levels;
  for (i = 0; i < QUDA_MAX_MG_LEVEL; i++) {
    for (j = 0; j < QUDA_MAX_DIM && i < levels; j++)
      param->geo_block_size[i][j] = j >= 4 ? 1 : i < levels - 1 ? blocks[i][j] : 4;
    param->spin_block_size[i] = i == 0 ? 2 : 1;
    param->n_vec[i] = 24;
    param->n_block_ortho[i] = 1;
    param->verbosity[i] = QUDA_SILENT;
    param->setup_use_mma[i] = param->dslash_use_mma[i] = QUDA_BOOLEAN_TRUE;
    param->setup_inv_type[i] = QUDA_CGNR_INVERTER;
    param->n_vec_batch[i] = 1;
    param->num_setup_iter[i] = 1;
    param->setup_tol[i] = 1e-6;
    param->setup_maxiter[i] = 1000;
    param->setup_maxiter_refresh[i] = 100;
    param->coarse_solver[i] = i < levels - 1 ? QUDA_GCR_INVERTER : QUDA_CA_GCR_INVERTER;
    param->coarse_solver_tol[i] = 0.25;
    param->coarse_solver_maxiter[i] = 16;
    param->smoother[i] = QUDA_CA_GCR_INVERTER;
    param->smoother_tol[i] = 0.25;
    param->nu_pre[i] = 0;
    param->nu_post[i] = 8;
    param->omega[i] = 1;
    param->smoother_schwarz_type[i] = QUDA_INVALID_SCHWARZ;
    param->smoother_schwarz_cycle[i] = 1;
    param->coarse_grid_solution_type[i] = QUDA_MATPC_SOLUTION;
    param->smoother_solve_type[i] = QUDA_DIRECT_PC_SOLVE;
    param->cycle_type[i] = QUDA_MG_CYCLE_RECURSIVE;
    param->global_reduction[i] = QUDA_BOOLEAN_TRUE;
    param->location[i] = param->setup_location[i] = QUDA_CUDA_FIELD_LOCATION;
    param->precision_null[i] = inner->cuda_prec_precondition;
    param->mu_factor[i] = 1;
    param->transfer_type[i] = QUDA_TRANSFER_AGGREGATE;
  }
  param->setup_type = QUDA_NULL_VECTOR_SETUP;
  param->pre_orthonormalize = QUDA_BOOLEAN_FALSE;
  param->post_orthonormalize = QUDA_BOOLEAN_TRUE;
  param->compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_YES;
  param->generate_all_levels = QUDA_BOOLEAN_TRUE;
  param->run_verify = QUDA_BOOLEAN_TRUE;
  param->run_low_mode_check = param->run_oblique_proj_check = QUDA_BOOLEAN_FALSE;

  set_fields(outer);
  set_precisions(outer, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION);
  set_operator(outer, fermions);
  outer->inv_type = QUDA_GCR_INVERTER;
  outer->mass = inner->mass;
  outer->solution_type = QUDA_MAT_SOLUTION;
  outer->solve_type = QUDA_DIRECT_PC_SOLVE;
  outer->matpc_type = QUDA_MATPC_EVEN_EVEN;
  outer->mass_normalization = QUDA_ASYMMETRIC_MASS_NORMALIZATION;
  outer->tol = 1e-12;
  outer->tol_restart = 5e-9;
  outer->maxiter = 200;
  outer->reliable_delta = 1e-5;
  outer->gcrNkrylov = 8;
  outer->pipeline = 0;
  outer->Nsteps = 2;
  outer->use_init_guess = QUDA_USE_INIT_GUESS_NO;
  outer->residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  outer->inv_type_precondition = QUDA_MG_INVERTER;
  outer->tol_precondition = 0.25;
  outer->maxiter_precondition = 16;
  outer->verbosity_precondition = QUDA_SILENT;
  outer->schwarz_type = QUDA_ADDITIVE_SCHWARZ;
  outer->precondition_cycle = 1;
  outer->omega = 1;
  outer->num_src = outer->num_src_per_sub_partition = 1;
  outer->verbosity = QUDA_SILENT;
}

void c_tmlqcd_multigrid(struct host_multigrid *host, const struct host_operator *fermions, int levels,
                        const int (*blocks)[4], double mu_factor)
{
  QudaInvertParam *const inner = &host->inner, *const outer = &host->outer;
  QudaMultigridParam *const param = &host->hierarchy;
  int i, j;
  begin(host);
  set_fields(outer);
  set_precisions(outer, QUDA_SINGLE_PRECISION, QUDA_SINGLE_PRECISION);
  set_operator(outer, fermions);
  outer->dslash_type = fermions->csw != 0 ? QUDA_TWISTED_CLOVER_DSLASH : QUDA_TWISTED_MASS_DSLASH;
  outer->twist_flavor = QUDA_TWIST_SINGLET;
  outer->mu = -fermions->mu; /* its gamma5 has the other sign */
  outer->epsilon = 0;
  outer->tm_rho = 0;
  outer->inv_type = QUDA_GCR_INVERTER;
  outer->inv_type_precondition = QUDA_MG_INVERTER;
  outer->gcrNkrylov = 20;
  outer->tol = 1e-10;
  outer->maxiter = 200;
  outer->residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  outer->reliable_delta = 1e-2;
  outer->solution_type = QUDA_MATPC_SOLUTION;
  outer->solve_type = QUDA_DIRECT_PC_SOLVE;
  outer->matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
  outer->mass_normalization = QUDA_KAPPA_NORMALIZATION;
  outer->solver_normalization = QUDA_DEFAULT_NORMALIZATION;
  outer->precondition_cycle = 1;
  outer->tol_precondition = 0.1;
  outer->maxiter_precondition = 10;
  outer->omega = 1;
  outer->verbosity = QUDA_SILENT;

  inner->Ls = 1;
  inner->residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  set_fields(inner);
  set_precisions(inner, QUDA_SINGLE_PRECISION, QUDA_SINGLE_PRECISION);
  inner->solve_type = QUDA_DIRECT_SOLVE;
  inner->solution_type = QUDA_MAT_SOLUTION;
  inner->matpc_type = QUDA_MATPC_ODD_ODD;
  inner->inv_type = outer->inv_type;
  inner->tol = outer->tol;
  inner->maxiter = outer->maxiter;
  inner->reliable_delta = outer->reliable_delta;
  inner->mass_normalization = outer->mass_normalization;
  inner->gcrNkrylov = outer->gcrNkrylov;
  inner->dslash_type = outer->dslash_type;
  inner->twist_flavor = outer->twist_flavor;
  inner->mu = outer->mu;
  inner->kappa = outer->kappa;
  inner->clover_coeff = outer->clover_coeff;
  inner->tm_rho = outer->tm_rho;
  inner->verbosity = QUDA_SUMMARIZE;
  inner->verbosity_precondition = QUDA_SUMMARIZE;

  param->setup_type = QUDA_NULL_VECTOR_SETUP;
  param->coarse_guess = param->preserve_deflation = QUDA_BOOLEAN_NO;
  param->n_level = levels;
  for (i = 0; i < levels; i++) {
    for (j = 0; j < 4; j++) param->geo_block_size[i][j] = i < levels - 1 ? blocks[i][j] : 1;
    param->verbosity[i] = QUDA_SILENT;
    param->precision_null[i] = QUDA_HALF_PRECISION;
    param->setup_inv_type[i] = QUDA_CG_INVERTER;
    param->num_setup_iter[i] = 1;
    param->setup_tol[i] = 1e-6;
    param->setup_maxiter[i] = 1000;
    param->mu_factor[i] = i < levels - 1 ? 1 : mu_factor;
    param->coarse_solver[i] = QUDA_GCR_INVERTER;
    param->coarse_solver_tol[i] = 0.25;
    param->coarse_solver_maxiter[i] = 75;
    param->spin_block_size[i] = i == 0 ? 2 : 1;
    param->n_vec[i] = 24;
    param->nu_pre[i] = 0;
    param->nu_post[i] = 4;
    param->cycle_type[i] = QUDA_MG_CYCLE_RECURSIVE;
    param->location[i] = param->setup_location[i] = QUDA_CUDA_FIELD_LOCATION;
    param->smoother[i] = QUDA_CA_GCR_INVERTER;
    param->smoother_tol[i] = 0.25;
    param->smoother_schwarz_cycle[i] = 1;
    param->smoother_solve_type[i] = QUDA_DIRECT_PC_SOLVE;
    param->smoother_schwarz_type[i] = QUDA_INVALID_SCHWARZ;
    param->smoother_halo_precision[i] = QUDA_HALF_PRECISION;
    param->global_reduction[i] = QUDA_BOOLEAN_YES;
    param->coarse_grid_solution_type[i] = QUDA_MATPC_SOLUTION;
    param->omega[i] = 0.85;
    param->setup_ca_basis[i] = param->coarse_solver_ca_basis[i] = QUDA_POWER_BASIS;
    param->smoother_solver_ca_basis[i] = QUDA_POWER_BASIS;
    param->setup_ca_basis_size[i] = param->coarse_solver_ca_basis_size[i] = 4;
    param->setup_ca_lambda_min[i] = param->coarse_solver_ca_lambda_min[i] = 0;
    param->setup_ca_lambda_max[i] = param->coarse_solver_ca_lambda_max[i] = -1;
    param->smoother_solver_ca_lambda_min[i] = 0;
    param->smoother_solver_ca_lambda_max[i] = -1;
    param->n_vec_batch[i] = 1;
    param->eig_param[i] = NULL;
    param->use_eig_solver[i] = QUDA_BOOLEAN_NO;
    strcpy(param->vec_infile[i], "");
    strcpy(param->vec_outfile[i], "");
  }
  param->compute_null_vector = QUDA_COMPUTE_NULL_VECTOR_YES;
  param->generate_all_levels = QUDA_BOOLEAN_YES;
  param->run_low_mode_check = param->run_oblique_proj_check = QUDA_BOOLEAN_NO;
  param->run_verify = QUDA_BOOLEAN_NO;
}

void c_tmlqcd_low_modes(struct host_multigrid *host, QudaEigParam *modes, int count)
{
  const int coarsest = host->hierarchy.n_level - 1;
  *modes = newQudaEigParam();
  modes->eig_type = QUDA_EIG_TR_LANCZOS;
  modes->spectrum = QUDA_SPECTRUM_SR_EIG;
  modes->n_ev = modes->n_conv = count;
  modes->n_ev_deflate = -1;
  modes->n_kr = 3 * count;
  modes->require_convergence = QUDA_BOOLEAN_FALSE;
  modes->tol = 1e-4;
  modes->check_interval = 5;
  modes->max_restarts = 10;
  modes->batched_rotate = 0;
  modes->use_dagger = QUDA_BOOLEAN_FALSE;
  modes->use_norm_op = QUDA_BOOLEAN_TRUE;
  modes->use_pc = QUDA_BOOLEAN_FALSE;
  modes->compute_gamma5 = QUDA_BOOLEAN_FALSE;
  modes->compute_svd = QUDA_BOOLEAN_FALSE;
  modes->use_poly_acc = QUDA_BOOLEAN_TRUE;
  modes->poly_deg = 20;
  modes->a_min = 0.1;
  modes->a_max = 4;
  modes->arpack_check = QUDA_BOOLEAN_FALSE;
  strcpy(modes->vec_infile, "");
  strcpy(modes->vec_outfile, "");
  modes->invert_param = &host->inner;
  host->hierarchy.eig_param[coarsest] = modes;
  host->hierarchy.preserve_deflation = QUDA_BOOLEAN_TRUE;
}
