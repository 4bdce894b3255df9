// A quenched configuration at beta 6 by heat bath, and its plaquette. Errors are told, the program goes on.
#include <cstdio>
#include <vector>

#include <quda_ext.h>

int main()
{
  qudaSetErrorHandler([](QudaErrorKind, const char *text, void *) { std::fprintf(stderr, "%s\n", text); }, nullptr);
  const int X[4] = {4, 4, 4, 8};
  std::vector<double> links(X[0] * X[1] * X[2] * X[3] * 4 * 18); // overwritten by the heat bath's start

  QudaGaugeParam param = newQudaGaugeParam();
  for (int d = 0; d < 4; d++) param.X[d] = X[d];
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.reconstruct = QUDA_RECONSTRUCT_NO;
  param.t_boundary = QUDA_PERIODIC_T;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.anisotropy = param.tadpole_coeff = 1;
  param.ga_pad = 0;

  initQuda(-1);
  loadGaugeQuda(links.data(), &param);
  QudaHeatbathParam sweeps = newQudaHeatbathParam();
  sweeps.beta = 6;
  sweeps.n_sweeps = 50;
  sweeps.start = QUDA_HEATBATH_START_HOT;
  heatbathQuda(&sweeps);
  double plaquette[3];
  plaqQuda(plaquette);
  std::printf("plaquette %.15f\n", plaquette[0]);
  saveGaugeQuda(links.data(), &param);
  freeGaugeQuda();
  endQuda();
  return qudaGetLastError(nullptr) == QUDA_ERROR_KIND_NONE ? 0 : 1;
}
