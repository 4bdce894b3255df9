/// A four-dimensional grid of ranks: places, messages to the neighbours, sums and agreement over all ranks.
///
/// Two kinds have one interface: MPI (if the host program started it) and a single process. Several
/// communicators live at once; only the default one is global. MPI is never started or ended here.
///
/// Collective: "all ranks" below means every rank of that communicator, in the same order of calls.
/// Errors    : kind comms where MPI reports one, bad_argument for a grid or map that does not fit.
/// Threads   : one calling thread at a time; no MPI thread level is assumed beyond what the host asked for.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace quda
{

/// Rank at four grid coordinates (x, y, z, t).
using RankMap = std::function<int(const int *coordinate)>;

struct ProcessGrid {
  int extent[4];     // ranks in x, y, z, t
  int coordinate[4]; // this rank's place
};

/// A message or a sum under way. Its memory must stay until wait() or a test() that returned true. A request that is
/// dropped unfinished (by an exception) is cancelled if it receives, and given up if it sends or sums; nothing waits
/// for it.
class Request
{
public:
  struct State {
    State() = default;
    State(const State &) = delete;
    State &operator=(const State &) = delete;
    virtual ~State() = default;
  };

  Request() = default;
  explicit Request(std::unique_ptr<State> state)
      : state_(std::move(state))
  {
  }
  bool pending() const { return state_ != nullptr; }
  State *state() const { return state_.get(); }
  void finish() { state_.reset(); }

private:
  std::unique_ptr<State> state_;
};

class Communicator
{
public:
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;
  virtual ~Communicator() = default; // all ranks, if it uses MPI

  // The grid. None of these functions communicates.
  int rank() const { return rank_; }
  int size() const { return static_cast<int>(rank_at_.size()); }
  const ProcessGrid &grid() const { return grid_; }
  int extent(int d) const { return grid_.extent[d]; }
  int coordinate(int d) const { return grid_.coordinate[d]; }
  bool partitioned(int d) const { return grid_.extent[d] > 1; }
  /// Rank one step along d (direction +1 or -1), periodic.
  int neighbour(int d, int direction) const;
  /// Four coordinates of a rank; they belong to the communicator.
  const int *coordinates_of(int rank) const;
  /// Rank at four coordinates, taken modulo the extents.
  int rank_of(const int *coordinate) const;
  const std::string &host_name() const { return host_name_; }
  /// Number of lower ranks on the same host.
  int rank_on_host() const { return rank_on_host_; }

  // All ranks together; n or bytes must agree. Results are the same on all ranks.
  virtual void barrier() = 0;
  virtual void sum(long long *v, int n) = 0;
  /// Rounds in an order that depends on the grid; whole-field sums go through replicated_sum.h.
  virtual void sum(double *v, int n) = 0;
  /// The same in the background: v is read at once, and written by wait() or the test() that returns true. All ranks
  /// start such sums in the same order, relative to each other and to all other collective calls.
  virtual Request sum_start(long long *v, int n) = 0;
  virtual void max(long long *v, int n) = 0;
  /// A NaN on any rank comes through, in max and min.
  virtual void max(double *v, int n) = 0;
  virtual void min(double *v, int n) = 0;
  virtual void broadcast(void *data, std::size_t bytes, int root) = 0;
  /// The texts of all ranks, by rank.
  virtual std::vector<std::string> gather_text(const std::string &mine) = 0;

  // Messages between neighbours, non-blocking. `direction` (+1, -1) is the way the data travel: a send goes to
  // neighbour(d, direction), the matching receive names the same d and direction and comes from
  // neighbour(d, -direction). Messages of one d and direction arrive in the order they were started; those in +d and
  // -d never mix, though both neighbours may be one rank. Both sides must name the same number of bytes. The memory
  // is the host's, or any other that the MPI at hand can reach.
  virtual Request send_start(const void *data, std::size_t bytes, int d, int direction) = 0;
  virtual Request receive_start(void *data, std::size_t bytes, int d, int direction) = 0;
  /// The same to and from any rank, this one included. Between two ranks they arrive in the order they were started, and
  /// never mix with those of neighbours.
  virtual Request send_to_start(const void *data, std::size_t bytes, int rank) = 0;
  virtual Request receive_from_start(void *data, std::size_t bytes, int rank) = 0;
  /// Returns at once for a request that is not pending.
  virtual void wait(Request &request) = 0;
  /// True when finished, or not pending.
  virtual bool test(Request &request) = 0;

  /// Whether ranks can still reach each other: not after MPI_Finalize().
  virtual bool alive() const { return true; }

  /// Ends all ranks (MPI_Abort), or a single process (exit).
  [[noreturn]] virtual void abort(int code) = 0;

  /// All ranks. Ranks of one colour (>= 0) form a new communicator, its ranks ordered by key, its grid `extent`
  /// filled with t fastest; extents may differ between colours. Null for a negative colour.
  virtual std::shared_ptr<Communicator> split(int colour, int key, const int extent[4]) = 0;

protected:
  /// rank_at: ranks at all grid points, the last dimension fastest, as rank_table() makes it.
  Communicator(const int extent[4], int rank, std::vector<int> rank_at);

  std::string host_name_;
  int rank_on_host_ = 0;

private:
  ProcessGrid grid_;
  int rank_;
  std::vector<int> rank_at_;        // (x, y, z, t) t fastest
  std::vector<int> coordinates_of_; // (rank, 4)
};

/// A communicator of a single process.
std::shared_ptr<Communicator> make_single_communicator();

/// The grid of ranks that a host program asks for: all ranks of the MPI communicator given by set_mpi_handle, else of
/// MPI_COMM_WORLD; without MPI (not built, not started, or ended) a single process, whose grid must be 1 1 1 1.
/// map: called once for each grid point, the last dimension fastest; must give each rank 0..N-1 once, the same on
/// all ranks. Empty: rank = ((x P1 + y) P2 + z) P3 + t. All ranks return, or all throw.
std::shared_ptr<Communicator> make_communicator(const int extent[4], const RankMap &map = {});

/// Pointer to the MPI_Comm that make_communicator duplicates from now on; null for MPI_COMM_WORLD again. The handle
/// is copied and stays the host's. Not collective. MPI must be built in and running unless the pointer is null.
void set_mpi_handle(const void *pointer_to_mpi_comm);

/// MPI is built in, started, and not yet ended.
bool mpi_active();

/// The communicator of fields and calls unless told otherwise; null until set.
std::shared_ptr<Communicator> default_communicator();
void set_default_communicator(std::shared_ptr<Communicator> communicator);

/// Agreement of all ranks at the end of a collective call's checks: each passes its own error, or null. All return or
/// all throw: a failing rank its own error, the others one of the same kind with the lowest failing rank and its text.
void agree(Communicator &communicator, const Error *mine);
/// The same for any caught exception; one that is no Error becomes one (out_of_memory, internal).
void agree(Communicator &communicator, std::exception_ptr mine);

/// Runs this rank's checks, then agrees. The checks must not communicate.
template <class F> void checked_together(Communicator &communicator, F &&checks)
{
  std::exception_ptr mine;
  try {
    checks();
  } catch (...) {
    mine = std::current_exception();
  }
  agree(communicator, mine);
}

/// Messages longer than this travel in pieces (MPI counts are 32-bit). All ranks must use the same value, and change
/// it only while no message is under way; tests make it small. Returns the former one.
std::size_t set_message_piece_bytes(std::size_t bytes);

} // namespace quda
