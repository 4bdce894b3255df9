/* The plaquette of unit links, which is 1. */
#include <quda.h>
#include <stdio.h>

enum { X = 4, Y = 4, Z = 4, T = 8, V = X * Y * Z * T };
/* MILC order: site, direction, then row by row (re, im). Even sites come first, then odd ones, each with x fastest, t
   slowest. */
static double links[V][4][18];

int main(void)
{
  for (int site = 0; site < V; site++)
    for (int mu = 0; mu < 4; mu++)
      for (int c = 0; c < 3; c++) links[site][mu][8 * c] = 1;

  QudaGaugeParam param = newQudaGaugeParam();
  param.X[0] = X, param.X[1] = Y, param.X[2] = Z, param.X[3] = T;
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  param.cpu_prec = QUDA_DOUBLE_PRECISION;  /* of the array */
  param.cuda_prec = QUDA_DOUBLE_PRECISION; /* of the library's copy */
  param.reconstruct = QUDA_RECONSTRUCT_12;
  param.t_boundary = QUDA_PERIODIC_T;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.anisotropy = param.tadpole_coeff = 1;
  param.ga_pad = 0;

  initQuda(-1); /* on the device that the library chooses */
  loadGaugeQuda(links, &param);
  double plaquette[3];
  plaqQuda(plaquette);
  printf("plaquette %.15f spatial %.15f temporal %.15f\n", plaquette[0], plaquette[1], plaquette[2]);
  freeGaugeQuda();
  endQuda();
  return 0;
}
