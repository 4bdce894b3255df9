/// Gradient of clover leaves with respect to the links that they are made of:
///   S = sum_x sum_{mu > nu} Re tr(Q_{mu nu}(x) Z_{mu nu}(x)) / 8,   dS = sum Re tr(G^dag dU),
/// Q the four plaquettes of a plane that meet in x, Z a tensor (clover_tensor.launch.cpp). A plaquette is a leaf of
/// each of its corners, so that S is a sum over plaquettes with Z inserted at each of the four. For two corners at the
/// ends of a link the insertions are computed together and once for all plaquettes along the link:
///   Y_nu^mu(x) = s [U_nu(x)^dag Z(x) U_nu(x) + Z(x+nu)],   s = 1/8 for nu < mu, else -1/8, Z of their plane
/// With V the lower staple U_nu(y)^dag U_mu(y) U_nu(y+mu), y = x - nu,
///   G_mu(x) += sum_{nu != mu} { V Y_nu^mu(y+mu) + Y_nu^mu(y) V
///                               - U_nu(x) [U_mu(x+nu) Y_nu^mu(x+mu) + Y_nu^mu(x) U_mu(x+nu)] U_nu(x+mu)^dag }
/// U, G      : (mu 4, parity 2, x_cb, row 3, col 3) complex, whole matrices.
/// Z         : (parity 2, x_cb, block 2, part 3, 9). Y: three fields, mu counted without nu, of anti-Hermitian
///             matrices, with their traces, in the storage of momenta.
/// Halo      : Z from above, one layer; U and Y a border of depth 1 or more in cut directions, current, corners
///             included. Collective: no.
/// Flops     : 12 sums Y of 348, 12 staples of 1,584. Bytes: each field once, G twice.

#include "device/displacement.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/link_operand.h"
#include "device/products.h"
#include "device/site_arg.h"
#include "kernels/force/clover_planes.h"
#include "kernels/force/clover_tensor_call.h"
#include "kernels/halo/slots.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct CornerSumsArg : SiteArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Index own; // of links and sums
  Gauge<S, recon> U;
  FieldView tensor, slot[4];             // above
  Storage<S, tensor_reals, false> ahead; // of the tensor, to prefetch
  Momentum<S> sum[3];
  unsigned char part[4][3];
  number sign[4][3][2];
  int directions; // 4; not known to the compiler, which would unroll them all
  int prefetch;   // registers ahead
  bool streaming;

  CornerSumsArg(const CornerSumsCall &c, const TuneParam &tp)
      : SiteArg(c.tensor.lattice, 2)
      , own(c.sum[0].field.lattice)
      , U(c.links)
      , tensor(c.tensor)
      , ahead(c.tensor)
      , directions(4)
      , prefetch(tp.prefetch)
      , streaming(tp.streaming)
  {
    for (int k = 0; k < 3; k++) sum[k] = Momentum<S>(c.sum[k]);
    for (int nu = 0; nu < 4; nu++) {
      slot[nu] = slot_field(c.halo, nu, c.halo.slot[nu][1]);
      for (int k = 0; k < 3; k++) {
        const int mu = k < nu ? k : k + 1;
        const PlaneParts plane = nu < mu ? plane_parts(mu, nu) : plane_parts(nu, mu);
        part[nu][k] = static_cast<unsigned char>(plane.part);
        for (int b = 0; b < 2; b++)
          sign[nu][k][b] = static_cast<number>(0.125 * (nu < mu ? plane.sign[b] : -plane.sign[b]));
      }
    }
  }
};

template <class Arg> struct CornerSums : NoKernelOps {
  using number = typename Arg::number;
  using real = typename Arg::real;
  using Operand = LinkOperand<typename Arg::stored, Arg::recon>;
  const Arg &arg;

  /// s Z at a place of a tensor.
  QUDA_DEVICE AntiHermitian<real> plane(const FieldView &tensor, const Place &n, int nu, int k) const
  {
    const auto record = register_record<number>(tensor, n, 0);
    const int at = 9 * arg.part[nu][k];
    const AntiHermitian<real> first = scaled(real(arg.sign[nu][k][0]), anti_hermitian_at<real>(record, at));
    return moved_lanes(add_scaled(real(arg.sign[nu][k][1]), anti_hermitian_at<real>(record, 27 + at), first), n);
  }

  /// z += U^dag Z U, computing only the anti-Hermitian half of the product.
  template <class Link>
  QUDA_DEVICE static void add_turned(AntiHermitian<real> &z, const AntiHermitian<real> &of, const Link &u)
  {
    Matrix<real> w;
    set_product(w, of.matrix(), u);
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) {
        const Complex<real> a = u(k, i);
        z.diag[i] = fnma(a.im, w(k, i).re, fma(a.re, w(k, i).im, z.diag[i]));
      }
      QUDA_UNROLL
      for (int n = 0; n < 3; n++) {
        const int i = n < 2 ? 0 : 1, j = n < 1 ? 1 : 2;
        z.off[n] = conj_multiply_add(u(k, i), w(k, j), z.off[n]);
      }
    }
  }

  QUDA_OUTLINE void add_sum(const Place &here, const Place &own, const Place &ahead, int nu, int k) const
  {
    AntiHermitian<real> y = plane(__builtin_expect(ahead.beyond, 0) ? arg.slot[nu] : arg.tensor, ahead, nu, k);
    const Operand u(arg.U, own, nu);
    add_turned(y, plane(arg.tensor, here, nu, k), u.read());
    arg.sum[k].write(own, nu, y, arg.streaming);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x), own = arg.own.here(arg.own.same(x));
    for (int nu = 0; nu < arg.directions; nu++) {
      const Place ahead = arg.index.neighbour(x, nu, +1);
      if (arg.prefetch) {
        arg.U.storage.prefetch(own, nu, arg.prefetch);
        if (nu != 1 && !ahead.beyond) arg.ahead.prefetch(nu == 0 ? here : ahead, 0, arg.prefetch);
      }
      for (int k = 0; k < 3; k++) add_sum(here, own, ahead, nu, k);
    }
  }
};

