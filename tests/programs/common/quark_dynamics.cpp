#include "programs/common/quark_dynamics.h"

#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace program
{

QuarkDynamics::QuarkDynamics(const Process &process, GaugeDynamics &gauge, int gauge_steps,
                             std::vector<QuarkLevel> levels, const StoutWish &stout)
    : process_(process)
    , gauge_(gauge)
    , gauge_steps_(gauge_steps)
    , levels_(std::move(levels))
    , stout_(stout)
    , begin_(std::chrono::steady_clock::now())
{
}

/// work() while the links that quarks live on are resident.
template <class Work> void QuarkDynamics::with_quark_links(const Work &work)
{
  if (stout_.steps == 0) return work();
  QudaGaugeSmearParam smearing = newQudaGaugeSmearParam();
  smearing.smear_type = QUDA_GAUGE_SMEAR_STOUT;
  smearing.n_steps = static_cast<unsigned>(stout_.steps);
  smearing.rho = stout_.rho;
  smearing.dir_ignore = 4;
  stoutGaugeQuda(&smearing);
  work();
  thinGaugeQuda();
}

void QuarkDynamics::refresh(unsigned long long seed)
{
  begin_ = std::chrono::steady_clock::now();
  flushChronoQuda(-1);
  unsigned long long number = 1;
  with_quark_links([&] {
    for (QuarkLevel &level : levels_)
      for (const auto &action : level.actions) {
        action->load();
        action->refresh(seed + 1000003 * number++);
      }
  });
  measure_forces();
  gauge_.refresh(seed);
  new_pseudofermions_ = true;
}

double QuarkDynamics::energy()
{
  double sum = gauge_.energy();
  with_quark_links([&] {
    for (QuarkLevel &level : levels_)
      for (const auto &action : level.actions) {
        action->load();
        const double energy = action->energy();
        sum += energy;
        if (!new_pseudofermions_) continue;
        const double all = energy + action->rest(), off = std::abs(all / action->expected() - 1);
        if (!(off <= worst_refresh_)) worst_refresh_ = off;
      }
  });
  new_pseudofermions_ = false;
  return sum;
}

void QuarkDynamics::add_force(const std::vector<QuarkAction *> &actions, double t)
{
  QudaGaugeParam param = gauge_.param();
  if (stout_.steps == 0) {
    for (QuarkAction *action : actions) {
      action->load();
      action->add_force(t, param);
    }
    return;
  }
  // forces of smeared links in the place of the momenta, which wait here
  reference::QdpLinks<double> momenta = gauge_.momenta();
  param.overwrite_mom = 1;
  with_quark_links([&] {
    for (QuarkAction *action : actions) {
      action->load();
      action->add_force(t, param);
      param.overwrite_mom = 0;
    }
    void *pointers[4] = {momenta[0].data(), momenta[1].data(), momenta[2].data(), momenta[3].data()};
    param.use_resident_mom = 0; // the resident one is the force
    stoutForceQuda(pointers, nullptr, 1, &param);
  });
}

void QuarkDynamics::add_forces(QuarkLevel &level, double t)
{
  std::vector<QuarkAction *> actions;
  for (const auto &action : level.actions) actions.push_back(action.get());
  add_force(actions, t);
}

void QuarkDynamics::run(std::size_t level, double t, int steps)
{
  if (level == levels_.size()) return gauge_.run(t, steps);
  struct System {
    QuarkDynamics &all;
    std::size_t level;
    void move_links(double t)
    {
      const bool last = level + 1 == all.levels_.size();
      all.run(level + 1, t, last ? all.gauge_steps_ : all.levels_[level + 1].steps);
    }
    void move_momenta(double t, double) { all.add_forces(all.levels_[level], t); }
  } system {*this, level};
  integrate(system, levels_[level].integrator, t, steps);
}

void QuarkDynamics::run(double t, int steps) { run(0, t, steps); }

int QuarkDynamics::order() const
{
  int order = gauge_.order();
  for (const QuarkLevel &level : levels_) order = std::min(order, level.integrator.order);
  return order;
}

/// Before the momenta, in whose place they come.
void QuarkDynamics::measure_forces()
{
  forces_.clear();
  const reference::QdpLinks<double> links = gauge_.links();
  reference::QdpLinks<double> none;
  for (auto &of_mu : none) of_mu.assign(links[0].size() / 18 * 10, 0);
  const double all_links = 4 * process_.sum(static_cast<double>(links[0].size() / 18));
  const auto keep = [&] { forces_.push_back(std::sqrt(2 * gauge_.kinetic() / all_links)); };
  for (QuarkLevel &level : levels_)
    for (const auto &action : level.actions) {
      gauge_.set_momenta(none);
      add_force({action.get()}, 1);
      keep();
    }
  gauge_.set_to_force(1);
  keep();
}

std::string QuarkDynamics::told(nlohmann::json &record)
{
  std::string text;
  char words[120];
  nlohmann::json iterations = nlohmann::json::object(), forces = nlohmann::json::object();
  std::size_t number = 0;
  for (QuarkLevel &level : levels_)
    for (const auto &action : level.actions) {
      const QuarkAction::Work work = action->work_done();
      std::snprintf(words, sizeof words, "  %s: %d x %d", action->name().c_str(), work.solves,
                    work.solves ? work.iterations / work.solves : 0);
      text += words;
      iterations[action->name()] = {{"solves", work.solves}, {"iterations", work.iterations}};
      if (number < forces_.size()) forces[action->name()] = forces_[number++];
    }
  if (!forces_.empty()) forces["gauge action"] = forces_.back();
  record["iterations"] = iterations;
  record["forces"] = forces;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  record["seconds"] = elapsed.count();
  std::snprintf(words, sizeof words, "  %.3g s", elapsed.count());
  return text + words;
}

} // namespace program
