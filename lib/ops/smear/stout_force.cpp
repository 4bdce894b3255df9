#include "ops/smear/stout_force.h"

#include "kernels/smear/stout_force_call.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(StoutGradientCall, stout_gradient)
QUDA_KERNELS(StapleForceCall, staple_force)

namespace
{

  StoutStaples staples_of(const StoutSmearing &smearing)
  {
    StoutStaples of {};
    for (int d = 0; d < 4; d++) {
      if (smearing.smeared[d]) of.dirs[of.count++] = d;
      of.weight[d] = smearing.staples * (d == 3 ? smearing.anisotropy * smearing.anisotropy : 1);
    }
    return of;
  }

  GaugeFieldParam whole_links(const GaugeField &links)
  {
    GaugeFieldParam param = links.param();
    param.reconstruct = Reconstruct::none;
    for (int d = 0; d < 4; d++) param.R[d] = links.lattice().cut(d) ? stout_border : 0;
    return param;
  }

  KeyText aux_of(const GaugeField &links, const StoutStaples &of, const char *more)
  {
    int mask = 0;
    for (int i = 0; i < of.count; i++) mask |= 1 << of.dirs[i];
    return links_text(links, ",dirs=", mask, more);
  }

  // a link, by QUDA's flop convention: staples as everywhere, products of 198
  long long gradient_flops(long long n) { return n * ((n - 1) * (828 + 36) + 8 * 198 + 1300); }
  long long staple_flops(long long n) { return n * ((n - 1) * (3 * 828 + 72) + 198 + 60); }

} // namespace

StoutLevels::StoutLevels(const GaugeField &thin, const StoutSmearing &smearing, unsigned steps)
    : smearing_(smearing)
{
  if (smearing.over_improved || steps == 0)
    fail(ErrorKind::internal, "StoutLevels: one step or more by staples alone, please");
  levels_.emplace_back(whole_links(thin));
  levels_.back() = thin;
  exchange_border(levels_.back());
  for (unsigned step = 0; step < steps; step++) {
    GaugeField next(levels_.back().param());
    if (!(smearing.smeared[0] && smearing.smeared[1] && smearing.smeared[2] && smearing.smeared[3]))
      next = levels_.back();
    stout_step(next, levels_.back(), smearing);
    exchange_border(next);
    levels_.push_back(std::move(next));
  }
}

void StoutLevels::add_force(GaugeField &momentum, GaugeField &force, double factor, bool overwrite) const
{
  const char *function = "StoutLevels::add_force";
  const GaugeField &first = levels_.front();
  for (const GaugeField *field : {&momentum, &force})
    if (!field->native() || field->link_type() != LinkType::momentum || field->extended() ||
        field->precision() != first.precision() || !same_sites(field->lattice(), first.lattice()) ||
        momentum.data() == force.data())
      fail(ErrorKind::internal, text("%s: two native momenta without border, of the links' precision", function));
  const StoutStaples of = staples_of(smearing_);
  GaugeFieldParam param = first.param();
  param.link_type = LinkType::general;
  GaugeField staples(param);
  const long long volume = first.lattice().volume();
  for (std::size_t level = levels_.size() - 1; level-- > 0;) {
    const GaugeField &links = levels_[level];
    launch({.name = "StoutGradient",
            .lattice = links.lattice(),
            .extent = {registers(links), 2 * static_cast<unsigned>(of.count)},
            .aux = aux_of(links, of, ""),
            .flops = volume * gradient_flops(of.count),
            .bytes = (2 * link_bytes(links) + 2 * link_bytes(force)) / 4 * of.count,
            .in_place = memory_of(force)},
           instance(stout_gradient_kernels(), function, links), {links.view(), staples.view(), force.view(), of});
    force.mark_written();
    staples.mark_written();
    exchange_directions(staples, {of.dirs, static_cast<std::size_t>(of.count)}); // the others were not written
    const bool last = level == 0, drop = !last || overwrite;
    GaugeField &out = last ? momentum : force;
    launch({.name = "StapleForce",
            .lattice = links.lattice(),
            .extent = {registers(links), 8},
            .aux = aux_of(links, of, last ? (drop ? "" : ",add") : ",in_place"),
            .flops = volume * staple_flops(of.count),
            .bytes = 2 * link_bytes(links) / 4 * of.count + (drop ? 2 : 3) * link_bytes(force),
            .in_place = last && drop ? MemorySpan {} : memory_of(out)},
           instance(staple_force_kernels(), function, links),
           {links.view(), staples.view(), force.view(), out.view(), of, last ? factor : 1, drop});
    out.mark_written();
  }
}

long long stout_force_flops(const StoutSmearing &smearing)
{
  const StoutStaples of = staples_of(smearing);
  return gradient_flops(of.count) + staple_flops(of.count);
}

} // namespace quda
