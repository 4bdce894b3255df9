/// The lattice: extents, lane splits, places of sites, divisors, errors.
#include "fields/lattice.h"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "fields/pretend_grid.h"
#include "support/refused.h"

using namespace quda;

namespace
{

struct Extents {
  int X[4];
};

std::shared_ptr<const Lattice> lattice_of(const Extents &e, int lanes = 16)
{
  return Lattice::create(e.X, make_single_communicator(), lanes);
}

std::vector<int> split_of(const Extents &e, const std::vector<bool> &cut = {false, false, false, false})
{
  const bool cuts[4] = {cut[0], cut[1], cut[2], cut[3]};
  int S[4];
  choose_lane_split(e.X, cuts, 16, S);
  return {S, S + 4};
}

using Split = std::vector<int>;

const Extents shapes[] = {{{2, 4, 6, 8}},  {{6, 6, 6, 6}},  {{4, 4, 4, 10}}, {{8, 8, 8, 16}}, {{4, 4, 4, 4}},
                          {{12, 4, 2, 8}}, {{2, 2, 2, 64}}, {{16, 8, 4, 2}}, {{2, 2, 2, 2}},  {{10, 6, 6, 8}}};

} // namespace

TEST(LaneSplit, SmallLatticesSplitEvenlyAndSpareTheThreadedDirection)
{
  EXPECT_EQ(split_of({{8, 8, 8, 16}}), Split({2, 2, 4, 1}));
  EXPECT_EQ(split_of({{8, 8, 8, 8}}), Split({2, 2, 4, 1}));
  EXPECT_EQ(split_of({{16, 16, 16, 32}}), Split({2, 2, 4, 1}));
  EXPECT_EQ(split_of({{4, 4, 4, 4}}), Split({2, 2, 2, 2}));
  EXPECT_EQ(split_of({{12, 12, 12, 12}}), Split({2, 2, 2, 2}));
  EXPECT_EQ(split_of({{4, 4, 4, 20}}), Split({2, 2, 2, 2}));
  EXPECT_EQ(split_of({{2, 2, 2, 64}}), Split({1, 1, 1, 16}));
}

TEST(LaneSplit, ExtentsThatAreTwoModFourMakeSkewedBlocks)
{
  EXPECT_EQ(split_of({{6, 6, 6, 6}}), Split({1, 2, 2, 2}));
  EXPECT_EQ(split_of({{10, 10, 10, 10}}), Split({1, 2, 2, 2}));
  EXPECT_EQ(split_of({{2, 2, 2, 2}}), Split({1, 2, 2, 2}));
  EXPECT_EQ(split_of({{6, 6, 6, 8}}), Split({1, 2, 2, 4}));
  EXPECT_EQ(split_of({{14, 14, 14, 28}}), Split({1, 2, 2, 4}));
  EXPECT_EQ(split_of({{2, 4, 6, 8}}), Split({1, 2, 2, 4}));
  EXPECT_EQ(split_of({{12, 12, 12, 18}}), Split({1, 2, 4, 2}));
  // along the first direction that is not cut between ranks, odd extents behind it
  EXPECT_EQ(split_of({{6, 6, 6, 6}}, {false, true, true, true}), Split({1, 2, 2, 2}));
  EXPECT_EQ(split_of({{6, 6, 6, 6}}, {true, false, true, true}), Split({1, 1, 2, 2}));
  EXPECT_EQ(split_of({{6, 6, 6, 6}}, {true, true, false, true}), Split({1, 1, 1, 2}));
  EXPECT_EQ(split_of({{6, 6, 6, 6}}, {true, true, true, false}), Split({1, 1, 1, 1}));

  const auto lattice = lattice_of({{6, 6, 6, 8}});
  EXPECT_EQ(lattice->skew(), 0);
  EXPECT_EQ(lattice_of({{8, 8, 8, 8}})->skew(), -1);
  EXPECT_EQ(lattice_of({{6, 6, 6, 8}}, 1)->skew(), -1);
  const int s[4] = {0, 1, 1, 2}, t[4] = {0, 1, 0, 2};
  EXPECT_EQ(lattice->coordinate(0, 5, lattice->lane_of_block(s)), 5);
  EXPECT_EQ(lattice->coordinate(0, 5, lattice->lane_of_block(t)), 0);
  EXPECT_EQ(lattice->coordinate(1, 2, lattice->lane_of_block(t)), 5);
}

