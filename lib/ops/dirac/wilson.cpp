#include "ops/dirac/wilson.h"

#include <optional>

#include "kernels/dirac/stencil_call.h"
#include "ops/dirac/hop.h"

namespace quda
{

QUDA_KERNELS(HopCall, wilson)
QUDA_KERNELS(HopCall, wilson_sums)

void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                const Epilogue &end, Sums *sums)
{
  const Kernels<HopCall> summing = wilson_sums_kernels();
  run_hop(wilson_kind, wilson_kernels(), &summing, HopCall {}, {out, in, links, dagger, end, sums});
}

void twisted_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const HopTwist &twist,
                 bool dagger, const Epilogue &end, Sums *sums)
{
  const Kernels<HopCall> summing = wilson_sums_kernels();
  run_hop(wilson_kind, wilson_kernels(), &summing, HopCall {}, {out, in, links, dagger, end, sums, &twist});
}

namespace
{

  /// Layers one by one, for each right-hand side separately: if the entries of a field lie apart, views of every other
  /// one have no kernel.
  void each_layer(const HopFields &fields)
  {
    const Epilogue &end = fields.end;
    for (int n = 0; n < fields.out.rhs(); n++) {
      ColorSpinorField out = fields.out.columns(n, 1);
      const ColorSpinorField in = fields.in.columns(n, 1);
      std::optional<ColorSpinorField> x, y;
      if (end.x) x.emplace(end.x->columns(n, 1));
      if (end.y) y.emplace(end.y->columns(n, 1));
      Epilogue of_one = end;
      of_one.x = x ? &*x : nullptr;
      of_one.y = y ? &*y : nullptr;
      const auto one = [&](const blas::Coefficients &list) { return list.listed() ? list.part(n, 1) : list; };
      of_one.a = one(end.a);
      of_one.b = one(end.b);
      of_one.c = one(end.c);
      for (int s = 0; s < out.fifth(); s++)
        run_hop<HopCall>(wilson_kind, wilson_kernels(), nullptr, {},
                         {out, in, fields.links, fields.dagger, of_one, nullptr, nullptr, nullptr, s, true});
    }
    fields.out.mark_written();
  }

  void every_other_layer(HopFields fields)
  {
    for (fields.first_layer = 0; fields.first_layer < 2; fields.first_layer++)
      run_hop<HopCall>(wilson_kind, wilson_kernels(), nullptr, {}, fields);
  }

} // namespace

void checkerboard_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                      const Epilogue &end, Sums *sums)
{
  const auto hop = target().lanes() > 1 ? every_other_layer : +[](HopFields fields) { each_layer(fields); };
  const HopFields fields = {out, in, links, dagger, end, sums};
  if (!end.sums()) return hop(fields);
  *sums = {};
  sums_after(fields, hop);
}

} // namespace quda
