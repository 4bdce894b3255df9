/// Gradients of a function S of links by the chain rule: dS = sum Re tr(G^dag dX) = sum Re tr(H^dag dU), dX and dU of
/// all 18 numbers of a matrix, from G to H.
///   LongGradient    : X_mu(x) = w U_mu(x) U_mu(x+mu) U_mu(x+2mu).  H_mu(x) += w [ G(x) U(x+2mu)^dag U(x+mu)^dag
///                     + U(x-mu)^dag G(x-mu) U(x+mu)^dag + U(x-mu)^dag U(x-2mu)^dag G(x-2mu) ]_mu
///   UnitaryGradient : X = V Q^(-1/2), Q = V^dag V + e.  With Q = Z s^2 Z^dag, P = G Z, R = V Z, in columns and rows
///                     H = (P s^-1 - R Y) Z^dag,  Y_ij = (R^dag P + P^dag R)_ij / (s_i s_j (s_i + s_j));
///                of_special: X divided by the cube root of its determinant is W, whose gradient is G. The gradient
///                of X is X B, B = W^dag G less a third of its trace
///                     e = `least` where the smallest eigenvalue of V^dag V is below it, else 0. Differences of
///                     eigenvalues do not occur, so eigenvalues may be equal.
///   GradientForce   : A_mu(x) = TA(A_mu(x) + f U_mu(x) H_mu(x)^dag), or without the old A
/// G, H, U, V  : (mu 4, parity 2, x_cb, row 3, col 3) complex; A : ten numbers in their place.
/// Halo        : LongGradient: borders of depth 2 in cut directions, current; others: none. Collective: no.
/// Flops       : a link: 6 products of 198 and 54; 5 products, 300 and those of the eigenvectors, which are not
///              counted; one product and 60.
/// Instances   : whole links only: double, single = 2 of each.

#include "device/anti_hermitian.h"
#include "device/hermitian_eigen.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/link_operand.h"
#include "device/products.h"
#include "device/site_arg.h"
#include "kernels/force/link_gradient_call.h"
#include "device/old_momentum.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int reconstruct> struct LongGradientArg : BorderArg {
  using number = number_of<S>;
  using real = Real<S>;
  using Operand = LinkOperand<S, reconstruct>;
  Index own; // of the gradient
  Gauge<S, reconstruct> U, G;
  Gauge<S, reconstruct> gradient;
  number weight;

  LongGradientArg(const LongGradientCall &c, const TuneParam &)
      : BorderArg(c.links.field.lattice, 8, 1, 2)
      , own(c.gradient.field.lattice)
      , U(c.links)
      , G(c.of_long)
      , gradient(c.gradient)
      , weight(static_cast<number>(c.weight))
  {
  }
};

template <class Arg> struct LongGradient : NoKernelOps {
  using real = typename Arg::real;
  using Operand = typename Arg::Operand;
  const Arg &arg;

  /// m = U(x+mu) U(x+2mu), sum += G(x) m^dag
  QUDA_OUTLINE void add_first(Matrix<real> &sum, const Coord &x, int mu) const
  {
    const Operand g(arg.G, arg.index.here(x), mu), a(arg.U, arg.index.neighbour(x, mu, +1), mu),
        b(arg.U, arg.index.neighbour(x, mu, +2), mu);
    const Matrix<real> m = product(a.read(), b.read());
    add_product(sum, g.read(), adjoint_of(m));
  }
  QUDA_OUTLINE void add_second(Matrix<real> &sum, const Coord &x, int mu) const
  {
    const Place behind = arg.index.neighbour(x, mu, -1);
    const Operand a(arg.U, behind, mu), g(arg.G, behind, mu), b(arg.U, arg.index.neighbour(x, mu, +1), mu);
    const Matrix<real> m = product(adjoint_of(a.read()), g.read());
    add_product(sum, m, adjoint_of(b.read()));
  }
  QUDA_OUTLINE void add_third(Matrix<real> &sum, const Coord &x, int mu) const
  {
    const Place behind = arg.index.neighbour(x, mu, -2);
    const Operand a(arg.U, behind, mu), b(arg.U, arg.index.neighbour(x, mu, -1), mu), g(arg.G, behind, mu);
    const Matrix<real> m = product(a.read(), b.read());
    add_product(sum, adjoint_of(m), g.read());
  }

  /// entry: parity and direction.
  QUDA_DEVICE void operator()(unsigned x_cb, int entry) const
  {
    const int mu = entry / 2;
    const Coord x = arg.index.coord(x_cb, entry % 2);
    Matrix<real> sum = multiple_of_unity(real(0.0));
    add_first(sum, x, mu);
    add_second(sum, x, mu);
    add_third(sum, x, mu);
    const Place here = arg.own.here(arg.own.same(x));
    arg.gradient.write(here, mu, add_scaled(real(arg.weight), sum, arg.gradient.matrix(here, mu)));
  }
};

