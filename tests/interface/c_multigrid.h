#pragma once
/// The parameters of multigrid as host programs fill them, in plain C, members that they leave alone left alone.

#include "quda.h"

#ifdef __cplusplus
extern "C" {
#endif

struct host_multigrid {
  QudaMultigridParam hierarchy;
  QudaInvertParam inner, outer; /* of the hierarchy, of the solve */
};

struct host_operator {
  double kappa, mu; /* tmLQCD: mu, in its sign */
  double csw;       /* 0: none */
};

/// As Chroma for Wilson fermions: levels of NullVectors 16, blocks of the caller.
void c_chroma_wilson(struct host_multigrid *host, const struct host_operator *fermions, int levels,
                     const int (*blocks)[4]);
/// The same with what it sets for clover fermions, on Wilson fermions where csw is 0; kcycle: RECURSIVE.
void c_chroma_clover(struct host_multigrid *host, const struct host_operator *fermions, int levels,
                     const int (*blocks)[4], int kcycle);
/// As PyQUDA: one block more than levels that have one.
void c_pyquda(struct host_multigrid *host, const struct host_operator *fermions, int levels, const int (*blocks)[4]);
/// As tmLQCD: twisted mass or twisted clover, mu_factor on the coarsest.
void c_tmlqcd_multigrid(struct host_multigrid *host, const struct host_operator *fermions, int levels,
                        const int (*blocks)[4], double mu_factor);

/// The eigensolver that it describes for the coarsest level, of so many low modes; use_eig_solver is left alone.
void c_tmlqcd_low_modes(struct host_multigrid *host, QudaEigParam *modes, int count);

#ifdef __cplusplus
}
#endif
