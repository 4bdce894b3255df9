/// Grids that are gathered on fewer ranks: moves, copies, and who waits for whom.
#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "comms/found_together.h"
#include "dirac/linear_operator.h"
#include "fields/field_together.h"
#include "multigrid/gathering.h"
#include "ops/multigrid/rows.h"
#include "support/grids.h"
#include "support/refused.h"
#include "targets/target.h"

using namespace quda;

/// Communicators that MPI has now and that this program made; MPI's own functions are those of its profiling interface.
static int communicators = 0;
extern "C" {
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm *made)
{
  const int result = PMPI_Comm_split(comm, colour, key, made);
  communicators += *made != MPI_COMM_NULL;
  return result;
}
int MPI_Comm_free(MPI_Comm *comm)
{
  communicators--;
  return PMPI_Comm_free(comm);
}
}

namespace
{

constexpr int rows = 12, rhs = 3;

/// body(comm, lattice) on all grids of ranks for the ranks' parts of global extents X.
template <class Body> void on_each_grid(const int X[4], const Body &body)
{
  choose_target();
  support::on_grids([&](const std::shared_ptr<Communicator> &comm, const support::Grid &) {
    int local[4];
    for (int d = 0; d < 4; d++) local[d] = X[d] / comm->extent(d);
    body(*comm, *Lattice::rows(local, comm));
  });
}

/// A number that float holds, of a global coarse site.
std::complex<double> number_at(const long long x[4], int k)
{
  const long long site = ((x[3] * 16 + x[2]) * 16 + x[1]) * 16 + x[0];
  return {static_cast<double>(site * 64 + k), -static_cast<double>(k)};
}

/// check(number k of a site, what it should be) for those of the sites that a field's slots are; from: of its first one.
template <class Check>
void for_numbers(const ColorSpinorField &field, const long long from[4], const int X[4], const Check &check)
{
  const Lattice &lattice = field.lattice();
  const RowArray numbers = to_host(field, rows);
  const long long begin = field.parities() == 2 || field.parity() == 0 ? 0 : lattice.volume_cb();
  for (long long slot = 0; slot < field.sites(); slot++) {
    int x[4];
    long long global[4];
    lattice.slot_coordinates(begin + slot, x);
    bool in = true;
    for (int d = 0; d < 4; d++) {
      in = in && x[d] < X[d];
      global[d] = from[d] + x[d];
    }
    for (int k = 0; k < rhs * rows; k++)
      check(numbers[static_cast<std::size_t>(slot * rhs * rows + k)], in ? number_at(global, k) : 0.0);
  }
}

void fill(ColorSpinorField &field, const long long from[4], const int X[4])
{
  RowArray numbers;
  for_numbers(field, from, X, [&](std::complex<double>, std::complex<double> right) { numbers.push_back(right); });
  from_host(field, rows, numbers);
}

std::size_t wrong_in(const ColorSpinorField &field, const long long from[4], const int X[4])
{
  std::size_t wrong = 0;
  for_numbers(field, from, X, [&](std::complex<double> is, std::complex<double> right) { wrong += is != right; });
  return wrong;
}

long long sum(Communicator &comm, long long one)
{
  comm.sum(&one, 1);
  return one;
}

} // namespace

TEST(Gathering, PartsComeTogetherAndBack)
{
  constexpr int X[4] = {4, 12, 4, 8}, block[4] = {2, 2, 2, 2};
  int gathered = 0;
  on_each_grid(X, [&](Communicator &comm, const Lattice &fine) {
    const CoarseGrid grid = coarse_grid(fine, block);
    int aggregates[4], copies = 1;
    long long own[4], of_copy[4];
    for (int d = 0; d < 4; d++) {
      aggregates[d] = fine.X(d) / 2;
      copies *= aggregates[d] % 2 ? 2 : 1;
      own[d] = fine.origin()[d] / 2;
      of_copy[d] = grid.lattice->origin()[d];
      EXPECT_EQ(grid.lattice->X(d), aggregates[d] % 2 ? 2 * aggregates[d] : aggregates[d]);
      EXPECT_EQ(grid.lattice->global_X()[d], X[d] / 2);
    }
    ASSERT_EQ(grid.gathering ? grid.gathering->copies() : 1, copies);
    if (!grid.gathering) return;
    gathered++;
    EXPECT_EQ(grid.lattice->communicator().size() * copies, comm.size());
    for (const Precision precision : {Precision::double_, Precision::single}) {
      ColorSpinorField part(row_shape(grid.part(), rows, precision, rhs)), back(part.param());
      fill(part, own, aggregates);
      for (const int parity : {-1, 0, 1}) {
        ColorSpinorField whole(row_shape(grid.lattice, rows, precision, rhs, parity));
        grid.gathering->gather(whole, part, rows);
        EXPECT_EQ(wrong_in(whole, of_copy, grid.lattice->X()), 0u);
        grid.gathering->take(back, whole, rows);
        if (parity < 0) {
          EXPECT_EQ(wrong_in(back, own, aggregates), 0u);
        }
      }
    }
  });
  if (support::ranks() > 1) {
    EXPECT_GE(gathered, 2);
  }
}

