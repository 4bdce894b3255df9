#include "dirac/dirichlet.h"

#include "core/error.h"
#include "ops/links/link_set.h"

namespace quda
{

Dirichlet::Dirichlet(const Dirac &whole, const Domains &domains, LinkStorage storage, const DiracSystemForm &form)
{
  const std::shared_ptr<const Lattice> lattice = whole.shape(-1, 1).lattice;
  domains.check("Dirichlet", *lattice);
  closed_ = domains.closed(lattice);
  system_ = std::make_unique<DiracSystem>(whole.inside(domains, storage, form.matpc.has_value()), form);
}

ColorSpinorField Dirichlet::here(const ColorSpinorField &of_whole) const
{
  if (!of_whole.whole()) fail(ErrorKind::internal, "Dirichlet: a part of a field");
  ColorSpinorParam param = of_whole.param();
  param.lattice = closed_;
  param.create = Create::reference;
  param.data = of_whole.data();
  return ColorSpinorField(param);
}

} // namespace quda
