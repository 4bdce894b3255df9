#include "c_tmlqcd.h"

#include "quda.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static QudaGaugeParam links_of(const struct tmlqcd_monomial *monomial)
{
  const int *X = monomial->X;
  QudaGaugeParam param = newQudaGaugeParam();
  int d, volume = X[0] * X[1] * X[2] * X[3];
  for (d = 0; d < 4; d++) {
    param.X[d] = X[d];
    if (volume / X[d] / 2 > param.ga_pad) param.ga_pad = volume / X[d] / 2;
  }
  param.anisotropy = 1;
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = QUDA_QDP_GAUGE_ORDER;
  param.t_boundary = QUDA_PERIODIC_T;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.make_resident_gauge = QUDA_BOOLEAN_FALSE;
  param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = QUDA_SINGLE_PRECISION;
  param.cuda_prec_precondition = param.cuda_prec_eigensolver = QUDA_SINGLE_PRECISION;
  param.reconstruct = param.reconstruct_sloppy = param.reconstruct_refinement_sloppy = QUDA_RECONSTRUCT_NO;
  param.reconstruct_precondition = param.reconstruct_eigensolver = QUDA_RECONSTRUCT_NO;
  return param;
}

/* what stands in the structure at the time of the call: much of it is for solves */
static QudaInvertParam quarks_of(const struct tmlqcd_monomial *monomial)
{
  const double kappa = monomial->kappa;
  QudaInvertParam param = newQudaInvertParam();
  param.Ls = monomial->flavours;
  param.kappa = kappa;
  param.tol = 1e-9;
  param.maxiter = 5000;
  param.dagger = QUDA_DAG_NO;
  param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param.solver_normalization = QUDA_DEFAULT_NORMALIZATION;
  param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  param.reliable_delta = param.reliable_delta_refinement = 1e-2;
  param.cpu_prec = param.cuda_prec = param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = param.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
  param.clover_cuda_prec_sloppy = param.clover_cuda_prec_refinement_sloppy = QUDA_SINGLE_PRECISION;
  param.clover_cuda_prec_precondition = param.chrono_precision = QUDA_SINGLE_PRECISION;
  param.clover_cuda_prec_eigensolver = param.cuda_prec_eigensolver = QUDA_SINGLE_PRECISION;
  param.preserve_source = QUDA_PRESERVE_SOURCE_YES;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.input_location = param.output_location = QUDA_CPU_FIELD_LOCATION;
  param.clover_location = QUDA_CUDA_FIELD_LOCATION;
  param.tm_rho = param.clover_rho = 0;
  param.inv_type = QUDA_CG_INVERTER;
  param.inv_type_precondition = QUDA_INVALID_INVERTER;
  param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
  param.solve_type = QUDA_NORMOP_PC_SOLVE;
  param.matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
  /* its matrix gamma5 has the other sign */
  param.mu = -monomial->mu / 2 / kappa;
  if (monomial->flavours == 2) {
    param.twist_flavor = QUDA_TWIST_NONDEG_DOUBLET;
    param.epsilon = monomial->epsilon / 2 / kappa;
  } else {
    param.twist_flavor = QUDA_TWIST_SINGLET;
  }
  param.clover_coeff = monomial->c_sw * kappa;
  if (monomial->c_sw > 0) {
    param.clover_order = QUDA_PACKED_CLOVER_ORDER;
    param.compute_clover = param.compute_clover_inverse = 1;
    param.dslash_type = QUDA_TWISTED_CLOVER_DSLASH;
    if (monomial->flavours == 1 && monomial->mu == 0) {
      param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
      param.twist_flavor = QUDA_TWIST_NO;
    }
  } else {
    /* that of Wilson too, of which it asks for what is of odd sites and asymmetric */
    param.dslash_type = QUDA_TWISTED_MASS_DSLASH;
  }
  return param;
}

