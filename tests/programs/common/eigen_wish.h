/// What eigensolve_test and deflated solves are asked for, beside the operator.
#pragma once

#include <string>

#include <quda.h>

#include "command_line.h"

namespace program
{

struct EigenWish {
  QudaEigType type = QUDA_EIG_TR_LANCZOS;
  QudaEigSpectrumType spectrum = QUDA_SPECTRUM_SR_EIG;
  int n_conv = -1, n_ev = 16, n_kr = 32, block = 4; // n_conv negative: n_ev
  double tol = -1;                                  // negative: by --prec
  int restarts = 100;
  bool norm_op = true, dagger = false, pc = true, gamma5 = false, svd = false;
  bool polynomial = false;
  int degree = 50;
  double a_min = 0, a_max = 0;
  bool require = true;
  std::string load, save; // files of the vectors
  QudaPrecision save_prec = QUDA_DOUBLE_PRECISION;
  bool inflate = false, parts = false;
};

void add_eigen_options(CommandLine &line, EigenWish &wish);
/// Options of files of the vectors.
void add_eigen_files(CommandLine &line, EigenWish &wish);

/// invert must outlive it. Errors: UsageError where the name of a file is too long.
QudaEigParam eigen_param(const EigenWish &wish, QudaInvertParam &invert);

} // namespace program
