/// gauge_force: momenta of the plaquette action, written afresh; gauge_force_rectangle: with 1 x 2 rectangles;
/// gauge_force_walk: the first, all paths walked one by one. loop_trace: of a chair.
/// update_gauge: links times exponentials of momenta, in place. momentum_action: 76 flops a site.
/// gaussian_momentum, gaussian_links: 400 and 2,400 flops a site, random numbers not counted; gaussian_spinors: 300.
/// heatbath, overrelaxation: one update of all links, parity by parity and direction by direction; 2,808 flops a link.
/// heatbath_rectangle: of the Symanzik action, color by color beside; 14,274 flops a link.
/// Flops as the library counts them; links once, momenta once, updated links twice.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/force/momentum.h"
#include "ops/gauge/path_sum.h"
#include "ops/heatbath/heatbath.h"
#include "ops/random/gaussian.h"
#include "ops/random/spinors.h"
#include "reference/algebra.h"
#include "reference/force/loops.h"
#include "reference/force/momentum.h"
#include "reference/heatbath/heatbath.h"
#include "reference/random/gaussian.h"

namespace quda::bench
{

namespace
{

  constexpr double force_factor = 0.1, link_step = 0.3, sigma = 0.5;
  constexpr unsigned long long random_seed = 77;

  reference::PathTerms force_terms(bool rectangles)
  {
    const reference::PathTerms terms = reference::force_paths(reference::images(reference::plaquette_loop), 1);
    return rectangles ? terms + reference::force_paths(reference::images(reference::rectangle_loop), -0.05) : terms;
  }

  PathSet force_paths_of(bool rectangles)
  {
    PathSet paths;
    const reference::PathTerms terms = force_terms(rectangles);
    for (int mu = 0; mu < 4; mu++)
      for (const auto &term : terms[mu]) paths[mu].push_back({term.steps, term.coefficient});
    return paths;
  }

  /// -0.1 TA of the sum of the paths.
  reference::Link force_at(const reference::GaugeField &links, const reference::PathTerms &terms, std::size_t slot,
                           int mu)
  {
    return -force_factor *
           reference::traceless_anti_hermitian(reference::path_sum(links, terms, links.lattice.coords(slot), mu));
  }

  /// Every so many links are compared on large lattices.
  constexpr std::size_t sampled = 4000;

  /// The largest difference of matrices from right(mu, slot), in units of their root mean square.
  template <class Found, class Right> double deviation(std::size_t volume, const Found &found, const Right &right)
  {
    const std::size_t step = volume > sampled ? volume / sampled | 1 : 1;
    double largest = 0, squares = 0, matrices = 0;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < volume; slot += step) {
        const reference::Link expected = right(mu, slot);
        const double here = (found(mu, slot) - expected).cwiseAbs().maxCoeff();
        if (!(here <= largest)) largest = here;
        squares += expected.squaredNorm();
        matrices++;
      }
    return largest / std::sqrt(squares / (9 * matrices));
  }

  class GaugeForce : public Kernel
  {
  public:
    GaugeForce(const Setting &setting, bool rectangles, PathMethod method)
        : host_(*setting.host)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
        , momentum_(host_.native_momenta(setting.precision))
        , terms_(force_terms(rectangles))
        , paths_(force_paths_of(rectangles))
        , method_(method)
    {
    }
    void run() override { add_path_sum(momentum_, links_, paths_, force_factor, true, method_); }
    static Work work(const Setting &s, bool rectangles)
    {
      return {.flops = static_cast<double>(path_sum_flops(force_paths_of(rectangles))) * s.sites(),
              .read = s.links(),
              .written = s.momenta()};
    }
    bool check() override
    {
      run();
      const auto found = numbers(momentum_);
      const reference::GaugeField &plain = host_.links();
      const auto measure = [&](int mu, std::size_t slot) { return reference::from_ten(&found[mu][10 * slot]); };
      const auto right = [&](int mu, std::size_t slot) { return force_at(plain, terms_, slot, mu); };
      return deviation(plain.lattice.volume(), measure, right) <= HostData::tolerance(links_.precision());
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(momentum_);
    }

