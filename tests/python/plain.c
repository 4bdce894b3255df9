/* plain FOLDER X Y Z T: what PyQUDA does in pyquda_test.py, from a host program in plain C. Reads FOLDER/links,
 * FOLDER/momenta and FOLDER/paths, raw numbers in the machine's order; writes FOLDER/plaquette, FOLDER/smeared,
 * FOLDER/force. Links and momenta: [4][even sites, odd sites][18 or 10] doubles.
 *   paths: int32 paths, longest, length[paths], step[4][paths][longest]; double coefficient[paths], dt, rho;
 *   int32 steps of smearing, direction left alone */

#include "quda.h"

#include <stdio.h>
#include <stdlib.h>

enum { most_paths = 64, most_steps = 8 };

static const char *folder;

static FILE *opened(const char *name, const char *mode)
{
  char path[4096];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, mode);
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

static void take(FILE *file, void *to, size_t bytes)
{
  if (fread(to, 1, bytes, file) == bytes) return;
  fprintf(stderr, "plain: a file is too short\n");
  exit(1);
}

static void keep(const char *name, const void *from, size_t bytes)
{
  FILE *file = opened(name, "wb");
  if (fwrite(from, 1, bytes, file) != bytes || fclose(file)) {
    perror(name);
    exit(1);
  }
}

/* [4][numbers] doubles of a file, as four arrays of one block */
static double *arrays_of(const char *name, size_t numbers, void *arrays[4])
{
  double *all = malloc(4 * numbers * sizeof *all);
  FILE *file = opened(name, "rb");
  int mu;
  if (!all) exit(1);
  take(file, all, 4 * numbers * sizeof *all);
  fclose(file);
  for (mu = 0; mu < 4; mu++) arrays[mu] = all + mu * numbers;
  return all;
}

static QudaGaugeParam gauge_param(char **extents)
{
  QudaGaugeParam param = newQudaGaugeParam();
  int d;
  for (d = 0; d < 4; d++) param.X[d] = atoi(extents[d]);
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = QUDA_QDP_GAUGE_ORDER;
  param.t_boundary = QUDA_PERIODIC_T;
  param.anisotropy = 1;
  param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = param.cuda_prec_precondition = QUDA_DOUBLE_PRECISION;
  param.reconstruct = param.reconstruct_sloppy = param.reconstruct_precondition = QUDA_RECONSTRUCT_NO;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.ga_pad = 0;
  return param;
}

static void force(FILE *file, void *momenta[4], QudaGaugeParam *param)
{
  static int length[most_paths], steps[4][most_paths][most_steps], *path[4][most_paths];
  static double coefficient[most_paths];
  int counts[2], **paths[4], mu, i;
  double dt;
  take(file, counts, sizeof counts);
  if (counts[0] > most_paths || counts[1] > most_steps) exit(1);
  take(file, length, counts[0] * sizeof(int));
  for (mu = 0; mu < 4; mu++) {
    for (i = 0; i < counts[0]; i++) {
      take(file, steps[mu][i], counts[1] * sizeof(int));
      path[mu][i] = steps[mu][i];
    }
    paths[mu] = path[mu];
  }
  take(file, coefficient, counts[0] * sizeof(double));
  take(file, &dt, sizeof dt);
  param->use_resident_gauge = 1;
  param->use_resident_mom = param->make_resident_gauge = param->make_resident_mom = 0;
  param->return_result_mom = 1;
  param->overwrite_mom = 0;
  computeGaugeForceQuda(momenta, NULL, paths, length, coefficient, counts[0], counts[1], dt, param);
}

static void smear(FILE *file)
{
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  QudaGaugeObservableParam nothing = newQudaGaugeObservableParam();
  int counts[2];
  take(file, &param.rho, sizeof param.rho);
  take(file, counts, sizeof counts);
  param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
  param.n_steps = counts[0];
  param.meas_interval = counts[0] + 1;
  param.dir_ignore = counts[1];
  performGaugeSmearQuda(&param, &nothing);
}

int main(int argc, char **argv)
{
  QudaGaugeParam param;
  size_t volume = 1;
  void *links[4], *momenta[4];
  double plaquette[3], *all_links, *all_momenta;
  FILE *paths;
  int d;
  if (argc != 6) {
    fprintf(stderr, "plain FOLDER X Y Z T\n");
    return 2;
  }
  folder = argv[1];
  param = gauge_param(argv + 2);
  for (d = 0; d < 4; d++) volume *= param.X[d];
  all_links = arrays_of("links", 18 * volume, links);
  all_momenta = arrays_of("momenta", 10 * volume, momenta);
  paths = opened("paths", "rb");

  initQuda(-1);
  loadGaugeQuda(links, &param);
  plaqQuda(plaquette);
  keep("plaquette", plaquette, sizeof plaquette);
  force(paths, momenta, &param);
  keep("force", all_momenta, 40 * volume * sizeof(double));
  smear(paths);
  param.type = QUDA_SMEARED_LINKS;
  saveGaugeQuda(links, &param);
  keep("smeared", all_links, 72 * volume * sizeof(double));
  endQuda();

  fclose(paths);
  free(all_links);
  free(all_momenta);
  return 0;
}
