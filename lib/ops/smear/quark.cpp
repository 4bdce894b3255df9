#include "ops/smear/quark.h"

#include <bit>
#include <optional>
#include <utility>

#include "ops/blas/blas.h"
#include "ops/dirac/covariant_sum.h"

namespace quda
{

QuarkSmearing QuarkSmearing::wuppertal(int steps, double alpha)
{
  return {steps, 1 / (1 + 6 * alpha), alpha / (1 + 6 * alpha), legs_without(3), 1};
}

QuarkSmearing QuarkSmearing::gaussian(int steps, double omega)
{
  const double weight = steps == 0 ? 0 : omega * omega / (4 * steps);
  return {steps, 1 - 6 * weight, weight, legs_without(3), 1};
}

QuarkSmearing QuarkSmearing::two_link(int steps, double width, int directions)
{
  const double weight = steps == 0 ? 0 : width * width / (16.0 * steps);
  return {steps, 1 - 2 * directions * weight, weight, legs_without(directions), 2};
}

double QuarkSmearing::flops(const ColorSpinorField &in) const
{
  const int hops = std::popcount(static_cast<unsigned>(legs));
  return 1.0 * steps * in.spins() * (72 * hops + 12) * static_cast<double>(in.lattice().volume());
}

void smear_quarks(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links,
                  const QuarkSmearing &smearing)
{
  if (smearing.steps == 0) return blas::copy(out, in);
  ColorSpinorField other(out.param());
  ColorSpinorField *to = smearing.steps % 2 ? &out : &other, *from = smearing.steps % 2 ? &other : &out;
  const ColorSpinorField *source = &in;
  for (int k = 0; k < smearing.steps; k++, std::swap(to, from)) {
    covariant_sum(*to, *source, links, smearing.legs, {.y = source, .b = smearing.moves, .c = smearing.stays},
                  smearing.length);
    source = to;
  }
}

QuarkFlow::QuarkFlow(ColorSpinorField &quarks)
    : quarks_(quarks)
    , change_(quarks.param())
{
}

void QuarkFlow::laplace(ColorSpinorField &result, const ColorSpinorField &in, const GaugeField &links, double a,
                        const ColorSpinorField &x)
{
  std::optional<GaugeField> bare;
  if (links.extended() || links.precision() != in.precision()) {
    GaugeFieldParam param = links.param();
    param.precision = in.precision();
    for (int &R : param.R) R = 0;
    bare.emplace(param);
    *bare = links;
  }
  Epilogue end = {.y = &in, .c = -8.0};
  if (a != 0) {
    end.a = a;
    end.x = &x;
  }
  const int legs = legs_without(-1);
  covariant_sum(result, in, bare ? *bare : links, legs, end);
  const double of_sum = 72 * std::popcount(static_cast<unsigned>(legs)) + (a != 0 ? 24 : 12);
  flops_ += of_sum * in.spins() * in.inner() * static_cast<double>(in.lattice().volume());
}

void QuarkFlow::stage(const GaugeField &links, double a, double step)
{
  laplace(change_, quarks_, links, a, change_);
  blas::axpy(step, change_, quarks_);
  flops_ += 12.0 * quarks_.spins() * quarks_.inner() * static_cast<double>(quarks_.lattice().volume());
}

void QuarkFlow::adjoint_stage(const GaugeField &links, double a, double step)
{
  blas::axpbyz(step, quarks_, a, a == 0 ? quarks_ : change_, change_); // Z is not yet written where a is 0
  laplace(quarks_, change_, links, 1, quarks_);
  flops_ += 18.0 * quarks_.spins() * quarks_.inner() * static_cast<double>(quarks_.lattice().volume());
}

} // namespace quda
