#pragma once
/// Gradient flow of links: dV_mu(x)/dt = Z_mu(x) V_mu(x), in units in which t is that of Luescher, arXiv:1006.4518.
///   Wilson, Symanzik : Z = TA[G_mu(x) V_mu(x)^dag], G the sum of the staples, or 5/3 of it less 1/12 of the sum of the
///                      paths of five links
///   Zeuthen          : (1 + D*_mu D_mu / 12) Z of Symanzik, ops/smear/zeuthen.h
///
/// A step of size epsilon has stages i = 1, 2, ...: Z <- force + a_i Z, V <- exp(epsilon b_i Z) V.
///   order 3 : Luescher's, three stages;   order 4 : six stages, Berland, Bogey and Bailly, Computers and Fluids 35
///   (2006) 1459, as in Bazavov and Chuna (arXiv:2101.05320).
/// The error of a step is of order epsilon^(order + 1). No stage reunitarises links: they stay unitary to
/// rounding.

#include "ops/smear/stout.h"

#include <functional>
#include <memory>

namespace quda
{

enum class FlowAction { wilson, symanzik, zeuthen };

struct GradientFlow {
  double epsilon = 0.01;
  FlowAction action = FlowAction::wilson;
  int order = 3;         // 3 or 4
  double anisotropy = 1; // its square is a factor of paths that leave and return along t; Zeuthen: 1
};

/// Stages of a step.
int flow_stages(int order);

/// A flow alongside that of the links: called before each stage with the current links, a_i and epsilon b_i.
using FlowBeside = std::function<void(const GaugeField &links, double a, double step)>;

class FlowChain : public SmearChain
{
public:
  /// links: native, a border of smear_border in cut directions, current.
  FlowChain(GaugeField &&links, const GradientFlow &flow);
  /// A step of the flow's own size, all stages. Collective.
  void step() override { step(flow_.epsilon); }
  void step(double epsilon, const FlowBeside &beside = nullptr);
  /// The same but for the links after its last stage: links() are those before it.
  void step_for(const FlowBeside &beside);
  /// A step of third order and its error, the largest over the links of |V - exp(epsilon (2 Z_1 - Z_0)) V_0| in the
  /// Frobenius norm: V_0 and Z_0 are from before the step, Z_1 is the force after the first stage, so that the
  /// reference is of second order (Fritzsch and Ramos, arXiv:1301.4388). The same bits on all ranks.
  double step_with_error(double epsilon);
  /// The links as they were before step_with_error(). Collective.
  void take_back();

private:
  struct Zeuthen;
  struct Before;
  void stage(double a, double step);

  StoutSmearing force_;
  GradientFlow flow_;
  GaugeField generator_;
  std::shared_ptr<Zeuthen> zeuthen_; // only for the Zeuthen flow
  std::shared_ptr<Before> before_;   // a step with its error
};

/// Steps whose size follows from their error.
struct AdaptiveSteps {
  double epsilon;   // of the next one
  double tolerance; // limit of a step's error
  long long taken = 0, taken_back = 0;
};

/// `time` further in flow time, in equal steps as large as possible at each moment; steps.epsilon, taken and taken_back
/// report them. A step with too large an error is taken back. The next one is larger by the fourth root of 0.8
/// tolerance / error, twice at most, or after a step taken back smaller by its square root: numbers that machines round
/// alike. An error that all ranks find, naming `function`, if steps become too small to go on. Collective.
void flow_adaptively(const char *function, FlowChain &chain, double time, AdaptiveSteps &steps);

} // namespace quda
