#pragma once
/// Stout and over-improved stout smearing.

#include "ops/smear/chain.h"

namespace quda
{

struct StoutSmearing {
  double staples = 0;                         // weight of the staples: rho
  double rectangles = 0;                      // weight of the paths of five links, over-improved
  double anisotropy = 1;                      // its square is a factor of paths that leave and return along t
  bool over_improved = false;                 // whether such paths exist at all
  bool smeared[4] = {true, true, true, true}; // directions whose links are smeared and that staples run through

  /// Only staples, in all directions except `ignored` (any other number: in all four).
  static StoutSmearing stout(double rho, int ignored);
  /// epsilon: mixing of staples and rectangles, 1 has no rectangles.
  static StoutSmearing over_improved_stout(double rho, double epsilon, int ignored);
};

/// Depth of the border a step reads in directions that are cut.
constexpr int stout_border = smear_border;

/// Turns a step into a stage of the gradient flow: Z <- TA(sum of paths times U^dag) + old Z, out = exp(step Z) in.
struct FlowStage {
  GaugeField *generator = nullptr; // Z: native momenta without border; read if old is not 0, written
  double old = 0, step = 0;
};

/// One step: out = smeared links of `in`, all from the old ones, in the smeared directions; the other directions
/// of out and its border are left as they are. in, out: native fields of one kind, a border of stout_border in cut
/// directions, that of `in` current. Collective: no.
void stout_step(GaugeField &out, const GaugeField &in, const StoutSmearing &smearing, const FlowStage &stage = {});

/// A chain of steps.
class StoutChain : public SmearChain
{
public:
  StoutChain(GaugeField &&links, const StoutSmearing &smearing);
  void step() override;

private:
  StoutSmearing smearing_;
};

} // namespace quda
