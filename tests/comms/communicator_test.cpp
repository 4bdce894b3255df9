/// The communicator of a process that never started MPI.
#include "comms/communicator.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comms/backend.h"
#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "support/refused.h"

using namespace quda;

namespace
{

const int one[4] = {1, 1, 1, 1};

} // namespace

TEST(Communicator, OneProcessIsAGridOfOne)
{
  EXPECT_FALSE(mpi_active());
  auto c = make_communicator(one);
  EXPECT_EQ(c->size(), 1);
  EXPECT_EQ(c->rank(), 0);
  for (int d = 0; d < 4; d++) {
    EXPECT_EQ(c->extent(d), 1);
    EXPECT_EQ(c->coordinate(d), 0);
    EXPECT_FALSE(c->partitioned(d));
    EXPECT_EQ(c->neighbour(d, +1), 0);
    EXPECT_EQ(c->neighbour(d, -1), 0);
  }
  EXPECT_EQ(c->rank_on_host(), 0);
  EXPECT_FALSE(c->host_name().empty());
}

TEST(Communicator, OneProcessRefusesALargerGrid)
{
  const int two[4] = {1, 2, 1, 1};
  expect_refused(ErrorKind::bad_argument, {"1 2 1 1", "2 ranks"}, [&] { make_communicator(two); });
  const int none[4] = {1, 1, 0, 1};
  expect_refused(ErrorKind::bad_argument, {"direction 2 is 0"}, [&] { make_communicator(none); });
  const int huge[4] = {1 << 30, 1 << 30, 1 << 30, 1 << 30};
  refused(ErrorKind::bad_argument, [&] { make_communicator(huge); });
}

TEST(Communicator, OneProcessAsksItsMap)
{
  int calls = 0;
  auto c = make_communicator(one, [&](const int *x) { return calls++, x[0] + x[1] + x[2] + x[3]; });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(c->rank(), 0);
  refused(ErrorKind::bad_argument, [&] { make_communicator(one, [](const int *) { return 1; }); });
}

TEST(Communicator, AHandleNeedsMpi)
{
  int something = 0;
  EXPECT_THROW(set_mpi_handle(&something), Error);
  EXPECT_NO_THROW(set_mpi_handle(nullptr));
}

// Tables need no ranks: a grid of 24 checked on one process.
TEST(RankTable, EnumeratesTheLastDimensionFastest)
{
  const int extent[4] = {2, 3, 1, 4};
  std::vector<std::array<int, 4>> seen;
  const auto table = comms::rank_table(extent, [&](const int *x) {
    seen.push_back({x[0], x[1], x[2], x[3]});
    return 23 - (((x[0] * 3 + x[1]) * 1 + x[2]) * 4 + x[3]);
  });
  ASSERT_EQ(seen.size(), 24u);
  std::size_t i = 0;
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 3; y++)
      for (int t = 0; t < 4; t++, i++) {
        EXPECT_EQ(seen[i], (std::array<int, 4> {x, y, 0, t}));
        EXPECT_EQ(table[i], 23 - static_cast<int>(i));
      }
  const auto plain = comms::rank_table(extent, {});
  for (int r = 0; r < 24; r++) EXPECT_EQ(plain[r], r);
}

TEST(RankTable, RefusesWhatIsNoBijection)
{
  const int extent[4] = {2, 3, 1, 4};
  auto words = refused(ErrorKind::bad_argument, [&] {
    comms::rank_table(extent, [](const int *x) { return ((x[0] * 3 + x[1]) * 4 + x[3]) % 23; });
  });
  EXPECT_TRUE(contains(words, "rank 0 twice")) << words;
  EXPECT_TRUE(contains(words, "0 0 0 0 and 1 2 0 3")) << words;
  words = refused(ErrorKind::bad_argument, [&] {
    comms::rank_table(extent, [](const int *x) { return x[1] == 2 ? 24 : (x[0] * 3 + x[1]) * 4 + x[3]; });
  });
  EXPECT_TRUE(contains(words, "rank 24 at coordinates 0 2 0 0")) << words;
  refused(ErrorKind::bad_argument, [&] { comms::rank_table(extent, [](const int *) { return -1; }); });
}

