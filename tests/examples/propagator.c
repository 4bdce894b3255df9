/* The propagator of a free clover quark from a point, 12 columns in one solve, and the pion's correlator. Its sum over
   the lattice is 1 / (1 - 8 kappa) where source and sink have one spin and colour. */
#include <quda.h>
#include <stdio.h>

enum { X = 4, Y = 4, Z = 4, T = 8, V = X * Y * Z * T, COLUMNS = 12 };
/* Even sites come first, then odd ones, each with x fastest, t slowest. */
static double links[V][4][18];           /* site, direction, then row by row (re, im): MILC order */
static double source[COLUMNS][V][12][2]; /* site, 3 spin + colour, re and im */
static double solution[COLUMNS][V][12][2];

int main(void)
{
  for (int site = 0; site < V; site++)
    for (int mu = 0; mu < 4; mu++)
      for (int c = 0; c < 3; c++) links[site][mu][8 * c] = 1;
  void *b[COLUMNS], *x[COLUMNS];
  for (int j = 0; j < COLUMNS; j++) {
    source[j][0][j][0] = 1; /* site 0 is the origin */
    b[j] = source[j];
    x[j] = solution[j];
  }

  QudaGaugeParam gauge = newQudaGaugeParam();
  gauge.X[0] = X, gauge.X[1] = Y, gauge.X[2] = Z, gauge.X[3] = T;
  gauge.type = QUDA_WILSON_LINKS;
  gauge.gauge_order = QUDA_MILC_GAUGE_ORDER;
  gauge.cpu_prec = gauge.cuda_prec = QUDA_DOUBLE_PRECISION;
  gauge.cuda_prec_sloppy = QUDA_HALF_PRECISION; /* of the copy that solvers iterate with */
  gauge.reconstruct = gauge.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
  gauge.t_boundary = QUDA_PERIODIC_T;
  gauge.gauge_fix = QUDA_GAUGE_FIXED_NO;
  gauge.anisotropy = gauge.tadpole_coeff = 1;
  gauge.ga_pad = 0;

  QudaInvertParam param = newQudaInvertParam();
  param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
  param.kappa = 0.12;
  param.clover_csw = 1;
  param.compute_clover = param.compute_clover_inverse = 1; /* from the resident links */
  param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
  param.clover_cuda_prec_sloppy = QUDA_HALF_PRECISION;
  param.clover_order = QUDA_PACKED_CLOVER_ORDER;
  param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param.dagger = QUDA_DAG_NO;
  param.solution_type = QUDA_MAT_SOLUTION; /* M x = b */
  param.solve_type = QUDA_DIRECT_PC_SOLVE; /* by the even-odd preconditioned matrix */
  param.matpc_type = QUDA_MATPC_EVEN_EVEN;
  param.inv_type = QUDA_BICGSTAB_INVERTER;
  param.tol = 1e-10;
  param.maxiter = 1000;
  param.reliable_delta = 0.1;
  param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.num_src = param.num_src_per_sub_partition = COLUMNS;
  param.verbosity = QUDA_SUMMARIZE;

  initQuda(-1);
  loadGaugeQuda(links, &gauge);
  loadCloverQuda(NULL, NULL, &param);
  invertMultiSrcQuda(x, b, &param);
  double sum = 0, worst = 0;
  for (int j = 0; j < COLUMNS; j++) {
    for (int site = 0; site < V; site++) sum += solution[j][site][j][0] / COLUMNS;
    if (param.true_res[j] > worst) worst = param.true_res[j];
  }
  printf("%s in %d iterations, largest residual %.1e\n", param.iter < param.maxiter ? "converged" : "not converged",
         param.iter, worst);
  printf("sum %.9f, expected %.9f\n", sum, 1 / (1 - 8 * param.kappa));
  for (int t = 0; t < T; t++) {
    const int slice = X * Y * Z / 2; /* sites of one parity */
    double pion = 0;                 /* the sum of |S|^2 */
    for (int parity = 0; parity < 2; parity++)
      for (int j = 0; j < COLUMNS; j++) {
        const double *re_im = solution[j][parity * V / 2 + t * slice][0];
        for (int i = 0; i < slice * 12 * 2; i++) pion += re_im[i] * re_im[i];
      }
    printf("t %d pion %.9f\n", t, pion);
  }
  freeCloverQuda();
  freeGaugeQuda();
  endQuda();
  return param.iter < param.maxiter ? 0 : 1;
}
