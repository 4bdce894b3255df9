#pragma once
/// Parameters of a search for eigenvectors.

#include "quda.h"

namespace test
{

/// The n smallest eigenvalues of M^dag M, by Lanczos's method.
inline QudaEigParam smallest_pairs(double tol, int max_restarts, int n = 4)
{
  QudaEigParam param = newQudaEigParam();
  param.eig_type = QUDA_EIG_TR_LANCZOS;
  param.spectrum = QUDA_SPECTRUM_SR_EIG;
  param.use_norm_op = QUDA_BOOLEAN_TRUE;
  param.n_conv = n;
  param.n_ev = n + 2;
  param.n_kr = 4 * n + 8;
  param.tol = tol;
  param.max_restarts = max_restarts;
  return param;
}

} // namespace test
