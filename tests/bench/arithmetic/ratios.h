#pragma once
/// What `quda_bench --compare` makes of the times of two builds.

#include <array>
#include <vector>

namespace quda::bench
{

enum class Side { before, after };

/// Who runs when in a round: before, after, after, before, every second round the other way round. A machine that
/// becomes faster or slower at a steady rate favours neither.
std::array<Side, 4> order_of(int round);

/// Seconds of the runs of one round, two of each side.
struct Round {
  std::array<double, 2> before, after;
  /// The speed after over the speed before, by geometric means.
  double ratio() const;
};

/// Ratios of several rounds. The bounds are those of the sign test at one in twenty: if rounds are independent, the
/// true median is above `at_most` (below `at_least`) in at most 5 % of all cases. Below five rounds there is no such
/// bound; the largest and the smallest ratio stand in.
struct Summary {
  double median, least, most;
  double at_least, at_most;
};

/// Of one ratio or more.
Summary summary(std::vector<double> ratios);

/// How many of n independent rounds have to lie on one side of the true median to be a surprise, one case in twenty; n
/// where not even all of them are.
int surprising(int n);

} // namespace quda::bench
