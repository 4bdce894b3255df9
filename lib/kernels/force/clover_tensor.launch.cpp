/// Tensor of the derivative of a clover term, from pairs of quark fields or from a matrix like the term itself:
///   T_{mu nu}(x) = sum_i w_i sum_spin [gamma_mu gamma_nu r_i](x) l_i(x)^dag,   Z = T - T^dag, its trace not removed,
/// so that sum_i w_i Re l_i^dag gamma_mu gamma_nu F r_i = Re tr(F T) = Re tr(Q Z) / 8, F = (Q - Q^dag) / 8. A Hermitian
/// B in the place of sum_i w_i r_i l_i^dag gives tr_spin[gamma_mu gamma_nu B], which Z holds twice.
/// Products of two gammas keep chirality. With the spins 0, 1 of a chiral block,
///   D = r_0 l_0^dag - r_1 l_1^dag,   E = r_1 l_0^dag,   H = r_0 l_1^dag,
/// Z of each plane is the sum or the difference over blocks of one of three parts:
///   planes (1,0), (3,2): i (D + D^dag)            sum, minus difference
///   planes (2,0), (3,1): E - H - (E - H)^dag      sum, difference
///   planes (2,1), (3,0): i (E + H + (E + H)^dag)  sum, minus difference
/// and these parts are stored (clover_planes.h combines them to planes).
/// l, r      : (parity 2, x_cb, i, spin 4, color 3) complex. B: (parity 2, x_cb, block 2, 36), device/clover.h.
/// tensor    : (parity 2, x_cb, block 2, part 3, 9), anti-Hermitian matrices: 01, 02, 12, the imaginary diagonal.
/// Halo      : none. Collective: no.
/// Flops     : 744 a pair. Bytes: each pair once; the tensor once, twice if it is added to.

#include "device/anti_hermitian.h"
#include "device/clover.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/force/clover_tensor_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The three parts of a block, the diagonal halved and without the factors i of the first and the last.
template <class R> struct TensorParts {
  AntiHermitian<R> d, m, p;

  QUDA_DEVICE void clear()
  {
    const R zero = R(0.0);
    const Complex<R> none = {zero, zero};
    d = m = p = {{none, none, none}, {zero, zero, zero}};
  }

  /// Adds the parts to a record, or overwrites it; k: first number of the block.
  template <class Record> QUDA_DEVICE void store(const Record &out, int k, bool add) const
  {
    const auto put = [&](int n, R a) QUDA_LAMBDA { out.put(k + n, add ? out.get(k + n) + a : a, false); };
    QUDA_UNROLL
    for (int n = 0; n < 3; n++) {
      put(2 * n, -d.off[n].im);
      put(2 * n + 1, d.off[n].re);
      put(6 + n, d.diag[n] + d.diag[n]);
      put(9 + 2 * n, m.off[n].re);
      put(9 + 2 * n + 1, m.off[n].im);
      put(15 + n, m.diag[n] + m.diag[n]);
      put(18 + 2 * n, -p.off[n].im);
      put(18 + 2 * n + 1, p.off[n].re);
      put(24 + n, p.diag[n] + p.diag[n]);
    }
  }
};

template <class S, int = 0> struct CloverTensorArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  Storage<S, 24> left, right;
  FieldView tensor;
  int entries;
  bool add;
  number of_parity[2], weight[most_tensor_entries];

  CloverTensorArg(const CloverTensorCall &c, const TuneParam &)
      : SiteArg(c.left.lattice, 2, 2)
      , left(c.left)
      , right(c.right)
      , tensor(c.tensor)
      , entries(c.entries)
      , add(c.add)
  {
    for (int p = 0; p < 2; p++) of_parity[p] = static_cast<number>(c.of_parity[p]);
    for (int i = 0; i < entries; i++) weight[i] = static_cast<number>(c.weight[i]);
  }
};

