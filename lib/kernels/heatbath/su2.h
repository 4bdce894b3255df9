#pragma once
/// SU(2) subgroups of SU(3), and their heat bath.
///   a = (a_0, a_1, a_2, a_3) stands for a_0 + i a.sigma, in rows p and q:
///   [[a_0 + i a_3, a_2 + i a_1], [-a_2 + i a_1, a_0 - i a_3]].
///   A matrix M gives r = (Re(M_pp + M_qq), Im(M_pq + M_qp), Re(M_pq - M_qp), Im(M_pp - M_qq)) = k r^, |r^| = 1, and
///   Re tr(g M) = k (g r^)_0 + terms without g.

#include "device/functions.h"
#include "device/matrix.h"
#include "device/random.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> struct Quaternion {
  R a[4];
};

template <class R> QUDA_DEVICE Quaternion<R> subgroup_part(const Matrix<R> &m, int p, int q)
{
  return {{m(p, p).re + m(q, q).re, m(p, q).im + m(q, p).im, m(p, q).re - m(q, p).re, m(p, p).im - m(q, q).im}};
}

/// a b^dag
template <class R> QUDA_DEVICE Quaternion<R> multiply_adjoint(const Quaternion<R> &a, const Quaternion<R> &b)
{
  const auto component = [&](int i, int j, int k) QUDA_LAMBDA {
    return fma(a.a[j], b.a[k], fnma(a.a[k], b.a[j], fms(a.a[i], b.a[0], a.a[0] * b.a[i])));
  };
  const R scalar = fma(a.a[3], b.a[3], fma(a.a[2], b.a[2], fma(a.a[1], b.a[1], a.a[0] * b.a[0])));
  return {{scalar, component(1, 2, 3), component(2, 3, 1), component(3, 1, 2)}};
}

/// Rows p, q of m: g times them.
template <class R> QUDA_DEVICE void multiply_rows(const Quaternion<R> &g, int p, int q, Matrix<R> &m)
{
  const Complex<R> pp = {g.a[0], g.a[3]}, pq = {g.a[2], g.a[1]}, qp = {-g.a[2], g.a[1]}, qq = {g.a[0], -g.a[3]};
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    const Complex<R> above = m(p, j), below = m(q, j);
    m(p, j) = multiply_add(pq, below, multiply(pp, above));
    m(q, j) = multiply_add(qq, below, multiply(qp, above));
  }
}

/// Draws of one subgroup: the direction of a, then two a try.
constexpr unsigned draws_of_subgroup = 1u << 18;

/// 1 - a_0 of the density sqrt(1 - a_0^2) exp(alpha a_0) on [-1, 1], alpha >= 0. Lanes wait for each other; each keeps
/// the first try that it accepts.
///   alpha >= 3/4 : Kennedy and Pendleton (Phys. Lett. 156B (1985) 393): d = -(log x_1 + cos^2(2 pi x_2) log x_3) /
///                  alpha, accepted where x_4^2 <= 1 - d/2
///   below        : d = 2 x_3, accepted where x_4^2 <= d (2 - d) and log x_1 <= -alpha d
/// At least 38 % are accepted. NaN and infinity of alpha give NaN and 0.
template <class real> QUDA_OUTLINE real draw_weight(real alpha, const SiteRandom<real> &random, unsigned draw)
{
  const real zero = real(0.0), one = real(1.0), half = real(0.5);
  const auto steep = alpha >= real(0.75);
  auto pending = alpha >= zero;
  real result = alpha - alpha;
  for (unsigned n = draw; any(pending); n += 2) {
    real x1, x2, x3, x4;
    random.uniforms(n, x1, x2);
    random.uniforms(n + 1, x3, x4);
    const real log1 = log(x1);
    const real cosine = sincos_2pi(x2).cos;
    const real d = select(steep, -fma(cosine * cosine, log(x3), log1) / alpha, x3 + x3);
    const real square = x4 * x4;
    const auto by_weight = (square <= d * (one + one - d)) & (log1 <= -(alpha * d));
    const auto accepted = pending & ((steep & (square <= fnma(half, d, one))) | ((!steep) & by_weight));
    result = select(accepted, d, result);
    pending = pending & !accepted;
  }
  return result;
}

/// A quaternion of length 1 and a_0 = 1 - d, its direction uniform on the sphere.
template <class real>
QUDA_OUTLINE Quaternion<real> draw_direction(real d, const SiteRandom<real> &random, unsigned draw)
{
  const real one = real(1.0);
  real u, v;
  random.uniforms(draw, u, v);
  const SinCos<real> angle = sincos_2pi(u);
  const real length = sqrt(d * (one + one - d)); // sqrt(1 - a_0^2)
  const real across = length * (sqrt(v * (one - v)) * real(2.0));
  return {{one - d, across * angle.cos, across * angle.sin, length * (one - (v + v))}};
}

} // namespace quda::QUDA_TARGET_NAMESPACE
