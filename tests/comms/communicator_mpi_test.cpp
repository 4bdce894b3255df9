/// The communicator over MPI, at any number of ranks (1, 2 and 4 are run).
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comms/communicator.h"
#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "support/refused.h"

using namespace quda;

namespace
{

using Grid = std::vector<int>;

int world_size()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

int world_rank()
{
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}

/// All grids of n ranks with extents of powers of two.
std::vector<Grid> grids(int n)
{
  std::vector<Grid> all;
  for (int x = 1; x <= n; x *= 2)
    for (int y = 1; y <= n; y *= 2)
      for (int z = 1; z <= n; z *= 2)
        for (int t = 1; t <= n; t *= 2)
          if (x * y * z * t == n) all.push_back({x, y, z, t});
  return all;
}

Grid row(int n, int d = 0)
{
  Grid g(4, 1);
  g[d] = n;
  return g;
}

/// Every rank sends its number both ways along every direction, all at once, receives started in the reverse order.
void exchange_in_all_directions(Communicator &c)
{
  int out[8], in[8];
  std::vector<Request> all;
  for (int i = 0; i < 8; i++) {
    out[i] = 10 * c.rank() + i;
    in[i] = -1;
  }
  for (int i = 0; i < 8; i++) all.push_back(c.send_start(&out[i], sizeof(int), i / 2, i % 2 ? 1 : -1));
  for (int i = 7; i >= 0; i--) all.push_back(c.receive_start(&in[i], sizeof(int), i / 2, i % 2 ? 1 : -1));
  for (auto &request : all) c.wait(request);
  for (int i = 0; i < 8; i++) EXPECT_EQ(in[i], 10 * c.neighbour(i / 2, i % 2 ? -1 : 1) + i) << "rank " << c.rank();
}

} // namespace

TEST(MpiCommunicator, GridsAreTFastest)
{
  EXPECT_TRUE(mpi_active());
  for (auto &g : grids(world_size())) {
    auto c = make_communicator(g.data());
    EXPECT_EQ(c->size(), world_size());
    EXPECT_EQ(c->rank(), world_rank());
    EXPECT_EQ(((c->coordinate(0) * g[1] + c->coordinate(1)) * g[2] + c->coordinate(2)) * g[3] + c->coordinate(3),
              c->rank());
    for (int d = 0; d < 4; d++) {
      EXPECT_EQ(c->extent(d), g[d]);
      EXPECT_EQ(c->partitioned(d), g[d] > 1);
      for (int direction : {-1, 1}) {
        const int *there = c->coordinates_of(c->neighbour(d, direction));
        for (int e = 0; e < 4; e++) EXPECT_EQ(there[e], (c->coordinate(e) + (e == d ? direction + g[e] : 0)) % g[e]);
      }
    }
    for (int r = 0; r < c->size(); r++) EXPECT_EQ(c->rank_of(c->coordinates_of(r)), r);
  }
}

TEST(MpiCommunicator, MapsPlaceTheRanks)
{
  std::mt19937 same_everywhere(5);
  for (auto &g : grids(world_size())) {
    int calls = 0;
    auto x_fastest = make_communicator(g.data(), [&](const int *x) {
      calls++;
      return ((x[3] * g[2] + x[2]) * g[1] + x[1]) * g[0] + x[0];
    });
    EXPECT_EQ(calls, world_size());
    EXPECT_EQ(x_fastest->rank(), world_rank());
    int rest = world_rank();
    for (int d = 0; d < 4; d++) {
      EXPECT_EQ(x_fastest->coordinate(d), rest % g[d]);
      rest /= g[d];
    }

    std::vector<int> order(world_size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), same_everywhere);
    int next = 0;
    auto shuffled = make_communicator(g.data(), [&](const int *) { return order[next++]; });
    EXPECT_EQ(shuffled->rank(), world_rank());
    const int *mine = shuffled->grid().coordinate;
    EXPECT_EQ(order[((mine[0] * g[1] + mine[1]) * g[2] + mine[2]) * g[3] + mine[3]], world_rank());
    exchange_in_all_directions(*shuffled);
  }
}

TEST(MpiCommunicator, AGridOfAnotherSizeIsRefusedByAll)
{
  const auto g = row(2 * world_size(), 1);
  expect_refused(ErrorKind::bad_argument, {text("1 %d 1 1", g[1]), text("needs %d ranks", g[1])},
                 [&] { make_communicator(g.data()); });
}

