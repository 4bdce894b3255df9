#include "dirac/dirac_wilson.h"

#include "core/error.h"

namespace quda
{

void DiracWilson::dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  wilson_hop(out, in, links_, dagger, 1);
}

void DiracWilson::m(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, double scale) const
{
  wilson_hop(out, in, links_, dagger, -scale * kappa_, scale, &in);
}

void DiracWilson::mpc(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, double scale) const
{
  if (in.parities() != 1 || out.parities() != 1 || in.parity() != out.parity())
    fail(ErrorKind::internal, "DiracWilson::mpc: fields must be of one parity, the same");
  ColorSpinorParam param = in.param();
  param.parity = 1 - in.parity();
  ColorSpinorField other(param);
  wilson_hop(other, in, links_, dagger, 1);
  wilson_hop(out, other, links_, dagger, -scale * kappa_ * kappa_, scale, &in);
}

} // namespace quda