template <class Arg> struct CloverTensor : NoKernelOps {
  using number = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  /// l, r: of the two spins of a block; r with its weight.
  QUDA_DEVICE static void add_pair(TensorParts<real> &z, const Complex<real> (&l)[2][3], const Complex<real> (&r)[2][3])
  {
    const auto minus = [](Complex<real> a) QUDA_LAMBDA { return Complex<real> {-a.re, -a.im}; };
    QUDA_UNROLL
    for (int a = 0; a < 3; a++) {
      const auto re = [&](int s, int t, real sum) QUDA_LAMBDA { // sum + Re r_s l_t^*
        return fma(r[s][a].im, l[t][a].im, fma(r[s][a].re, l[t][a].re, sum));
      };
      const auto less_re = [&](int s, int t, real sum)
                               QUDA_LAMBDA { return fnma(r[s][a].im, l[t][a].im, fnma(r[s][a].re, l[t][a].re, sum)); };
      const auto im = [&](int s, int t, real sum)
                          QUDA_LAMBDA { return fnma(r[s][a].re, l[t][a].im, fma(r[s][a].im, l[t][a].re, sum)); };
      const auto less_im = [&](int s, int t, real sum)
                               QUDA_LAMBDA { return fma(r[s][a].re, l[t][a].im, fnma(r[s][a].im, l[t][a].re, sum)); };
      z.d.diag[a] = less_re(1, 1, re(0, 0, z.d.diag[a]));
      z.m.diag[a] = less_im(0, 1, im(1, 0, z.m.diag[a]));
      z.p.diag[a] = re(0, 1, re(1, 0, z.p.diag[a]));
    }
    QUDA_UNROLL
    for (int n = 0; n < 3; n++) {
      const int a = n < 2 ? 0 : 1, b = n < 1 ? 1 : 2;
      // r_s l_t^dag and the adjoint of that: (conj(l_tb) r_sa), (conj(r_sb) l_ta)
      const auto both = [&](int s, int t, Complex<real> sum) QUDA_LAMBDA {
        return conj_multiply_add(r[s][b], l[t][a], conj_multiply_add(l[t][b], r[s][a], sum));
      };
      const auto less_both = [&](int s, int t, Complex<real> sum) QUDA_LAMBDA {
        return conj_multiply_add(minus(r[s][b]), l[t][a], conj_multiply_add(l[t][b], minus(r[s][a]), sum));
      };
      const auto difference = [&](int s, int t, Complex<real> sum) QUDA_LAMBDA {
        return conj_multiply_add(minus(r[s][b]), l[t][a], conj_multiply_add(l[t][b], r[s][a], sum));
      };
      const auto less_difference = [&](int s, int t, Complex<real> sum) QUDA_LAMBDA {
        return conj_multiply_add(r[s][b], l[t][a], conj_multiply_add(l[t][b], minus(r[s][a]), sum));
      };
      z.d.off[n] = less_both(1, 1, both(0, 0, z.d.off[n]));
      z.m.off[n] = less_difference(0, 1, difference(1, 0, z.m.off[n]));
      z.p.off[n] = both(0, 1, both(1, 0, z.p.off[n]));
    }
  }

  template <int block> QUDA_DEVICE void of_block(const Coord &x) const
  {
    const Place here = arg.index.here(x);
    TensorParts<real> z;
    z.clear();
    for (int i = 0; i < arg.entries; i++) {
      const real w = real(arg.weight[i] * arg.of_parity[x.parity]);
      const auto left = arg.left.read(here, i), right = arg.right.read(here, i);
      Complex<real> l[2][3], r[2][3];
      QUDA_UNROLL
      for (int n = 0; n < 6; n++) {
        const int k = 12 * block + 2 * n;
        l[n / 3][n % 3] = {left[k], left[k + 1]};
        r[n / 3][n % 3] = scaled(w, Complex<real> {right[k], right[k + 1]});
      }
      add_pair(z, l, r);
    }
    z.store(register_record<number>(arg.tensor, x.x_cb, x.parity, 0), 27 * block, arg.add);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int block, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    if (block)
      of_block<1>(x);
    else
      of_block<0>(x);
  }
};

QUDA_INSTANCES(clover_tensor, CloverTensorCall, Launch3D<CloverTensor, CloverTensorArg>, Floating, NoVariants)

// ---- from a matrix like the term itself ----

template <class S, int = 0> struct TermTensorArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  FieldView term, tensor;
  number of_parity[2];

  TermTensorArg(const TermTensorCall &c, const TuneParam &)
      : SiteArg(c.term.lattice, 2, 2)
      , term(c.term)
      , tensor(c.tensor)
  {
    for (int p = 0; p < 2; p++) of_parity[p] = static_cast<number>(c.of_parity[p]);
  }
};

template <class Arg> struct TermTensor : NoKernelOps {
  using number = typename Arg::number;
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int block, int parity) const
  {
    if (arg.of_parity[parity] == 0) return;
    const real w = real(arg.of_parity[parity]), twice = w + w;
    const auto in = register_record<number>(arg.term, x_cb, parity, block);
    const auto below = [&](int i, int j) QUDA_LAMBDA {
      const int k = below_diagonal(i, j);
      return Complex<real> {in.get(k), in.get(k + 1)};
    };
    TensorParts<real> z;
    QUDA_UNROLL
    for (int a = 0; a < 3; a++) {
      const Complex<real> e = below(3 + a, a); // E; H is its adjoint
      z.d.diag[a] = w * (in.get(a) - in.get(3 + a));
      z.m.diag[a] = twice * e.im;
      z.p.diag[a] = twice * e.re;
    }
    QUDA_UNROLL
    for (int n = 0; n < 3; n++) {
      const int a = n < 2 ? 0 : 1, b = n < 1 ? 1 : 2;
      const Complex<real> e = below(3 + a, b), f = conj(below(3 + b, a));
      z.d.off[n] = scaled(twice, conj(below(b, a) - below(3 + b, 3 + a)));
      z.m.off[n] = scaled(twice, e - f);
      z.p.off[n] = scaled(twice, e + f);
    }
    z.store(register_record<number>(arg.tensor, x_cb, parity, 0), 27 * block, true);
  }
};

QUDA_INSTANCES(term_tensor, TermTensorCall, Launch3D<TermTensor, TermTensorArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
