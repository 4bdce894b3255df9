/// Reversible integrators of molecular dynamics.
///   leap-frog       : second order
///   Omelyan         : Omelyan, Mryglod and Folk, Comput. Phys. Commun. 151 (2003) 272: of second order with two forces
///                     a step, eq. 25 and 31, and of fourth order with five, eq. 63 and 71
///   force gradient  : fourth order, three forces and one more where the momenta feel the force's gradient: by the
///                     force at links moved ahead (Yin and Mawhinney, arXiv:1111.5059)
#pragma once

#include <map>
#include <string>
#include <vector>

namespace program
{

/// Momenta move by `momenta` times the step, links by `links`. ahead: the force is that of links moved ahead by
/// `ahead` times the step squared along the force itself.
struct Stage {
  double momenta, links, ahead = 0;
};

/// A step is its stages in their order; the last one moves no links, so that it joins the next step's first.
struct Integrator {
  std::vector<Stage> stages;
  int order;
};

/// By the names of the literature, and by those of PyQUDA.
inline std::map<std::string, Integrator> integrators()
{
  const double o = 0.1931833275037836;
  const double a = 0.08398315262876693, b = 0.2539785108410595, c = 0.6822365335719091, d = -0.03230286765269967;
  const Integrator leapfrog = {{{0.5, 1}, {0.5, 0}}, 2};
  const Integrator omelyan2 = {{{o, 0.5}, {1 - 2 * o, 0.5}, {o, 0}}, 2};
  const Integrator omelyan4 = {{{a, b}, {c, d}, {0.5 - a - c, 1 - 2 * (b + d)}, {0.5 - a - c, d}, {c, b}, {a, 0}}, 4};
  const Integrator force_gradient = {{{1.0 / 6, 0.5}, {2.0 / 3, 0.5, 1.0 / 24}, {1.0 / 6, 0}}, 4};
  return {{"leapfrog", leapfrog},
          {"omelyan2", omelyan2},
          {"omelyan4", omelyan4},
          {"O2Nf1Ng0V", leapfrog},
          {"O2Nf2Ng0V", omelyan2},
          {"O4Nf5Ng0V", omelyan4},
          {"force-gradient", force_gradient}};
}

inline std::map<std::string, std::string> integrator_names()
{
  std::map<std::string, std::string> names;
  for (const auto &[name, unused] : integrators()) names[name] = name;
  return names;
}

/// `steps` steps of total length t. A System has move_links(t) and move_momenta(t, ahead).
template <class System> void integrate(System &system, const Integrator &integrator, double t, int steps)
{
  const double dt = t / steps;
  const std::vector<Stage> &stages = integrator.stages;
  system.move_momenta(stages[0].momenta * dt, 0);
  for (int i = 0; i < steps; i++)
    for (std::size_t s = 1; s < stages.size(); s++) {
      system.move_links(stages[s - 1].links * dt);
      const bool joined = s + 1 == stages.size() && i + 1 < steps;
      system.move_momenta((joined ? 2 : 1) * stages[s].momenta * dt, stages[s].ahead * dt * dt);
    }
}

} // namespace program
