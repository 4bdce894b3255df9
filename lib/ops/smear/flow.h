#pragma once
/// Gradient flow of links: dV_mu(x)/dt = TA[G_mu(x) V_mu(x)^dag] V_mu(x), G the sum of the staples (Wilson), or 5/3 of
/// it less 1/12 of that of the paths of five links (Symanzik). In units in which t is that of Luescher,
/// arXiv:1006.4518.
///
/// A step of size epsilon has stages i = 1, 2, ...: Z <- TA[G V^dag] + a_i Z, V <- exp(epsilon b_i Z) V.
///   order 3 : Luescher's, three stages;   order 4 : six stages, Berland, Bogey and Bailly, Computers and Fluids 35
///   (2006) 1459, as Bazavov and Chuna use it (arXiv:2101.05320).
/// The error of a step is of the order's power plus one in epsilon. No stage makes links unitary: they stay so to
/// rounding.

#include "ops/smear/stout.h"

#include <functional>

namespace quda
{

struct GradientFlow {
  double epsilon = 0.01;
  bool symanzik = false;
  int order = 3;         // 3 or 4
  double anisotropy = 1; // its square is a factor of what leaves and comes back along t
};

/// Stages of a step.
int flow_stages(int order);

/// What flows beside the links: called before each stage with the links as they are, a_i and epsilon b_i.
using FlowBeside = std::function<void(const GaugeField &links, double a, double step)>;

class FlowChain : public SmearChain
{
public:
  /// links: native, a border of smear_border in cut directions, current.
  FlowChain(GaugeField &&links, const GradientFlow &flow);
  /// epsilon further in time, all stages. Collective.
  void step() override { step(nullptr); }
  void step(const FlowBeside &beside);

private:
  StoutSmearing force_;
  GradientFlow flow_;
  GaugeField generator_;
};

} // namespace quda
