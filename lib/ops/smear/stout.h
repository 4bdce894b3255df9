#pragma once
/// Stout and over-improved stout smearing.

#include "fields/gauge_field.h"

namespace quda
{

struct StoutSmearing {
  double rho = 0;     // weight of the staples
  double epsilon = 1; // over-improved: mixing of staples and rectangles
  bool over_improved = false;
  bool smeared[4] = {true, true, true, true}; // directions whose links are smeared and that staples run through

  /// Staples alone in all directions but `ignored` (any other number: in all four).
  static StoutSmearing stout(double rho, int ignored);
  static StoutSmearing over_improved_stout(double rho, double epsilon, int ignored);
};

/// Depth of the border a step reads in directions that are cut.
constexpr int stout_border = 2;

/// One step: out = smeared links of `in`, all made from the old ones, in the smeared directions; the other directions
/// of out and its border are left as they are. in, out: native fields of one kind, a border of stout_border in cut
/// directions, that of `in` current. Collective: no.
void stout_step(GaugeField &out, const GaugeField &in, const StoutSmearing &smearing);

/// A chain of steps from links that are not changed.
class StoutChain
{
public:
  /// Copies the links, with a border where directions are cut. Collective.
  StoutChain(const GaugeField &links, const StoutSmearing &smearing);
  /// One step more; the border is current afterwards. Collective.
  void step();
  /// The links as they are now, border current. Whoever writes them exchanges the border.
  GaugeField &links() { return field_[now_]; }

private:
  StoutSmearing smearing_;
  GaugeField field_[2];
  int now_ = 0;
};

} // namespace quda
