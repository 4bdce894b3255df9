#include "dirac/dirichlet.h"

#include "core/error.h"
#include "dirac/make_dirac.h"

namespace quda
{

namespace
{

  /// The same memory on another lattice with the same sites in the same lanes.
  std::unique_ptr<CloverField> shared(const CloverField &field, const std::shared_ptr<const Lattice> &lattice)
  {
    CloverParam param = field.param();
    param.lattice = lattice;
    param.create = Create::reference;
    param.data = field.data();
    return std::make_unique<CloverField>(param);
  }

} // namespace

Dirichlet::Dirichlet(const Dirac &whole, const Domains &domains, LinkStorage storage, const DiracSystemForm &form)
{
  const std::shared_ptr<const Lattice> lattice = whole.shape(-1, 1).lattice;
  domains.check("Dirichlet", *lattice);
  closed_ = domains.closed(lattice);
  if (storage.reconstruct == Reconstruct::r8) storage.reconstruct = Reconstruct::none; // does not know zero
  DiracParam param = whole.param();
  if (param.long_links) param.long_links = &param.long_links->inside(domains, 3);
  if (const CloverSet *const of = param.clover) {
    const Precision p = storage.precision;
    const bool twisted = param.kind == DiracKind::twisted_clover;
    clover_.load(shared(of->copy(p), closed_), form.matpc && !twisted ? shared(of->inverse(p), closed_) : nullptr);
    if (form.matpc && twisted) {
      const double square = param.twist.square();
      clover_.load_inverse_square(square, shared(of->inverse_square(square, p), closed_));
    }
    clover_.shift = of->shift;
    param.clover = &clover_;
  }
  system_ = std::make_unique<DiracSystem>(make_dirac(param, whole.link_set().inside(domains, 1), storage), form);
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