  private:
    HostData &host_;
    GaugeField links_, momentum_;
    reference::PathTerms terms_;
    PathSet paths_;
    PathMethod method_;
  };

  Entry force(const char *name, bool rectangles, PathMethod method, std::vector<std::string> tables)
  {
    return {.name = name,
            .needs = Needs::links,
            .tables = std::move(tables),
            .features = "stencil, requests ahead, cache of a thread",
            .most_reference = 8 * 8 * 8 * 16,
            .work = [=](const Setting &s) { return GaugeForce::work(s, rectangles); },
            .make = [=](const Setting &s) { return std::make_unique<GaugeForce>(s, rectangles, method); },
            .reference = plain([=](HostData &host) {
              const reference::PathTerms terms = force_terms(rectangles);
              reference::GaugeField force(host.lattice());
#pragma omp parallel for
              for (std::size_t slot = 0; slot < host.lattice().volume(); slot++)
                for (int mu = 0; mu < 4; mu++) force.U[mu][slot] = force_at(host.links(), terms, slot, mu);
              return force;
            })};
  }

  class UpdateGauge : public Kernel
  {
  public:
    explicit UpdateGauge(const Setting &setting)
        : start_(setting.host->native_links(setting.precision, setting.reconstruct))
        , links_(start_.param())
        , momentum_(setting.host->native_momenta(setting.precision))
    {
      links_ = start_;
    }
    void refresh() override { links_ = start_; }
    void run() override { update_links(links_, links_, momentum_, link_step, true); }
    static Work work(const Setting &s)
    {
      return {.flops = 2244.0 * s.sites(),
              .read = s.links() + s.momenta(),
              .written = s.links(),
              .touched = s.links() + s.momenta(),
              .shape = Shape::update};
    }
    Checksum checksum() override
    {
      refresh();
      run();
      return checksum_of(links_);
    }

  private:
    GaugeField start_, links_, momentum_;
  };

  Entry gaussian(const char *name, bool momenta)
  {
    return {
        .name = name,
        .needs = Needs::links,
        .tables = {name},
        .features = "random numbers",
        .most_reference = 16 * 16 * 16 * 16,
        .work =
            [=](const Setting &s) {
              return Work {.flops = (momenta ? 400 : 2400) * s.sites(), .written = momenta ? s.momenta() : s.links()};
            },
        .make = runs([=](const Setting &s) {
          return [field = momenta ? s.host->native_momenta(s.precision)
                                  : s.host->native_links(s.precision, s.reconstruct)]() mutable -> const GaugeField & {
            if (field.link_type() == LinkType::momentum)
              gaussian_momentum(field, random_seed, sigma);
            else
              gaussian_links(field, random_seed, sigma);
            return field;
          };
        }),
        .reference = plain([=](HostData &host) {
          const auto purpose = momenta ? reference::Purpose::momentum : reference::Purpose::gauge;
          return reference::random_field(host.lattice(), random_seed, purpose, [=](const auto &stream) {
            const reference::Link a = sigma * reference::normal_algebra(stream);
            return momenta ? a : reference::exponential(a);
          });
        })};
  }

