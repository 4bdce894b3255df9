#include "c_milc_quarks.h"

#include "quda.h"
#include "quda_ext.h"
#include "quda_milc_interface.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { PRECISION = 2, MAX_ITER = 2000 };

const int milc_momenta[MILC_MOMENTA][4] = {{0, 0, 0, 0}, {1, 0, 2, 0}};
const int milc_symmetries[MILC_MOMENTA][4] = {{3, 3, 3, 3}, {2, 3, 1, 3}};
const int milc_origin[4] = {1, 0, 2, 3};
const double milc_residues[MILC_TERMS] = {0.5, -0.2, 0.3}, milc_step = 0.05;

static char told[1024]; /* the first error */
static const struct milc_fn *last;

static void keep(QudaErrorKind kind, const char *message, void *user)
{
  (void)kind;
  (void)user;
  if (!told[0]) strncpy(told, message, sizeof told - 1);
}

/* num_iters of a call: -1 where its links are others than before */
static int notice(const struct milc_quarks *run, struct milc_fn *fn)
{
  const int others = fn != last || fn->fresh;
  last = fn;
  fn->fresh = 0;
  return others && run->notifies ? -1 : 0;
}

static QudaInvertArgs_t args_of(const struct milc_quarks *run, const struct milc_fn *fn, int parity)
{
  QudaInvertArgs_t args;
  memset(&args, 0x5a, sizeof args); /* MILC leaves the others as they are */
  args.max_iter = MAX_ITER;
  args.evenodd = parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY;
  args.mixed_precision = run->mixed;
  args.naik_epsilon = fn->epsilon;
  args.tadpole = 1;
  return args;
}

/* both levels, and what a Naik mass adds to them */
static void make_links(const struct milc_quarks *run, struct milc_fields *f)
{
  const size_t reals = (size_t)run->sites * 72;
  const QudaFatLinkArgs_t su3 = {1, 0}, general = {0, 0};
  size_t i;
  int k;
  qudaLoadUnitarizedLink(PRECISION, su3, run->first_level, f->u, f->v, f->w);
  for (k = 0; k < MILC_FLAVOURS; k++) {
    double *fat = &f->fn[k].fat[0][0][0][0], *straight = &f->fn[k].straight[0][0][0][0];
    const double epsilon = run->epsilon[k];
    f->fn[k].epsilon = epsilon;
    f->fn[k].fresh = 1;
    qudaLoadKSLink(PRECISION, general, epsilon == 0 ? run->second_level : run->naik, f->w, fat, straight);
    if (epsilon == 0) continue;
    for (i = 0; i < reals; i++) {
      fat[i] = (&f->fn[0].fat[0][0][0][0])[i] + epsilon * fat[i];
      straight[i] = (&f->fn[0].straight[0][0][0][0])[i] + epsilon * straight[i];
    }
  }
}

static void hop(const struct milc_quarks *run, struct milc_fn *fn, milc_vector *from, milc_vector *to, int parity)
{
  int iterations = notice(run, fn);
  qudaDslash(PRECISION, PRECISION, args_of(run, fn, parity), fn->fat, fn->straight, from, to, &iterations);
}

static void solve(const struct milc_quarks *run, struct milc_fn *fn, int parity, milc_vector *b, milc_vector *x,
                  double *residual, int *iterations)
{
  double fermilab;
  *iterations = notice(run, fn);
  qudaInvert(PRECISION, PRECISION, run->mass, args_of(run, fn, parity), run->tol, 0, fn->fat, fn->straight, b, x,
             residual, &fermilab, iterations);
}

/* (2 m + D) x = b: even sites, odd ones from them, and these once more */
static void propagate(const struct milc_quarks *run, struct milc_fields *f, int flavour)
{
  struct milc_fn *fn = &f->fn[flavour];
  milc_vector *b = f->source, *x = f->propagator[flavour], *adjoint = f->hop[flavour];
  const double twice = 2 * run->mass;
  const size_t reals = (size_t)run->sites * 6, half = reals / 2;
  double *y = &adjoint[0][0][0], *out = &x[0][0][0];
  const double *in = &b[0][0][0];
  size_t i;
  hop(run, fn, b, adjoint, 0);
  hop(run, fn, b, adjoint, 1);
  for (i = 0; i < reals; i++) y[i] = twice * in[i] - y[i];
  memset(x, 0, reals * sizeof *out);
  solve(run, fn, 0, adjoint, x, &f->residual[flavour][0], &f->iterations[flavour][0]);
  hop(run, fn, x, x, 1);
  for (i = half; i < reals; i++) out[i] = (in[i] - out[i]) / twice;
  solve(run, fn, 1, adjoint, x, &f->residual[flavour][1], &f->iterations[flavour][1]);
  hop(run, fn, b, adjoint, 0);
  hop(run, fn, b, adjoint, 1);
}

