#include "dirac/dirac.h"

#include <array>

#include "core/error.h"
#include "dirac/dirac_clover.h"

namespace quda
{

namespace
{

  struct Kind {
    DiracKind kind;
    SpinorShape (*shape)(const DiracParam &);
    std::unique_ptr<Dirac> (*make)(const DiracParam &, const LinkSet &, LinkStorage);
  };

  constexpr Kind kinds[] = {
      {DiracKind::wilson,
       [](const DiracParam &) {
         return SpinorShape {4, 1, 1};
       },
       [](const DiracParam &param, const LinkSet &links, LinkStorage storage) -> std::unique_ptr<Dirac> {
         return std::make_unique<DiracWilson>(param, links, storage);
       }},
      {DiracKind::clover,
       [](const DiracParam &) {
         return SpinorShape {4, 1, 1};
       },
       [](const DiracParam &param, const LinkSet &links, LinkStorage storage) -> std::unique_ptr<Dirac> {
         if (!param.clover || !param.clover->loaded()) fail(ErrorKind::internal, "make_dirac: no clover term");
         return std::make_unique<DiracClover>(param, links, storage);
       }},
  };

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