  reference::Spinors plain_gaussian_spinors(const reference::Lattice &lattice)
  {
    reference::Spinors all(lattice.volume());
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const reference::LinkStream stream {
          random_seed, lattice.lexicographic(lattice.coords(slot)), reference::Purpose::start, 0, 1, 0};
      for (int k = 0; k < all[slot].size(); k++) all[slot](k / 3, k % 3) = reference::normal(stream, k);
    }
    return all;
  }

  class Update : public Kernel
  {
  public:
    Update(const Setting &setting, bool relax, double rectangle)
        : start_(setting.host->native_links(setting.precision, setting.reconstruct))
        , links_(start_.param())
    {
      sweeps_.heatbath = !relax;
      sweeps_.relax = relax;
      sweeps_.rectangle = rectangle;
      links_ = start_;
    }
    void run() override
    {
      quda::heatbath(links_, sweeps_);
      sweeps_.first++;
    }
    static Work work(const Setting &s, double rectangle)
    {
      const double flops = rectangle != 0 ? 14274 : 2808;
      return {.flops = flops * 4 * s.sites(), .read = s.links(), .written = s.links(), .touched = s.links()};
    }
    Checksum checksum() override
    {
      links_ = start_;
      sweeps_.first = 0;
      run();
      return checksum_of(links_);
    }

  private:
    GaugeField start_, links_;
    HeatbathSweeps sweeps_;
  };

  Entry update(const char *name, bool relax, double rectangle = 0)
  {
    return {.name = name,
            .needs = Needs::links,
            .tables = {rectangle != 0 ? "improved_heatbath" : "heatbath"},
            .features = "stencil, in place, loop by data, random numbers",
            .loose = 20,
            .most_reference = rectangle != 0 ? 4 * 4 * 4 * 8 : 8 * 8 * 8 * 16,
            .work = [=](const Setting &s) { return Update::work(s, rectangle); },
            .make = [=](const Setting &s) { return std::make_unique<Update>(s, relax, rectangle); },
            .reference = plain([=](HostData &host) {
              reference::GaugeField links = host.links();
              const HeatbathSweeps sweeps;
              reference::sweep(links, {sweeps.beta, rectangle}, !relax, relax, sweeps.seed, 0);
              return links;
            })};
  }

  const Registered forces[] = {
      force("gauge_force", false, PathMethod::shared, {"plaquette_force"}),
      force("gauge_force_rectangle", true, PathMethod::shared, {"plaquette_force", "rectangle_staples"}),
      force("gauge_force_walk", false, PathMethod::walk, {"path_walk"}),
      gaussian("gaussian_momentum", true),
      gaussian("gaussian_links", false),
      Entry {.name = "gaussian_spinors",
             .tables = {"random_spinors"},
             .features = "random numbers",
             .most_reference = 16 * 16 * 16 * 16,
             .work = [](const Setting &s) { return Work {.flops = 300 * s.sites() * s.nrhs, .written = s.spinors()}; },
             .make = runs([](const Setting &s) {
               return [field = s.host->native_spinors(s.precision, s.nrhs)]() mutable {
                 gaussian_spinors(field, random_seed);
                 return field.columns(0, 1);
               };
             }),
             .reference = plain([](HostData &host) { return plain_gaussian_spinors(host.lattice()); })},
      update("heatbath", false),
      update("overrelaxation", true),
      update("heatbath_rectangle", false, -1.0 / 12),
      Entry {.name = "loop_trace",
             .needs = Needs::links,
             .tables = {"loop_trace"},
             .features = "stencil, exact sums",
             .work = [](const Setting &s) { return Work {.flops = (5 * 198 + 4) * s.sites(), .read = s.links()}; },
             .make = runs([](const Setting &s) {
               return [links = s.host->native_links(s.precision, s.reconstruct)] {
                 return loop_trace(links, reference::chair_loop);
               };
             }),
             .reference =
                 plain([](HostData &host) { return reference::loop_trace(host.links(), reference::chair_loop); })},
      Entry {.name = "update_gauge",
             .needs = Needs::links,
             .tables = {"update_links"},
             .features = "exponential, in place",
             .most_reference = 8 * 8 * 8 * 16,
             .work = UpdateGauge::work,
             .make = made<UpdateGauge>,
             .reference =
                 plain([](HostData &host) { return reference::updated(host.links(), host.momenta(), link_step, 40); })},
      Entry {
          .name = "momentum_action",
          .needs = Needs::links,
          .tables = {"momentum_action"},
          .features = "exact sums",
          .work =
              [](const Setting &s) { return Work {.flops = 76 * s.sites(), .read = s.momenta(), .shape = Shape::dot}; },
          .make = runs([](const Setting &s) {
            return [momentum = s.host->native_momenta(s.precision), sites = s.sites()] {
              return momentum_action(momentum) / sites + 16;
            };
          }),
          .reference = plain([](HostData &host) {
            return reference::momentum_action(host.momenta()) / static_cast<double>(host.lattice().volume()) + 16;
          })},
  };

} // namespace

} // namespace quda::bench
