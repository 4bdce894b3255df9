#pragma once
/// Chains of smearing steps, each of which makes all links from those of the step before.

#include "fields/gauge_field.h"

namespace quda
{

/// Depth of the border that every kind of smearing reads in directions that are cut.
constexpr int smear_border = 2;

/// A copy of links for smearing: link type smeared, all three rows stored, numbers unchanged; with
/// a border of `depth` (even) in cut directions, filled. Collective.
GaugeField smeared_copy(const GaugeField &links, int depth);

/// Refuses, naming `function`, two fields that no step can connect: one memory, not native, different links or
/// storage, borders that differ or are less than smear_border deep in cut directions.
void check_step(const char *function, const GaugeField &out, const GaugeField &in);

class SmearChain
{
public:
  virtual ~SmearChain() = default;
  /// One further step; the border is current afterwards. Collective.
  virtual void step() = 0;
  /// The links as they are now, border current; a caller that writes them brings their border up to date and calls
  /// mark_written().
  GaugeField &links() { return now_; }

protected:
  /// links: the first ones; native, a border of smear_border in cut directions, current. smeared: directions whose
  /// links steps write.
  SmearChain(GaugeField &&links, const bool (&smeared)[4]);

  /// write(out, in) computes the links of the smeared directions, but not their borders.
  template <class Write> void advance(Write &&write)
  {
    if (now_.tag() != tag_) keep_ignored(); // written by a caller
    write(next_, now_);
    end_advance();
  }

private:
  /// Links of directions that are not smeared, which no step writes.
  void keep_ignored();
  void end_advance();

  GaugeField now_, next_;
  bool all_smeared_;
  std::uint64_t tag_; // of now_ when the chain itself wrote it
};

} // namespace quda
