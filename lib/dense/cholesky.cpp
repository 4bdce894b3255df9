#include "dense/cholesky.h"

#include <cmath>
#include <mutex>

namespace quda::dense
{

namespace
{

  using Number = std::complex<double>;
  using Reason = DependentVector::Reason;

  /// A square matrix stored by columns.
  struct Square {
    Number *first;
    long long n;
    Number &operator()(int i, int j) const { return first[j * n + i]; }
  };

  /// Writes L over the lower half of G; returns the vector that fails, or -1.
  int decompose(int n, const Square &G, double least, Reason &reason)
  {
    for (int k = 0; k < n; k++) {
      const double before = G(k, k).real();
      double pivot = before;
      for (int i = 0; i < k; i++) pivot -= std::norm(G(k, i));
      if (!std::isfinite(before) || !std::isfinite(pivot)) {
        reason = Reason::not_finite;
        return k;
      }
      if (!(pivot > least * before)) {
        reason = before == 0 ? Reason::zero : Reason::dependent;
        return k;
      }
      const double root = std::sqrt(pivot);
      G(k, k) = root;
      for (int j = k + 1; j < n; j++) {
        Number sum = G(j, k);
        for (int i = 0; i < k; i++) sum -= G(j, i) * std::conj(G(k, i));
        G(j, k) = sum / root;
      }
    }
    return -1;
  }

  /// Writes L^-1 over L, by columns, then its adjoint.
  void invert_adjoint(int n, const Square &L)
  {
    for (int j = 0; j < n; j++) {
      for (int i = j + 1; i < n; i++) {
        Number sum = L(i, j) / L(j, j).real();
        for (int k = j + 1; k < i; k++) sum += L(i, k) * L(k, j);
        L(i, j) = -sum / L(i, i).real();
      }
      L(j, j) = 1 / L(j, j).real();
    }
    for (int j = 0; j < n; j++)
      for (int i = j + 1; i < n; i++) {
        L(j, i) = std::conj(L(i, j));
        L(i, j) = 0;
      }
  }

} // namespace

std::optional<DependentVector> inverse_cholesky(int n, long long number, std::complex<double> *G, double least)
{
  const long long numbers = static_cast<long long>(n) * n;
  std::mutex mutex;
  std::optional<DependentVector> first;
  share_out(number, [&](long long begin, long long end) {
    for (long long m = begin; m < end; m++) {
      const Square one {G + m * numbers, n};
      Reason reason {};
      const int failed = decompose(n, one, least, reason);
      if (failed < 0) {
        invert_adjoint(n, one);
        continue;
      }
      const std::lock_guard<std::mutex> lock(mutex);
      if (!first || m < first->number) first = DependentVector {m, failed, reason};
      return;
    }
  });
  return first;
}

} // namespace quda::dense
