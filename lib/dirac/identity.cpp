#include "dirac/identity.h"

#include "core/error.h"
#include "ops/clover/clover_set.h"
#include "ops/links/link_set.h"

namespace quda
{

namespace
{

  std::string clover_text(const CloverSet *set)
  {
    if (!set) return "";
    return text(" clover %llu%+a", static_cast<unsigned long long>(set->precise().tag()), set->shift);
  }

  std::string links_text(const LinkSet *set)
  {
    return set ? text(" links %llu", static_cast<unsigned long long>(set->precise().tag())) : "";
  }

  struct Name {
    std::string operator()(const WilsonFermions &of) const { return text("Wilson kappa %a", of.kappa); }
    std::string operator()(const CloverFermions &of) const
    {
      return text("clover kappa %a", of.kappa) + clover_text(of.clover);
    }
    std::string operator()(const HasenbuschFermions &of) const
    {
      return text("Hasenbusch kappa %a mu %a matpc %d", of.kappa, of.mu, static_cast<int>(of.matpc)) +
             clover_text(of.clover);
    }
    std::string operator()(const TwistedFermions &of) const
    {
      const TwistParam &twist = of.twist;
      return text("twisted kappa %a mu %a epsilon %a rho %a flavours %d", of.kappa, twist.mu, twist.epsilon, twist.rho,
                  twist.flavours) +
             clover_text(of.clover);
    }
    std::string operator()(const StaggeredFermions &of) const
    {
      return text("staggered mass %a", of.mass) + links_text(of.long_links);
    }
    std::string operator()(const LaplaceVectors &of) const
    {
      return text("Laplace kappa %a omitted %d", of.kappa, of.omitted);
    }
    std::string operator()(const CovariantShift &of) const { return text("shift %d spins %d", of.direction, of.spins); }
    std::string operator()(const MoebiusFermions &of) const
    {
      std::string name = text("Moebius mass %a m5 %a", of.mass, of.m5);
      for (std::size_t s = 0; s < of.b.size(); s++)
        name += text(" b %a%+ai c %a%+ai", of.b[s].real(), of.b[s].imag(), of.c[s].real(), of.c[s].imag());
      if (of.term)
        name += text(" term %d shift %a masses %a %a %a", of.term->plus, of.term->shift, of.term->mq1, of.term->mq2,
                     of.term->mq3);
      return name;
    }
    std::string operator()(const DomainWallFermions &of) const
    {
      return text("domain wall mass %a m5 %a layers %d", of.mass, of.m5, of.layers);
    }
  };

} // namespace

std::string identity(const DiracParam &dirac, const LinkSet &links, const DiracSystemForm &form)
{
  std::string name = std::visit(Name {}, dirac) + links_text(&links);
  name += form.matpc ? text(" on parity form %d", static_cast<int>(*form.matpc)) : " on all sites";
  if (form.gamma5) name += " times gamma5";
  if (form.weights) name += text(" weights %a from %d", form.weights->alpha, form.weights->t0);
  return name + text(" dagger %d normal %d", form.dagger, form.normal);
}

} // namespace quda
