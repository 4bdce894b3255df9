#include "solvers/krylov_basis.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "solvers/scale.h"

namespace quda
{

namespace
{

  constexpr int power_iterations = 30;
  constexpr double margin = 1.1;

} // namespace

KrylovBasis::KrylovBasis(const LinearOperator &A, int size, Polynomials polynomials, const Spectrum &spectrum)
    : vectors(std::max(size, 1))
    , products(std::max(size, 1))
    , A_(A)
    , polynomials_(polynomials)
    , spectrum_(spectrum)
{
  if (size < 1) fail(ErrorKind::bad_argument, text("KrylovBasis: %d vectors; allowed: a positive number", size));
  if (polynomials == Polynomials::chebyshev && !(spectrum.least < spectrum.most))
    fail(ErrorKind::bad_argument,
         text("KrylovBasis: a spectrum from %g to %g; the second must be the larger", spectrum.least, spectrum.most));
}

void KrylovBasis::prepare(const ColorSpinorParam &shape)
{
  vectors.prepare(shape);
  products.prepare(shape);
}

void KrylovBasis::grow(const ColorSpinorField &r, int n)
{
  // T_1(t) = m t + c
  const double m = 2 / (spectrum_.most - spectrum_.least), c = -m * (spectrum_.most + spectrum_.least) / 2;
  blas::copy(vectors[0], r);
  for (int k = 0; k < n; k++) {
    A_(products[k], vectors[k]);
    if (k + 1 == n) break;
    ColorSpinorField &next = vectors[k + 1];
    if (polynomials_ == Polynomials::power) {
      blas::copy(next, products[k]);
      continue;
    }
    const double twice = k == 0 ? 1 : 2;
    blas::axpbyz(twice * m, products[k], twice * c, vectors[k], next);
    if (k > 0) blas::axpy(-1.0, vectors[k - 1], next);
  }
}

void KrylovBasis::view(int first, int count)
{
  vectors.view(first, count);
  products.view(first, count);
}

void KrylovBasis::exchange(int i, int j)
{
  vectors.exchange(i, j);
  products.exchange(i, j);
}

double largest_eigenvalue(const LinearOperator &A, const ColorSpinorField &start)
{
  std::vector<double> scale = blas::block::amax(start);
  for (double &one : scale) one = std::isfinite(one) ? 1 / power_above(one) : 0;
  ColorSpinorField one(A.shape(start.rhs())), other(A.shape(start.rhs()));
  ColorSpinorField *v = &one, *product = &other;
  blas::block::convert(*v, start, scale);
  Sums sums;
  sums.norm = blas::block::norm2(*v);
  for (int k = 0; k < power_iterations; k++) {
    for (std::size_t j = 0; j < scale.size(); j++) scale[j] = sums.norm[j] > 0 ? 1 / std::sqrt(sums.norm[j]) : 0;
    blas::ax(scale, *v);
    A.apply({.out = *product, .in = *v, .end = {.norm = true}}, &sums);
    std::swap(v, product);
  }
  return margin * std::sqrt(*std::max_element(sums.norm.begin(), sums.norm.end()));
}

} // namespace quda
