#pragma once
/// The gauge part of a molecular-dynamics trajectory as MILC calls it, in plain C, with links and momenta inside the
/// structures of a site array.

#ifdef __cplusplus
extern "C" {
#endif

enum { MILC_LOOPS = 10, MILC_LONGEST = 6 };

struct milc_site {
  short x, y, z, t;
  char parity;
  int index;
  double link[4][3][3][2]; /* row, column, re and im */
  double phase[4];
  double mom[4][10];
  double phi[3][2];
};

/// A trajectory: leap-frog steps, each half a step of the links, a step of the momenta, half a step of the links.
struct milc_run {
  int latsize[4], machsize[4]; /* lattice, process grid */
  int phases_in;               /* links carry phases and boundary */
  int resident;                /* momenta and links stay in the library, as where fermion forces are its own too */
  int steps;
  double eps, beta_by_3, coefficient[3];
  int loop[MILC_LOOPS][MILC_LONGEST], length[MILC_LOOPS];
};

/// What is measured before ([0]) and after ([1]) it, and by the calls that measure several things at once.
struct milc_results {
  double plaq[2][3], traces[2][MILC_LOOPS][2], mom_action[2], ploop[2];
  double all_plaq[3], all_ploop[2], all_traces[MILC_LOOPS][2];
};

/// Runs it on this rank's sites, even ones first. Returns null, or what the library reported.
const char *c_milc(const struct milc_run *run, struct milc_site *sites, struct milc_results *results);

#ifdef __cplusplus
}
#endif
