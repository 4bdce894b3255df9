/// stout: one step of stout smearing, rho 0.1, all four directions. 11,088 flops a site as counted in the field (the
/// kernel does 9,720, lib/kernels/smear/stout.h), exponentials not counted; each link once in and once out.
/// over_improved_stout: with rectangles, epsilon -0.25; 68,112 flops a site.
/// stout_force: the force of smeared links back through a step, which is kept; its copy, which the way back writes, goes
/// first. Flops as the library counts them; links twice, products with staples and momenta once in and once out.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/smear/stout_force.h"
#include "reference/smear/stout.h"
#include "reference/smear/stout_force.h"

namespace quda::bench
{

namespace
{

  constexpr double stout_flops = 11088, rectangle_flops = 68112;
  constexpr double rho = 0.1, epsilon = -0.25;
  constexpr std::size_t sampled_sites = 4000;

  class Stout : public Kernel
  {
  public:
    Stout(const Setting &setting, bool rectangles)
        : host_(*setting.host)
        , smearing_(rectangles ? StoutSmearing::over_improved_stout(rho, epsilon, -1) : StoutSmearing::stout(rho, -1))
        , weights_(rectangles ? reference::over_improved_weights(rho, epsilon) : reference::stout_weights(rho))
        , links_ {host_.native_links(setting.precision, setting.reconstruct),
                  host_.native_links(setting.precision, setting.reconstruct)}
    {
    }
    void refresh() override { links_[0] = host_.native_links(links_[0].precision(), links_[0].reconstruct()); }
    /// Fields take turns, as in a chain of steps.
    void run() override
    {
      stout_step(links_[1 - now_], links_[now_], smearing_);
      now_ = 1 - now_;
    }
    int turns() const override { return 2; }
    static Work work(const Setting &s, bool rectangles)
    {
      return {.flops = (rectangles ? rectangle_flops : stout_flops) * s.sites(),
              .read = s.links(),
              .written = s.links(),
              .uncounted_flops = 4 * exponential_flops(s.precision) * s.sites()};
    }
    bool check() override
    {
      smear_afresh();
      return agrees(links_[1]);
    }
    Checksum checksum() override
    {
      smear_afresh();
      return checksum_of(links_[1]);
    }

  private:
    void smear_afresh()
    {
      refresh();
      stout_step(links_[1], links_[0], smearing_);
    }

    /// All sites of small lattices, some thousands of large ones, against the plain reference.
    bool agrees(const GaugeField &found)
    {
      const reference::Lattice &lattice = host_.lattice();
      const reference::GaugeField after = reference::from_qdp(lattice, numbers(found));
      const reference::GaugeField &before = host_.links();
      const std::size_t sites = host_.whole() ? lattice.volume() : sampled_sites;
      bool good = true; // a NaN is not
#pragma omp parallel for reduction(&& : good)
      for (std::size_t k = 0; k < sites; k++) {
        // evenly over the lattice, and not by a divisor of its extents
        const std::size_t slot = host_.whole() ? k : (k * 2654435761u) % lattice.volume();
        for (int mu = 0; mu < 4; mu++) {
          const reference::Link right =
              reference::stout_link(before, lattice.coords(slot), mu, weights_, {true, true, true, true});
          const double deviation = (after.U[mu][slot] - right).cwiseAbs().maxCoeff();
          good = good && deviation <= HostData::tolerance(found.precision());
        }
      }
      return good;
    }

    HostData &host_;
    StoutSmearing smearing_;
    reference::StoutWeights weights_;
    GaugeField links_[2];
    int now_ = 0;
  };

  template <bool rectangles> Entry stout_entry(const char *name)
  {
    return {.name = name,
            .needs = Needs::links,
            .tables = {name},
            .features = "stencil, requests ahead, cache of a thread, exponential, streaming stores",
            .most_reference = rectangles ? 8 * 8 * 8 * 8 : 16 * 16 * 16 * 16,
            .work = [](const Setting &setting) { return Stout::work(setting, rectangles); },
            .make = [](const Setting &setting) { return std::make_unique<Stout>(setting, rectangles); },
            .reference = plain([](HostData &host) {
              return reference::stout(host.links(),
                                      rectangles ? reference::over_improved_weights(rho, epsilon)
                                                 : reference::stout_weights(rho),
                                      {true, true, true, true});
            })};
  }

  const Registered stouts[] = {
      stout_entry<false>("stout"),
      stout_entry<true>("over_improved_stout"),
      Entry {.name = "stout_force",
             .needs = Needs::links,
             .tables = {"stout_gradient", "staple_force"},
             .features = "stencil, exponential and its derivative, in place",
             .most_reference = 4 * 4 * 4 * 4,
             .work =
                 [](const Setting &s) {
                   return Work {.flops =
                                    static_cast<double>(stout_force_flops(StoutSmearing::stout(rho, -1))) * s.sites(),
                                .read = 3 * s.links() + 3 * s.momenta(),
                                .written = s.links() + 3 * s.momenta()};
                 },
             .make = runs([](const Setting &s) {
               GaugeField of_smeared = s.host->native_momenta(s.precision);
               return [levels = std::make_unique<StoutLevels>(s.host->native_links(s.precision, s.reconstruct),
                                                              StoutSmearing::stout(rho, -1), 1),
                       force = GaugeField(of_smeared.param()), momentum = GaugeField(of_smeared.param()),
                       of_smeared = std::move(of_smeared)]() mutable -> const GaugeField & {
                 force = of_smeared;
                 levels->add_force(momentum, force, 1, true);
                 return momentum;
               };
             }),
             .reference = plain([](HostData &host) {
               return reference::stout_force(host.links(), host.momenta(), {rho, {true, true, true, true}, 1});
             })},
  };

} // namespace

} // namespace quda::bench