TEST(MpiCommunicator, OneRanksBadMapIsRefusedByAll)
{
  const int last = world_size() - 1;
  const auto g = row(world_size(), 3);
  const auto words = refused(ErrorKind::bad_argument, [&] {
    make_communicator(g.data(), [&](const int *x) { return world_rank() == last && x[3] == last ? -5 : x[3]; });
  });
  EXPECT_TRUE(contains(words, text("rank -5 at coordinates 0 0 0 %d", last))) << words;
  if (world_rank() != last) {
    EXPECT_TRUE(contains(words, text("rank %d refused", last))) << words;
  }
}

TEST(MpiCommunicator, GridsAndMapsThatDifferAreRefused)
{
  const int n = world_size();
  if (n == 1) GTEST_SKIP() << "one rank cannot differ from itself";
  const auto g = row(n, world_rank() == n - 1 ? 2 : 3);
  auto words = refused(ErrorKind::bad_argument, [&] { make_communicator(g.data()); });
  EXPECT_TRUE(contains(words, "differs")) << words;

  const auto same = row(n, 3);
  words = refused(ErrorKind::bad_argument, [&] {
    make_communicator(same.data(), [&](const int *x) { return world_rank() == 0 ? x[3] : n - 1 - x[3]; });
  });
  EXPECT_TRUE(contains(words, "on rank 0")) << words;
}

TEST(MpiCommunicator, DirectionsDoNotMix)
{
  for (auto &g : grids(world_size())) exchange_in_all_directions(*make_communicator(g.data()));
}

/// Two to every rank, itself among them, beside those to neighbours; receives started in the reverse order of ranks.
TEST(MpiCommunicator, MessagesToAnyRank)
{
  auto c = make_communicator(row(world_size(), 2).data());
  const auto n = static_cast<std::size_t>(c->size());
  std::vector<int> out(2 * n), in(2 * n, -1);
  std::vector<Request> all;
  for (std::size_t to = 0; to < n; to++)
    for (std::size_t k = 0; k < 2; k++) {
      out[2 * to + k] = static_cast<int>(100 * to + k) + 1000 * c->rank();
      all.push_back(c->send_to_start(&out[2 * to + k], sizeof(int), static_cast<int>(to)));
    }
  exchange_in_all_directions(*c);
  for (std::size_t from = n; from-- > 0;)
    for (std::size_t k = 0; k < 2; k++)
      all.push_back(c->receive_from_start(&in[2 * from + k], sizeof(int), static_cast<int>(from)));
  for (auto &request : all) c->wait(request);
  for (std::size_t from = 0; from < n; from++)
    for (std::size_t k = 0; k < 2; k++)
      EXPECT_EQ(in[2 * from + k], static_cast<int>(1000 * from + k) + 100 * c->rank()) << "from " << from;
  refused(ErrorKind::bad_argument, [&] { c->send_to_start(out.data(), sizeof(int), c->size()); });
  refused(ErrorKind::bad_argument, [&] { c->receive_from_start(in.data(), sizeof(int), -1); });
}

TEST(MpiCommunicator, LongMessagesTravelInPieces)
{
  auto c = make_communicator(row(world_size()).data());
  const auto former = set_message_piece_bytes(1000);
  const std::size_t n = 100007;
  std::vector<unsigned char> out[2], in[2];
  std::vector<Request> all;
  for (int i = 0; i < 2; i++) {
    out[i].resize(n);
    in[i].resize(n);
    for (std::size_t k = 0; k < n; k++) out[i][k] = static_cast<unsigned char>((k * k) % 251 + 2 * c->rank() + i);
  }
  for (int i = 0; i < 2; i++) all.push_back(c->receive_start(in[i].data(), n, 0, i ? 1 : -1));
  for (int i = 0; i < 2; i++) all.push_back(c->send_start(out[i].data(), n, 0, i ? 1 : -1));
  while (!c->test(all[0])) {
  }
  for (auto &request : all) c->wait(request);
  for (int i = 0; i < 2; i++) {
    const int from = c->neighbour(0, i ? -1 : 1);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < n; k++) wrong += in[i][k] != static_cast<unsigned char>((k * k) % 251 + 2 * from + i);
    EXPECT_EQ(wrong, 0u);
  }
  std::string words(n, c->rank() == 0 ? 'y' : 'n');
  c->broadcast(words.data(), n, 0);
  EXPECT_EQ(words, std::string(n, 'y'));
  set_message_piece_bytes(former);
  EXPECT_THROW(set_message_piece_bytes(0), Error);
  EXPECT_THROW(set_message_piece_bytes(std::size_t(1) << 31), Error);
}

