/// Every launch visits every point of its index space once, however the work is cut.

#include "core/error.h"
#include "kernel_ops/every_target.h"
#include "kernel_ops/tables.h"
#include "support/refused.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(PointsTable, points)

namespace
{

  using Launch = void (*)(const TuneParam &, const PointsCall &);

  void expect_one_visit(Launch launch, unsigned nx, unsigned ny, unsigned nz)
  {
    const std::size_t n = static_cast<std::size_t>(nx) * ny * nz;
    TargetArray<int> visits(std::vector<int>(n + 1, 0)), wrong(std::vector<int>(1, 0));
    for (const TuneParam &tp : some_launches()) {
      SCOPED_TRACE(described(tp));
      visits.set(std::vector<int>(n + 1, 0));
      wrong.set({0});
      launch(tp, {{nx, ny, nz}, visits.data(), wrong.data()});
      std::vector<int> expected(n + 1, 1);
      expected[n] = 0;
      EXPECT_EQ(visits.get(), expected);
      EXPECT_EQ(wrong.get()[0], 0);
    }
  }

} // namespace

TEST(Points, one_dimension)
{
  on_every_target([] {
    for (Launch launch : points().one)
      for (unsigned nx : {0u, 1u, 3u, 97u, 256u, 5003u}) expect_one_visit(launch, nx, 1, 1);
  });
}

TEST(Points, two_dimensions)
{
  on_every_target([] {
    for (Launch launch : points().two)
      for (unsigned nx : {1u, 97u})
        for (unsigned ny : {1u, 2u, 5u}) expect_one_visit(launch, nx, ny, 1);
  });
}

TEST(Points, three_dimensions)
{
  on_every_target([] {
    for (Launch launch : points().three) {
      expect_one_visit(launch, 97, 2, 3);
      expect_one_visit(launch, 5, 4, 1);
      expect_one_visit(launch, 8, 0, 3);
    }
  });
}

TEST(Points, names_the_kernel_of_an_impossible_launch)
{
  const std::vector<Target> usable = usable_targets();
  bool ran = false;
  for (const Target kind : usable) {
    if (kind != Target::fiber && kind != Target::cuda) continue;
    choose_target(wish_for(kind));
    ran = true;
    expect_refused(ErrorKind::bad_argument, {"Points", "2048"}, [] {
      points().one[0]({{2048, 1, 1}, {0, 0, 0}, 0, 0, 0, 0, 0}, {{4096, 1, 1}, nullptr, nullptr});
    });
  }
  EXPECT_TRUE(ran) << "neither fiber nor cuda at hand";
}

} // namespace quda