template <class S, int reconstruct> struct UnitaryGradientArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  Gauge<S, reconstruct> V, W, G, gradient;
  number least;
  bool of_special;

  UnitaryGradientArg(const UnitaryGradientCall &c, const TuneParam &)
      : SiteArg(c.links.field.lattice, 8)
      , V(c.links)
      , W(c.special)
      , G(c.of_unitary)
      , gradient(c.gradient)
      , least(static_cast<number>(c.least))
      , of_special(c.of_special)
  {
  }
};

template <class Arg> struct UnitaryGradient : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_OUTLINE void set_eigenvectors(Matrix<real> &z, const Matrix<real> &v) const { z = eigenvectors(gram(v)); }

  /// P = R s^-1 Z^dag (B - tr B / 3) Z, B = W^dag P
  QUDA_OUTLINE void of_special(Matrix<real> &p, const Matrix<real> &w, const Matrix<real> &r, const Matrix<real> &z,
                               const real (&s)[3]) const
  {
    Matrix<real> b;
    set_product(b, adjoint_of(w), p);
    const Complex<real> mean = scaled(real(1.0 / 3.0), trace(b));
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) b(i, i) = b(i, i) - mean;
    set_product(b, b, z);
    set_product(p, adjoint_of(z), b);
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      const real inverse = real(1.0) / s[i];
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) b(i, j) = scaled(inverse, p(i, j));
    }
    set_product(p, r, b);
  }

  /// R^dag P + P^dag R, element by element divided by s_i s_j (s_i + s_j).
  QUDA_OUTLINE void set_inner(HermitianMatrix<real> &y, const Matrix<real> &r, const Matrix<real> &p,
                              const real (&s)[3]) const
  {
    const real one = real(1.0);
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      real d = r(0, i).re * p(0, i).re;
      QUDA_UNROLL
      for (int k = 0; k < 3; k++) {
        if (k) d = fma(r(k, i).re, p(k, i).re, d);
        d = fma(r(k, i).im, p(k, i).im, d);
      }
      y.diag[i] = d / (s[i] * s[i] * s[i]); // 2 d / 2
    }
    QUDA_UNROLL
    for (int n = 0; n < 3; n++) {
      const int i = n < 2 ? 0 : 1, j = n < 1 ? 1 : 2;
      Complex<real> sum = conj_multiply(r(0, i), p(0, j));
      QUDA_UNROLL
      for (int k = 0; k < 3; k++) {
        if (k) sum = conj_multiply_add(r(k, i), p(k, j), sum);
        sum = conj_multiply_add(p(k, i), r(k, j), sum);
      }
      y.off[n] = scaled(one / (s[i] * s[j] * (s[i] + s[j])), sum);
    }
  }

  /// P <- P s^-1 - R Y
  QUDA_OUTLINE void combine(Matrix<real> &p, const Matrix<real> &r, const HermitianMatrix<real> &y,
                            const real (&s)[3]) const
  {
    const real one = real(1.0), inverse[3] = {one / s[0], one / s[1], one / s[2]};
    QUDA_UNROLL
    for (int k = 0; k < 3; k++) {
      const Complex<real> a = r(k, 0), b = r(k, 1), c = r(k, 2);
      const auto less = [](real f, Complex<real> x, Complex<real> from) QUDA_LAMBDA {
        return Complex<real> {fnma(f, x.re, from.re), fnma(f, x.im, from.im)};
      };
      Complex<real> row[3];
      QUDA_UNROLL
      for (int i = 0; i < 3; i++) row[i] = less(y.diag[i], r(k, i), scaled(inverse[i], p(k, i)));
      p(k, 0) = multiply_subtract(c, conj(y.off[1]), multiply_subtract(b, conj(y.off[0]), row[0]));
      p(k, 1) = multiply_subtract(c, conj(y.off[2]), multiply_subtract(a, y.off[0], row[1]));
      p(k, 2) = multiply_subtract(b, y.off[2], multiply_subtract(a, y.off[1], row[2]));
    }
  }

  /// entry: parity and direction.
  QUDA_DEVICE void operator()(unsigned x_cb, int entry) const
  {
    const int mu = entry / 2;
    const Place here = arg.index.here(arg.index.coord(x_cb, entry % 2));
    Matrix<real> r = arg.V.matrix(here, mu), z, p;
    set_eigenvectors(z, r);
    set_product(r, r, z);
    const HermitianMatrix<real> q = gram(r); // only its diagonal is needed
    const real least = real(arg.least), zero = real(0.0);
    const auto raised = (q.diag[0] < least) | (q.diag[1] < least) | (q.diag[2] < least);
    const real more = select(raised, least, zero);
    const real s[3] = {sqrt(q.diag[0] + more), sqrt(q.diag[1] + more), sqrt(q.diag[2] + more)};
    p = arg.G.matrix(here, mu);
    if (arg.of_special)
      of_special(p, arg.W.matrix(here, mu), r, z, s);
    else
      set_product(p, p, z);
    HermitianMatrix<real> y;
    set_inner(y, r, p, s);
    combine(p, r, y, s);
    set_product(p, p, adjoint_of(z));
    arg.gradient.write(here, mu, p);
  }
};

