#include "c_milc.h"

#include "quda.h"
#include "quda_ext.h"
#include "quda_milc_interface.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PRECISION = 2 };

static char told[1024]; /* the first error */

static void keep(QudaErrorKind kind, const char *message, void *user)
{
  (void)kind;
  (void)user;
  if (!told[0]) strncpy(told, message, sizeof told - 1);
}

static QudaMILCSiteArg_t site_arg(struct milc_site *sites)
{
  QudaMILCSiteArg_t arg;
  arg.site = sites;
  arg.link = NULL;
  arg.link_offset = offsetof(struct milc_site, link);
  arg.mom = NULL;
  arg.mom_offset = offsetof(struct milc_site, mom);
  arg.size = sizeof *sites;
  return arg;
}

/* the action: gauge, and momenta; and what is printed beside */
static void action(const struct milc_run *run, struct milc_site *sites, struct milc_results *results, int after)
{
  QudaMILCSiteArg_t arg = site_arg(sites);
  int loop[MILC_LOOPS][MILC_LONGEST], length[MILC_LOOPS], *path[MILC_LOOPS], i;
  double weight[MILC_LOOPS];
  memcpy(loop, run->loop, sizeof loop);
  memcpy(length, run->length, sizeof length);
  for (i = 0; i < MILC_LOOPS; i++) {
    path[i] = loop[i];
    weight[i] = 1;
  }
  qudaPlaquettePhased(PRECISION, results->plaq[after], &arg, run->phases_in);
  qudaGaugeLoopTracePhased(PRECISION, &results->traces[after][0][0], path, length, weight, MILC_LOOPS, MILC_LONGEST, 1,
                           &arg, run->phases_in);
  results->mom_action[after] = qudaMomAction(PRECISION, &arg);
  if (!after) return;
  qudaPolyakovLoopPhased(PRECISION, results->ploop, 3, &arg, run->phases_in);
  qudaGaugeMeasurementsPhased(PRECISION, results->all_plaq, results->all_ploop, 3, &results->all_traces[0][0], path,
                              length, weight, MILC_LOOPS, MILC_LONGEST, 1, &arg, run->phases_in);
}

static void trajectory(const struct milc_run *run, struct milc_site *sites)
{
  QudaMILCSiteArg_t arg = site_arg(sites);
  double coefficient[3];
  int step;
  memcpy(coefficient, run->coefficient, sizeof coefficient);
  for (step = 0; step < run->steps; step++) {
    qudaUpdateUPhasedPipeline(PRECISION, run->eps / 2, &arg, run->phases_in, run->resident);
    qudaGaugeForcePhased(PRECISION, 3, coefficient, run->eps * run->beta_by_3, &arg, run->phases_in);
    qudaUpdateUPhasedPipeline(PRECISION, run->eps / 2, &arg, run->phases_in, run->resident);
  }
}

const char *c_milc(const struct milc_run *run, struct milc_site *sites, struct milc_results *results)
{
  QudaMILCSiteArg_t arg = site_arg(sites);
  QudaInitArgs_t init;
  told[0] = 0;
  qudaSetErrorHandler(keep, NULL);
  init.verbosity = QUDA_SILENT;
  init.layout.latsize = run->latsize;
  init.layout.machsize = run->machsize;
  init.layout.device = -1;
  qudaInit(init);
  if (run->resident) qudaMomLoad(PRECISION, &arg);
  action(run, sites, results, 0);
  trajectory(run, sites);
  qudaUnitarizeSU3Phased(PRECISION, 1e-12, &arg, run->phases_in);
  action(run, sites, results, 1);
  if (run->resident) qudaMomSave(PRECISION, &arg);
  qudaFreeGaugeField();
  qudaFinalize();
  qudaSetErrorHandler(NULL, NULL);
  return told[0] ? told : NULL;
}
