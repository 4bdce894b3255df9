#include "dirac/make_dirac.h"

#include "core/error.h"
#include "dirac/dirac_clover.h"
#include "dirac/dirac_covdev.h"
#include "dirac/dirac_domain_wall.h"
#include "dirac/dirac_hasenbusch.h"
#include "dirac/dirac_laplace.h"
#include "dirac/dirac_staggered.h"
#include "dirac/dirac_twisted.h"
#include "dirac/dirac_wilson.h"

namespace quda
{

namespace
{

  struct Make {
    const LinkSet &links;
    LinkStorage storage;

    template <class Operator, class Of> std::unique_ptr<Dirac> make(const Of &of) const
    {
      return std::make_unique<Operator>(of, links, storage);
    }
    template <class Operator, class Of> std::unique_ptr<Dirac> with_clover(const Of &of) const
    {
      if (!of.clover || !of.clover->loaded()) fail(ErrorKind::internal, "make_dirac: no clover term");
      return make<Operator>(of);
    }

    std::unique_ptr<Dirac> operator()(const WilsonFermions &of) const { return make<DiracWilson>(of); }
    std::unique_ptr<Dirac> operator()(const CloverFermions &of) const { return with_clover<DiracClover>(of); }
    std::unique_ptr<Dirac> operator()(const HasenbuschFermions &of) const { return with_clover<DiracHasenbusch>(of); }
    std::unique_ptr<Dirac> operator()(const TwistedFermions &of) const
    {
      return of.clover ? with_clover<DiracTwisted>(of) : make<DiracTwisted>(of);
    }
    std::unique_ptr<Dirac> operator()(const StaggeredFermions &of) const
    {
      if (of.long_links && !of.long_links->loaded()) fail(ErrorKind::internal, "make_dirac: no long links");
      return make<DiracStaggered>(of);
    }
    std::unique_ptr<Dirac> operator()(const LaplaceVectors &of) const { return make<DiracLaplace>(of); }
    std::unique_ptr<Dirac> operator()(const CovariantShift &of) const { return make<DiracCovDev>(of); }
    std::unique_ptr<Dirac> operator()(const MoebiusFermions &of) const { return make<DiracMoebius>(of); }
    std::unique_ptr<Dirac> operator()(const DomainWallFermions &of) const { return make<DiracDomainWall>(of); }
  };

} // namespace

SpinorShape spinor_shape(const DiracParam &param)
{
  return std::visit([](const auto &of) { return of.spinors(); }, param);
}

std::unique_ptr<Dirac> make_dirac(const DiracParam &param, const LinkSet &links, LinkStorage storage)
{
  return std::visit(Make {links, storage}, param);
}

} // namespace quda
