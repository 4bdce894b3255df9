#include "ops/smear/stout.h"

#include <utility>

#include "kernels/smear/stout_call.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(StoutCall, stout)
QUDA_KERNELS(StoutCall, over_improved_stout)

namespace
{

  /// By the community's count: 198 a product, each staple of three links two products, of five links four; those that
  /// the kernels share are counted each time.
  long long flops_of_step(const GaugeField &links, const StoutCall &call, bool over_improved)
  {
    const long long n = call.count, of_plane = over_improved ? 28 : 4;
    return links.lattice().volume() * 198 * n * (2 + of_plane * (n - 1));
  }

  void check_fields(const GaugeField &out, const GaugeField &in)
  {
    const char *function = "stout_step";
    if (in.data() == out.data()) fail(ErrorKind::bad_argument, text("%s: in and out are one field", function));
    if (!in.native() || !out.native() || in.precision() != out.precision() || in.reconstruct() != out.reconstruct())
      fail(ErrorKind::internal,
           text("%s: in and out must be native fields of one precision and reconstruct", function));
    check_same_links(function, out, in);
    for (int d = 0; d < 4; d++)
      if (out.R()[d] != in.R()[d] || (in.lattice().cut(d) && in.R()[d] < stout_border))
        fail(ErrorKind::internal, text("%s: border %d (in), %d (out) in direction %d; %d is needed where it is cut",
                                       function, in.R()[d], out.R()[d], d, stout_border));
  }

} // namespace

StoutSmearing StoutSmearing::stout(double rho, int ignored)
{
  StoutSmearing smearing;
  smearing.rho = rho;
  if (ignored >= 0 && ignored < 4) smearing.smeared[ignored] = false;
  return smearing;
}

StoutSmearing StoutSmearing::over_improved_stout(double rho, double epsilon, int ignored)
{
  StoutSmearing smearing = stout(rho, ignored);
  smearing.epsilon = epsilon;
  smearing.over_improved = true;
  return smearing;
}

void stout_step(GaugeField &out, const GaugeField &in, const StoutSmearing &smearing)
{
  check_fields(out, in);
  StoutCall call {};
  call.in = in.view();
  call.out = out.view();
  for (int d = 0; d < 4; d++)
    if (smearing.smeared[d]) call.dirs[call.count++] = d;
  call.staples = smearing.rho;
  if (smearing.over_improved) {
    call.staples = smearing.rho * (5 - 2 * smearing.epsilon) / 3;
    call.rectangles = -smearing.rho * (1 - smearing.epsilon) / 12;
  }
  const bool over_improved = smearing.over_improved;
  int mask = 0;
  for (int i = 0; i < call.count; i++) mask |= 1 << call.dirs[i];
  launch({.name = over_improved ? "OverImprovedStout" : "Stout",
          .lattice = in.lattice(),
          .extent = {registers(in), 2, over_improved ? static_cast<unsigned>(call.count) : 1},
          .aux = links_text(in, ",dirs=", mask),
          .flops = flops_of_step(in, call, over_improved),
          .bytes = 2 * link_bytes(in) / 4 * call.count,
          .prefetch = true,
          .streaming = true,
          .written = memory_of(out)},
         instance(over_improved ? over_improved_stout_kernels() : stout_kernels(), "stout_step", in), call);
  out.mark_written();
}

GaugeField smeared_copy(const GaugeField &links, int depth)
{
  GaugeFieldParam as_it_is = links.param();
  as_it_is.reconstruct = Reconstruct::none;
  for (int d = 0; d < 4; d++) as_it_is.R[d] = links.lattice().cut(d) ? depth : 0;
  GaugeFieldParam param = as_it_is;
  param.link_type = LinkType::smeared;
  param.anisotropy = 1; // of no use to links that are stored whole
  param.gauge_fix = false;
  GaugeField result(param);

  // copies are between links of one type: the same memory under the name it came with
  as_it_is.create = Create::reference;
  as_it_is.data[0] = result.data();
  GaugeField same_memory(as_it_is);
  same_memory = links;
  result.mark_written();
  exchange_border(result);
  return result;
}

StoutChain::StoutChain(GaugeField &&links, const StoutSmearing &smearing)
    : smearing_(smearing)
    , now_(std::move(links))
    , next_(now_.param())
{
  keep_ignored();
}

/// Links of directions that are not smeared, which no step writes.
void StoutChain::keep_ignored()
{
  tag_ = now_.tag();
  for (const bool smeared : smearing_.smeared)
    if (!smeared) {
      next_ = now_;
      return;
    }
}

void StoutChain::step()
{
  if (now_.tag() != tag_) keep_ignored(); // written from outside
  stout_step(next_, now_, smearing_);
  exchange_border(next_);
  swap(now_, next_);
  tag_ = now_.tag();
}

} // namespace quda