/// A level of which a copy alone works, and one below it, that is gathered once more where ranks are in a row.
TEST(Gathering, OthersWaitForTheFirstCopy)
{
  constexpr int X[4] = {4, 4, 4, 8}, block[4] = {2, 2, 2, 2}, last[4] = {1, 1, 1, 2};
  on_each_grid(X, [&](Communicator &comm, const Lattice &fine) {
    const CoarseGrid grid = coarse_grid(fine, block);
    if (!grid.gathering) return;
    const int copies = grid.gathering->copies();
    const long long from[4] = {0, 0, 0, 0};
    ColorSpinorField x(row_shape(grid.lattice, rows, Precision::single, rhs));
    std::optional<CoarseGrid> below;
    if (grid.lattice->communicator().size() > 1) below = coarse_grid(*grid.lattice, last);
    int works = 0;
    grid.gathering->by_first(x, rows, [&] {
      works++;
      EXPECT_EQ(&together_with(*grid.lattice), &grid.lattice->communicator());
      if (below) {
        ColorSpinorField y(row_shape(below->lattice, rows, Precision::double_, rhs));
        int here = 0;
        below->gathering->by_first(y, rows, [&] {
          here++;
          fill(y, from, below->lattice->X());
        });
        EXPECT_EQ(wrong_in(y, from, below->lattice->X()), 0u);
        EXPECT_EQ(sum(grid.lattice->communicator(), here), 1);
      }
      fill(x, grid.lattice->origin(), grid.lattice->X());
    });
    EXPECT_EQ(wrong_in(x, grid.lattice->origin(), grid.lattice->X()), 0u);
    EXPECT_EQ(sum(comm, works), comm.size() / copies);
    EXPECT_EQ(works, grid.gathering->first());
    if (comm.rank() == 0) {
      EXPECT_EQ(works, 1);
    }

    EXPECT_EQ(failure([&] {
                grid.gathering->by_first(
                    x, rows, [] { throw FoundTogether(ErrorKind::bad_argument, "a modulus that is no number"); });
              }),
              "a modulus that is no number");
    EXPECT_EQ(failure([&] { grid.gathering->by_first(x, rows, [] { throw std::runtime_error("out of luck"); }); }),
              "alone: out of luck");
  });
}

/// Whoever is rank 0 is in the first copy, and in the first of its copies.
TEST(Gathering, TheFirstCopyIsThatOfRankZero)
{
  constexpr int X[4] = {4, 4, 4, 2}, block[4] = {2, 2, 2, 2}, last[4] = {1, 1, 1, 2};
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const int row[4] = {1, 1, 1, ranks};
  for (int zero = 0; zero < ranks; zero++) { // its place in the row
    const auto comm = make_communicator(row, [&](const int *x) { return (x[3] - zero + ranks) % ranks; });
    const auto fine = Lattice::rows(X, comm);
    if (ranks == 1) continue;
    const CoarseGrid grid = coarse_grid(*fine, block);
    EXPECT_EQ(sum(*comm, grid.gathering->first()), ranks / 2);
    if (comm->rank() == 0) {
      EXPECT_TRUE(grid.gathering->first());
    }
    if (ranks < 4) continue;
    const CoarseGrid below = coarse_grid(*grid.lattice, last);
    EXPECT_EQ(sum(*comm, below.gathering->first()), 2);
    if (comm->rank() == 0) {
      EXPECT_TRUE(below.gathering->first());
    }
  }
}