TEST(LaneSplit, LargeLatticesSplitTheFastestTwo)
{
  EXPECT_EQ(split_of({{24, 24, 24, 48}}), Split({4, 4, 1, 1}));
  EXPECT_EQ(split_of({{32, 32, 32, 64}}), Split({4, 4, 1, 1}));
  EXPECT_EQ(split_of({{24, 36, 24, 48}}), Split({4, 2, 2, 1}));
  EXPECT_EQ(split_of({{36, 24, 24, 48}}), Split({2, 4, 2, 1}));
  EXPECT_EQ(split_of({{20, 20, 20, 64}}), Split({2, 2, 2, 2}));
  EXPECT_EQ(split_of({{256, 256, 256, 512}}), Split({4, 4, 1, 1}));
}

TEST(LaneSplit, LargeBeginsWhereThreeSlicesLeaveTheCache)
{
  // 3 slices of 24 floats on half the sites: 144 bytes a site of the slice, 2^20 / 144 = 7281.8
  EXPECT_EQ(split_of({{16, 16, 28, 8}}), Split({2, 4, 2, 1})); // 7168, and 28 / 4 is odd
  EXPECT_EQ(split_of({{8, 28, 32, 8}}), Split({2, 2, 4, 1}));  // 7168
  EXPECT_EQ(split_of({{16, 32, 16, 8}}), Split({4, 4, 1, 1})); // 8192
}

TEST(LaneSplit, DirectionsCutBetweenRanksComeLast)
{
  EXPECT_EQ(split_of({{8, 8, 4, 8}}, {false, false, true, true}), Split({4, 4, 1, 1}));
  EXPECT_EQ(split_of({{4, 8, 8, 16}}, {true, false, false, false}), Split({1, 4, 4, 1}));
  EXPECT_EQ(split_of({{8, 8, 8, 8}}, {true, true, true, true}), Split({2, 2, 4, 1}));
  EXPECT_EQ(split_of({{4, 4, 4, 8}}, {false, false, false, true}), Split({2, 2, 2, 2}));
}

TEST(LaneSplit, LeavesEvenOrSkewedBlocksAndAtLeastAsManyLanesAsEvenOnes)
{
  for (int x = 2; x <= 20; x += 2)
    for (int y = 2; y <= 20; y += 6)
      for (int z = 2; z <= 20; z += 2)
        for (int t = 4; t <= 20; t += 4) {
          const Extents e = {{x, y, z, t}};
          const Split S = split_of(e);
          int lanes = 1, admitted = 1;
          for (int d = 0; d < 4; d++) {
            ASSERT_EQ(e.X[d] % S[d], 0) << x << " " << y << " " << z << " " << t;
            ASSERT_TRUE(e.X[d] / S[d] % 2 == 0 || (d > 0 && S[0] == 1)) << x << " " << y << " " << z << " " << t;
            lanes *= S[d];
            admitted *= (e.X[d] / 2) & -(e.X[d] / 2);
          }
          ASSERT_GE(lanes, admitted > 16 ? 16 : admitted) << x << " " << y << " " << z << " " << t;
          ASSERT_GE(lanes, 8) << x << " " << y << " " << z << " " << t;
        }
}

