/// Molecular dynamics of links with quarks: levels of time scales, the gauge action innermost. Where quarks live on
/// stout-smeared links their forces come back through the smearing.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "programs/common/gauge_dynamics.h"
#include "programs/common/quark_actions.h"

namespace program
{

/// Forces that are taken together.
struct QuarkLevel {
  std::vector<std::unique_ptr<QuarkAction>> actions;
  Integrator integrator;
  int steps = 1; // to one of the level outside; of the outermost: what run() says
};

struct StoutWish {
  int steps = 0; // 0: quarks live on the links themselves
  double rho = 0.1;
};

class QuarkDynamics : public Dynamics
{
public:
  /// Levels from the outermost in; gauge: the innermost, of gauge_steps to a step of the last level.
  QuarkDynamics(const Process &process, GaugeDynamics &gauge, int gauge_steps, std::vector<QuarkLevel> levels,
                const StoutWish &stout);

  void refresh(unsigned long long seed) override;
  double energy() override;
  void run(double t, int steps) override;
  int order() const override;

  double plaquette() const override { return gauge_.plaquette(); }
  void project_links() override { gauge_.project_links(); }
  reference::QdpLinks<double> links() const override { return gauge_.links(); }
  void set_links(reference::QdpLinks<double> links) override { gauge_.set_links(std::move(links)); }
  reference::QdpLinks<double> momenta() override { return gauge_.momenta(); }
  void set_momenta(reference::QdpLinks<double> momenta) override { gauge_.set_momenta(std::move(momenta)); }
  std::string told(nlohmann::json &record) override;

  /// The largest relative difference between an action right after its refresh and what it must be then.
  double worst_refresh() const { return worst_refresh_; }

private:
  template <class Work> void with_quark_links(const Work &work);
  void add_forces(QuarkLevel &level, double t);
  void add_force(const std::vector<QuarkAction *> &actions, double t);
  void run(std::size_t level, double t, int steps);
  void measure_forces();

  const Process &process_;
  GaugeDynamics &gauge_;
  const int gauge_steps_;
  std::vector<QuarkLevel> levels_;
  const StoutWish stout_;
  double worst_refresh_ = 0;
  std::vector<double> forces_; // root of the mean of |F|^2 a link, of each action, the gauge action last
  std::chrono::steady_clock::time_point begin_;
  bool new_pseudofermions_ = false;
};

} // namespace program
