#pragma once
/// Operators of any spectrum, for tests of solvers: a matrix acts on the numbers of one right-hand side in host order,
/// in double, and the field's precision rounds what comes out.

#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "dirac/linear_operator.h"
#include "support/native_fields.h"

namespace solver_tests
{

using Complex = std::complex<double>;
using Vector = std::vector<Complex>;

/// out = A in, or A^dag in.
using Matrix = std::function<Vector(const Vector &in, bool dagger)>;

inline std::shared_ptr<const quda::Lattice> small_lattice()
{
  const int X[4] = {2, 2, 2, 2};
  return quda::Lattice::create(X, quda::make_single_communicator());
}

constexpr std::size_t length = 16 * 12; // numbers of a right-hand side

/// One vector a right-hand side; a full field keeps them parity by parity.
inline std::vector<Vector> vectors_of(const quda::ColorSpinorField &field)
{
  const std::vector<double> host = support::host_array(field);
  const int n = field.rhs();
  const std::size_t half = length / 2;
  std::vector<Vector> all(n, Vector(length));
  for (int parity = 0; parity < 2; parity++)
    for (int j = 0; j < n; j++)
      for (std::size_t i = 0; i < half; i++) {
        const std::size_t at = 2 * ((parity * n + j) * half + i);
        all[j][parity * half + i] = {host[at], host[at + 1]};
      }
  return all;
}

inline void set(quda::ColorSpinorField &field, const std::vector<Vector> &all)
{
  const int n = field.rhs();
  const std::size_t half = length / 2;
  std::vector<double> host(2 * length * n);
  for (int parity = 0; parity < 2; parity++)
    for (int j = 0; j < n; j++)
      for (std::size_t i = 0; i < half; i++) {
        const std::size_t at = 2 * ((parity * n + j) * half + i);
        host[at] = all[j][parity * half + i].real();
        host[at + 1] = all[j][parity * half + i].imag();
      }
  support::set_from_host(field, host);
}

class DenseOperator : public quda::LinearOperator
{
public:
  DenseOperator(std::shared_ptr<const quda::Lattice> lattice, quda::Precision precision, Matrix matrix,
                quda::Symmetry symmetry = quda::Symmetry::general)
      : lattice_(std::move(lattice))
      , precision_(precision)
      , matrix_(std::move(matrix))
      , symmetry_(symmetry)
  {
  }
  quda::ColorSpinorParam shape(int rhs) const override
  {
    quda::ColorSpinorParam param;
    param.rhs = rhs;
    param.lattice = lattice_;
    param.precision = precision_;
    return param;
  }
  quda::Symmetry symmetry() const override { return symmetry_; }
  double flops(int rhs) const override { return rhs; }
  double bytes(int rhs) const override { return rhs; }

  mutable int products = 0; // right-hand sides times applications

protected:
  void plain(quda::ColorSpinorField &out, const quda::ColorSpinorField &in, bool dagger) const override
  {
    std::vector<Vector> all = vectors_of(in);
    for (Vector &v : all) v = matrix_(v, dagger);
    products += in.rhs();
    set(out, all);
  }

private:
  std::shared_ptr<const quda::Lattice> lattice_;
  quda::Precision precision_;
  Matrix matrix_;
  quda::Symmetry symmetry_;
};

inline Matrix diagonal(std::function<Complex(std::size_t)> entry)
{
  return [entry = std::move(entry)](const Vector &in, bool dagger) {
    Vector out(in.size());
    for (std::size_t i = 0; i < in.size(); i++) out[i] = (dagger ? std::conj(entry(i)) : entry(i)) * in[i];
    return out;
  };
}

/// Eigenvalues spread evenly in their logarithm over [1 / condition, 1].
inline Matrix spread(double condition)
{
  return diagonal(
      [condition](std::size_t i) { return Complex(std::pow(condition, -static_cast<double>(i) / (length - 1))); });
}

/// Not normal: a diagonal in the right half plane, and a second diagonal beside it.
inline Matrix bidiagonal()
{
  return [](const Vector &in, bool dagger) {
    Vector out(in.size());
    for (std::size_t i = 0; i < in.size(); i++) {
      const Complex d(1 + 0.01 * static_cast<double>(i % 50), 0.3 * std::sin(static_cast<double>(i)));
      const Complex side(0.2, -0.1);
      const std::size_t next = (i + 1) % in.size();
      out[i] += (dagger ? std::conj(d) : d) * in[i];
      if (dagger)
        out[next] += std::conj(side) * in[i];
      else
        out[i] += side * in[next];
    }
    return out;
  };
}

inline Vector random_vector(unsigned seed)
{
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Vector v(length);
  for (Complex &z : v) z = {normal(generator), normal(generator)};
  return v;
}

inline double norm(const Vector &v)
{
  double scale = 0, sum = 0;
  for (const Complex &z : v) scale = std::max({scale, std::abs(z.real()), std::abs(z.imag())});
  if (scale == 0 || !std::isfinite(scale)) return scale;
  for (const Complex &z : v) sum += std::norm(z / scale);
  return scale * std::sqrt(sum);
}

/// |b - A x| / |b|, by the matrix itself.
inline double residual(const Matrix &A, const Vector &x, const Vector &b)
{
  Vector r = A(x, false);
  for (std::size_t i = 0; i < r.size(); i++) r[i] = b[i] - r[i];
  return norm(r) / norm(b);
}

} // namespace solver_tests