TEST(LaneSplit, EnvironmentOverrides)
{
  Variable split("QUDA_LANE_SPLIT", "4 2 2 1");
  EXPECT_EQ(lattice_of({{8, 8, 8, 16}})->description(), "8x8x8x16 in 4x2x2x1 blocks, 16 of 16 lanes");
  EXPECT_EQ(lattice_of({{8, 8, 8, 16}}, 1)->lanes(), 1);
  split.set("1 1 2 1");
  EXPECT_EQ(lattice_of({{8, 8, 8, 16}})->lanes(), 2);
  for (const char *nonsense : {"4 2 2", "4 2 2 1 1", "3 1 1 1", "4 4 4 1", "a", "0 1 1 1", "-2 1 1 1"}) {
    split.set(nonsense);
    expect_refused(ErrorKind::bad_argument, {"QUDA_LANE_SPLIT", nonsense}, [] { lattice_of({{8, 8, 8, 16}}); });
  }
  split.set("8 1 1 1");
  expect_refused(ErrorKind::bad_argument, {"S[0] = 8", "X[0] = 8"}, [] { lattice_of({{8, 8, 8, 16}}); });
  split.set("1 8 2 1"); // skewed
  EXPECT_EQ(lattice_of({{8, 8, 8, 16}})->description(), "8x8x8x16 in 1x8x2x1 blocks, 16 of 16 lanes");
  EXPECT_EQ(
      Lattice::blocked(Extents {{8, 8, 8, 16}}.X, make_single_communicator(), Extents {{2, 2, 2, 2}}.X, 16)->skew(),
      -1);
  split.set("2 8 1 1");
  expect_refused(ErrorKind::bad_argument, {"S[1] = 8"}, [] { lattice_of({{8, 8, 8, 16}}); });
}

TEST(LaneSplit, SlicesAreWhole)
{
  const Extents small {{4, 4, 4, 8}}, flat {{2, 2, 2, 64}};
  const auto of = [](const Extents &e, int direction) {
    return Lattice::sliced(e.X, make_single_communicator(), direction, 16)->description();
  };
  EXPECT_EQ(of(small, 3), "4x4x4x8 in 2x2x2x1 blocks, 8 of 16 lanes");
  EXPECT_EQ(of(small, 2), "4x4x4x8 in 2x2x1x4 blocks, 16 of 16 lanes");
  EXPECT_EQ(of(flat, 3), "2x2x2x64 in 1x1x1x1 blocks, 1 of 16 lanes");
  EXPECT_EQ(of({{6, 6, 6, 8}}, 3), "6x6x6x8 in 1x1x1x1 blocks, 1 of 16 lanes"); // even blocks
  Variable split("QUDA_LANE_SPLIT", "1 1 1 2");
  EXPECT_EQ(of(small, 3), "4x4x4x8 in 2x2x2x1 blocks, 8 of 16 lanes");
  refused(ErrorKind::bad_argument, [&] { of(small, 4); });
  // no direction counts as cut
  const auto cut = Lattice::sliced(small.X, PretendGrid::create(2, 1, 1, 2), 3, 16);
  EXPECT_EQ(cut->description(), "4x4x4x8 in 2x2x2x1 blocks, 8 of 16 lanes");
  for (int d = 0; d < 4; d++) EXPECT_FALSE(cut->cut(d)) << d;
  EXPECT_EQ(cut->global_X()[3], 16);
}

TEST(Lattice, EverySiteHasOnePlace)
{
  for (const Extents &e : shapes)
    for (int lanes : {16, 1}) {
      const auto lattice = lattice_of(e, lanes);
      std::set<std::tuple<int, unsigned, int>> places;
      std::set<long long> slots;
      int x[4];
      for (x[3] = 0; x[3] < e.X[3]; x[3]++)
        for (x[2] = 0; x[2] < e.X[2]; x[2]++)
          for (x[1] = 0; x[1] < e.X[1]; x[1]++)
            for (x[0] = 0; x[0] < e.X[0]; x[0]++) {
              const SitePosition p = lattice->position(x);
              ASSERT_EQ(p.parity, (x[0] + x[1] + x[2] + x[3]) % 2);
              ASSERT_LT(p.o_cb, lattice->volume_cb() / lattice->lanes());
              ASSERT_LT(p.lane, lattice->lanes());
              places.insert({p.parity, p.o_cb, p.lane});
              int back[4];
              lattice->coordinates(p, back);
              for (int d = 0; d < 4; d++) ASSERT_EQ(back[d], x[d]);

              const long long full = ((x[3] * e.X[2] + x[2]) * e.X[1] + x[1]) * e.X[0] + x[0];
              const long long slot = lattice->slot(x);
              ASSERT_EQ(slot, p.parity * lattice->volume_cb() + full / 2);
              slots.insert(slot);
              lattice->slot_coordinates(slot, back);
              for (int d = 0; d < 4; d++) ASSERT_EQ(back[d], x[d]);
            }
      EXPECT_EQ(static_cast<long long>(places.size()), lattice->volume());
      EXPECT_EQ(static_cast<long long>(slots.size()), lattice->volume());
    }
}

