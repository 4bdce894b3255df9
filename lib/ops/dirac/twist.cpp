#include "ops/dirac/twist.h"

#include "kernels/dirac/twist_call.h"
#include "ops/dirac/site_term.h"

namespace quda
{

QUDA_KERNELS(TwistCall, twist)

TwistTerm TwistTerm::inverse() const
{
  const double norm = 1 + a * a - b * b;
  if (!(norm > 0))
    fail(ErrorKind::bad_argument,
         text("TwistTerm::inverse: 1 + a^2 - b^2 must be positive, is %g (a = %g, b = %g)", norm, a, b));
  return {1 / (scale * norm), -a, -b};
}

namespace
{

  void twist(const char *function, ColorSpinorField &out, const ColorSpinorField &in, const TwistTerm &term, bool add)
  {
    const int flavours = in.flavours();
    if (flavours > 2 || (flavours == 1 && term.b != 0))
      fail(ErrorKind::internal, text("%s: %d flavours, must be one without b or two", function, flavours));
    const long long flops = (flavours == 2 ? 120 : 72) + (add ? 24 : 0);
    apply_site_term(function, out, in, {"Twist", flavours, flops, {}, add},
                    twist_kernels().find(function, bytes_of(in.precision()), flavours),
                    TwistCall {out.view(), in.view(), in.parities(), term.scale, term.one, term.a, term.b, add});
  }

} // namespace

void apply_twist(ColorSpinorField &out, const ColorSpinorField &in, const TwistTerm &term)
{
  twist("apply_twist", out, in, term, false);
}

void add_twist(ColorSpinorField &out, const ColorSpinorField &in, const TwistTerm &term)
{
  if (out.data() == in.data()) fail(ErrorKind::internal, "add_twist: out is in");
  twist("add_twist", out, in, term, true);
}

} // namespace quda
