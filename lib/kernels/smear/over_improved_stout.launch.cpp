/// Over-improved stout smearing, one step (Moran and Leinweber, arXiv:0801.1165), or a stage of the Symanzik flow
/// (stout_link.h), whose s is 5/3 and r -1/12.
///   U'_nu(x) = exp( TA[ (s C_nu(x) + r R_nu(x)) U_nu(x)^dag ] ) U_nu(x),   s = rho (5 - 2 epsilon) / 3,
///   r = -rho (1 - epsilon) / 12; C_nu the sum of the staples, R_nu of the 2 x 1 and 1 x 2 paths: each is a staple
///   with one of its three links replaced by that link's own staple, away from U_nu(x).
/// in, out   : as in stout.h. Halo: border of depth 2 or more in cut directions, current. Collective: no.
/// Flops     : 53,784 a site in four dimensions, 27,270 in three: 11 products a side of a plane (those that paths share
///             are made once), two with the link; with whole matrices throughout 68,112 and 34,452. Exponentials not
///             counted.
///

#include "device/instances.h"
#include "kernels/smear/stout_link.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct OverImprovedStoutArg : StoutArg<S, recon> {
  number_of<S> staples[4], rectangles[4]; // by the direction of the sides

  OverImprovedStoutArg(const StoutCall &c, const TuneParam &tp)
      : StoutArg<S, recon>(c, tp)
  {
    this->threads[2] = c.count;
    for (int d = 0; d < 4; d++) {
      const double factor = d == 3 ? c.time_sides : 1;
      staples[d] = static_cast<number_of<S>>(factor * c.staples);
      rectangles[d] = static_cast<number_of<S>>(factor * c.rectangles);
    }
  }
};

template <class Arg> struct OverImprovedStout : KernelOps<ThreadLocalCache<Matrix<typename Arg::real>, 3>> {
  using real = typename Arg::real;
  using Operand = LinkOperand<typename Arg::stored, Arg::recon>;
  using Sums = ThreadLocalCache<Matrix<real>, 3>;
  enum { whole, first, part }; // sum of a link, and of a staple A B and its factors for C
  const Arg &arg;

  QUDA_DEVICE Place place(const Coord &x, const Displacement &at) const { return arg.index.shifted(x, at.dx); }

  QUDA_DEVICE Operand operand(const Coord &x, const Displacement &at, int mu) const
  {
    return Operand(arg.U, place(x, at), mu);
  }

  /// r times the outer staple of a link of direction nu at x + at, on the upper or lower side in direction mu.
  QUDA_OUTLINE Matrix<real> outer(const Coord &x, const Displacement &at, int mu, int nu, bool upper,
                                  typename Arg::number r) const
  {
    Matrix<real> staple = multiple_of_unity(real(0.0));
    if (upper) {
      add_upper_staple(staple, arg.U, place(x, at), place(x, at.step(mu, +1)), place(x, at.step(nu, +1)), mu, nu);
    } else {
      const Displacement z = at.step(mu, -1);
      add_lower_staple(staple, arg.U, place(x, z), place(x, z.step(nu, +1)), mu, nu);
    }
    return scaled(real(r), staple);
  }

  QUDA_DEVICE void begin(Sums &sums, const Matrix<real> &ab, int mu) const
  {
    sums.save(ab, first);
    sums.save(scaled(real(arg.staples[mu]), ab), part);
  }

  /// s A B C^dag + r (A' B C^dag + A B' C^dag + A B C'^dag), A B C^dag the upper staple, ' a link's outer staple
  QUDA_DEVICE void add_upper(Sums &sums, const Coord &x, int mu, int nu) const
  {
    const Displacement here {}, right = here.step(mu, +1), above = here.step(nu, +1);
    {
      const Operand a = operand(x, here, mu), b = operand(x, right, nu);
      begin(sums, product(a.read(), b.read()), mu);
    }
    {
      const Matrix<real> beyond = outer(x, here, nu, mu, false, arg.rectangles[mu]);
      const Operand b = operand(x, right, nu);
      Matrix<real> sum = sums.load(part);
      accumulate(sum, beyond, b.read());
      sums.save(sum, part);
    }
    {
      const Matrix<real> beyond = outer(x, right, mu, nu, true, arg.rectangles[mu]);
      const Operand a = operand(x, here, mu);
      Matrix<real> sum = sums.load(part);
      accumulate(sum, a.read(), beyond);
      sums.save(sum, part);
    }
    const Matrix<real> beyond = outer(x, above, nu, mu, true, arg.rectangles[mu]);
    Matrix<real> sum = sums.load(whole);
    add_product(sum, sums.load(first), adjoint_of(beyond));
    const Operand c = operand(x, above, mu);
    add_product(sum, sums.load(part), adjoint_of(c.read()));
    sums.save(sum, whole);
  }

  /// The same of the lower staple A^dag B C.
  QUDA_DEVICE void add_lower(Sums &sums, const Coord &x, int mu, int nu) const
  {
    const Displacement left = Displacement {}.step(mu, -1), above = left.step(nu, +1);
    {
      const Operand a = operand(x, left, mu), b = operand(x, left, nu);
      begin(sums, product(adjoint_of(a.read()), b.read()), mu);
    }
    {
      const Matrix<real> beyond = outer(x, left, nu, mu, false, arg.rectangles[mu]);
      const Operand b = operand(x, left, nu);
      Matrix<real> sum = sums.load(part);
      accumulate(sum, adjoint_of(beyond), b.read());
      sums.save(sum, part);
    }
    {
      const Matrix<real> beyond = outer(x, left, mu, nu, false, arg.rectangles[mu]);
      const Operand a = operand(x, left, mu);
      Matrix<real> sum = sums.load(part);
      accumulate(sum, adjoint_of(a.read()), beyond);
      sums.save(sum, part);
    }
    const Matrix<real> beyond = outer(x, above, nu, mu, true, arg.rectangles[mu]);
    Matrix<real> sum = sums.load(whole);
    add_product(sum, sums.load(first), beyond);
    const Operand c = operand(x, above, mu);
    add_product(sum, sums.load(part), c.read());
    sums.save(sum, whole);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int i) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const int nu = arg.dirs[i];
    if (arg.prefetch) arg.U.storage.prefetch(arg.index.neighbour(x, arg.dirs[arg.count - 1], +1), nu, arg.prefetch);
    Sums sums {*this};
    sums.save(multiple_of_unity(real(0.0)), whole);
    for (int k = 0; k < arg.count; k++) {
      const int mu = arg.dirs[k];
      if (mu == nu) continue;
      add_upper(sums, x, mu, nu);
      add_lower(sums, x, mu, nu);
    }
    const Operand u = operand(x, {}, nu);
    const auto s = anti_hermitian_product(sums.load(whole), u.read());
    move_link(arg, x, nu, scaled_traceless(real(0.5), s), u.read());
  }
};

QUDA_INSTANCES(over_improved_stout, StoutCall, Launch3D<OverImprovedStout, OverImprovedStoutArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