TEST(Lattice, LowBitsOfABlockAreHighBitsOfItsLane)
{
  const auto lattice = lattice_of({{8, 8, 8, 16}});
  ASSERT_EQ(Split(lattice->S(), lattice->S() + 4), Split({2, 2, 4, 1}));
  const auto lane = [&](int x, int y, int z) {
    const int s[4] = {x, y, z, 0};
    return lattice->lane_of_block(s);
  };
  EXPECT_EQ(lane(0, 0, 0), 0);
  EXPECT_EQ(lane(1, 0, 0), 8);
  EXPECT_EQ(lane(0, 1, 0), 4);
  EXPECT_EQ(lane(0, 0, 1), 2);
  EXPECT_EQ(lane(0, 0, 2), 1);
  EXPECT_EQ(lane(1, 1, 3), 15);
}

TEST(Lattice, FillCountsTheLanesInUse)
{
  EXPECT_EQ(lattice_of({{8, 8, 8, 16}})->fill(), 1);
  EXPECT_EQ(lattice_of({{6, 6, 6, 6}})->fill(), 0.5);
  EXPECT_EQ(lattice_of({{6, 6, 6, 6}}, 1)->fill(), 1);
  EXPECT_EQ(lattice_of({{6, 6, 6, 10}})->description(), "6x6x6x10 in 1x2x2x2 blocks, 8 of 16 lanes");
  EXPECT_EQ(lattice_of({{4, 4, 4, 10}}, 1)->description(), "4x4x4x10");
}

TEST(Lattice, ViewDescribesBlocksAndRanks)
{
  const int X[4] = {8, 8, 4, 8};
  const auto lattice = Lattice::create(X, PretendGrid::create(1, 1, 2, 3, 4), 16); // rank 4: z 1, t 1
  EXPECT_EQ(lattice->global_X()[2], 8);
  EXPECT_EQ(lattice->global_X()[3], 24);
  EXPECT_EQ(lattice->origin()[2], 4);
  EXPECT_EQ(lattice->origin()[3], 8);
  EXPECT_EQ(lattice->global_volume(), 8 * 8 * 8 * 24);
  const int R[4] = {0, 0, 2, 4};
  const LatticeView v = lattice->view(8, R);
  const int S[4] = {4, 4, 1, 1}, O[4] = {2, 2, 4, 8}, E[4] = {2, 2, 8, 16};
  const int cut[4] = {0, 0, 1, 1}, first[4] = {1, 1, 0, 0}, last[4] = {1, 1, 1, 0};
  for (int d = 0; d < 4; d++) {
    EXPECT_EQ(v.X[d], X[d]);
    EXPECT_EQ(v.S[d], S[d]);
    EXPECT_EQ(v.O[d], O[d]);
    EXPECT_EQ(v.R[d], R[d]);
    EXPECT_EQ(v.E[d], E[d]);
    EXPECT_EQ(v.cut[d], cut[d]);
    EXPECT_EQ(v.first[d], first[d]);
    EXPECT_EQ(v.last[d], last[d]);
  }
  EXPECT_EQ(v.lanes, 16);
  EXPECT_EQ(v.width, 8);
  EXPECT_EQ(v.parts, 2);
  EXPECT_EQ(v.volume_cb, 64u);
  EXPECT_EQ(v.stored_cb, 256u);
  const int corner[4] = {0, 0, -2, -4}, end[4] = {1, 1, 5, 11};
  EXPECT_EQ(stored_index(v, corner), 0u);
  EXPECT_EQ(stored_index(v, end), 255u);
}

