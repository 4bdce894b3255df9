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

void apply_twist(ColorSpinorField &out, const ColorSpinorField &in, const TwistTerm &term)
{
  const char *function = "apply_twist";
  const int flavours = in.flavours();
  if (flavours > 2 || (flavours == 1 && term.b != 0))
    fail(ErrorKind::internal, text("%s: %d flavours, must be one without b or two", function, flavours));
  const long long flops = flavours == 2 ? 120 : 72;
  apply_site_term(function, out, in, {"Twist", flavours, flops},
                  twist_kernels().find(function, bytes_of(in.precision()), flavours),
                  TwistCall {out.view(), in.view(), in.parities(), term.scale, term.a, term.b});
}

} // namespace quda
