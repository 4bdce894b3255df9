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

/// A copy of links as smeared links are kept: link type smeared, all three rows stored, whatever is in them stays; with
/// a border of `depth` (even) in cut directions, filled. Collective.
GaugeField smeared_copy(const GaugeField &links, int depth);

/// A chain of steps.
class StoutChain
{
public:
  /// links: the first ones; native, a border of stout_border in cut directions, current.
  StoutChain(GaugeField &&links, const StoutSmearing &smearing);
  /// One step more; the border is current afterwards. Collective.
  void step();
  /// The links as they are now, border current; whoever writes them sees to their border and mark_written().
  GaugeField &links() { return now_; }

private:
  void keep_ignored();

  StoutSmearing smearing_;
  GaugeField now_, next_;
  std::uint64_t tag_; // of now_ when the chain itself wrote it
};

} // namespace quda