TEST(Lattice, ScalarTargetsSeeOneBlock)
{
  const LatticeView v = lattice_of({{2, 4, 6, 8}}, 1)->view(1);
  EXPECT_EQ(v.lanes, 1);
  EXPECT_EQ(v.width, 1);
  EXPECT_EQ(v.parts, 1);
  EXPECT_EQ(v.shift, nullptr);
  EXPECT_EQ(v.volume_cb, 192u);
  EXPECT_EQ(v.stored_cb, 192u);
  for (int d = 0; d < 4; d++) EXPECT_EQ(v.O[d], v.X[d]);
}

TEST(Lattice, LanesMayHoldWholeBlocksOfSites)
{
  const auto split = [](const Extents &e, const Extents &block, int lanes = 16) {
    const auto lattice = Lattice::blocked(e.X, make_single_communicator(), block.X, lanes);
    for (int d = 0; d < 4; d++) {
      EXPECT_EQ(lattice->O()[d] % block.X[d], 0);
      EXPECT_EQ(lattice->O()[d] % 2, 0);
    }
    return Split(lattice->S(), lattice->S() + 4);
  };
  EXPECT_EQ(split({{8, 8, 8, 8}}, {{4, 4, 4, 4}}), Split({2, 2, 2, 2}));
  EXPECT_EQ(split({{24, 24, 24, 48}}, {{4, 4, 4, 4}}), Split({2, 2, 2, 2})); // 4 4 1 1 would leave 6
  EXPECT_EQ(split({{24, 24, 24, 48}}, {{6, 6, 6, 6}}), Split({4, 4, 1, 1}));
  EXPECT_EQ(split({{12, 12, 12, 24}}, {{3, 3, 3, 4}}), Split({2, 2, 2, 2}));
  EXPECT_EQ(split({{6, 6, 6, 8}}, {{3, 3, 3, 4}}), Split({1, 1, 1, 2})); // of an odd block two in a lane
  EXPECT_EQ(split({{8, 8, 8, 8}}, {{4, 4, 4, 4}}, 1), Split({1, 1, 1, 1}));
  {
    const Variable fits("QUDA_LANE_SPLIT", "1 2 2 4");
    EXPECT_EQ(split({{8, 8, 8, 16}}, {{4, 4, 4, 4}}), Split({1, 2, 2, 4}));
    EXPECT_EQ(split({{8, 8, 8, 16}}, {{4, 4, 4, 8}}), Split({2, 2, 2, 2}));
  }

  const auto message = [](const Extents &e, const Extents &block) {
    return refused(ErrorKind::bad_argument, [&] { Lattice::blocked(e.X, make_single_communicator(), block.X, 16); });
  };
  EXPECT_TRUE(contains(message({{8, 8, 8, 8}}, {{4, 3, 4, 4}}), "block[1] = 3"));
  EXPECT_EQ(split({{8, 8, 8, 8}}, {{4, 4, 8, 4}}), Split({2, 2, 1, 2})); // an odd number of them
  EXPECT_TRUE(contains(message({{8, 8, 8, 8}}, {{4, 4, 4, 0}}), "block[3] = 0"));
  EXPECT_TRUE(contains(message({{8, 8, 8, 8}}, {{4, -2, 4, 4}}), "block[1] = -2"));
  EXPECT_TRUE(contains(message({{8, 8, 8, 8}}, {{1, 1, 1, 1}}), "block = 1 1 1 1"));
}

