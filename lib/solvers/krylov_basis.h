#pragma once
/// Basis of the Krylov space of a residual, made with several products at a time: p_k(A) r and A p_k(A) r for k < n.
/// power     : p_k(t) = t^k. Its vectors soon become parallel: for n up to about 4.
///   Chebyshev : p_k(t) = T_k((2 t - most - least) / (most - least)), bounded where the spectrum lies between least and
///               most; good for n of 10 and more
/// Fields: two for each vector of the basis.

#include "solvers/krylov_method.h"

namespace quda
{

enum class Polynomials : int { power = 0, chebyshev = 1 }; // as hosts number them

struct Spectrum {
  double least = 0, most = 0; // most 0 or less: not known
};

class KrylovBasis
{
public:
  /// Errors: bad_argument for Chebyshev polynomials unless least < most.
  KrylovBasis(const LinearOperator &A, int size, Polynomials polynomials, const Spectrum &spectrum);
  int size() const { return vectors.size(); }
  void prepare(const ColorSpinorParam &shape);
  /// The first n vectors and products.
  void grow(const ColorSpinorField &r, int n);
  void view(int first, int count);
  void exchange(int i, int j);

  blas::VectorSet vectors, products;

private:
  const LinearOperator &A_;
  const Polynomials polynomials_;
  const Spectrum spectrum_;
};

/// Estimate of the largest |eigenvalue| of A, a tenth above what power iterations from these right-hand sides find;
/// their order does not matter. 0 if they are zero.
double largest_eigenvalue(const LinearOperator &A, const ColorSpinorField &start);

} // namespace quda
