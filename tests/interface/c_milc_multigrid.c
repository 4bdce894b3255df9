#include "c_milc_multigrid.h"

#include "quda.h"
#include "quda_ext.h"
#include "quda_milc_interface.h"

#include <stddef.h>
#include <string.h>

enum { PRECISION = 2 };

static char told[1024]; /* the first error */
static void *preconditioner;

static void keep(QudaErrorKind kind, const char *message, void *user)
{
  (void)kind;
  (void)user;
  if (!told[0]) strncpy(told, message, sizeof told - 1);
}

void c_milc_multigrid_begin(const struct milc_multigrid *run)
{
  QudaInitArgs_t init;
  told[0] = 0;
  preconditioner = NULL;
  qudaSetErrorHandler(keep, NULL);
  init.verbosity = QUDA_SILENT;
  init.layout.latsize = run->latsize;
  init.layout.machsize = run->machsize;
  init.layout.device = -1;
  qudaInit(init);
}

void c_milc_multigrid_solve(const struct milc_multigrid *run, struct milc_multigrid_solve *solve)
{
  QudaInvertArgs_t args;
  double fermilab = 0;
  int iterations = 0;
  memset(&args, 0x5a, sizeof args); /* MILC leaves the others as they are */
  args.evenodd = QUDA_EVEN_PARITY;
  args.max_iter = run->max_iter;
  args.mixed_precision = run->mixed;
  args.naik_epsilon = 0;
  args.tadpole = 1;
  if (solve->fresh) {
    iterations = -1;
    if (preconditioner == NULL)
      preconditioner =
          qudaMultigridCreate(PRECISION, PRECISION, solve->mass, args, solve->fat, solve->straight, run->file);
  }
  qudaInvertMG(PRECISION, PRECISION, solve->mass, args, run->tol, 0, solve->fat, solve->straight, preconditioner,
               run->thin ? 0 : 1, solve->source, solve->solution, &solve->residual, &fermilab, &iterations);
  solve->iterations = iterations;
}

const char *c_milc_multigrid_end(void)
{
  if (preconditioner != NULL) qudaMultigridDestroy(preconditioner);
  qudaFinalize();
  qudaSetErrorHandler(NULL, NULL);
  return told[0] ? told : NULL;
}
