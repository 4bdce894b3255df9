#include "c_ks_eigen.h"

#include "quda.h"
#include "quda_milc_interface.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

static QudaPrecision precision_of(const struct ks_eigen_call *call)
{
  return call->bytes == 8 ? QUDA_DOUBLE_PRECISION : QUDA_SINGLE_PRECISION;
}

/* much of it is for solves, and set all the same */
static QudaInvertParam quarks_of(const struct ks_eigen_call *call)
{
  QudaInvertParam param = newQudaInvertParam();
  const int all = call->parity == 2;
  param.verbosity = QUDA_VERBOSE;
  param.dslash_type = QUDA_ASQTAD_DSLASH;
  param.solution_type = all ? QUDA_MAT_SOLUTION : QUDA_MATPC_SOLUTION;
  param.solve_type = all ? QUDA_DIRECT_SOLVE : QUDA_NORMOP_PC_SOLVE;
  param.matpc_type = call->parity == 1 ? QUDA_MATPC_ODD_ODD : QUDA_MATPC_EVEN_EVEN;
  param.dagger = QUDA_DAG_NO;
  param.mass_normalization = QUDA_MASS_NORMALIZATION;
  param.mass = 0;
  param.kappa = 1.0 / 8;
  param.laplace3D = 4;
  param.cpu_prec = param.cuda_prec = param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = precision_of(call);
  param.cuda_prec_precondition = param.cuda_prec_eigensolver = QUDA_INVALID_PRECISION;
  param.preserve_source = QUDA_PRESERVE_SOURCE_YES;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.input_location = param.output_location = QUDA_CPU_FIELD_LOCATION;
  param.native_blas_lapack = QUDA_BOOLEAN_TRUE;
  param.inv_type = QUDA_CG_INVERTER;
  param.tol = 1e-7;
  param.tol_restart = 5e-4;
  param.maxiter = 1000;
  param.reliable_delta = 0.1;
  param.Ls = 1;
  param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  param.Nsteps = 2;
  param.inv_type_precondition = QUDA_INVALID_INVERTER;
  param.tol_precondition = 0.1;
  param.maxiter_precondition = 10;
  param.verbosity_precondition = QUDA_SILENT;
  param.gcrNkrylov = 10;
  param.ca_basis = QUDA_POWER_BASIS;
  param.ca_lambda_min = 0;
  param.ca_lambda_max = -1;
  return param;
}

static void load_links(const struct ks_eigen_call *call, void *fat, void *longs)
{
  const int *X = call->X;
  QudaGaugeParam param = newQudaGaugeParam();
  int d, volume = X[0] * X[1] * X[2] * X[3];
  for (d = 0; d < 4; d++) {
    param.X[d] = X[d];
    if (volume / X[d] / 2 > param.ga_pad) param.ga_pad = volume / X[d] / 2;
  }
  param.type = QUDA_ASQTAD_FAT_LINKS;
  param.cpu_prec = param.cuda_prec = param.cuda_prec_sloppy = precision_of(call);
  param.cuda_prec_precondition = param.cuda_prec_eigensolver = param.cuda_prec_refinement_sloppy = param.cpu_prec;
  param.reconstruct = param.reconstruct_sloppy = param.reconstruct_precondition = QUDA_RECONSTRUCT_NO;
  param.reconstruct_eigensolver = param.reconstruct_refinement_sloppy = QUDA_RECONSTRUCT_NO;
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  param.anisotropy = 1;
  param.t_boundary = QUDA_PERIODIC_T;
  param.tadpole_coeff = 1;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  param.mom_ga_pad = 0;
  loadGaugeQuda(fat, &param);
  param.type = QUDA_ASQTAD_LONG_LINKS;
  param.ga_pad *= 3;
  param.staggered_phase_type = QUDA_STAGGERED_PHASE_NO;
  param.scale = -1.0 / 24;
  loadGaugeQuda(longs, &param);
}

static QudaEigParam pairs_of(const struct ks_eigen_call *call, QudaInvertParam *quarks)
{
  const QudaBoolean yes = QUDA_BOOLEAN_TRUE, no = QUDA_BOOLEAN_FALSE;
  QudaEigParam param = newQudaEigParam();
  param.invert_param = quarks;
  param.eig_type = call->block > 1 ? QUDA_EIG_BLK_TR_LANCZOS : QUDA_EIG_TR_LANCZOS;
  param.spectrum = QUDA_SPECTRUM_SR_EIG;
  param.n_conv = param.n_ev_deflate = param.n_ev = call->pairs;
  param.n_kr = call->space;
  param.block_size = call->block;
  param.tol = param.qr_tol = call->tol;
  param.max_restarts = call->restarts;
  param.batched_rotate = 0;
  param.require_convergence = yes;
  param.check_interval = 1;
  param.use_norm_op = call->parity == 2 ? yes : no;
  param.use_pc = call->parity == 2 ? no : yes;
  param.use_dagger = param.compute_gamma5 = param.compute_svd = no;
  param.use_eigen_qr = yes;
  param.use_poly_acc = yes;
  param.poly_deg = call->degree;
  param.a_min = call->a_min;
  param.a_max = call->a_max;
  param.arpack_check = no;
  strcpy(param.arpack_logfile, "");
  strcpy(param.vec_infile, "");
  strcpy(param.vec_outfile, "");
  param.save_prec = precision_of(call);
  param.io_parity_inflate = no;
  return param;
}

void c_ks_eigen(const struct ks_eigen_call *call, void *fat, void *longs, void **vectors, double *values)
{
  QudaInitArgs_t begin;
  QudaInvertParam quarks;
  QudaEigParam pairs;
  double _Complex *found = malloc((size_t)call->pairs * sizeof *found);
  int i;
  begin.verbosity = QUDA_SILENT;
  begin.layout.latsize = (int[4]) {call->X[0] * call->grid[0], call->X[1] * call->grid[1], call->X[2] * call->grid[2],
                                   call->X[3] * call->grid[3]};
  begin.layout.machsize = call->grid;
  begin.layout.device = -1;
  qudaInit(begin);
  load_links(call, fat, longs);
  quarks = quarks_of(call);
  quarks.verbosity = QUDA_SILENT;
  pairs = pairs_of(call, &quarks);
  eigensolveQuda(vectors, found, &pairs);
  for (i = 0; i < call->pairs; i++) values[i] = creal(found[i]);
  free(found);
  qudaFinalize();
}
