#include "ops/gauge/path_set.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace quda
{

namespace
{

  using Weights = std::map<StepCodes, double>;

  /// The common weight of all members, which are removed; 0 if one is missing or they differ.
  double take(Weights &weights, const std::vector<StepCodes> &members)
  {
    const auto weight = [&](const StepCodes &steps) {
      const auto found = weights.find(steps);
      return found == weights.end() ? 0.0 : found->second;
    };
    const double common = weight(members.front());
    for (const StepCodes &member : members)
      if (weight(member) != common) return 0;
    if (common != 0)
      for (const StepCodes &member : members) weights.erase(member);
    return common;
  }

  /// Paths of U_mu's staples in the plane mu nu, on both sides.
  struct Staples {
    std::vector<StepCodes> plaquette, along, across;

    Staples(int mu, int nu)
    {
      const int M = backwards(mu);
      for (const int n : {nu, backwards(nu)}) {
        const int N = 7 - n;
        plaquette.push_back({n, M, N});
        along.push_back({mu, n, M, M, N});
        along.push_back({n, M, M, N, mu});
        across.push_back({n, n, M, N, N});
      }
    }
  };

  bool any(const double (&weights)[4][4])
  {
    return std::any_of(&weights[0][0], &weights[0][0] + 16, [](double w) { return w != 0; });
  }

} // namespace

void append_steps(std::vector<PathStep> &steps, Reach &reach, const StepCodes &codes, std::array<int, 4> at)
{
  for (const int code : codes) {
    const bool back = code > 3;
    const int d = back ? 7 - code : code;
    if (back) at[d]--;
    PathStep step {};
    for (int e = 0; e < 4; e++) {
      step.dx[e] = static_cast<short>(at[e]);
      reach[e] = std::max(reach[e], std::abs(at[e]));
    }
    step.mu = static_cast<short>(d);
    step.adjoint = back;
    steps.push_back(step);
    if (!back) at[d]++;
  }
}

Reach reach_of(const PathSet &paths)
{
  Reach reach {};
  std::vector<PathStep> steps;
  for (int mu = 0; mu < 4; mu++)
    for (const WeightedPath &path : paths[mu]) {
      std::array<int, 4> start {};
      start[mu] = 1;
      append_steps(steps, reach, path.steps, start);
    }
  return reach;
}

Reach reach_of(const StepCodes &loop)
{
  Reach reach {};
  std::vector<PathStep> steps;
  append_steps(steps, reach, loop, {});
  return reach;
}

PathSet staple_paths(double plaquette, double rectangle)
{
  PathSet paths;
  for (int mu = 0; mu < 4; mu++)
    for (int nu = 0; nu < 4; nu++) {
      if (nu == mu) continue;
      const Staples staples(mu, nu);
      for (const StepCodes &steps : staples.plaquette) paths[mu].push_back({steps, plaquette});
      for (const auto *both : {&staples.along, &staples.across})
        for (const StepCodes &steps : *both) paths[mu].push_back({steps, rectangle});
    }
  return paths;
}

StapleWeights take_staples(PathSet &paths)
{
  StapleWeights staples {};
  for (int mu = 0; mu < 4; mu++) {
    Weights weights;
    for (const WeightedPath &path : paths[mu]) weights[path.steps] += path.coefficient;
    for (int nu = 0; nu < 4; nu++) {
      if (nu == mu) continue;
      const Staples of_plane(mu, nu);
      staples.plaquette[mu][nu] = take(weights, of_plane.plaquette);
      staples.along[mu][nu] = take(weights, of_plane.along);
      staples.across[mu][nu] = take(weights, of_plane.across);
    }
    paths[mu].clear();
    for (const auto &[steps, weight] : weights)
      if (weight != 0) paths[mu].push_back({steps, weight});
  }
  return staples;
}

bool has_plaquettes(const StapleWeights &weights) { return any(weights.plaquette); }
bool has_rectangles(const StapleWeights &weights) { return any(weights.along) || any(weights.across); }
bool empty(const PathSet &paths)
{
  return std::all_of(paths.begin(), paths.end(), [](const auto &of_mu) { return of_mu.empty(); });
}

} // namespace quda
