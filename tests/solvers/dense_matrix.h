#pragma once
/// An operator as a dense matrix, for small lattices, and its fields as vectors in the host's order.

#include <complex>
#include <vector>

#include <Eigen/Dense>

#include "dirac/linear_operator.h"
#include "support/native_fields.h"

namespace solver_tests
{

inline Eigen::VectorXcd vector_of(const quda::ColorSpinorField &field)
{
  const std::vector<double> host = support::host_array(field);
  Eigen::VectorXcd v(static_cast<Eigen::Index>(host.size() / 2));
  for (Eigen::Index i = 0; i < v.size(); i++)
    v[i] = {host[2 * static_cast<std::size_t>(i)], host[2 * static_cast<std::size_t>(i) + 1]};
  return v;
}

inline void set_vector(quda::ColorSpinorField &field, const Eigen::VectorXcd &v)
{
  std::vector<double> host;
  for (Eigen::Index i = 0; i < v.size(); i++) host.insert(host.end(), {v[i].real(), v[i].imag()});
  support::set_from_host(field, host);
}

inline Eigen::MatrixXcd matrix_of(const quda::LinearOperator &A)
{
  quda::ColorSpinorField in(A.shape(1)), out(A.shape(1));
  const auto n = static_cast<Eigen::Index>(in.sites() * in.inner() * in.reals() / 2);
  Eigen::MatrixXcd M(n, n);
  for (Eigen::Index i = 0; i < n; i++) {
    set_vector(in, Eigen::VectorXcd::Unit(n, i));
    A(out, in);
    M.col(i) = vector_of(out);
  }
  return M;
}

} // namespace solver_tests