TEST(Communicator, ReductionsOfOneChangeNothing)
{
  auto c = make_single_communicator();
  double v[3] = {1.5, -0.0, std::numeric_limits<double>::quiet_NaN()}, w[3];
  std::memcpy(w, v, sizeof v);
  long long n[2] = {-7, 1LL << 62}, m[2] = {-7, 1LL << 62};
  c->sum(v, 3);
  c->max(v, 3);
  c->min(v, 3);
  c->sum(n, 2);
  c->max(n, 2);
  c->broadcast(v, sizeof v, 0);
  c->barrier();
  EXPECT_EQ(std::memcmp(v, w, sizeof v), 0);
  EXPECT_EQ(std::memcmp(n, m, sizeof n), 0);
  EXPECT_EQ(c->gather_text("alone"), std::vector<std::string> {"alone"});
  refused(ErrorKind::bad_argument, [&] { c->broadcast(v, sizeof v, 1); });
}

TEST(Communicator, MessagesToOneselfKeepTheirDirection)
{
  auto c = make_single_communicator();
  int out[8], in[8] = {};
  std::vector<Request> all;
  for (int i = 0; i < 8; i++) out[i] = 100 + i;
  for (int i = 0; i < 4; i++) all.push_back(c->send_start(&out[i], sizeof(int), i / 2, i % 2 ? 1 : -1));
  EXPECT_FALSE(c->test(all[0]));
  for (int i = 7; i >= 0; i--) all.push_back(c->receive_start(&in[i], sizeof(int), i / 2, i % 2 ? 1 : -1));
  for (int i = 4; i < 8; i++) all.push_back(c->send_start(&out[i], sizeof(int), i / 2, i % 2 ? 1 : -1));
  for (auto &request : all) c->wait(request);
  for (int i = 0; i < 8; i++) EXPECT_EQ(in[i], out[i]);
  for (auto &request : all) EXPECT_FALSE(request.pending());
}

TEST(Communicator, MessagesToOneselfKeepTheirOrder)
{
  auto c = make_single_communicator();
  const int out[3] = {1, 2, 3};
  int in[3] = {};
  std::vector<Request> all;
  for (int i = 0; i < 3; i++) all.push_back(c->send_start(&out[i], sizeof(int), 2, 1));
  for (int i = 0; i < 3; i++) all.push_back(c->receive_start(&in[i], sizeof(int), 2, 1));
  for (auto &request : all) c->wait(request);
  for (int i = 0; i < 3; i++) EXPECT_EQ(in[i], out[i]);

  auto empty_out = c->send_start(nullptr, 0, 0, 1), empty_in = c->receive_start(nullptr, 0, 0, 1);
  c->wait(empty_in);
  c->wait(empty_out);
}

TEST(Communicator, MessagesByRankDoNotMixWithOthers)
{
  auto c = make_single_communicator();
  const int out[2] = {1, 2};
  int in[2] = {};
  auto to_rank = c->send_to_start(&out[0], sizeof(int), 0), along = c->send_start(&out[1], sizeof(int), 3, 1);
  auto received = c->receive_start(&in[1], sizeof(int), 3, 1),
       from_rank = c->receive_from_start(&in[0], sizeof(int), 0);
  for (auto *request : {&to_rank, &along, &received, &from_rank}) c->wait(*request);
  EXPECT_EQ(in[0], 1);
  EXPECT_EQ(in[1], 2);
  refused(ErrorKind::bad_argument, [&] { c->send_to_start(out, sizeof(int), 1); });
}

