#include "programs/common/hybrid.h"

#include <chrono>
#include <cmath>

#include "reference/random/philox.h"

namespace program
{

void add_hybrid_options(CommandLine &line, HybridWish &wish)
{
  line.add("--trajectory-length", wish.length, "Length of a trajectory", positive);
  line.add("--trajectory-steps", wish.steps, "Steps of a trajectory", {1});
  line.add("--trajectories", wish.trajectories, "Measured trajectories", not_negative);
  line.add("--warmup-trajectories", wish.warmup, "Trajectories before them, accepted without a test", not_negative);
  line.add("--errors", wish.errors, "Statistical errors that means may lie apart", positive);
}

void Hybrid::trajectories(History &history, Checkpoint &checkpoint, const HostGauge &gauge, int interval)
{
  const int all = wish_.warmup + wish_.trajectories, from = history.done;
  const auto begin = std::chrono::steady_clock::now();
  while (history.done < all) {
    trajectory(history);
    if (history.done % interval == 0 || history.done == all) checkpoint.write(process_, gauge, history);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (all > from)
    say(process_, "time of a trajectory: %.3g s; %d of %d accepted\n", elapsed.count() / (all - from), history.accepted,
        all);
}

void Hybrid::trajectory(History &history)
{
  const bool measured = history.done >= wish_.warmup;
  const auto before = dynamics_.links();
  const double dH = change_of_energy(history.done, wish_.steps);
  const bool accepted = !measured || uniform(history.done) < std::exp(-dH);
  if (!accepted) dynamics_.set_links(before);
  double plaquette = dynamics_.plaquette();
  if (accepted) {
    dynamics_.project_links();
    const double projected = dynamics_.plaquette(), change = std::abs(projected - plaquette);
    if (!(change <= worst_projection_)) worst_projection_ = change;
    plaquette = projected;
  }
  history.accepted += accepted;
  history.done++;
  if (measured) {
    history.dH.push_back(dH);
    history.plaquette.push_back(plaquette);
  }
  nlohmann::json record = {{"dH", dH}, {"plaquette", plaquette}, {"accepted", accepted}, {"warm-up", !measured}};
  const std::string told = dynamics_.told(record);
  if (!told.empty()) history.records.push_back(record);
  say(process_, "%6d  dH %+.16e  plaquette %.16f%s%s%s\n", history.done, dH, plaquette, accepted ? "" : "  rejected",
      measured ? "" : "  warm-up", told.c_str());
}

double Hybrid::change_of_energy(int number, int steps)
{
  dynamics_.refresh(seed_of(number));
  const double H = dynamics_.energy();
  dynamics_.run(wish_.length, steps);
  return dynamics_.energy() - H;
}

bool Hybrid::check_mean(const History &history) const
{
  std::vector<double> weight;
  for (const double dH : history.dH) weight.push_back(std::exp(-dH));
  const Mean mean = mean_of(weight, weight.size());
  const bool good = std::abs(mean.value - 1) <= wish_.errors * mean.error;
  say(process_, "%s: <exp(-dH)> = %.6f +- %.6f, %.2f errors from 1, allowed %g\n", good ? "PASSED" : "FAILED",
      mean.value, mean.error, std::abs(mean.value - 1) / mean.error, wish_.errors);
  return good;
}

/// To what links from a file in single precision may change by.
bool Hybrid::check_projection() const
{
  const double allowed = 1e-7;
  const bool good = worst_projection_ <= allowed;
  say(process_, "%s: projected links, plaquette changed by %.1e, allowed %.0e\n", good ? "PASSED" : "FAILED",
      worst_projection_, allowed);
  return good;
}

bool Hybrid::check_reversal(int number)
{
  const auto links = dynamics_.links();
  dynamics_.refresh(seed_of(number));
  const auto momenta = dynamics_.momenta();
  const double H = dynamics_.energy();
  dynamics_.run(wish_.length, wish_.steps);
  const double there = dynamics_.energy() - H, way = distance(dynamics_.links(), links);
  dynamics_.run(-wish_.length, wish_.steps);
  const double of_links = distance(dynamics_.links(), links), of_momenta = distance(dynamics_.momenta(), momenta);
  const double of_energy = std::abs(dynamics_.energy() - H) / std::abs(H);
  dynamics_.set_links(links);
  const double worst = std::max({of_links, of_momenta, of_energy});
  const bool good = worst <= wish_.reversal && way > 0.1;
  say(process_, "%s: there (dH %.2e, links move by %.2f) and back: links %.1e, momenta %.1e, H %.1e, allowed %.0e\n",
      good ? "PASSED" : "FAILED", there, way, of_links, of_momenta, of_energy, wish_.reversal);
  return good;
}

bool Hybrid::check_order(int number)
{
  const auto links = dynamics_.links();
  std::vector<double> x, y;
  for (const double finer : wish_.finer) {
    const int steps = static_cast<int>(std::lround(finer * wish_.steps));
    double square = 0;
    for (int k = 0; k < wish_.samples; k++) {
      dynamics_.set_links(links);
      const double dH = change_of_energy(number + k, steps);
      square += dH * dH / wish_.samples;
    }
    x.push_back(std::log(wish_.length / steps));
    y.push_back(0.5 * std::log(square));
    say(process_, "step %.5f: dH %.3e\n", wish_.length / steps, std::sqrt(square));
  }
  dynamics_.set_links(links);
  const int order = dynamics_.order();
  const double slope = slope_of(x, y), allowed = order == 2 ? 0.1 : 0.2;
  const bool good = std::abs(slope - order) <= allowed;
  say(process_, "%s: dH falls with the step to the power %.3f, expected %d +- %g\n", good ? "PASSED" : "FAILED", slope,
      order, allowed);
  return good;
}

/// Of what no site uses: so large a draw belongs to no heat bath.
double Hybrid::uniform(int trajectory) const
{
  return reference::LinkStream {seed_of(trajectory), 0, reference::Purpose::start, 3, 255}.draw(1u << 19)[0];
}

double Hybrid::distance(const reference::QdpLinks<double> &a, const reference::QdpLinks<double> &b) const
{
  double largest = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < a[mu].size(); i++) {
      const double here = std::abs(a[mu][i] - b[mu][i]);
      if (!(here <= largest)) largest = here;
    }
  return process_.max(largest);
}

} // namespace program
