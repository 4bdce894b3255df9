#pragma once
/// Eigenvectors of staggered quarks as MILC's ks_eigen asks for them, in plain C.

#ifdef __cplusplus
extern "C" {
#endif

struct ks_eigen_call {
  int X[4], grid[4]; /* local; ranks, x fastest */
  int bytes;         /* of its numbers: 8 or 4 */
  int parity;        /* 0, 1; 2: all sites */
  int pairs, space, restarts, block, degree;
  double tol, a_min, a_max;
};

/// From qudaInit() to endQuda(). fat, longs: (site, mu, row, column) with phases in the fat ones; vectors: [pairs] of
/// all sites, even ones first, whatever the parity; values: those of -D D.
void c_ks_eigen(const struct ks_eigen_call *call, void *fat, void *longs, void **vectors, double *values);

#ifdef __cplusplus
}
#endif