TEST(MpiCommunicator, MessagesBeyondTwoGigabytes)
{
  if (!std::getenv("QUDA_TEST_SLOW")) GTEST_SKIP() << "takes 5 GB and seconds: set QUDA_TEST_SLOW";
  auto c = make_communicator(row(world_size()).data());
  const std::size_t n = (std::size_t(1) << 31) + 4096 + 3;
  std::vector<char> out(c->rank() == 0 ? n : 0, 'a'), in; // one way only, to spare memory
  if (c->coordinate(0) == 1 % c->size()) in.assign(n, 'b');
  if (c->rank() == 0) out.back() = 'z';
  Request receiving, sending;
  if (!in.empty()) receiving = c->receive_start(in.data(), n, 0, 1);
  if (!out.empty()) sending = c->send_start(out.data(), n, 0, 1);
  c->wait(receiving);
  c->wait(sending);
  if (!in.empty()) {
    EXPECT_EQ(in[0], 'a');
    EXPECT_EQ(in[n - 2], 'a');
    EXPECT_EQ(in[n - 1], 'z');
  }
  c->barrier();
}

TEST(MpiCommunicator, SizesThatDoNotMatchAreErrors)
{
  auto c = make_communicator(row(world_size()).data());
  double out[2] = {1, 2}, in[2] = {};
  auto receiving = c->receive_start(in, 16, 0, 1);
  auto sending = c->send_start(out, 8, 0, 1);
  c->wait(sending);
  expect_refused(ErrorKind::comms, {"8 bytes where 16"}, [&] { c->wait(receiving); });
  EXPECT_FALSE(receiving.pending());
  c->barrier();

  if (c->size() == 1) return; // too long a message to oneself is cut without a word by Open MPI
  receiving = c->receive_start(in, 8, 0, 1);
  c->barrier();
  sending = c->send_start(out, 16, 0, 1);
  refused(ErrorKind::comms, [&] { c->wait(receiving); });
  c->wait(sending);
  c->barrier();
}

TEST(MpiCommunicator, DroppedReceivesLetGo)
{
  auto c = make_communicator(row(world_size()).data());
  int unused = 7, in = 0;
  const int out = 100 + c->rank();
  {
    auto dropped = c->receive_start(&unused, sizeof unused, 0, 1);
  }
  auto receiving = c->receive_start(&in, sizeof in, 0, 1);
  c->barrier();
  auto sending = c->send_start(&out, sizeof out, 0, 1);
  c->wait(receiving);
  c->wait(sending);
  EXPECT_EQ(unused, 7);
  EXPECT_EQ(in, 100 + c->neighbour(0, -1));
}

/// A sum that one rank gives up is done for the others; those after it are not mixed up with it.
TEST(MpiCommunicator, SumsInTheBackground)
{
  auto c = make_communicator(row(world_size()).data());
  const int n = c->size(), r = c->rank();
  for (int turn = 0; turn < 20; turn++) {
    long long first[2] = {r, turn}, second = 1;
    auto one = c->sum_start(first, 2);
    auto two = c->sum_start(&second, 1);
    exchange_in_all_directions(*c);
    long long between = r;
    c->sum(&between, 1);
    EXPECT_EQ(between, n * (n - 1) / 2);
    if (turn % 2) {
      c->wait(two);
    } else {
      while (!c->test(two)) {
      }
    }
    EXPECT_EQ(second, n);
    EXPECT_EQ(first[0], r) << "written before it was waited for";
    if (turn % n == r) continue;
    c->wait(one);
    EXPECT_FALSE(one.pending());
    EXPECT_EQ(first[0], n * (n - 1) / 2);
    EXPECT_EQ(first[1], n * turn);
  }
}

TEST(MpiCommunicator, Reductions)
{
  auto c = make_communicator(row(world_size()).data());
  const int n = c->size(), r = c->rank();
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

  long long i[2] = {r + 1, (1LL << 53) + r};
  c->sum(i, 2);
  EXPECT_EQ(i[0], n * (n + 1) / 2);
  EXPECT_EQ(i[1], n * (1LL << 53) + n * (n - 1) / 2);
  long long m[2] = {r, -r};
  c->max(m, 2);
  EXPECT_EQ(m[0], n - 1);
  EXPECT_EQ(m[1], 0);

  double s[2] = {0.5 * r, 1};
  c->sum(s, 2);
  EXPECT_EQ(s[0], 0.25 * n * (n - 1));
  EXPECT_EQ(s[1], n);
  for (int odd = 0; odd < n; odd++) {
    double v[4] = {double(r), double(-r), r == odd ? nan : 1, r == odd ? -infinity : 2}, w[4];
    std::memcpy(w, v, sizeof v);
    c->max(v, 4);
    c->min(w, 4);
    EXPECT_EQ(v[0], n - 1);
    EXPECT_EQ(v[1], 0);
    EXPECT_TRUE(std::isnan(v[2]));
    EXPECT_EQ(v[3], n == 1 ? -infinity : 2);
    EXPECT_EQ(w[0], 0);
    EXPECT_EQ(w[1], 1 - n);
    EXPECT_TRUE(std::isnan(w[2]));
    EXPECT_EQ(w[3], -infinity);
  }
}

