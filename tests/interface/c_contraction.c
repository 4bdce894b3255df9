#include "c_api.h"

#include "quda.h"
#include "quda_ext.h"

#include <stdlib.h>

enum { X = 4, Y = 2, Z = 4, T = 6, VOLUME = X * Y * Z * T, ENTRIES = 16 };

static int calls;

static void count(QudaErrorKind kind, const char *message, void *user)
{
  (void)kind;
  (void)message;
  (void)user;
  calls++;
}

/* x is i on spin 0, y is 2 on spin 2, colour 1 of both: conj(i) 2 = -2i, and Gamma(0, 2) alone matters */
static void fill(double *x, double *y)
{
  int site, k;
  for (site = 0; site < VOLUME; site++) {
    for (k = 0; k < 24; k++) x[24 * site + k] = y[24 * site + k] = 0;
    x[24 * site + 2 * 1 + 1] = 1;
    y[24 * site + 2 * (3 * 2 + 1)] = 2;
  }
}

static const char *of_type(double *x, double *y, double *result)
{
  const int extents[4] = {X, Y, Z, T};
  QudaInvertParam param = newQudaInvertParam();
  int site, k;

  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;

  contractQuda(x, y, result, QUDA_CONTRACT_TYPE_OPEN, &param, extents);
  for (site = 0; site < VOLUME; site++)
    for (k = 0; k < 2 * ENTRIES; k++)
      if (result[2 * ENTRIES * site + k] != (k == 2 * 2 + 1 ? -2 : 0)) return "an open contraction is wrong";

  contractQuda(x, y, result, QUDA_CONTRACT_TYPE_DR, &param, extents);
  /* gamma_3: i, gamma_4: 1, gamma5 gamma_3: i, gamma5 gamma_4: 1, entry 11: -i; times -2i */
  for (site = 0; site < VOLUME; site++) {
    const double *b = result + 2 * ENTRIES * site;
    if (b[2 * 3] != 2 || b[2 * 4 + 1] != -2 || b[2 * 8] != 2 || b[2 * 9 + 1] != -2 || b[2 * 11] != -2)
      return "a bilinear is wrong";
    if (b[0] != 0 || b[2 * 15] != 0) return "a bilinear is not zero";
  }

  contractQuda(x, y, result, (QudaContractType)QUDA_CONTRACT_TYPE_DR_CORRECTED, &param, extents);
  for (site = 0; site < VOLUME; site++)
    if (result[2 * (ENTRIES * site + 4) + 1] != -2 || result[2 * (ENTRIES * site + 11)] != 0)
      return "a corrected bilinear is wrong";
  return NULL;
}

const char *c_contraction(void)
{
  const char *fault;
  double *x = malloc(24 * VOLUME * sizeof(double)), *y = malloc(24 * VOLUME * sizeof(double));
  double *result = malloc(2 * ENTRIES * VOLUME * sizeof(double));

  calls = 0;
  qudaSetErrorHandler(count, NULL);
  setVerbosityQuda(QUDA_SILENT, "", stdout);
  initQuda(-1);
  fill(x, y);
  fault = of_type(x, y, result);
  endQuda();
  qudaSetErrorHandler(NULL, NULL);
  if (!fault && calls) fault = "an error was reported";
  free(x);
  free(y);
  free(result);
  return fault;
}