TEST(Communicator, MessagesWithoutAnotherHalfAreRefused)
{
  auto c = make_single_communicator();
  int v = 1, w = 2;
  auto lonely = c->receive_start(&v, sizeof v, 0, 1);
  refused(ErrorKind::comms, [&] { c->wait(lonely); });
  auto in = c->receive_start(&v, sizeof v, 0, 1);
  refused(ErrorKind::comms, [&] { c->send_start(&w, 2, 0, 1); });
  auto out = c->send_start(&w, sizeof w, 0, 1);
  c->wait(in);
  c->wait(out);
  EXPECT_EQ(v, 2);
  refused(ErrorKind::bad_argument, [&] { c->send_start(&v, sizeof v, 4, 1); });
  refused(ErrorKind::bad_argument, [&] { c->send_start(&v, sizeof v, 0, 0); });
}

TEST(Communicator, ADroppedRequestLeavesNothingBehind)
{
  auto c = make_single_communicator();
  const int out[3] = {1, 2, 3};
  int in[3] = {};
  auto first = c->send_start(&out[0], sizeof(int), 0, 1);
  {
    auto dropped = c->send_start(&out[1], sizeof(int), 0, 1);
  }
  auto last = c->send_start(&out[2], sizeof(int), 0, 1);
  Request receiving[3];
  for (int i = 0; i < 3; i++) receiving[i] = c->receive_start(&in[i], sizeof(int), 0, 1);
  EXPECT_TRUE(c->test(receiving[0]));
  EXPECT_TRUE(c->test(receiving[1]));
  EXPECT_FALSE(c->test(receiving[2]));
  EXPECT_EQ(in[0], 1);
  EXPECT_EQ(in[1], 3);
}

TEST(Communicator, RequestsMayOutliveTheCommunicator)
{
  auto c = make_single_communicator();
  int v = 1;
  auto late = c->send_start(&v, sizeof v, 0, 1);
  c.reset();
}

TEST(Communicator, SplitOfOne)
{
  auto c = make_single_communicator();
  EXPECT_EQ(c->split(0, 0, one)->size(), 1);
  EXPECT_EQ(c->split(-1, 0, one), nullptr);
  const int two[4] = {1, 1, 1, 2};
  refused(ErrorKind::bad_argument, [&] { c->split(0, 0, two); });
}

TEST(Agreement, OfOne)
{
  auto c = make_single_communicator();
  EXPECT_NO_THROW(checked_together(*c, [] {}));
  expect_refused(ErrorKind::unsupported, {"colour seven"},
                 [&] { checked_together(*c, [] { fail(ErrorKind::unsupported, "colour seven"); }); });
  refused(ErrorKind::out_of_memory, [&] { checked_together(*c, [] { throw std::bad_alloc(); }); });
  refused(ErrorKind::internal, [&] { checked_together(*c, [] { throw std::runtime_error("odd"); }); });
  refused(ErrorKind::internal, [&] { checked_together(*c, [] { throw 7; }); });
}

TEST(Communicator, TheDefaultOneIsWhatWasSet)
{
  EXPECT_EQ(default_communicator(), nullptr);
  auto c = make_single_communicator();
  set_default_communicator(c);
  EXPECT_EQ(default_communicator(), c);
  set_default_communicator(nullptr);
  EXPECT_EQ(default_communicator(), nullptr);
}

TEST(CommunicatorDeathTest, AbortEndsTheProcess)
{
  EXPECT_EXIT(make_single_communicator()->abort(3), testing::ExitedWithCode(3), "");
}

TEST(ReplicatedSum, OfOneIsNormalised)
{
  auto c = make_single_communicator();
  ExactLimbs a[2] = {}, b[2] = {};
  for (double x : {1e200, 1.0, -1e200, 1e-200}) exact_add(a[0], x);
  for (double x : {1e-200, -1e200, 1e200, 1.0}) exact_add(b[0], x);
  exact_add(a[1], std::numeric_limits<double>::infinity());
  exact_add(b[1], std::numeric_limits<double>::infinity());
  sum_limbs(*c, a, 2);
  sum_limbs(*c, b, 2);
  EXPECT_EQ(std::memcmp(a, b, sizeof a), 0);
  EXPECT_EQ(exact_value(a[0]), 1.0);
  EXPECT_EQ(exact_value(a[1]), std::numeric_limits<double>::infinity());
  refused(ErrorKind::bad_argument, [&] { sum_limbs(*c, a, -1); });
}