static void systems(const struct milc_quarks *run, struct milc_fields *f, int flavour)
{
  struct milc_fn *fn = &f->fn[flavour];
  double targets[MILC_SHIFTS], none[MILC_SHIFTS] = {0}, fermilab[MILC_SHIFTS], offset[MILC_SHIFTS];
  void *several[MILC_SOURCES], *sources[MILC_SOURCES], *shifted[MILC_SHIFTS];
  int k;
  propagate(run, f, flavour);
  sources[0] = f->source;
  sources[1] = f->hop[flavour];
  sources[2] = f->propagator[flavour];
  for (k = 0; k < MILC_SOURCES; k++) {
    several[k] = f->several[flavour][k];
    memset(several[k], 0, (size_t)run->sites * sizeof(milc_vector));
  }
  f->iterations[flavour][2] = notice(run, fn);
  qudaInvertMsrc(PRECISION, PRECISION, run->mass, args_of(run, fn, 1), run->tol, 0, fn->fat, fn->straight, sources,
                 several, &f->residual[flavour][2], fermilab, &f->iterations[flavour][2], MILC_SOURCES);
  for (k = 0; k < MILC_SHIFTS; k++) {
    shifted[k] = f->shifted[flavour][k];
    offset[k] = run->offset[k];
    targets[k] = k == 0 || run->mixed ? run->tol : 0; /* alone in double: as good as it comes */
  }
  f->iterations[flavour][3] = notice(run, fn);
  qudaMultishiftInvert(PRECISION, PRECISION, MILC_SHIFTS, offset, args_of(run, fn, 0), targets, none, fn->fat,
                       fn->straight, f->source, shifted, f->residual_of_shift[flavour], fermilab,
                       &f->iterations[flavour][3]);
}

/* one source again and again, in a space that the first few of them fill */
static void sequence(const struct milc_quarks *run, struct milc_fields *f, int flavour)
{
  struct milc_fn *fn = &f->fn[flavour];
  QudaEigArgs_t args;
  double fermilab;
  int k;
  memset(&args, 0x5a, sizeof args);
  args.prec_ritz = QUDA_SINGLE_PRECISION;
  args.nev = MILC_VECTORS;
  args.max_search_dim = 4 * MILC_VECTORS;
  args.deflation_grid = MILC_FILLING;
  args.tol_restart = 5e-3;
  args.eigcg_max_restarts = 4;
  args.max_restart_num = 3;
  args.inc_tol = 1e-2;
  args.eigenval_tol = 0.5;
  args.solver_ext_lib = args.deflation_ext_lib = QUDA_EIGEN_EXTLIB;
  args.location_ritz = QUDA_CUDA_FIELD_LOCATION;
  args.mem_type_ritz = QUDA_MEMORY_DEVICE;
  args.vec_infile = args.vec_outfile = NULL;
  for (k = 0; k < MILC_SEQUENCE; k++) {
    memset(f->sequence[flavour], 0, (size_t)run->sites * sizeof(milc_vector));
    f->iterations_in_sequence[flavour][k] = notice(run, fn);
    qudaEigCGInvert(PRECISION, PRECISION, run->mass, args_of(run, fn, 0), run->tol, 0, fn->fat, fn->straight, f->source,
                    f->sequence[flavour], args, k, k == MILC_SEQUENCE - 1, &f->residual_in_sequence[flavour][k],
                    &fermilab, &f->iterations_in_sequence[flavour][k]);
  }
}

