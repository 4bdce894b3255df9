#pragma once
/// Momenta that a force is added to: A - f TA(W) must be TA(A - f W), whatever the trace of a host's A.

#include "device/anti_hermitian.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// TA(a) of an anti-Hermitian a. A trace of the size of rounding stays, so that momenta without one keep their bits.
/// number: type of the registers' lanes.
template <class number> QUDA_DEVICE AntiHermitian<Real<number>> without_trace(const AntiHermitian<Real<number>> &a)
{
  using real = Real<number>;
  const real few_roundings2 = real(sizeof(number) == 8 ? 1.3e-29 : 3.6e-12); // (16 times 2^-52 or 2^-23) squared
  const real trace = a.diag[0] + a.diag[1] + a.diag[2];
  const real norm2 = fma(a.diag[0], a.diag[0], fma(a.diag[1], a.diag[1], a.diag[2] * a.diag[2]));
  const real mean = select(trace * trace <= few_roundings2 * norm2, real(0.0), real(1.0 / 3.0) * trace);
  return {{a.off[0], a.off[1], a.off[2]}, {a.diag[0] - mean, a.diag[1] - mean, a.diag[2] - mean}};
}

} // namespace quda::QUDA_TARGET_NAMESPACE
