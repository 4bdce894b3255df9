#include "dirac/make_dirac.h"

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

  template <class Operator>
  std::unique_ptr<Dirac> make(const DiracParam &param, const LinkSet &links, LinkStorage storage)
  {
    return std::make_unique<Operator>(param, links, storage);
  }

  template <class Operator>
  std::unique_ptr<Dirac> with_clover(const DiracParam &param, const LinkSet &links, LinkStorage storage)
  {
    if (!param.clover || !param.clover->loaded()) fail(ErrorKind::internal, "make_dirac: no clover term");
    return make<Operator>(param, links, storage);
  }

  template <class Operator>
  std::unique_ptr<Dirac> with_long_links(const DiracParam &param, const LinkSet &links, LinkStorage storage)
  {
    if (!param.long_links || !param.long_links->loaded()) fail(ErrorKind::internal, "make_dirac: no long links");
    return make<Operator>(param, links, storage);
  }

  const struct Kind {
    DiracKind kind;
    SpinorShape (*spinors)(const DiracParam &);
    Maker *make;
  } kinds[] = {{DiracKind::wilson, DiracWilson::spinors, make<DiracWilson>},
               {DiracKind::clover, DiracClover::spinors, with_clover<DiracClover>},
               {DiracKind::clover_hasenbusch_twist, DiracHasenbusch::spinors, with_clover<DiracHasenbusch>},
               {DiracKind::twisted_mass, DiracTwisted::spinors, make<DiracTwisted>},
               {DiracKind::twisted_clover, DiracTwisted::spinors, with_clover<DiracTwisted>},
               {DiracKind::staggered, DiracStaggered::spinors, make<DiracStaggered>},
               {DiracKind::asqtad, DiracStaggered::spinors, with_long_links<DiracStaggered>},
               {DiracKind::laplace, DiracLaplace::spinors, make<DiracLaplace>},
               {DiracKind::covdev, DiracCovDev::spinors, make<DiracCovDev>}};

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

SpinorShape spinor_shape(const DiracParam &param) { return kind_of(param).spinors(param); }

std::unique_ptr<Dirac> make_dirac(const DiracParam &param, const LinkSet &links, LinkStorage storage)
{
  return kind_of(param).make(param, links, storage);
}

} // namespace quda
