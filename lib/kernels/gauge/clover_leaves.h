#pragma once
/// The four plaquettes of a plane that meet in a site: building block of charge, energy and clover terms.

#include "device/anti_hermitian.h"
#include "device/displacement.h"
#include "device/staple.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Q - Q^dag of one plane, trace included. Leaves on either side of a link are that link times the difference of its
/// staples: [U_mu (upper - lower)^dag](x) + [(upper - lower)^dag U_mu](x - mu), less the adjoint.
template <class S, int recon> QUDA_OUTLINE AntiHermitian<Real<S>>
clover_leaves(const Gauge<S, recon> &U, const BorderIndex &index, const Coord &x, int mu, int nu)
{
  using R = Real<S>;
  const auto staples = [&](const Displacement &y) QUDA_LAMBDA {
    const Displacement below = y.step(nu, -1);
    Matrix<R> sum = multiple_of_unity(R(0.0));
    add_lower_staple(sum, U, index.shifted(x, below.dx), index.shifted(x, below.step(mu, +1).dx), nu, mu);
    sum = scaled(R(-1.0), sum);
    add_upper_staple(sum, U, index.shifted(x, y.dx), index.shifted(x, y.step(nu, +1).dx),
                     index.shifted(x, y.step(mu, +1).dx), nu, mu);
    return sum;
  };
  const Displacement here {}, behind = here.step(mu, -1);
  const Matrix<R> ahead = staples(here);
  const LinkOperand<S, recon> u(U, index.here(x), mu);
  const AntiHermitian<R> forward = anti_hermitian_product(u.read(), ahead);
  const Matrix<R> back = staples(behind);
  const LinkOperand<S, recon> v(U, index.shifted(x, behind.dx), mu);
  const AntiHermitian<R> backward = anti_hermitian_adjoint_product(back, v.read());
  return add_scaled(R(1.0), forward, backward);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
