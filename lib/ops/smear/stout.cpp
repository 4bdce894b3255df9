#include "ops/smear/stout.h"

#include <utility>

#include "kernels/smear/stout_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(StoutCall, stout)
QUDA_KERNELS(StoutCall, over_improved_stout)

namespace
{

  /// QUDA's flop convention: 198 a product, each staple of three links two products, of five links four; products that
  /// the kernels share are counted each time.
  long long flops_of_step(const GaugeField &links, const StoutCall &call, bool over_improved)
  {
    const long long n = call.count, of_plane = over_improved ? 28 : 4;
    return links.lattice().volume() * 198 * n * (2 + of_plane * (n - 1));
  }

} // namespace

StoutSmearing StoutSmearing::stout(double rho, int ignored)
{
  StoutSmearing smearing;
  smearing.staples = rho;
  if (ignored >= 0 && ignored < 4) smearing.smeared[ignored] = false;
  return smearing;
}

StoutSmearing StoutSmearing::over_improved_stout(double rho, double epsilon, int ignored)
{
  StoutSmearing smearing = stout(rho * (5 - 2 * epsilon) / 3, ignored);
  smearing.rectangles = -rho * (1 - epsilon) / 12;
  smearing.over_improved = true;
  return smearing;
}

void stout_step(GaugeField &out, const GaugeField &in, const StoutSmearing &smearing, const FlowStage &stage)
{
  const char *function = "stout_step";
  check_step(function, out, in);
  GaugeField *const generator = stage.generator;
  if (generator && (!generator->native() || generator->extended() || generator->link_type() != LinkType::momentum ||
                    generator->precision() != in.precision() || !same_sites(generator->lattice(), in.lattice())))
    fail(ErrorKind::internal,
         text("%s: the generators must be native momenta of the links' precision, without border", function));
  StoutCall call {};
  call.in = in.view();
  call.out = out.view();
  for (int d = 0; d < 4; d++)
    if (smearing.smeared[d]) call.dirs[call.count++] = d;
  call.staples = smearing.staples;
  call.rectangles = smearing.rectangles;
  call.time_sides = smearing.anisotropy * smearing.anisotropy;
  if (generator) {
    call.generator = generator->view();
    call.old = stage.old;
    call.step = stage.step;
  }
  const bool over_improved = smearing.over_improved;
  int mask = 0;
  for (int i = 0; i < call.count; i++) mask |= 1 << call.dirs[i];
  if (generator) generator->mark_written();
  const long long generator_bytes = generator ? (stage.old != 0 ? 2 : 1) * link_bytes(*generator) : 0;
  launch({.name = over_improved ? "OverImprovedStout" : "Stout",
          .lattice = in.lattice(),
          .extent = {registers(in), 2, over_improved ? static_cast<unsigned>(call.count) : 1},
          .aux = links_text(in, ",dirs=", mask,
                            !generator       ? ""
                            : stage.old != 0 ? ",stage"
                                             : ",first_stage"),
          .flops = flops_of_step(in, call, over_improved),
          .bytes = 2 * link_bytes(in) / 4 * call.count + generator_bytes,
          .prefetch = true,
          .streaming = true,
          .in_place = generator ? memory_of(*generator) : MemorySpan {},
          .written = memory_of(out)},
         instance(over_improved ? over_improved_stout_kernels() : stout_kernels(), function, in), call);
  out.mark_written();
  if (generator) generator->mark_written();
}

StoutChain::StoutChain(GaugeField &&links, const StoutSmearing &smearing)
    : SmearChain(std::move(links), smearing.smeared)
    , smearing_(smearing)
{
}

void StoutChain::step()
{
  advance([this](GaugeField &out, const GaugeField &in) { stout_step(out, in, smearing_); });
}

} // namespace quda
