/// Gradient of Wilson's hop between pairs of quark fields with respect to the links, outer products of half spinors:
///   S = sum_i w_i Re l_i^dag D r_i,   dS = sum Re tr(G^dag dU),
///   G_mu(x) = [G_mu(x) +] sum_i w_i sum_s { [(1 - gamma_mu) l_i(x)]_s [(1 - gamma_mu) r_i(x+mu)]_s^dag
///                                           + [(1 + gamma_mu) r_i(x)]_s [(1 + gamma_mu) l_i(x+mu)]_s^dag },
/// s the upper two spins: the lower ones of projected spinors give the same, and (1 -+ gamma_mu)^2 is twice itself.
/// All directions of a site are done together, so that a pair is read once, and all pairs of a direction before its
/// matrix is written.
/// l, r      : (parity 2, x_cb, i, spin 4, color 3) complex.
/// G         : (mu 4, parity 2, x_cb, row 3, col 3) complex, no border.
/// Halo      : half spinors from above, one layer. Collective: no.
/// Flops     : 1,440 a pair. Bytes: each pair once; G once, twice if it is added to.

#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/dirac/wilson_leg.h"
#include "kernels/force/hop_gradient_call.h"
#include "kernels/halo/slots.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int = 0> struct HopGradientArg {
  using number = number_of<S>;
  using real = Real<S>;
  using Spinors = Storage<S, 24>;
  using Slots = HaloSlots<S, 12>;
  unsigned threads[3]; // registers, parities
  Index index;
  Spinors left, right;
  Slots of_left, of_right;
  Storage<S, 18, false> gradient;
  const unsigned *sites;
  int entries;
  bool add, streaming;
  int prefetch; // registers ahead
  number weight[most_hop_entries];

  HopGradientArg(const HopGradientCall &c, const TuneParam &tp)
      : threads {c.count, 2, 1}
      , index(c.left.lattice)
      , left(c.left)
      , right(c.right)
      , of_left(c.of_left)
      , of_right(c.of_right)
      , gradient(c.gradient.field)
      , sites(c.sites)
      , entries(c.entries)
      , add(c.add)
      , streaming(tp.streaming)
      , prefetch(tp.prefetch)
  {
    for (int i = 0; i < entries; i++) weight[i] = static_cast<number>(c.weight[i]);
  }
};

template <class Arg> struct HopGradient : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  /// Upper spins of (1 + sign gamma_mu) times a spinor at its own place.
  template <int mu, int sign, class Record> QUDA_DEVICE static void project_all(HalfSpinor<real> &h, const Record &q)
  {
    QUDA_UNROLL
    for (int j = 0; j < 3; j++) {
      Complex<real> a[2];
      project_raw<mu, sign>(a, q, j);
      h.h[0][j] = a[0];
      h.h[1][j] = a[1];
    }
  }

  /// The same of the spinor ahead, in the lanes of x.
  template <int mu, int sign>
  QUDA_DEVICE static void project_ahead(HalfSpinor<real> &h, const typename Arg::Spinors &field,
                                        const typename Arg::Slots &halo, const Place &n, int i)
  {
    if (__builtin_expect(n.beyond, 0)) {
      const auto q = halo.read(n, mu, +1, i);
      QUDA_UNROLL
      for (int k = 0; k < HalfSpinor<real>::numbers; k++) h.number(k) = {q[2 * k], q[2 * k + 1]};
    } else {
      project_all<mu, sign>(h, field.read(n, i));
      if (__builtin_expect(n.shift != nullptr, 0)) move_lanes(h, n);
    }
  }

  /// Both products of a pair at once if that saves writing g between them, one after the other if registers are
  /// scarce.
  static constexpr int together = block_is_thread ? 2 : 1;
  struct Halves {
    HalfSpinor<real> here[together], ahead[together];
  };

  /// Projects the fields of product n at x and ahead of it; n decides which of left and right is at x.
  template <int mu> QUDA_DEVICE void project_pair(Halves &h, const Place &here, const Place &ahead, int n, int i) const
  {
    HalfSpinor<real> &a = h.here[n % together], &b = h.ahead[n % together];
    if (n == 0) {
      project_all<mu, -1>(a, arg.left.read(here, i));
      project_ahead<mu, -1>(b, arg.right, arg.of_right, ahead, i);
    } else {
      project_all<mu, +1>(a, arg.right.read(here, i));
      project_ahead<mu, +1>(b, arg.left, arg.of_left, ahead, i);
    }
  }

  /// g += w sum of here_s ahead_s^dag, an element of g at a time.
  QUDA_DEVICE static void add_products(Matrix<real> &g, real w, const Halves &h)
  {
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      Complex<real> weighted[2 * together];
      QUDA_UNROLL
      for (int n = 0; n < 2 * together; n++) weighted[n] = scaled(w, h.here[n / 2].h[n % 2][k]);
      QUDA_UNROLL
      for (int l = 0; l < 3; l++) {
        Complex<real> sum = g(k, l);
        QUDA_UNROLL
        for (int n = 0; n < 2 * together; n++) sum = conj_multiply_add(h.ahead[n / 2].h[n % 2][l], weighted[n], sum);
        g(k, l) = sum;
      }
    }
  }

  /// Prefetches records that no earlier site has read: fields at a site, with its first direction, and along t; and
  /// along z, as these have left the cache since the previous slice.
  template <int mu> QUDA_DEVICE void prefetch(const Place &here, const Place &ahead, int i) const
  {
    if (!arg.prefetch || mu == 1) return;
    arg.left.prefetch(mu == 0 ? here : ahead, i, arg.prefetch);
    arg.right.prefetch(mu == 0 ? here : ahead, i, arg.prefetch);
  }

  template <int mu> QUDA_OUTLINE void direction(const Coord &x, const Place &here) const
  {
    const Place ahead = arg.index.neighbour(x, mu, +1);
    Matrix<real> g = multiple_of_unity(real(0.0));
    if (arg.add) unpack(g.e, arg.gradient.read(here, mu));
    for (int i = 0; i < arg.entries; i++) {
      if (!ahead.beyond) prefetch<mu>(here, ahead, i);
      Halves h;
      QUDA_UNROLL
      for (int n = 0; n < 2; n++) {
        project_pair<mu>(h, here, ahead, n, i);
        if (n % together == together - 1) add_products(g, real(arg.weight[i]), h);
      }
    }
    real v[18];
    pack(v, g.e);
    arg.gradient.write(here, mu, v, arg.streaming && !arg.add);
  }

  QUDA_DEVICE void operator()(unsigned n, int parity) const
  {
    const Coord x = arg.index.coord(arg.sites ? arg.sites[parity * arg.threads[0] + n] : n, parity);
    const Place here = arg.index.here(x);
    direction<0>(x, here);
    direction<1>(x, here);
    direction<2>(x, here);
    direction<3>(x, here);
  }
};

QUDA_INSTANCES(hop_gradient, HopGradientCall, Launch2D<HopGradient, HopGradientArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
