#include "solvers/gram_factor.h"

#include <cmath>

namespace quda
{

GramFactor::GramFactor(const blas::Matrix &G, int n, double smallest, const blas::Matrix *whole)
    : lower_(n, n)
{
  for (int i = 0; i < n; i++) {
    const double square = (whole ? *whole : G)(i, i).real();
    const double scale = square <= 0 ? 0 : 1 / std::sqrt(square);
    double left = scale * G(i, i).real() * scale;
    for (int j = 0; j < i; j++) {
      if (pivot_[j] == 0) continue;
      blas::Complex c = scale * G(i, j) * scale_[j];
      for (int k = 0; k < j; k++) c -= lower_(i, k) * pivot_[k] * std::conj(lower_(j, k));
      lower_(i, j) = c / pivot_[j];
      left -= std::norm(lower_(i, j)) * pivot_[j];
    }
    scale_.push_back(scale);
    pivot_.push_back(left <= smallest ? 0 : left);
  }
}

std::vector<blas::Complex> GramFactor::solve(std::vector<blas::Complex> h) const
{
  const int n = size();
  for (int i = 0; i < n; i++) {
    h[i] *= pivot_[i] == 0 ? 0 : scale_[i];
    for (int k = 0; k < i; k++) h[i] -= lower_(i, k) * h[k];
    if (pivot_[i] == 0) h[i] = 0;
  }
  for (int i = n - 1; i >= 0; i--) {
    if (pivot_[i] == 0) continue;
    h[i] /= pivot_[i];
    for (int k = i + 1; k < n; k++) h[i] -= std::conj(lower_(k, i)) * h[k];
  }
  for (int i = 0; i < n; i++) h[i] *= scale_[i];
  return h;
}

} // namespace quda
