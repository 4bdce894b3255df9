/// Adjoint flow of quark fields: what is kept of the links, how often they flow, and the same bits whatever is kept.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ops/smear/adjoint_flow.h"
#include "reference/random.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

/// Steps of links before those that are gone back through, with `kept` fields: as many as there must be.
std::vector<std::vector<long long>> fewest_steps(int most_steps, int most_kept)
{
  std::vector<std::vector<long long>> fewest(most_kept + 1, std::vector<long long>(most_steps + 1, 0));
  for (int c = 1; c <= most_kept; c++)
    for (int n = 2; n <= most_steps; n++) {
      fewest[c][n] = 1LL * n * (n - 1) / 2;
      for (int m = 1; c > 1 && m < n; m++)
        fewest[c][n] = std::min(fewest[c][n], m + fewest[c - 1][n - m] + fewest[c][m]);
    }
  return fewest;
}

/// The same as the library keeps them.
long long steps_of(int n, int kept)
{
  if (n < 2) return 0;
  if (kept == 1) return 1LL * n * (n - 1) / 2;
  const int m = static_cast<int>(steps_to_keep(n, kept));
  EXPECT_TRUE(0 < m && m < n) << n << " steps, " << kept << " kept: " << m;
  if (m < 1 || m >= n) return -1;
  return m + steps_of(n - m, kept - 1) + steps_of(m, kept);
}

} // namespace

TEST(AdjointFlow, KeepsWhatMakesFewestSteps)
{
  const auto fewest = fewest_steps(60, 8);
  for (int kept = 1; kept <= 8; kept++)
    for (int n = 1; n <= 60; n++) EXPECT_EQ(steps_of(n, kept), fewest[kept][n]) << n << " steps, " << kept << " kept";
  for (const long long n : {100LL, 1000LL, 4294967295LL})
    for (const long long kept : {2LL, 5LL, 50LL}) {
      const long long m = steps_to_keep(n, kept);
      EXPECT_TRUE(0 < m && m < n) << n << " steps, " << kept << " kept: " << m;
    }
}

/// Links and quarks of one precision, and quarks of single precision along links of double precision.
TEST(AdjointFlow, GivesTheBitsOfAllLinksKept)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 2, 6});
    const support::Place place(lattice, make_single_communicator());
    const GaugeField links = support::native_links(place, reference::random_gauge(lattice, 61), {});
    const GradientFlow flow {0.03, FlowAction::wilson, 3, 1.2};
    constexpr int steps = 5;
    const auto fewest = fewest_steps(steps, steps);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      std::vector<double> all_kept;
      for (const int most : {9, 3, 2, 1})
        for (const int undivided : {1, 3}) {
          if (most != 2 && undivided > 1) continue;
          ColorSpinorField quarks = support::native_spinors(place, precision, -1);
          support::set_from(quarks, place, reference::random_spinors(lattice, 62));
          const AdjointFlow done = flow_back(quarks, links, flow, steps, {most, undivided});
          const int kept = std::min(most, steps);
          if (undivided == 1) {
            EXPECT_EQ(done.kept, kept);
            EXPECT_EQ(done.link_steps, steps + fewest[kept][steps]);
          } else {
            EXPECT_LE(done.kept, kept);
            EXPECT_GE(done.link_steps, steps + fewest[kept][steps]);
          }
          const std::vector<double> result = support::host_array(quarks);
          if (all_kept.empty()) all_kept = result;
          EXPECT_EQ(result, all_kept) << most << " kept, " << undivided << " undivided";
          EXPECT_EQ(support::host_links(done.first), support::host_links(links));
        }
    }
  });
}
