#pragma once
/// What CPS asks for of Moebius quarks, in plain C: links and fields in its order, odd sites first, fields of all
/// slices. From initQuda() to endQuda().

#ifdef __cplusplus
extern "C" {
#endif

struct cps_quarks {
  int X[4], Ls;
  double mass, m5, b5, c5;
  int plus; /* chirality of the one-flavour term: 1 or 0 */
  double shift, mq1, mq2, mq3;
};

/// M x = b of so many sources in one call, by the normal equations on odd sites.
void c_cps_propagator(const struct cps_quarks *quarks, double *links, double **x, double **b, int sources);
/// (M_pc^dag M_pc + shift_i) x_i = b on odd sites, as in rational functions.
void c_cps_shifts(const struct cps_quarks *quarks, double *links, double **x, double *b, const double *shifts, int n);
/// M x = b of the one-flavour operator.
void c_cps_one_flavour(const struct cps_quarks *quarks, double *links, double *x, double *b);
/// The n least eigenvalues of M_pc^dag M_pc of odd sites.
void c_cps_low_modes(const struct cps_quarks *quarks, double *links, double *values, int n);

#ifdef __cplusplus
}
#endif