static double end_of(const struct tmlqcd_monomial *monomial, const QudaInvertParam *quarks, int largest)
{
  QudaInvertParam of_call = *quarks;
  QudaEigParam param = newQudaEigParam();
  double _Complex value = 0;
  of_call.verbosity = QUDA_VERBOSE;
  of_call.cuda_prec_eigensolver = of_call.cuda_prec;
  of_call.clover_cuda_prec_eigensolver = of_call.clover_cuda_prec;
  param.invert_param = &of_call;
  param.eig_type = QUDA_EIG_TR_LANCZOS;
  param.spectrum = largest ? QUDA_SPECTRUM_LR_EIG : QUDA_SPECTRUM_SR_EIG;
  param.block_size = 1;
  param.n_conv = param.n_ev = 1;
  param.n_kr = monomial->space;
  param.tol = param.qr_tol = fmax(monomial->precision, 1e-14);
  param.max_restarts = 1000;
  param.use_pc = param.use_norm_op = QUDA_BOOLEAN_TRUE;
  param.use_dagger = param.compute_svd = param.compute_gamma5 = param.use_eigen_qr = QUDA_BOOLEAN_FALSE;
  param.use_poly_acc = largest || monomial->polynomial == 0 ? QUDA_BOOLEAN_FALSE : QUDA_BOOLEAN_TRUE;
  param.poly_deg = monomial->polynomial;
  param.a_min = monomial->a_min;
  param.a_max = monomial->a_max;
  memset(param.vec_infile, 0, sizeof param.vec_infile);
  memset(param.vec_outfile, 0, sizeof param.vec_outfile);
  eigensolveQuda(NULL, &value, &param);
  return cimag(value) == 0 ? creal(value) : NAN;
}

static int only_rank(const int *coords, void *data)
{
  (void)coords;
  (void)data;
  return 0;
}

static FILE *begin(const struct tmlqcd_monomial *monomial, double *links[4], QudaGaugeParam *gauge)
{
  const int grid[4] = {1, 1, 1, 1};
  FILE *const output = tmpfile();
  setVerbosityQuda(QUDA_SUMMARIZE, "# QUDA: ", output);
  initCommsGridQuda(4, grid, only_rank, NULL);
  initQuda(-1);
  *gauge = links_of(monomial);
  loadGaugeQuda((void *)links, gauge);
  return output;
}

static void end(FILE *output)
{
  freeGaugeQuda();
  freeCloverQuda();
  endQuda();
  setVerbosityQuda(QUDA_SILENT, "", NULL);
  fclose(output);
}

void c_tmlqcd_spectrum(const struct tmlqcd_monomial *monomial, double *links[4], double ends[2])
{
  QudaGaugeParam gauge;
  QudaInvertParam quarks;
  FILE *const output = begin(monomial, links, &gauge);
  quarks = quarks_of(monomial);
  if (monomial->c_sw > 0) loadCloverQuda(NULL, NULL, &quarks);
  ends[0] = end_of(monomial, &quarks, 0);
  ends[1] = end_of(monomial, &quarks, 1);
  end(output);
}

void c_tmlqcd_force(const struct tmlqcd_monomial *monomial, const struct tmlqcd_force *force, double *links[4],
                    void **x, void *phi, void *derivative[4])
{
  const double kappa = monomial->kappa;
  double coeff[QUDA_MAX_MULTI_SHIFT];
  void *x0 = phi; /* of two flavours not set */
  QudaGaugeParam gauge, of_momenta;
  QudaInvertParam quarks;
  int i;
  FILE *const output = begin(monomial, links, &gauge);
  quarks = quarks_of(monomial);
  if (force->rho != 0) {
    quarks.dslash_type = QUDA_TWISTED_CLOVER_DSLASH;
    quarks.twist_flavor = QUDA_TWIST_SINGLET;
    quarks.tm_rho = -force->rho / 2 / kappa;
  }
  loadCloverQuda(NULL, NULL, &quarks);
  of_momenta = gauge;
  of_momenta.ga_pad = 0;
  of_momenta.use_resident_gauge = of_momenta.make_resident_gauge = QUDA_BOOLEAN_FALSE;
  of_momenta.use_resident_mom = of_momenta.make_resident_mom = QUDA_BOOLEAN_FALSE;
  of_momenta.return_result_mom = of_momenta.overwrite_mom = QUDA_BOOLEAN_TRUE;
  coeff[0] = 4 * kappa * kappa;
  if (monomial->flavours == 2) {
    for (i = 0; i < force->fields; i++) {
      coeff[i] = 4 * kappa * kappa * force->rmu[i] * force->inverse_max;
      quarks.offset[i] = force->mu[i];
    }
    quarks.evmax = 1 / force->inverse_max;
  }
  quarks.clover_csw = monomial->c_sw;
  quarks.matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
  quarks.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
  quarks.dagger = QUDA_DAG_YES;
  computeTMCloverForceQuda((void *)derivative, x, &x0, coeff, force->fields, &of_momenta, &quarks, force->detratio);
  end(output);
}
