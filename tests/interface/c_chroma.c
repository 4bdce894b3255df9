#include "c_chroma.h"

#include "quda.h"

void c_chroma_moebius(const struct chroma_quarks *quarks, void *links, double *x, double *b)
{
  const QudaPrecision sloppy = quarks->half ? QUDA_HALF_PRECISION : QUDA_DOUBLE_PRECISION;
  const int *X = quarks->X;
  QudaGaugeParam gauge = newQudaGaugeParam();
  QudaInvertParam param = newQudaInvertParam();
  int d, s;
  for (d = 0; d < 4; d++) gauge.X[d] = X[d];
  gauge.type = QUDA_WILSON_LINKS;
  gauge.gauge_order = QUDA_QDP_GAUGE_ORDER;
  gauge.t_boundary = QUDA_ANTI_PERIODIC_T;
  gauge.cpu_prec = gauge.cuda_prec = QUDA_DOUBLE_PRECISION;
  gauge.cuda_prec_sloppy = sloppy;
  gauge.reconstruct = gauge.reconstruct_sloppy = quarks->half ? QUDA_RECONSTRUCT_12 : QUDA_RECONSTRUCT_NO;
  gauge.gauge_fix = QUDA_GAUGE_FIXED_NO;
  gauge.anisotropy = 1;
  gauge.ga_pad = X[1] * X[2] * X[3] / 2;
  param.dslash_type = QUDA_MOBIUS_DWF_DSLASH;
  param.inv_type = QUDA_CG_INVERTER;
  param.mass = quarks->mass;
  param.m5 = -quarks->over_mass;
  param.Ls = quarks->Ls;
  for (s = 0; s < quarks->Ls; s++) {
    param.b_5[s] = quarks->b5;
    param.c_5[s] = quarks->c5;
  }
  param.tol = quarks->residual;
  param.maxiter = 1000;
  param.reliable_delta = quarks->half ? 0.1 : 1e-8;
  param.pipeline = 1;
  param.solution_type = QUDA_MATPC_SOLUTION;
  param.solve_type = quarks->normal_equations ? QUDA_NORMOP_PC_SOLVE : QUDA_NORMERR_PC_SOLVE;
  param.matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
  param.dagger = QUDA_DAG_NO;
  param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = sloppy;
  param.preserve_source = QUDA_PRESERVE_SOURCE_NO;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.inv_type_precondition = QUDA_INVALID_INVERTER;
  param.tol_precondition = 0.1;
  param.maxiter_precondition = 1000;
  param.verbosity_precondition = QUDA_SILENT;
  param.gcrNkrylov = 1;
  param.verbosity = QUDA_SILENT;
  loadGaugeQuda(links, &gauge);
  invertQuda(x, b, &param);
  freeGaugeQuda();
}
