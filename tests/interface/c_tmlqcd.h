#pragma once
/// The ends of a spectrum as tmLQCD asks for them in its rational and polynomial HMC, in plain C.

#ifdef __cplusplus
extern "C" {
#endif

struct tmlqcd_monomial {
  int X[4];
  int flavours;          /* of one operator: 1, or 2 of different mass */
  double kappa, c_sw;    /* c_sw 0: no clover term */
  double mu, epsilon;    /* 2 kappa mu, 2 kappa epsilon */
  double precision;      /* of eigenvalues */
  int polynomial, space; /* degree, vectors */
  double a_min, a_max;   /* window of the polynomial */
};

/// The least and the largest eigenvalue of M_pc^dag M_pc of odd sites, of links in QDP order; from initQuda() to
/// endQuda(). The largest is asked for without a polynomial, vectors are not.
void c_tmlqcd_spectrum(const struct tmlqcd_monomial *monomial, double *links[4], double ends[2]);

#ifdef __cplusplus
}
#endif
