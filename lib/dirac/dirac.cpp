#include "dirac/dirac.h"

#include <array>

#include "core/error.h"
#include "dirac/dirac_clover.h"
#include "dirac/dirac_covdev.h"
#include "dirac/dirac_hasenbusch.h"
#include "dirac/dirac_laplace.h"
#include "dirac/dirac_staggered.h"
#include "dirac/dirac_twisted.h"

namespace quda
{

namespace
{

  using Maker = std::unique_ptr<Dirac>(const DiracParam &, const LinkSet &, LinkStorage);

  template <class Operator> Maker *const make = [](const DiracParam &param, const LinkSet &links, LinkStorage storage) {
    return std::unique_ptr<Dirac>(std::make_unique<Operator>(param, links, storage));
  };

  template <class Operator>
  std::unique_ptr<Dirac> with_clover(const DiracParam &param, const LinkSet &links, LinkStorage storage)
  {
    if (!param.clover || !param.clover->loaded()) fail(ErrorKind::internal, "make_dirac: no clover term");
    return std::make_unique<Operator>(param, links, storage);
  }

  std::unique_ptr<Dirac> make_improved(const DiracParam &param, const LinkSet &links, LinkStorage storage)
  {
    if (!param.long_links || !param.long_links->loaded()) fail(ErrorKind::internal, "make_dirac: no long links");
    return std::make_unique<DiracStaggered>(param, links, storage);
  }

  SpinorShape spinors(const DiracParam &) { return {4, 1, 1}; }
  SpinorShape flavours(const DiracParam &param) { return {4, 1, param.twist.flavours}; }
  SpinorShape colors(const DiracParam &) { return {1, 1, 1}; }
  SpinorShape either(const DiracParam &param) { return {param.spins, 1, 1}; }

  const struct Kind {
    DiracKind kind;
    SpinorShape (*shape)(const DiracParam &);
    Maker *make;
  } kinds[] = {{DiracKind::wilson, spinors, make<DiracWilson>},
               {DiracKind::clover, spinors, with_clover<DiracClover>},
               {DiracKind::clover_hasenbusch_twist, spinors, with_clover<DiracHasenbusch>},
               {DiracKind::twisted_mass, flavours, make<DiracTwisted>},
               {DiracKind::twisted_clover, flavours, with_clover<DiracTwisted>},
               {DiracKind::staggered, colors, make<DiracStaggered>},
               {DiracKind::asqtad, colors, make_improved},
               {DiracKind::laplace, colors, make<DiracLaplace>},
               {DiracKind::covdev, either, make<DiracCovDev>}};

  const Kind &kind_of(const DiracParam &param)
  {
    for (const Kind &kind : kinds)
      if (kind.kind == param.kind) return kind;
    fail(ErrorKind::unsupported, text("make_dirac: no operator of kind %d", static_cast<int>(param.kind)));
  }

} // namespace

std::span<const DiracKind> dirac_kinds()
{
  static const auto names = [] {
    std::array<DiracKind, std::size(kinds)> all;
    for (std::size_t i = 0; i < all.size(); i++) all[i] = kinds[i].kind;
    return all;
  }();
  return names;
}

SpinorShape spinor_shape(const DiracParam &param) { return kind_of(param).shape(param); }

std::unique_ptr<Dirac> make_dirac(const DiracParam &param, const LinkSet &links, LinkStorage storage)
{
  return kind_of(param).make(param, links, storage);
}

std::unique_ptr<Dirac> Dirac::clone(LinkStorage storage) const { return make_dirac(param_, set_, storage); }

ColorSpinorParam Dirac::shape(int parity, int rhs) const
{
  const SpinorShape of = spinor_shape(param_);
  ColorSpinorParam shape;
  shape.lattice = set_.precise().shared_lattice();
  shape.spins = of.spins;
  shape.fifth = of.fifth;
  shape.flavours = of.flavours;
  shape.rhs = rhs;
  shape.precision = storage_.precision;
  shape.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  shape.parity = parity < 0 ? 0 : parity;
  return shape;
}

} // namespace quda
