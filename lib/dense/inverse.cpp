#include "dense/inverse.h"

#include <Eigen/LU>
#include <atomic>
#include <complex>
#include <limits>
#include <vector>

namespace quda::dense
{

namespace
{

  /// tr(|X| |A|): changing each number of A by a part epsilon changes the diagonal of X A by epsilon times this.
  template <class M> double sensitivity(const M &X, const M &A)
  {
    double sum = 0;
    for (Eigen::Index j = 0; j < A.cols(); j++)
      for (Eigen::Index i = 0; i < A.rows(); i++)
        sum += static_cast<double>(std::abs(X(j, i))) * static_cast<double>(std::abs(A(i, j)));
    return sum;
  }

  template <class T> std::optional<NoInverse> invert_in(int n, long long number, const T *A, T *X)
  {
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
    constexpr double epsilon = std::numeric_limits<typename Eigen::NumTraits<T>::Real>::epsilon();
    const long long numbers = static_cast<long long>(n) * n;
    std::vector<T> inverses(static_cast<std::size_t>(numbers * number)); // written only when all are known
    std::atomic<long long> first {number};
    share_out(number, [&](long long begin, long long end) {
      Matrix one, inverse;
      for (long long i = begin; i < end && i < first; i++) {
        one = Eigen::Map<const Matrix>(A + i * numbers, n, n);
        inverse = Eigen::PartialPivLU<Matrix>(one).inverse();
        if (epsilon * sensitivity(inverse, one) <= 0.5) { // neither with NaN nor infinities on either side
          Eigen::Map<Matrix>(inverses.data() + i * numbers, n, n) = inverse;
          continue;
        }
        for (long long known = first; i < known && !first.compare_exchange_weak(known, i);) {
        }
        return;
      }
    });
    if (first < number) {
      const long long i = first;
      return NoInverse {i, Eigen::Map<const Matrix>(A + i * numbers, n, n).allFinite()};
    }
    std::copy(inverses.begin(), inverses.end(), X);
    return {};
  }

} // namespace

std::optional<NoInverse> invert(Scalar scalar, int n, long long number, const void *A, void *X)
{
  prepare_eigen();
  const auto in = [&]<class T>(T *result) { return invert_in<T>(n, number, static_cast<const T *>(A), result); };
  switch (scalar) {
  case Scalar::real_single:
    return in(static_cast<float *>(X));
  case Scalar::real_double:
    return in(static_cast<double *>(X));
  case Scalar::complex_single:
    return in(static_cast<std::complex<float> *>(X));
  case Scalar::complex_double:
    return in(static_cast<std::complex<double> *>(X));
  }
  return {};
}

} // namespace quda::dense
