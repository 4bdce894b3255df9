#pragma once
/// Matrices of planes from a tensor (clover_tensor.launch.cpp), which holds three parts of each chiral block.

#include "core/view.h"
#include "device/anti_hermitian.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Part of a tensor Z that gives the plane (mu, nu), mu > nu, and the signs of both blocks.
struct PlaneParts {
  int part, sign[2];
};
constexpr PlaneParts plane_parts(int mu, int nu)
{
  if (mu == 1) return {0, {1, 1}};
  if (mu == 2) return {nu == 0 ? 1 : 2, {1, 1}};
  return nu == 0 ? PlaneParts {2, {-1, 1}} : nu == 1 ? PlaneParts {1, {1, -1}} : PlaneParts {0, {-1, 1}};
}

/// The anti-Hermitian matrix whose numbers begin at k.
template <class R, class Record> QUDA_DEVICE AntiHermitian<R> anti_hermitian_at(const Record &q, int k)
{
  AntiHermitian<R> a;
  QUDA_UNROLL
  for (int n = 0; n < 3; n++) {
    a.off[n] = {q.get(k + 2 * n), q.get(k + 2 * n + 1)};
    a.diag[n] = q.get(k + 6 + n);
  }
  return a;
}

/// A matrix in the lanes of the calling place.
template <class R> QUDA_DEVICE AntiHermitian<R> moved_lanes(const AntiHermitian<R> &a, const Place &n)
{
  if (__builtin_expect(n.shift == nullptr, 1)) return a;
  AntiHermitian<R> b;
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    b.off[k] = {moved(a.off[k].re, n), moved(a.off[k].im, n)};
    b.diag[k] = moved(a.diag[k], n);
  }
  return b;
}

} // namespace quda::QUDA_TARGET_NAMESPACE
