/// Stout smearing, one step (Morningstar and Peardon, hep-lat/0311018, eq. 1-4), or a stage of the Wilson flow
/// (stout_link.h).
///   U'_nu(x) = exp( TA[ rho C_nu(x) U_nu(x)^dag ] ) U_nu(x),   C_nu = sum of the staples, nu and mu in the smeared
///   directions; TA(M) = (M - M^dag)/2, made traceless. Links of other directions are not written.
/// in, out   : (mu 4, parity 2, x_cb, row 3, col 3) complex, lattice units; must not alias. Borders are not written.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : curl.h, and 198 a link for the product with its exponential: 9,720 a site in four dimensions, 5,238 in
///             three; with whole matrices throughout, as is usual, 11,088 and 5,940: lib/ops/smear/stout.cpp.
///             Not counted: exponentials (device/exponential.h).

#include "device/instances.h"
#include "kernels/smear/stout_link.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Arg> struct Stout : KernelOps<Curls<Arg>> {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_OUTLINE void finish(const CurlSum<Arg> &curls, const Matrix<real> &lower, int nu) const
  {
    const Place &here = curls.around.here;
    const LinkOperand<typename Arg::stored, Arg::recon> u(arg.U, here, nu);
    const auto x = scaled_traceless(real(typename Arg::number(0.5) * arg.staples), curls.whole(lower, u.read(), nu));
    move_link(arg, curls.around.x, nu, x, u.read());
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity) const { sum_curls(*this, arg, x_cb, parity); }
};

QUDA_INSTANCES(stout, StoutCall, Launch2D<Stout, StoutArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
