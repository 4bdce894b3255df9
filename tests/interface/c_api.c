#include "c_api.h"

#include "quda.h"
#include "quda_ext.h"
#include "quda_milc_interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X = 4, Y = 4, Z = 4, T = 8, VOLUME = X * Y * Z * T };

struct told {
  int calls;
  QudaErrorKind kind;
  char text[1024];
};

static void keep(QudaErrorKind kind, const char *message, void *user)
{
  struct told *told = user;
  told->calls++;
  told->kind = kind;
  strncpy(told->text, message, sizeof told->text - 1);
}

static QudaGaugeParam gauge_param(void)
{
  QudaGaugeParam param = newQudaGaugeParam();
  param.X[0] = X;
  param.X[1] = Y;
  param.X[2] = Z;
  param.X[3] = T;
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = QUDA_QDP_GAUGE_ORDER;
  param.anisotropy = 1;
  param.t_boundary = QUDA_PERIODIC_T;
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.reconstruct = QUDA_RECONSTRUCT_12;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.ga_pad = 0;
  return param;
}

/* links are the unit matrix, the source is constant: each hop gives 8 times the constant */
static const char *with_fields(double *links[4], double *in, double *out)
{
  QudaGaugeParam gauge = gauge_param();
  QudaInvertParam wilson = newQudaInvertParam();
  double plaq[3] = {0, 0, 0};
  int mu, i;

  for (mu = 0; mu < 4; mu++)
    for (i = 0; i < 18 * VOLUME; i++) links[mu][i] = i % 18 % 8 == 0 && i % 18 < 17 ? 1 : 0;
  loadGaugeQuda(links, &gauge);
  plaqQuda(plaq);
  for (i = 0; i < 3; i++)
    if (plaq[i] != 1) return "the plaquette of unit links is not 1";

  for (i = 0; i < 24 * VOLUME; i++) {
    in[i] = 0.25;
    out[i] = 0;
  }
  wilson.dslash_type = QUDA_WILSON_DSLASH;
  wilson.kappa = 0.1;
  wilson.dagger = QUDA_DAG_NO;
  wilson.solution_type = QUDA_MAT_SOLUTION;
  wilson.matpc_type = QUDA_MATPC_EVEN_EVEN;
  wilson.mass_normalization = QUDA_KAPPA_NORMALIZATION;
  wilson.cpu_prec = QUDA_DOUBLE_PRECISION;
  wilson.cuda_prec = QUDA_DOUBLE_PRECISION;
  wilson.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  wilson.dirac_order = QUDA_DIRAC_ORDER;
  dslashQuda(out, in, &wilson, QUDA_ODD_PARITY);
  for (i = 0; i < 12 * VOLUME; i++)
    if (fabs(out[i] - 8 * 0.25) > 1e-14) return "a hop of a constant is not 8 times the constant";
  MatQuda(out, in, &wilson);
  for (i = 0; i < 24 * VOLUME; i++)
    if (fabs(out[i] - (1 - 8 * 0.1) * 0.25) > 1e-14) return "the matrix on a constant is not (1 - 8 kappa) times it";
  saveGaugeQuda(links, &gauge);
  for (i = 0; i < 18 * VOLUME; i++)
    if (links[2][i] != (i % 18 % 8 == 0 && i % 18 < 17 ? 1 : 0)) return "the links came back changed";
  return NULL;
}

const char *c_program(void)
{
  const char *fault;
  static struct told told; /* its text may be returned */
  double *links[4], *in = malloc(24 * VOLUME * sizeof(double)), *out = malloc(24 * VOLUME * sizeof(double));
  int mu;

  for (mu = 0; mu < 4; mu++) links[mu] = malloc(18 * VOLUME * sizeof(double));
  qudaSetErrorHandler(keep, &told);
  setVerbosityQuda(QUDA_SILENT, "", stdout);
  initQuda(-1);
  fault = with_fields(links, in, out);
  if (!fault && told.calls) fault = told.text;
  if (!fault) {
    QudaGaugeParam gauge = gauge_param();
    gauge.X[0] = 3;
    loadGaugeQuda(links, &gauge);
    if (told.calls != 1 || !strstr(told.text, "X[0] = 3")) fault = "an odd extent was not refused by name";
    told.calls = 0;
  }
  freeGaugeQuda();
  endQuda();
  if (!fault && told.calls) fault = told.text;
  qudaSetErrorHandler(NULL, NULL);
  for (mu = 0; mu < 4; mu++) free(links[mu]);
  free(in);
  free(out);
  return fault;
}
