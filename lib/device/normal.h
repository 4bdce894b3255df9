#pragma once
/// Normally distributed numbers of a site: z = sqrt(-log v) (cos 2 pi u, sin 2 pi u) from the uniforms u, v of a draw.

#include "device/complex.h"
#include "device/functions.h"
#include "device/random.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A complex number whose parts have variance 1/2.
template <class R> QUDA_DEVICE Complex<R> normal(const SiteRandom<R> &random, unsigned draw)
{
  R u, v;
  random.uniforms(draw, u, v);
  const SinCos<R> angle = sincos_2pi(u);
  const R radius = sqrt(-log(v));
  return {radius * angle.cos, radius * angle.sin};
}

} // namespace quda::QUDA_TARGET_NAMESPACE
