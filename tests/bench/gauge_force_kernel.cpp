/// gauge_force: momenta of the plaquette action, written afresh; gauge_force_rectangle: with 1 x 2 rectangles.
/// update_gauge: links times exponentials of momenta, in place. Flops as the library counts them; links once, momenta
/// once, updated links twice.

#include <cmath>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/force/momentum.h"
#include "ops/force/path_sum.h"
#include "reference/force/loops.h"
#include "reference/force/momentum.h"

namespace quda::bench
{

namespace
{

  GaugeFieldParam momentum_like(const GaugeField &links)
  {
    GaugeFieldParam param;
    param.lattice = links.shared_lattice();
    param.precision = links.precision();
    param.link_type = LinkType::momentum;
    param.reconstruct = Reconstruct::r10;
    return param;
  }

  /// Numbers of a native field as QDP arrays of double precision.
  reference::QdpLinks<double> numbers(const GaugeField &field)
  {
    reference::QdpLinks<double> arrays;
    GaugeFieldParam param = field.param();
    param.precision = Precision::double_;
    if (param.reconstruct != Reconstruct::r10) param.reconstruct = Reconstruct::none;
    param.order = GaugeOrder::qdp;
    param.location = Location::host;
    param.create = Create::reference;
    for (int mu = 0; mu < 4; mu++) {
      arrays[mu].resize(static_cast<std::size_t>(field.lattice().volume()) * static_cast<int>(param.reconstruct));
      param.data[mu] = arrays[mu].data();
    }
    GaugeField host(param);
    host = field;
    return arrays;
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
    GaugeForce(const Setting &setting, bool rectangles)
        : host_(*setting.host)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
        , momentum_(momentum_like(links_))
        , terms_(reference::force_paths(reference::images(reference::plaquette_loop), 1))
    {
      if (rectangles) terms_ = terms_ + reference::force_paths(reference::images(reference::rectangle_loop), -0.05);
      for (int mu = 0; mu < 4; mu++)
        for (const auto &term : terms_[mu]) paths_[mu].push_back({term.steps, term.coefficient});
    }
    void run() override { add_path_sum(momentum_, links_, paths_, 0.1, true); }
    double flops() const override
    {
      return static_cast<double>(path_sum_flops(paths_)) * static_cast<double>(links_.lattice().volume());
    }
    double bytes() const override
    {
      return 4.0 * static_cast<double>(links_.lattice().volume()) * (links_.reals() + 10) *
             bytes_of(links_.precision());
    }
    double working_set() const override { return bytes(); }
    bool check() override
    {
      run();
      const auto found = numbers(momentum_);
      const reference::GaugeField &plain = host_.links();
      const auto measure = [&](int mu, std::size_t slot) { return reference::from_ten(&found[mu][10 * slot]); };
      const auto right = [&](int mu, std::size_t slot) -> reference::Link {
        return -0.1 *
               reference::traceless_anti_hermitian(reference::path_sum(plain, terms_, plain.lattice.coords(slot), mu));
      };
      return deviation(plain.lattice.volume(), measure, right) <= HostData::tolerance(links_.precision());
    }

  private:
    HostData &host_;
    GaugeField links_, momentum_;
    reference::PathTerms terms_;
    PathSet paths_;
  };

  class UpdateGauge : public Kernel
  {
  public:
    explicit UpdateGauge(const Setting &setting)
        : host_(*setting.host)
        , start_(host_.native_links(setting.precision, setting.reconstruct))
        , links_(start_.param())
        , momentum_(momentum_like(links_))
    {
      const PathSet paths = [] {
        PathSet set;
        const auto terms = reference::force_paths(reference::images(reference::plaquette_loop), 1);
        for (int mu = 0; mu < 4; mu++)
          for (const auto &term : terms[mu]) set[mu].push_back({term.steps, term.coefficient});
        return set;
      }();
      add_path_sum(momentum_, start_, paths, 0.1, true); // any momenta will do
      links_ = start_;
    }
    void refresh() override { links_ = start_; }
    void run() override { update_links(links_, links_, momentum_, step, true); }
    double flops() const override { return 2244.0 * static_cast<double>(links_.lattice().volume()); }
    double bytes() const override
    {
      return 4.0 * static_cast<double>(links_.lattice().volume()) * (2 * links_.reals() + 10) *
             bytes_of(links_.precision());
    }
    Shape shape() const override { return Shape::update; }
    double working_set() const override
    {
      return 4.0 * static_cast<double>(links_.lattice().volume()) * (links_.reals() + 10) *
             bytes_of(links_.precision());
    }
    bool check() override
    {
      refresh();
      run();
      const auto found = numbers(links_), momenta = numbers(momentum_);
      const reference::GaugeField &plain = host_.links();
      const auto measure = [&](int mu, std::size_t slot) {
        reference::Link u;
        for (int k = 0; k < 9; k++) u.data()[k] = {found[mu][18 * slot + 2 * k], found[mu][18 * slot + 2 * k + 1]};
        return u;
      };
      const auto right = [&](int mu, std::size_t slot) -> reference::Link {
        return reference::taylor(step * reference::from_ten(&momenta[mu][10 * slot]), 40) * plain.U[mu][slot];
      };
      return deviation(plain.lattice.volume(), measure, right) <= HostData::tolerance(links_.precision());
    }

  private:
    static constexpr double step = 0.3;
    HostData &host_;
    GaugeField start_, links_, momentum_;
  };

  const Registered gauge_force("gauge_force", Variant::library, Needs::links, [](const Setting &setting) {
    return std::unique_ptr<Kernel>(new GaugeForce(setting, false));
  });
  const Registered rectangle_force("gauge_force_rectangle", Variant::library, Needs::links, [](const Setting &setting) {
    return std::unique_ptr<Kernel>(new GaugeForce(setting, true));
  });
  const Registered update_gauge("update_gauge", Variant::library, Needs::links, made<UpdateGauge>);

} // namespace

} // namespace quda::bench