/// Hierarchies come and go along a trajectory, and what MPI has of communicators is limited.
TEST(Gathering, LeavesNoCommunicators)
{
  constexpr int X[4] = {4, 4, 4, 8}, block[4] = {2, 2, 2, 2};
  on_each_grid(X, [&](Communicator &, const Lattice &fine) {
    const int before = communicators;
    for (int n = 0; n < 50; n++) {
      const CoarseGrid grid = coarse_grid(fine, block);
      if (!grid.gathering) return;
      EXPECT_EQ(communicators, before + 2);
    }
    EXPECT_EQ(communicators, before);
  });
}

/// What fails on one rank of one copy, while all copies do the same, is told to all.
TEST(Gathering, FailuresReachAllCopies)
{
  constexpr int X[4] = {4, 4, 4, 8}, block[4] = {2, 2, 2, 2};
  on_each_grid(X, [&](Communicator &comm, const Lattice &fine) {
    const CoarseGrid grid = coarse_grid(fine, block);
    if (!grid.gathering) return;
    for (const auto &lattice : {grid.lattice, grid.part()}) {
      const std::string told = failure([&] {
        found_together(together_with(*lattice), [&] {
          if (comm.rank() == comm.size() - 1) fail(ErrorKind::out_of_memory, "no memory");
        });
      });
      EXPECT_NE(told.find("no memory"), std::string::npos) << told;
    }
    // what a copy finds by messages of its own, which all of it find; and what each finds alone
    const std::string of_copy = failure([&] {
      parts_together(comm, [&] {
        found_together(grid.lattice->communicator(), [&] {
          if (comm.rank() == comm.size() - 1) fail(ErrorKind::file, "a damaged file");
        });
      });
    });
    EXPECT_NE(of_copy.find("a damaged file"), std::string::npos) << of_copy;
    EXPECT_EQ(failure([&] { parts_together(comm, [] { throw std::runtime_error("out of luck"); }); }),
              "alone: out of luck");
    EXPECT_EQ(failure([&] { parts_together(comm, [] {}); }), "none");
  });
}

/// What a copy has made while it worked alone is not what all have when all work.
TEST(Gathering, FieldsAreThoseOfTheRanksAtWork)
{
  constexpr int X[4] = {4, 4, 4, 8}, block[4] = {2, 2, 2, 2};
  on_each_grid(X, [&](Communicator &, const Lattice &fine) {
    const CoarseGrid grid = coarse_grid(fine, block);
    if (!grid.gathering) return;
    const Scratch scratch;
    const auto shape = [&](int n) { return row_shape(grid.lattice, rows, Precision::single, n); };
    const auto make = [&](int n) { return static_cast<const char *>(scratch(0, shape(n)).data()); };
    ColorSpinorField x(shape(1));
    const char *alone = nullptr, *again = nullptr;
    grid.gathering->by_first(x, rows, [&] { alone = make(rhs); });
    const char *const together = make(1);
    EXPECT_NE(together, alone);
    grid.gathering->by_first(x, rows, [&] { again = make(2); });
    EXPECT_EQ(again, alone);
    EXPECT_EQ(make(1), together);
  });
}

/// In a direction that one rank has the number of aggregates must be even, whatever others are gathered.
TEST(Gathering, RefusesWhatNoGroupMakesEven)
{
  constexpr int X[4] = {8, 8, 8, 16};
  on_each_grid(X, [&](Communicator &comm, const Lattice &fine) {
    for (int d = 0; d < 4; d++) {
      if (comm.extent(d) > 1) continue;
      int block[4] = {2, 2, 2, 2};
      block[d] = fine.X(d);
      for (int e = 0; e < 4; e++)
        if (comm.extent(e) > 1) block[e] = fine.X(e);
      const std::string told = failure([&] { coarse_grid(fine, block); });
      EXPECT_NE(told.find("block[" + std::to_string(d) + "] ="), std::string::npos) << told;
      EXPECT_NE(told.find("odd number"), std::string::npos) << told;
    }
    const int none[4] = {2, 3, 2, 2};
    EXPECT_NE(failure([&] { coarse_grid(fine, none); }).find("block[1] = 3"), std::string::npos);
  });
}
