#pragma once
/// A call of eigensolveQuda on the host's fields.

#include "eigen_param.h"
#include "solves.h"

#include <complex>

namespace test
{

using reference::Complex;

struct EigenCall {
  QudaInvertParam invert = wilson_param(QUDA_DOUBLE_PRECISION, kappa);
  QudaEigParam param;
  std::vector<Complex> values;
  std::vector<std::vector<double>> vectors;

  explicit EigenCall(int n = 4)
      : param(smallest_pairs(1e-11, 200, n))
  {
    invert.verbosity = QUDA_SILENT;
  }
  EigenCall(const EigenCall &) = delete;

  /// reals: of a vector of the host.
  void run(std::size_t reals, bool with_vectors = true)
  {
    param.invert_param = &invert;
    values.assign(static_cast<std::size_t>(param.n_conv), {NAN, NAN});
    const int all = param.compute_svd ? 2 * param.n_conv : param.n_conv;
    vectors.assign(static_cast<std::size_t>(all), std::vector<double>(reals));
    std::vector<void *> pointers;
    for (std::vector<double> &v : vectors) pointers.push_back(v.data());
    eigensolveQuda(with_vectors ? pointers.data() : nullptr, reinterpret_cast<double _Complex *>(values.data()),
                   &param);
  }
};

} // namespace test