/* the last field is one of the second flavour; increments come in memory of the library's */
static void force(const struct milc_quarks *run, struct milc_fields *f)
{
  const size_t reals = (size_t)run->sites * 40;
  double weights[MILC_TERMS + 1][2], *coeff[MILC_TERMS + 1], *increment, *momenta = &f->momenta[0][0];
  void *quarks[MILC_TERMS];
  size_t i;
  int k;
  for (k = 0; k < MILC_TERMS; k++) {
    weights[k][0] = 2 * milc_residues[k];
    weights[k][1] = run->second_level[1] * 2 * milc_residues[k];
  }
  for (k = 0; k < 2; k++) weights[MILC_TERMS][k] = run->naik[k] * run->epsilon[1] * 2 * milc_residues[MILC_TERMS - 1];
  for (k = 0; k <= MILC_TERMS; k++) coeff[k] = weights[k];
  quarks[0] = f->hop[0];
  quarks[1] = f->propagator[0];
  quarks[2] = f->propagator[1];
  increment = (double *)qudaAllocatePinned(reals * sizeof *increment);
  qudaHisqForce(PRECISION, MILC_TERMS, 1, milc_step, coeff, quarks, run->second_level, run->first_level, f->w, f->v,
                f->u, increment);
  for (i = 0; i < reals; i++) momenta[i] += increment[i];
  qudaFreePinned(increment);
}

static void mesons(const struct milc_quarks *run, struct milc_fields *f)
{
  QudaTwoLinkQuarkSmearArgs_t smearing;
  QudaContractArgs_t contraction;
  QudaFFTSymmType symmetries[4 * MILC_MOMENTA];
  int sense, k, modes[4 * MILC_MOMENTA], origin[4];
  for (sense = 1; sense <= 3; sense++) /* links are new to the first of them */
    qudaShift(PRECISION, PRECISION, f->u, f->source, f->moved[sense - 1], sense, sense, sense == 1);
  qudaSpinTaste(PRECISION, PRECISION, f->u, f->source, f->tasted, MILC_SPIN, MILC_TASTE, 0);
  for (k = 0; k < 2; k++) { /* the second on products that were kept */
    memcpy(f->smeared[k], f->source, (size_t)run->sites * sizeof(milc_vector));
    smearing.n_steps = MILC_STEPS;
    smearing.width = run->width;
    smearing.compute_2link = k == 0;
    smearing.delete_2link = 0;
    smearing.t0 = -1;
    smearing.laplaceDim = 3;
    qudaTwoLinkGaussianSmear(PRECISION, PRECISION, f->u, f->smeared[k], smearing);
  }
  qudaFreeTwoLink();
  for (k = 0; k < 4 * MILC_MOMENTA; k++) {
    modes[k] = milc_momenta[k / 4][k % 4];
    symmetries[k] = (QudaFFTSymmType)milc_symmetries[k / 4][k % 4];
  }
  memcpy(origin, milc_origin, sizeof origin);
  contraction.n_mom = MILC_MOMENTA;
  contraction.mom_modes = modes;
  contraction.fft_type = symmetries;
  contraction.source_position = origin;
  memset(f->correlator, 0, (size_t)(2 * MILC_MOMENTA * run->latsize[3]) * sizeof *f->correlator);
  qudaContractFT(PRECISION, &contraction, f->propagator[0], f->smeared[0], f->correlator);
}

void c_milc_begin(const struct milc_quarks *run)
{
  QudaInitArgs_t init;
  const QudaHisqParams_t unitarisation = {1, 0, 1e-8, 1e-8, 5e-5};
  told[0] = 0;
  last = NULL;
  qudaSetErrorHandler(keep, NULL);
  init.verbosity = QUDA_SILENT;
  init.layout.latsize = run->latsize;
  init.layout.machsize = run->machsize;
  init.layout.device = -1;
  qudaInit(init);
  qudaHisqParamsInit(unitarisation);
}

void c_milc_measure(const struct milc_quarks *run, struct milc_fields *fields)
{
  int flavour;
  make_links(run, fields);
  for (flavour = 0; flavour < MILC_FLAVOURS; flavour++) {
    systems(run, fields, flavour);
    sequence(run, fields, flavour);
  }
  mesons(run, fields);
  force(run, fields);
}

const char *c_milc_end(void)
{
  qudaFinalize();
  qudaSetErrorHandler(NULL, NULL);
  return told[0] ? told : NULL;
}
