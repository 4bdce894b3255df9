#pragma once
/// What Chroma asks for of Moebius quarks, in plain C: links of four arrays with the boundary's sign on them, fields of odd
/// sites, slice by slice.

#ifdef __cplusplus
extern "C" {
#endif

struct chroma_quarks {
  int X[4], Ls;
  double mass, over_mass, b5, c5, residual;
  int half, normal_equations; /* the sloppy precision; else the equations of the error */
};

void c_chroma_moebius(const struct chroma_quarks *quarks, void *links, double *x, double *b);

#ifdef __cplusplus
}
#endif
