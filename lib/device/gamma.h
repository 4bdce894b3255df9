#pragma once
/// Gamma matrices in the DeGrand-Rossi basis, gamma_mu = ((0, G), (G^dag, 0)):
///   (gamma_mu psi)_s = i^phase[mu][s] psi_partner[mu][s] for the upper spins s = 0, 1,
/// and the lower spins follow by the adjoint. A projected spinor (1 +- gamma_mu) psi is determined by its upper half
/// h_s = psi_s +- (gamma_mu psi)_s; its lower half is +- G^dag h.

#include "device/complex.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int gamma_partner[4][2] = {{3, 2}, {3, 2}, {2, 3}, {2, 3}};
constexpr int gamma_phase[4][2] = {{1, 1}, {2, 0}, {1, 3}, {0, 0}};

/// a + i^k b
template <int k, class R> QUDA_DEVICE Complex<R> add_phase(Complex<R> a, Complex<R> b)
{
  if constexpr ((k & 3) == 0) return {a.re + b.re, a.im + b.im};
  if constexpr ((k & 3) == 1) return {a.re - b.im, a.im + b.re};
  if constexpr ((k & 3) == 2) return {a.re - b.re, a.im - b.im};
  if constexpr ((k & 3) == 3) return {a.re + b.im, a.im - b.re};
}

/// One colour of the upper half of (1 + sign gamma_mu) psi; psi[s] is that colour of spin s.
template <int mu, int sign, class R> QUDA_DEVICE void project(Complex<R> (&h)[2], const Complex<R> (&psi)[4])
{
  constexpr int turn = sign > 0 ? 0 : 2;
  constexpr int p0 = gamma_partner[mu][0], p1 = gamma_partner[mu][1];
  h[0] = add_phase<gamma_phase[mu][0] + turn>(psi[0], psi[p0]);
  h[1] = add_phase<gamma_phase[mu][1] + turn>(psi[1], psi[p1]);
}

/// One colour of out += sign G^dag h in the lower spins: out[0], out[1] are spins 2, 3.
template <int mu, int sign, class R>
QUDA_DEVICE void add_lower(Complex<R> (&out)[2], const Complex<R> &h0, const Complex<R> &h1)
{
  constexpr int turn = sign > 0 ? 0 : 2;
  constexpr int k0 = 4 - gamma_phase[mu][0] + turn, k1 = 4 - gamma_phase[mu][1] + turn;
  constexpr int p0 = gamma_partner[mu][0] - 2, p1 = gamma_partner[mu][1] - 2;
  out[p0] = add_phase<k0>(out[p0], h0);
  out[p1] = add_phase<k1>(out[p1], h1);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
