/// Lane tables, site by site: the neighbour found through them is the neighbour by coordinates, in lattices of even and
/// of skewed blocks.
#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

#include "fields/lattice.h"

using namespace quda;

namespace
{

struct Extents {
  int X[4];
};

const Extents shapes[] = {{{2, 4, 6, 8}},  {{6, 6, 6, 6}}, {{4, 4, 4, 10}}, {{8, 8, 8, 16}},
                          {{2, 2, 2, 32}}, {{2, 2, 2, 2}}, {{10, 6, 2, 12}}};

int wrapped(int a, int n) { return ((a % n) + n) % n; }

// the lane that lane l of a register takes its site from
int source_lane(const LatticeView &v, const LaneShift &shift, int l)
{
  if (v.width > 4) return shift.index[l];
  EXPECT_EQ(shift.index[2 * l] % 2, 0);
  EXPECT_EQ(shift.index[2 * l + 1], shift.index[2 * l] + 1);
  return shift.index[2 * l] / 2;
}

void expect_neighbour(const Lattice &lattice, const LatticeView &v, const int x[4], const int dx[4])
{
  const SitePosition p = lattice.position(x);
  int o[4], y[4], move = 0;
  for (int d = 0; d < 4; d++) {
    int from = 0;
    while (lattice.coordinate(d, from, p.lane) != x[d]) from++;
    ASSERT_LT(from, v.O[d]);
    const int to = from + dx[d];
    o[d] = wrapped(to, v.O[d]);
    const int blocks = (to - o[d]) / v.O[d];
    move |= v.code[d][blocks & (max_lanes - 1)];
    y[d] = wrapped(x[d] + dx[d], v.X[d]);
  }
  const LaneShift &shift = v.shift[move * v.parts + p.lane / v.width];
  const SitePosition q = lattice.position(y);
  if (shift.skewed) {
    const bool up = shift.up >> source_lane(v, shift, p.lane % v.width) & 1;
    ASSERT_EQ(up, (v.ahead >> p.lane & 1) != 0);
    o[v.skew] = wrapped(o[v.skew] + (up ? 1 : -1), v.O[v.skew]);
  }
  ASSERT_EQ(stored_index(v, o), q.o_cb);
  ASSERT_EQ(shift.part * v.width + source_lane(v, shift, p.lane % v.width), q.lane);
}

} // namespace

TEST(LaneShift, FindsEveryNeighbour)
{
  for (const Extents &e : shapes) {
    const auto lattice = Lattice::create(e.X, make_single_communicator(), 16);
    for (int width : {16, 8, 4}) {
      const LatticeView v = lattice->view(width);
      int x[4];
      for (x[3] = 0; x[3] < e.X[3]; x[3]++)
        for (x[2] = 0; x[2] < e.X[2]; x[2]++)
          for (x[1] = 0; x[1] < e.X[1]; x[1]++)
            for (x[0] = 0; x[0] < e.X[0]; x[0]++)
              for (int d = 0; d < 4; d++)
                for (int hop : {1, 2, 3, 5, 9, -1, -2, -3, -5, -9}) {
                  int dx[4] = {0, 0, 0, 0};
                  dx[d] = hop;
                  expect_neighbour(*lattice, v, x, dx);
                  if (HasFatalFailure())
                    FAIL() << "at " << x[0] << " " << x[1] << " " << x[2] << " " << x[3] << ", hop " << hop << " along "
                           << d << ", width " << width << ", lattice " << lattice->description();
                }
    }
  }
}

TEST(LaneShift, FindsSitesSeveralBlocksAwayInAllDirections)
{
  std::uint64_t state = 7;
  const auto random = [&](int n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<int>((state >> 33) % static_cast<unsigned>(n));
  };
  for (const Extents &e : shapes) {
    const auto lattice = Lattice::create(e.X, make_single_communicator(), 16);
    for (int width : {16, 8, 4}) {
      const LatticeView v = lattice->view(width);
      for (int i = 0; i < 20000; i++) {
        int x[4], dx[4];
        for (int d = 0; d < 4; d++) {
          x[d] = random(e.X[d]);
          dx[d] = random(4 * e.X[d] + 1) - 2 * e.X[d];
        }
        expect_neighbour(*lattice, v, x, dx);
        if (HasFatalFailure()) FAIL() << "width " << width << ", lattice " << lattice->description();
      }
    }
  }
}

TEST(LaneShift, TablesAreAlignedAndSayWhereNothingMoves)
{
  for (const Extents &e : shapes) {
    const auto lattice = Lattice::create(e.X, make_single_communicator(), 16);
    for (int width : {16, 8, 4}) {
      const LatticeView v = lattice->view(width);
      ASSERT_EQ(v.parts, v.lanes > width ? v.lanes / width : 1);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(v.shift) % 64, 0u);
      for (int move = 0; move < v.lanes; move++)
        for (int part = 0; part < v.parts; part++) {
          const LaneShift &shift = v.shift[move * v.parts + part];
          ASSERT_EQ(reinterpret_cast<std::uintptr_t>(shift.index) % 64, 0u);
          int identity = 1;
          for (int l = 0; l < max_lanes; l++) identity &= shift.index[l] == l;
          EXPECT_EQ(shift.identity != 0, identity && !shift.skewed);
          EXPECT_TRUE(shift.skewed || !shift.up);
          EXPECT_TRUE(shift.part >= 0 && shift.part < v.parts);
          EXPECT_TRUE(move || (identity && shift.part == part));
          // padding lanes and the tail behind a register stay where they are
          const int used = v.lanes < width ? v.lanes : width;
          for (int l = width > 4 ? used : 2 * used; l < max_lanes; l++) EXPECT_EQ(shift.index[l], l);
        }
    }
  }
}
