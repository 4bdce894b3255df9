#include "ops/smear/chain.h"

#include <utility>

#include "ops/halo/gauge_border.h"

namespace quda
{

GaugeField smeared_copy(const GaugeField &links, int depth)
{
  GaugeFieldParam as_it_is = links.param();
  as_it_is.reconstruct = Reconstruct::none;
  for (int d = 0; d < 4; d++) as_it_is.R[d] = links.lattice().cut(d) ? depth : 0;
  GaugeFieldParam param = as_it_is;
  param.link_type = LinkType::smeared;
  param.anisotropy = 1; // meaningless for links that are stored whole
  param.gauge_fix = false;
  GaugeField result(param);

  // copies are between links of one type: the same memory with the caller's type
  as_it_is.create = Create::reference;
  as_it_is.data[0] = result.data();
  GaugeField same_memory(as_it_is);
  same_memory = links;
  result.mark_written();
  exchange_border(result);
  return result;
}

void check_step(const char *function, const GaugeField &out, const GaugeField &in)
{
  if (in.data() == out.data()) fail(ErrorKind::bad_argument, text("%s: in and out are one field", function));
  if (!in.native() || !out.native() || in.precision() != out.precision() || in.reconstruct() != out.reconstruct())
    fail(ErrorKind::internal, text("%s: in and out must be native fields of one precision and reconstruct", function));
  check_same_links(function, out, in);
  for (int d = 0; d < 4; d++)
    if (out.R()[d] != in.R()[d] || (in.lattice().cut(d) && in.R()[d] < smear_border))
      fail(ErrorKind::internal, text("%s: border %d (in), %d (out) in direction %d; %d is needed where it is cut",
                                     function, in.R()[d], out.R()[d], d, smear_border));
}

SmearChain::SmearChain(GaugeField &&links, const bool (&smeared)[4])
    : now_(std::move(links))
    , next_(now_.param())
    , all_smeared_(smeared[0] && smeared[1] && smeared[2] && smeared[3])
{
  keep_ignored();
}

void SmearChain::keep_ignored()
{
  tag_ = now_.tag();
  if (!all_smeared_) next_ = now_;
}

void SmearChain::end_advance()
{
  exchange_border(next_);
  swap(now_, next_);
  tag_ = now_.tag();
}

} // namespace quda
