#include "c_cps.h"

#include "quda.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static int only_rank(const int *coords, void *data)
{
  (void)coords;
  (void)data;
  return 0;
}

static void begin(const struct cps_quarks *quarks, double *links)
{
  const int grid[4] = {1, 1, 1, 1};
  QudaGaugeParam param;
  int d;
  setVerbosityQuda(QUDA_SILENT, "", NULL);
  initCommsGridQuda(4, grid, only_rank, NULL);
  initQuda(-1);
  param = newQudaGaugeParam();
  for (d = 0; d < 4; d++) param.X[d] = quarks->X[d];
  param.anisotropy = 1;
  param.scale = 1;
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = QUDA_CPS_WILSON_GAUGE_ORDER;
  param.t_boundary = QUDA_PERIODIC_T;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = param.cuda_prec_precondition = param.cuda_prec_refinement_sloppy = QUDA_HALF_PRECISION;
  param.reconstruct = param.reconstruct_sloppy = param.reconstruct_precondition = QUDA_RECONSTRUCT_12;
  param.reconstruct_refinement_sloppy = QUDA_RECONSTRUCT_12;
  param.ga_pad = 0;
  loadGaugeQuda(links, &param);
}

static void end(void)
{
  freeGaugeQuda();
  endQuda();
}

static QudaInvertParam solve_of(const struct cps_quarks *quarks, QudaDslashType type)
{
  QudaInvertParam param = newQudaInvertParam();
  int s;
  param.dslash_type = type;
  param.inv_type = QUDA_CG_INVERTER;
  param.mass = quarks->mass;
  param.m5 = quarks->m5;
  param.kappa = 1 / (2 * (1 + 3 + param.m5));
  param.Ls = quarks->Ls;
  for (s = 0; s < quarks->Ls; s++) {
    param.b_5[s] = quarks->b5;
    param.c_5[s] = quarks->c5;
  }
  param.eofa_pm = quarks->plus;
  param.eofa_shift = quarks->shift;
  param.mq1 = quarks->mq1;
  param.mq2 = quarks->mq2;
  param.mq3 = quarks->mq3;
  param.solution_type = QUDA_MAT_SOLUTION;
  param.solve_type = QUDA_NORMOP_PC_SOLVE;
  param.matpc_type = QUDA_MATPC_ODD_ODD;
  param.dagger = QUDA_DAG_NO;
  param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param.solver_normalization = QUDA_DEFAULT_NORMALIZATION;
  param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  param.tol = 1e-11;
  param.maxiter = 2000;
  param.reliable_delta = 0.1;
  param.pipeline = 0;
  param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = param.cuda_prec_precondition = param.cuda_prec_refinement_sloppy = QUDA_HALF_PRECISION;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dirac_order = QUDA_CPS_WILSON_DIRAC_ORDER;
  param.preserve_source = QUDA_PRESERVE_SOURCE_YES;
  param.use_init_guess = QUDA_USE_INIT_GUESS_YES;
  param.input_location = param.output_location = QUDA_CPU_FIELD_LOCATION;
  param.verbosity = QUDA_SILENT;
  return param;
}

void c_cps_propagator(const struct cps_quarks *quarks, double *links, double **x, double **b, int sources)
{
  QudaInvertParam param;
  begin(quarks, links);
  param = solve_of(quarks, QUDA_MOBIUS_DWF_DSLASH);
  param.num_src = param.num_src_per_sub_partition = sources;
  invertMultiSrcQuda((void **)x, (void **)b, &param);
  end();
}

void c_cps_shifts(const struct cps_quarks *quarks, double *links, double **x, double *b, const double *shifts, int n)
{
  QudaInvertParam param;
  int i;
  begin(quarks, links);
  param = solve_of(quarks, QUDA_MOBIUS_DWF_DSLASH);
  param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
  param.use_init_guess = QUDA_USE_INIT_GUESS_NO;
  param.num_offset = n;
  for (i = 0; i < n; i++) {
    param.offset[i] = shifts[i];
    param.tol_offset[i] = param.tol;
    param.tol_hq_offset[i] = 0;
    param.residue[i] = 1;
  }
  invertMultiShiftQuda((void **)x, b, &param);
  end();
}

void c_cps_one_flavour(const struct cps_quarks *quarks, double *links, double *x, double *b)
{
  QudaInvertParam param;
  begin(quarks, links);
  param = solve_of(quarks, QUDA_MOBIUS_DWF_EOFA_DSLASH);
  invertQuda(x, b, &param);
  end();
}

void c_cps_low_modes(const struct cps_quarks *quarks, double *links, double *values, int n)
{
  QudaInvertParam solve;
  QudaEigParam param;
  double _Complex found[64];
  int i;
  begin(quarks, links);
  solve = solve_of(quarks, QUDA_MOBIUS_DWF_DSLASH);
  param = newQudaEigParam();
  param.invert_param = &solve;
  solve.cuda_prec_eigensolver = QUDA_DOUBLE_PRECISION;
  param.eig_type = QUDA_EIG_TR_LANCZOS;
  param.spectrum = QUDA_SPECTRUM_SR_EIG;
  param.block_size = 1;
  param.n_conv = n;
  param.n_ev = n + 4;
  param.n_kr = 4 * n + 24;
  param.tol = 1e-10;
  param.max_restarts = 500;
  param.use_pc = param.use_norm_op = QUDA_BOOLEAN_TRUE;
  param.use_poly_acc = QUDA_BOOLEAN_FALSE;
  memset(param.vec_infile, 0, sizeof param.vec_infile);
  memset(param.vec_outfile, 0, sizeof param.vec_outfile);
  eigensolveQuda(NULL, found, &param);
  for (i = 0; i < n; i++) values[i] = cimag(found[i]) == 0 ? creal(found[i]) : NAN;
  end();
}
