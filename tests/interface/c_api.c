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

/* x of a site of the host's arrays, even sites first */
static int x_of(int slot)
{
  const int parity = slot >= VOLUME / 2, cb = slot - parity * (VOLUME / 2), line = cb / (X / 2);
  const int y = line % Y, z = line / Y % Z, t = line / (Y * Z);
  return 2 * (cb % (X / 2)) + ((y + z + t + parity) & 1);
}

/* U_y = diag(exp(i b), exp(-i b), 1), b of alternating sign along x, other links unity: of the plaquette force there is
 * i (2 sin 2b, -2 sin 2b, 0) along y and nothing else; in both orders of host arrays and by both names */
static const char *with_forces(double *links[4], double *one_array, double *momentum)
{
  const double b = 0.3, dt = 0.1;
  int steps[4][6][3], *path[4][6], **paths[4], lengths[6], order, mu, nu, i, k;
  double weights[6];
  for (mu = 0; mu < 4; mu++) {
    for (nu = 0, i = 0; nu < 8; nu++) {
      if (nu == mu || nu == 7 - mu) continue;
      steps[mu][i][0] = nu;
      steps[mu][i][1] = 7 - mu;
      steps[mu][i][2] = 7 - nu;
      path[mu][i] = steps[mu][i];
      lengths[i] = 3;
      weights[i++] = 1;
    }
    paths[mu] = path[mu];
  }
  for (order = 0; order < 2; order++) {
    void *arrays[4];
    const int milc = order == 1;
    QudaGaugeParam param = gauge_param();
    param.gauge_order = milc ? QUDA_MILC_GAUGE_ORDER : QUDA_QDP_GAUGE_ORDER;
    param.overwrite_mom = 1;
    for (mu = 0; mu < 4; mu++)
      for (i = 0; i < VOLUME; i++) {
        double *u = milc ? one_array + 18 * (4 * i + mu) : links[mu] + 18 * i;
        const double phase = mu == 1 ? (x_of(i) % 2 ? -b : b) : 0;
        for (k = 0; k < 18; k++) u[k] = 0;
        u[0] = u[8] = cos(phase);
        u[1] = sin(phase);
        u[9] = -sin(phase);
        u[16] = 1;
      }
    for (mu = 0; mu < 4; mu++) arrays[mu] = momentum + 10 * VOLUME * mu;
    if (milc)
      gaugeForceQuda(momentum, one_array, paths, lengths, weights, 6, 3, dt, &param);
    else
      computeGaugeForceQuda(arrays, links, paths, lengths, weights, 6, 3, dt, &param);
    for (mu = 0; mu < 4; mu++)
      for (i = 0; i < VOLUME; i++) {
        const double *a = momentum + 10 * (milc ? 4 * i + mu : mu * VOLUME + i);
        const double right = mu == 1 ? -dt * 2 * sin(x_of(i) % 2 ? -2 * b : 2 * b) : 0;
        for (k = 0; k < 10; k++)
          if (fabs(a[k] - (k == 6 ? right : k == 7 ? -right : 0)) > 1e-15) return "the force is not what it should be";
      }
    if (fabs(momActionQuda(milc ? (void *)momentum : arrays, &param) - VOLUME * (pow(2 * dt * sin(2 * b), 2) - 16)) >
        1e-9)
      return "the action of the momenta is not what it should be";
    updateGaugeFieldQuda(milc ? (void *)one_array : (void *)links, milc ? (void *)momentum : arrays, 1, 0, 1, &param);
    for (i = 0; i < VOLUME; i++) {
      const double *u = milc ? one_array + 18 * (4 * i + 1) : links[1] + 18 * i;
      const double phase = (x_of(i) % 2 ? -1 : 1) * (b - dt * 2 * sin(2 * b));
      if (fabs(u[0] - cos(phase)) > 1e-14 || fabs(u[1] - sin(phase)) > 1e-14 || fabs(u[16] - 1) > 1e-14)
        return "the links did not follow their momenta";
    }
  }
  return NULL;
}

const char *c_program(void)
{
  const char *fault;
  static struct told told; /* its text may be returned */
  double *links[4], *in = malloc(24 * VOLUME * sizeof(double)), *out = malloc(24 * VOLUME * sizeof(double));
  double *one_array = malloc(72 * VOLUME * sizeof(double)), *momentum = malloc(40 * VOLUME * sizeof(double));
  int mu;

  for (mu = 0; mu < 4; mu++) links[mu] = malloc(18 * VOLUME * sizeof(double));
  qudaSetErrorHandler(keep, &told);
  setVerbosityQuda(QUDA_SILENT, "", stdout);
  initQuda(-1);
  fault = with_fields(links, in, out);
  if (!fault) fault = with_forces(links, one_array, momentum);
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
  free(one_array);
  free(momentum);
  return fault;
}