template <class S, int reconstruct> struct GradientForceArg : SiteArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  static constexpr int recon = reconstruct;
  Gauge<S, recon> U, gradient;
  Momentum<S> momentum;
  number factor;
  bool overwrite;

  GradientForceArg(const GradientForceCall &c, const TuneParam &)
      : SiteArg(c.links.field.lattice, 8)
      , U(c.links)
      , gradient(c.gradient)
      , momentum(c.momentum)
      , factor(static_cast<number>(c.factor))
      , overwrite(c.overwrite)
  {
  }
};

template <class Arg> struct GradientForce : NoKernelOps {
  using real = typename Arg::real;
  using Operand = LinkOperand<typename Arg::stored, Arg::recon>;
  const Arg &arg;

  /// entry: parity and direction.
  QUDA_DEVICE void operator()(unsigned x_cb, int entry) const
  {
    const int mu = entry / 2;
    const Place here = arg.index.here(arg.index.coord(x_cb, entry % 2));
    const Operand u(arg.U, here, mu), h(arg.gradient, here, mu);
    Matrix<real> w;
    set_product(w, u.read(), adjoint_of(h.read()));
    const AntiHermitian<real> force = traceless_anti_hermitian(w);
    const real f = real(arg.factor);
    arg.momentum.write(here, mu,
                       arg.overwrite
                           ? scaled(f, force)
                           : add_scaled(f, force, without_trace<typename Arg::number>(arg.momentum.read(here, mu))));
  }
};

QUDA_INSTANCES(long_gradient, LongGradientCall, Launch2D<LongGradient, LongGradientArg>, Floating, Reconstructs<18>)
QUDA_INSTANCES(unitary_gradient, UnitaryGradientCall, Launch2D<UnitaryGradient, UnitaryGradientArg>, Floating,
               Reconstructs<18>)
QUDA_INSTANCES(gradient_force, GradientForceCall, Launch2D<GradientForce, GradientForceArg>, Floating, Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
