#pragma once
/// The staggered part of MILC's measurements as it calls it, in plain C: links of HISQ with two Naik masses, hops,
/// propagators, shifted systems, mesons; and the force of its RHMC.

#ifdef __cplusplus
extern "C" {
#endif

typedef double milc_vector[3][2];
typedef double milc_matrix[3][3][2];
typedef double milc_momentum[10];

enum { MILC_FLAVOURS = 2, MILC_SHIFTS = 4, MILC_SOURCES = 3, MILC_MOMENTA = 2, MILC_TERMS = 3 };
/// Of qudaEigCGInvert().
enum { MILC_SEQUENCE = 5, MILC_VECTORS = 6, MILC_FILLING = 3 };

struct milc_quarks {
  int latsize[4], machsize[4]; /* lattice, process grid */
  int sites;                   /* of this rank */
  double first_level[6], second_level[6], naik[6];
  double epsilon[MILC_FLAVOURS]; /* Naik corrections; 0: none */
  double mass, tol, width;
  double offset[MILC_SHIFTS];
  int mixed;    /* mixed_precision */
  int notifies; /* tells the library that links are new */
};

/// Links as they go to solves; which ones they are is their address, not their contents.
struct milc_fn {
  milc_matrix *fat, *straight; /* four a site */
  double epsilon;
  int fresh;
};

/// Arrays of this rank, even sites first.
struct milc_fields {
  milc_matrix *u, *v, *w; /* thin links with phases, fat ones of the first level, unitary ones: four a site */
  struct milc_fn fn[MILC_FLAVOURS];
  milc_vector *source;
  milc_vector *hop[MILC_FLAVOURS], *propagator[MILC_FLAVOURS];
  milc_vector *shifted[MILC_FLAVOURS][MILC_SHIFTS];  /* even */
  milc_vector *several[MILC_FLAVOURS][MILC_SOURCES]; /* odd: of source, hop and propagator */
  milc_vector *sequence[MILC_FLAVOURS];              /* even: of the source, again and again */
  milc_vector *moved[3], *tasted, *smeared[2];
  double *correlator; /* of the first flavour's propagator and smeared[0]: momentum, time, re and im */
  double residual[MILC_FLAVOURS][3], residual_of_shift[MILC_FLAVOURS][MILC_SHIFTS];
  int iterations[MILC_FLAVOURS][4]; /* even, odd, several, shifts */
  double residual_in_sequence[MILC_FLAVOURS][MILC_SEQUENCE];
  int iterations_in_sequence[MILC_FLAVOURS][MILC_SEQUENCE];
  milc_momentum *momenta; /* four a site; the force of the first hop and propagator and the second one is added */
};

/// Of the force: residues, and the step.
extern const double milc_residues[MILC_TERMS], milc_step;

extern const int milc_momenta[MILC_MOMENTA][4], milc_symmetries[MILC_MOMENTA][4], milc_origin[4];
enum { MILC_SPIN = 6, MILC_TASTE = 5, MILC_STEPS = 3 };

/// Begins; measures on the links u, again and again; ends, and returns null, or what the library reported first.
void c_milc_begin(const struct milc_quarks *run);
void c_milc_measure(const struct milc_quarks *run, struct milc_fields *fields);
const char *c_milc_end(void);

#ifdef __cplusplus
}
#endif
