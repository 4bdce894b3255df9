#pragma once
/// Base of the kernels of path sums: their argument and the use of a finished sum.
///   W_mu(x) = U_mu(x) sum_i c_i Path_i(x + mu)
/// to momenta  : A_mu(x) = TA(A_mu(x) - f W_mu(x)), or -f TA(W_mu(x)) if the old ones are dropped
/// to matrices : M_mu(x) = M_mu(x) + f W_mu(x), or f W_mu(x)
/// links, A, M : (mu 4, parity 2, x_cb, ...); A and M without border, with no aliases.

#include "core/tune_param.h"
#include "device/kernel_ops.h"
#include "device/link_operand.h"
#include "device/products.h"
#include "device/site_arg.h"
#include "device/old_momentum.h"
#include "kernels/gauge/path_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct PathSumArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Index own; // of the result
  Gauge<S, recon> U;
  Momentum<S> momentum;
  Storage<S, 18> matrices;
  number factor;
  bool to_momentum;
  bool overwrite;
  bool goes_on;
  int prefetch; // registers ahead

  PathSumArg(const PathSumCall &c, const TuneParam &tp)
      : BorderArg(c.links.field.lattice, 2, 1, 0)
      , own(c.result.field.lattice)
      , U(c.links)
      , momentum(c.result)
      , matrices(c.result.field)
      , factor(static_cast<number>(c.factor))
      , to_momentum(c.result.reconstruct == 10)
      , overwrite(c.overwrite)
      , goes_on(c.goes_on)
      , prefetch(tp.prefetch)
  {
  }

  using Operand = LinkOperand<S, recon>;
  QUDA_DEVICE Operand link(const Place &n, int mu) const { return Operand(U, n, mu); }

  QUDA_OUTLINE void finish(const Coord &x, int mu, const Matrix<real> &w) const
  {
    const Place here = own.here(own.same(x));
    if (to_momentum) {
      const AntiHermitian<real> force = traceless_anti_hermitian(w);
      const real minus = -factor;
      if (overwrite) {
        momentum.write(here, mu, scaled(minus, force));
      } else {
        if (prefetch) momentum.storage.prefetch(here, mu, prefetch);
        const AntiHermitian<real> old = momentum.read(here, mu);
        momentum.write(here, mu, add_scaled(minus, force, goes_on ? old : without_trace<number>(old)));
      }
    } else {
      const real f = factor;
      real v[18];
      if (overwrite) {
        QUDA_UNROLL
        for (int k = 0; k < 18; k++) v[k] = f * (k % 2 ? w.e[k / 2].im : w.e[k / 2].re);
      } else {
        if (prefetch) matrices.prefetch(here, mu, prefetch);
        const auto old = matrices.read(here, mu);
        QUDA_UNROLL
        for (int k = 0; k < 18; k++) v[k] = fma(f, k % 2 ? w.e[k / 2].im : w.e[k / 2].re, old[k]);
      }
      matrices.write(here, mu, v);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
