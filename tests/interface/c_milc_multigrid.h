#pragma once
/// Solves by multigrid as MILC calls them, in plain C: a hierarchy with the first links that are new, and then one solve after
/// another, whatever links and mass there are.

#ifdef __cplusplus
extern "C" {
#endif

struct milc_multigrid {
  int latsize[4], machsize[4]; /* lattice, process grid */
  int max_iter, mixed;
  double tol;
  int thin;         /* what is made anew where links or mass change */
  const char *file; /* of parameters */
};

struct milc_multigrid_solve {
  double mass;
  void *fat, *straight; /* links, four a site */
  int fresh;            /* they are new */
  void *source, *solution;
  double residual;
  int iterations;
};

void c_milc_multigrid_begin(const struct milc_multigrid *run);
void c_milc_multigrid_solve(const struct milc_multigrid *run, struct milc_multigrid_solve *solve);
/// Null, or what the library reported first.
const char *c_milc_multigrid_end(void);

#ifdef __cplusplus
}
#endif
