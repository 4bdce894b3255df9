#include "ops/force/link_gradient.h"

#include <initializer_list>

#include "kernels/force/link_gradient_call.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(LongGradientCall, long_gradient)
QUDA_KERNELS(UnitaryGradientCall, unitary_gradient)
QUDA_KERNELS(GradientForceCall, gradient_force)

namespace
{

  constexpr int border = 2;

  void check_fields(const char *function, const GaugeField &links, std::initializer_list<const GaugeField *> others)
  {
    const auto whole = [](const GaugeField &field) {
      return field.native() && field.reconstruct() == Reconstruct::none && !field.extended();
    };
    bool fit = whole(links);
    for (const GaugeField *field : others)
      fit = fit && whole(*field) && field->precision() == links.precision() &&
            same_sites(field->lattice(), links.lattice()) && field->data() != links.data();
    if (!fit)
      fail(ErrorKind::internal,
           text("%s: native whole links without border, of one lattice and precision, please", function));
  }

} // namespace

void add_long_links_gradient(GaugeField &gradient, const LinkSet &set, double weight, const GaugeField &of_long)
{
  const char *function = "add_long_links_gradient";
  check_fields(function, of_long, {&gradient});
  const GaugeField &links = set.with_border(border);
  const GaugeField given = extended(of_long, border);
  launch({.name = "LongGradient",
          .lattice = links.lattice(),
          .extent = {registers(links), 8},
          .aux = links_text(links),
          .flops = 4 * (6 * 198 + 54) * links.lattice().volume(),
          .bytes = 4 * link_bytes(links),
          .in_place = memory_of(gradient)},
         instance(long_gradient_kernels(), function, links), {links.view(), given.view(), gradient.view(), weight});
  gradient.mark_written();
}

void unitary_links_gradient(GaugeField &gradient, const GaugeField &V, double least, const GaugeField *special)
{
  const char *function = "unitary_links_gradient";
  check_fields(function, V, {&gradient});
  if (special) check_fields(function, *special, {&V, &gradient});
  launch({.name = "UnitaryGradient",
          .lattice = V.lattice(),
          .extent = {registers(V), 8},
          .aux = links_text(V, special ? ",special" : ""),
          .flops = 4 * ((special ? 8 : 5) * 198 + 300) * V.lattice().volume(),
          .bytes = (special ? 4 : 3) * link_bytes(V),
          .in_place = memory_of(gradient)},
         instance(unitary_gradient_kernels(), function, V),
         {V.view(), special ? special->view() : V.view(), gradient.view(), gradient.view(), special != nullptr, least});
  gradient.mark_written();
}

void add_gradient_force(GaugeField &momentum, const GaugeField &links, const GaugeField &gradient, double factor,
                        bool overwrite)
{
  const char *function = "add_gradient_force";
  check_fields(function, links, {&gradient});
  if (!momentum.native() || momentum.link_type() != LinkType::momentum || momentum.extended() ||
      momentum.precision() != links.precision() || !same_sites(momentum.lattice(), links.lattice()))
    fail(ErrorKind::internal, text("%s: native momenta without border, of the links' precision, please", function));
  launch({.name = "GradientForce",
          .lattice = links.lattice(),
          .extent = {registers(links), 8},
          .aux = links_text(links, overwrite ? ",overwrite" : ""),
          .flops = 4 * (198 + 60) * links.lattice().volume(),
          .bytes = 2 * link_bytes(links) + (overwrite ? 1 : 2) * link_bytes(momentum),
          .in_place = overwrite ? MemorySpan {} : memory_of(momentum)},
         instance(gradient_force_kernels(), function, links),
         {links.view(), gradient.view(), momentum.view(), factor, overwrite});
  momentum.mark_written();
}

} // namespace quda