TEST(Lattice, LanesMayBeRowsOfOneSite)
{
  for (const Extents &e : {Extents {{2, 2, 2, 2}}, Extents {{8, 4, 6, 16}}}) {
    const Variable split("QUDA_LANE_SPLIT", "2 1 1 1"); // for sites alone
    const auto lattice = Lattice::rows(e.X, PretendGrid::create(1, 2, 1, 1, 1), 16);
    EXPECT_TRUE(lattice->lanes_are_rows());
    EXPECT_EQ(lattice->lanes(), 16);
    EXPECT_EQ(Split(lattice->S(), lattice->S() + 4), Split({1, 1, 1, 1}));
    EXPECT_EQ(Split(lattice->O(), lattice->O() + 4), Split(e.X, e.X + 4));
    EXPECT_TRUE(lattice->cut(1));
    EXPECT_EQ(lattice->origin()[1], e.X[1]);
    EXPECT_DOUBLE_EQ(lattice->fill(), 1);
    for (const int width : {16, 8, 4}) {
      const LatticeView v = lattice->view(width);
      EXPECT_EQ(v.volume_cb, lattice->volume_cb());
      EXPECT_EQ(v.lanes, 16);
      EXPECT_EQ(v.parts, 16 / width);
      for (int d = 0; d < 4; d++)
        for (int k = 0; k < max_lanes; k++) {
          EXPECT_EQ(v.code[d][k], 0);
          EXPECT_EQ(v.block[d][k], 0);
        }
      for (int part = 0; part < v.parts; part++) {
        EXPECT_TRUE(v.shift[part].identity);
        EXPECT_EQ(v.shift[part].part, part);
      }
    }
    for (long long slot = 0; slot < lattice->volume(); slot++) {
      int x[4], back[4];
      lattice->slot_coordinates(slot, x);
      const SitePosition p = lattice->position(x);
      EXPECT_EQ(p.lane, 0);
      EXPECT_EQ(p.parity * lattice->volume_cb() + p.o_cb, slot);
      lattice->coordinates(p, back);
      EXPECT_TRUE(std::equal(x, x + 4, back));
    }
    const auto closed = Lattice::closed(lattice, make_single_communicator());
    EXPECT_TRUE(closed->lanes_are_rows());
    EXPECT_EQ(closed->lanes(), 16);
  }
  const int X[4] = {2, 2, 2, 4};
  const auto rows = Lattice::rows(X, make_single_communicator(), 16),
             scalar = Lattice::rows(X, make_single_communicator(), 1);
  EXPECT_EQ(rows->description(), "2x2x2x4, 16 rows in 16 lanes");
  EXPECT_FALSE(scalar->lanes_are_rows());
  EXPECT_EQ(scalar->lanes(), 1);
  EXPECT_FALSE(same_sites(*rows, *Lattice::create(X, make_single_communicator(), 16)));
  EXPECT_TRUE(same_sites(*rows, *Lattice::rows(X, make_single_communicator(), 16)));
}

TEST(Lattice, DivisorsAreExact)
{
  std::uint64_t state = 1;
  const auto random = [&] { return state = state * 6364136223846793005ull + 1442695040888963407ull, state >> 32; };
  std::vector<unsigned> divisors;
  for (unsigned d = 1; d <= 300; d++) divisors.push_back(d);
  for (unsigned b = 9; b < 32; b++)
    for (int near : {-1, 0, 1}) divisors.push_back((1u << b) + near);
  divisors.push_back(~0u);
  for (unsigned d : divisors) {
    const Divisor by = make_divisor(d);
    ASSERT_EQ(by.divisor, d);
    ASSERT_EQ(by.magic == 0, d == 1);
    if (d == 1) continue;
    const auto check = [&](unsigned n) {
      ASSERT_EQ(static_cast<unsigned>(static_cast<unsigned __int128>(by.magic) * n >> 64), n / d) << n << " / " << d;
    };
    for (unsigned n : {0u, 1u, d - 1, d, d + 1, ~0u, ~0u - 1, ~0u / d * d, ~0u / d * d - 1}) check(n);
    for (int i = 0; i < 200; i++) check(static_cast<unsigned>(random()));
  }
}