QUDA_INSTANCES(corner_sums, CornerSumsCall, Launch2D<CornerSums, CornerSumsArg>, Floating, Reconstructs<18>)

// ---- the gradient from these sums ----

template <class S, int reconstruct> struct LeafGradientArg : BorderArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Index own; // of the gradient
  Gauge<S, recon> U, gradient;
  Momentum<S> sum[3];
  int directions; // 4; not known to the compiler, which would unroll them all
  int prefetch;   // registers ahead

  LeafGradientArg(const LeafGradientCall &c, const TuneParam &tp)
      : BorderArg(c.links.field.lattice, 2)
      , own(c.gradient.field.lattice)
      , U(c.links)
      , gradient(c.gradient)
      , directions(4)
      , prefetch(tp.prefetch)
  {
    for (int k = 0; k < 3; k++) sum[k] = Momentum<S>(c.sum[k]);
  }
};

template <class Arg> struct LeafGradient : NoKernelOps {
  using real = typename Arg::real;
  using Operand = LinkOperand<typename Arg::stored, Arg::recon>;
  const Arg &arg;

  QUDA_DEVICE Matrix<real> corners(const Place &n, int mu, int nu) const
  {
    return moved_lanes(arg.sum[mu < nu ? mu : mu - 1].read(n, nu), n).matrix();
  }

  /// sum += U_nu(x) [U_mu(x+nu) Y(x+mu) + Y(x) U_mu(x+nu)] U_nu(x+mu)^dag
  QUDA_OUTLINE void add_upper(Matrix<real> &sum, const Coord &x, int mu, int nu) const
  {
    const Place here = arg.index.here(x), at_mu = arg.index.neighbour(x, mu, +1);
    if (arg.prefetch) {
      arg.U.storage.prefetch(arg.index.neighbour(x, nu, +1), mu, arg.prefetch);
      arg.sum[mu < nu ? mu : mu - 1].storage.prefetch(at_mu, nu, arg.prefetch);
      if (mu == 3) arg.sum[2].storage.prefetch(here, nu, arg.prefetch); // back after a sweep of t
    }
    const Operand u(arg.U, arg.index.neighbour(x, nu, +1), mu), a(arg.U, here, nu), c(arg.U, at_mu, nu);
    Matrix<real> m, left;
    set_product(m, u.read(), corners(at_mu, mu, nu));
    add_product(m, corners(here, mu, nu), u.read());
    set_product(left, a.read(), m);
    add_product(sum, left, adjoint_of(c.read()));
  }

  /// sum += V Y(y+mu) + Y(y) V
  QUDA_OUTLINE void add_lower(Matrix<real> &sum, const Coord &x, int mu, int nu) const
  {
    const Place y = arg.index.neighbour(x, nu, -1),
                y_mu = arg.index.shifted(x, Displacement {}.step(nu, -1).step(mu, +1).dx);
    if (arg.prefetch) {
      arg.U.storage.prefetch(y_mu, nu, arg.prefetch);
      arg.sum[mu < nu ? mu : mu - 1].storage.prefetch(y_mu, nu, arg.prefetch);
      if (nu == 3) arg.U.storage.prefetch(y, mu, arg.prefetch); // back after a sweep of t
    }
    const Operand a(arg.U, y, nu), b(arg.U, y, mu), c(arg.U, y_mu, nu);
    Matrix<real> ab, v;
    set_product(ab, adjoint_of(a.read()), b.read());
    set_product(v, ab, c.read());
    add_product(sum, v, corners(y_mu, mu, nu));
    add_product(sum, corners(y, mu, nu), v);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Place own = arg.own.here(arg.own.same(x));
    for (int mu = 0; mu < arg.directions; mu++) {
      if (arg.prefetch) arg.gradient.storage.prefetch(own, mu, arg.prefetch);
      Matrix<real> sum = scaled(real(-1.0), arg.gradient.matrix(own, mu));
      for (int nu = 0; nu < arg.directions; nu++)
        if (nu != mu) add_upper(sum, x, mu, nu);
      sum = scaled(real(-1.0), sum);
      for (int nu = 0; nu < arg.directions; nu++)
        if (nu != mu) add_lower(sum, x, mu, nu);
      arg.gradient.write(own, mu, sum);
    }
  }
};

QUDA_INSTANCES(leaf_gradient, LeafGradientCall, Launch2D<LeafGradient, LeafGradientArg>, Floating, Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
