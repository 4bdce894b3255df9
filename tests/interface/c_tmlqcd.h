#pragma once
/// What tmLQCD's HMC asks for, in plain C, with the members that it sets: the ends of a spectrum, of its rational and
/// polynomial monomials, and forces.

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

struct tmlqcd_force {
  double rho;         /* 2 kappa rho */
  int fields;         /* of two flavours the terms of a rational function */
  const double *mu;   /* roots of its shifts */
  const double *rmu;  /* its residues */
  double inverse_max; /* of the largest eigenvalue that it is for */
  int detratio;       /* of one flavour: a ratio of determinants; of two: no determinant of the clover term */
};

/// Its derivative, of solutions x on odd sites and of a ratio of phi: in QDP order, from initQuda() to endQuda().
void c_tmlqcd_force(const struct tmlqcd_monomial *monomial, const struct tmlqcd_force *force, double *links[4],
                    void **x, void *phi, void *derivative[4]);

#ifdef __cplusplus
}
#endif