TEST(MpiCommunicator, BroadcastAndGather)
{
  auto c = make_communicator(row(world_size()).data());
  for (int root = 0; root < c->size(); root++) {
    int v[3] = {c->rank(), 1, 2};
    c->broadcast(v, sizeof v, root);
    EXPECT_EQ(v[0], root);
  }
  refused(ErrorKind::bad_argument, [&] { c->broadcast(nullptr, 0, c->size()); });
  const auto all = c->gather_text(std::string(3 * c->rank(), 'a' + c->rank()));
  ASSERT_EQ(all.size(), static_cast<std::size_t>(c->size()));
  for (int r = 0; r < c->size(); r++) EXPECT_EQ(all[r], std::string(3 * r, 'a' + r));
}

TEST(MpiCommunicator, RanksOfOneHostAreCounted)
{
  auto c = make_communicator(row(world_size()).data());
  const auto hosts = c->gather_text(c->host_name());
  int below = 0;
  for (int r = 0; r < c->rank(); r++) below += hosts[r] == c->host_name();
  EXPECT_EQ(c->rank_on_host(), below);
}

TEST(Agreement, AllOrNone)
{
  auto c = make_communicator(row(world_size()).data());
  const int n = c->size(), r = c->rank();
  EXPECT_NO_THROW(checked_together(*c, [] {}));
  for (int odd = 0; odd < n; odd++) {
    const auto words = refused(ErrorKind::file, [&] {
      checked_together(*c, [&] {
        if (r == odd) fail(ErrorKind::file, text("shelf %d is empty", odd));
      });
    });
    EXPECT_TRUE(contains(words, text("shelf %d is empty", odd))) << words;
    EXPECT_EQ(contains(words, text("rank %d refused", odd)), r != odd) << words;
  }
  // Several at once: each its own, the rest the lowest one's.
  const auto kind = r == n - 1 && n > 1 ? ErrorKind::device : ErrorKind::unsupported;
  expect_refused(kind, {r == n - 1 && n > 1 ? "last" : "first"}, [&] {
    checked_together(*c, [&] {
      if (r == n - 1 && n > 1) fail(ErrorKind::device, "last");
      if (r == 0) fail(ErrorKind::unsupported, "first");
    });
  });
  refused(ErrorKind::out_of_memory, [&] {
    checked_together(*c, [&] {
      if (r == n - 1) throw std::bad_alloc();
    });
  });
  // And the communicator still works.
  exchange_in_all_directions(*c);
}

TEST(MpiCommunicator, PartsLiveBesideTheWhole)
{
  const int n = world_size();
  if (n % 2) GTEST_SKIP() << "needs an even number of ranks";
  auto whole = make_communicator(row(n, 3).data());
  const int half = n / 2, colour = whole->rank() / half;
  auto part = whole->split(colour, -whole->rank(), row(half, colour ? 3 : 0).data()); // ranks in reverse
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->size(), half);
  EXPECT_EQ(part->rank(), half - 1 - whole->rank() % half);
  EXPECT_EQ(part->extent(colour ? 3 : 0), half);

  int in = -1;
  const int out = whole->rank();
  auto receiving = whole->receive_start(&in, sizeof in, 3, 1); // stays under way while the parts work
  exchange_in_all_directions(*part);
  long long mine[1] = {whole->rank()};
  part->sum(mine, 1);
  EXPECT_EQ(mine[0], half * (half - 1) / 2 + half * half * colour);
  auto sending = whole->send_start(&out, sizeof out, 3, 1);
  whole->wait(receiving);
  whole->wait(sending);
  EXPECT_EQ(in, whole->neighbour(3, -1));

  // The parts outlive the whole; agreement in one does not concern the other.
  whole.reset();
  if (colour)
    refused(ErrorKind::file, [&] { checked_together(*part, [] { fail(ErrorKind::file, "torn"); }); });
  else
    EXPECT_NO_THROW(checked_together(*part, [] {}));
  exchange_in_all_directions(*part);
}