TEST(Lattice, RefusesExtentsByName)
{
  for (int bad : {7, 1, 0, -4}) {
    const Extents e = {{8, bad, 8, 8}};
    for (int lanes : {16, 1}) {
      expect_refused(ErrorKind::bad_argument, {"X[1] = " + std::to_string(bad)}, [&] { lattice_of(e, lanes); });
    }
  }
  // one lane: 2^33 sites, 2^32 a parity
  expect_refused(ErrorKind::bad_argument, {"256 256 256 512"}, [] { lattice_of({{256, 256, 256, 512}}, 1); });
  EXPECT_EQ(lattice_of({{256, 256, 256, 256}}, 1)->view(1).volume_cb, 1u << 31);
  refused(ErrorKind::bad_argument, [] { lattice_of({{1 << 20, 1 << 20, 1 << 20, 1 << 20}}); });
}

TEST(Lattice, RefusesOtherParametersByName)
{
  const int X[4] = {4, 8, 4, 8};
  expect_refused(ErrorKind::bad_argument, {"communicator"}, [&] { Lattice::create(X, nullptr, 16); });
  expect_refused(ErrorKind::bad_argument, {"X is null"}, [&] { Lattice::create(nullptr, make_single_communicator()); });
  expect_refused(ErrorKind::bad_argument, {"lanes = 8"}, [&] { Lattice::create(X, make_single_communicator(), 8); });

  const auto lattice = Lattice::create(X, PretendGrid::create(1, 1, 2, 2), 16);
  const auto border = [&](int d, int r) {
    int R[4] = {0, 0, 0, 0};
    R[d] = r;
    return refused(ErrorKind::bad_argument, [&] { lattice->view(16, R); });
  };
  EXPECT_TRUE(contains(border(2, 1), "R[2] = 1"));
  EXPECT_TRUE(contains(border(2, -2), "R[2] = -2"));
  EXPECT_TRUE(contains(border(1, 2), "R[1] = 2"));
  const std::string deep = border(2, 6);
  EXPECT_TRUE(contains(deep, "R[2] = 6") && contains(deep, "X[2] = 4")) << deep;
  const int deepest[4] = {0, 0, 4, 8};
  EXPECT_NO_THROW(lattice->view(16, deepest));

  expect_refused(ErrorKind::bad_argument, {"width = 1"}, [&] { lattice->view(1); });
  expect_refused(ErrorKind::bad_argument, {"width = 2"}, [&] { lattice->view(2); });
  expect_refused(ErrorKind::bad_argument, {"width = 16"},
                 [&] { Lattice::create(X, make_single_communicator(), 1)->view(16); });
}

TEST(Lattice, SeveralLatticesAndCommunicatorsLiveAtOnce)
{
  const int fine[4] = {8, 8, 8, 16}, coarse[4] = {4, 4, 4, 4}, odd_fit[4] = {6, 6, 6, 6};
  auto whole = PretendGrid::create(2, 2, 1, 1, 3), half = PretendGrid::create(1, 2, 1, 1, 1);
  const auto a = Lattice::create(fine, whole, 16), b = Lattice::create(coarse, half, 16);
  const auto c = Lattice::create(odd_fit, whole, 16), d = Lattice::create(fine, half, 16);
  whole.reset();
  half.reset();
  EXPECT_EQ(a->communicator().size(), 4);
  EXPECT_EQ(b->communicator().size(), 2);
  EXPECT_EQ(&a->communicator(), &c->communicator());
  EXPECT_EQ(a->origin()[0], 8);
  EXPECT_EQ(d->origin()[0], 0);
  EXPECT_FALSE(same_sites(*a, *d));
  EXPECT_TRUE(same_sites(*a, *Lattice::create(fine, a->shared_communicator(), 1)));
  EXPECT_FALSE(same_sites(*a, *Lattice::create(fine, PretendGrid::create(2, 2, 1, 1, 2), 16)));
  EXPECT_EQ(c->lanes(), 2);
  EXPECT_EQ(b->lanes(), 16);
  EXPECT_NE(a->view(16).shift, d->view(16).shift);
}