TEST(MpiCommunicator, APartsBadGridIsRefusedByAll)
{
  auto whole = make_communicator(row(world_size()).data());
  const int colour = whole->rank() == 0 ? 0 : 1;
  const auto g = row(colour ? whole->size() - 1 : 2);
  refused(ErrorKind::bad_argument, [&] { whole->split(colour, 0, g.data()); });
  EXPECT_EQ(whole->split(-1, 0, g.data()), nullptr);
  auto left_out = whole->split(whole->rank() == 0 ? 0 : -1, 0, row(1).data());
  EXPECT_EQ(left_out != nullptr, whole->rank() == 0);
}

TEST(MpiCommunicator, TheHostsHandleIsTaken)
{
  const int n = world_size();
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, n - world_rank(), &reversed);
  set_mpi_handle(&reversed);
  auto c = make_communicator(row(n).data());
  EXPECT_EQ(c->rank(), n - 1 - world_rank());
  set_mpi_handle(nullptr);
  MPI_Comm_free(&reversed); // ours is a duplicate
  exchange_in_all_directions(*c);
  EXPECT_EQ(make_communicator(row(n).data())->rank(), world_rank());

  const MPI_Comm none = MPI_COMM_NULL;
  refused(ErrorKind::bad_argument, [&] { set_mpi_handle(&none); });
}

// Numbers of all magnitudes that nearly cancel, dealt to the ranks in several ways: one bit pattern.
TEST(ReplicatedSum, OneBitPatternHoweverDealt)
{
  auto c = make_communicator(row(world_size()).data());
  std::mt19937_64 same_everywhere(11);
  std::vector<double> numbers(100000);
  for (std::size_t i = 0; i < numbers.size(); i++) {
    const double x =
        std::ldexp(static_cast<double>(same_everywhere() >> 11) - 0x1p52, int(same_everywhere() % 401) - 252);
    numbers[i] = i % 2 && i > 1000 ? -numbers[i - 1] * (1 + 0x1p-40) : x;
  }
  ExactLimbs alone {};
  for (double x : numbers) exact_add(alone, x);
  exact_normalise(alone);

  for (int order = 0; order < 5; order++) {
    ExactLimbs dealt[2] {};
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const int owner = order == 0 ? static_cast<int>(i * c->size() / numbers.size())
                                   : static_cast<int>((i * (2 * order + 1) / order) % c->size());
      if (owner == c->rank()) exact_add(dealt[order % 2], numbers[i]);
    }
    SumsUnderWay under_way(*c, {dealt[0], dealt[1]});
    sum_limbs(*c, dealt, 2);
    EXPECT_EQ(under_way.finish(), (std::vector {exact_value(dealt[0]), exact_value(dealt[1])}));
    EXPECT_EQ(std::memcmp(&dealt[order % 2], &alone, sizeof alone), 0) << "order " << order;
    EXPECT_EQ(exact_value(dealt[order % 2]), exact_value(alone));
    EXPECT_EQ(exact_value(dealt[1 - order % 2]), 0);
    std::shuffle(numbers.begin(), numbers.end(), same_everywhere);
  }
}

TEST(ReplicatedSum, InfinityAndNanComeThrough)
{
  auto c = make_communicator(row(world_size()).data());
  const double infinity = std::numeric_limits<double>::infinity();
  const bool last = c->rank() == c->size() - 1;
  ExactLimbs sums[3] {};
  exact_add(sums[0], last ? infinity : 1.0);
  exact_add(sums[1], last ? std::numeric_limits<double>::quiet_NaN() : 1.0);
  if (c->rank() == 0) exact_add(sums[2], infinity);
  if (last) exact_add(sums[2], -infinity);
  sum_limbs(*c, sums, 3);
  EXPECT_EQ(exact_value(sums[0]), infinity);
  EXPECT_TRUE(std::isnan(exact_value(sums[1])));
  EXPECT_TRUE(std::isnan(exact_value(sums[2])));
}

namespace
{

/// After the last test: a communicator that outlives MPI is let go quietly, and a process whose MPI has ended is one of
/// its own.
class AfterMpi : public testing::Environment
{
  void TearDown() override
  {
    auto survivor = make_communicator(row(world_size()).data());
    MPI_Finalize();
    survivor.reset();
    EXPECT_FALSE(mpi_active());
    EXPECT_EQ(make_communicator(row(1).data())->size(), 1);
    const MPI_Comm world = MPI_COMM_WORLD;
    EXPECT_THROW(set_mpi_handle(&world), Error);
    EXPECT_NO_THROW(set_mpi_handle(nullptr));
  }
};

const auto *after_mpi = testing::AddGlobalTestEnvironment(new AfterMpi);

} // namespace
