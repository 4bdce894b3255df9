#include "comms/communicator.h"

#include <algorithm>
#include <climits>
#include <new>
#include <utility>

#include <unistd.h>

#include "comms/backend.h"
#include "comms/process_rank.h"

namespace quda
{

namespace
{
  std::size_t piece_bytes = std::size_t(1) << 30;

  /// Coordinates of grid point i, last dimension fastest.
  void set_coordinates(int (&c)[4], std::size_t i, const int extent[4])
  {
    for (int d = 3; d >= 0; d--) {
      c[d] = static_cast<int>(i % extent[d]);
      i /= extent[d];
    }
  }

  std::size_t place(const int extent[4], const int *c)
  {
    std::size_t index = 0;
    for (int d = 0; d < 4; d++) index = index * extent[d] + c[d];
    return index;
  }

  // Never destroyed: at exit the ranks may be gone, and freeing an MPI communicator could wait for them.
  std::shared_ptr<Communicator> &default_slot()
  {
    static auto *slot = new std::shared_ptr<Communicator>;
    return *slot;
  }

  struct Refusal { // header of a failing rank's message to the others, before the text
    int kind;
    int length;
  };
} // namespace

namespace comms
{
  std::string grid_text(const int extent[4]) { return text("%d %d %d %d", extent[0], extent[1], extent[2], extent[3]); }

  std::string this_host()
  {
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0) return "unknown";
    return name;
  }

  std::size_t message_piece_bytes() { return piece_bytes; }

  void check_grid(const int extent[4], int ranks)
  {
    long long product = 1;
    for (int d = 0; d < 4; d++) {
      if (extent[d] < 1)
        fail(ErrorKind::bad_argument, text("process grid %s: the extent in direction %d is %d, must be at least 1",
                                           grid_text(extent).c_str(), d, extent[d]));
      product = product > INT_MAX ? product : product * extent[d]; // below 2^62, and too large stays too large
    }
    if (product != ranks)
      fail(ErrorKind::bad_argument, text("process grid %s needs %lld ranks, there %s %d", grid_text(extent).c_str(),
                                         product, ranks == 1 ? "is" : "are", ranks));
  }

  std::vector<int> rank_table(const int extent[4], const RankMap &map)
  {
    const int size = extent[0] * extent[1] * extent[2] * extent[3];
    std::vector<int> rank_at(size), point_of(size, -1);
    for (int i = 0; i < size; i++) {
      int c[4];
      set_coordinates(c, i, extent);
      const std::string here = grid_text(c); // the map has the coordinates in hand and could change them
      const int rank = map ? map(c) : i;
      if (rank < 0 || rank >= size)
        fail(ErrorKind::bad_argument,
             text("rank map gives rank %d at coordinates %s, must be 0 to %d", rank, here.c_str(), size - 1));
      if (point_of[rank] >= 0) {
        int first[4];
        set_coordinates(first, point_of[rank], extent);
        fail(ErrorKind::bad_argument, text("rank map gives rank %d twice, at coordinates %s and %s", rank,
                                           grid_text(first).c_str(), here.c_str()));
      }
      point_of[rank] = i;
      rank_at[i] = rank;
    }
    return rank_at;
  }
} // namespace comms

Communicator::Communicator(const int extent[4], int rank, std::vector<int> rank_at)
    : grid_ {}
    , rank_(rank)
    , rank_at_(std::move(rank_at))
    , coordinates_of_(4 * rank_at_.size())
{
  for (int d = 0; d < 4; d++) grid_.extent[d] = extent[d];
  for (std::size_t i = 0; i < rank_at_.size(); i++) {
    int c[4];
    set_coordinates(c, i, extent);
    std::copy_n(c, 4, &coordinates_of_[4 * static_cast<std::size_t>(rank_at_[i])]);
  }
  for (int d = 0; d < 4; d++) grid_.coordinate[d] = coordinates_of(rank)[d];
}

const int *Communicator::coordinates_of(int rank) const
{
  if (rank < 0 || rank >= size())
    fail(ErrorKind::bad_argument, text("rank %d does not exist, must be 0 to %d", rank, size() - 1));
  return &coordinates_of_[4 * static_cast<std::size_t>(rank)];
}

int Communicator::rank_of(const int *coordinate) const
{
  int c[4];
  for (int d = 0; d < 4; d++) {
    c[d] = coordinate[d] % grid_.extent[d];
    if (c[d] < 0) c[d] += grid_.extent[d];
  }
  return rank_at_[place(grid_.extent, c)];
}

int Communicator::neighbour(int d, int direction) const
{
  if (d < 0 || d > 3 || (direction != 1 && direction != -1))
    fail(ErrorKind::bad_argument,
         text("neighbour in dimension %d, direction %d: must be 0 to 3, +1 or -1", d, direction));
  int c[4] = {grid_.coordinate[0], grid_.coordinate[1], grid_.coordinate[2], grid_.coordinate[3]};
  c[d] += direction;
  return rank_of(c);
}

std::shared_ptr<Communicator> make_communicator(const int extent[4], const RankMap &map)
{
#ifdef QUDA_HAVE_MPI
  if (comms::mpi_running()) return comms::make_mpi_communicator(extent, map);
#endif
  comms::check_grid(extent, 1);
  comms::rank_table(extent, map);
  return make_single_communicator();
}

void set_mpi_handle(const void *pointer_to_mpi_comm)
{
#ifdef QUDA_HAVE_MPI
  comms::set_mpi_communicator_handle(pointer_to_mpi_comm);
#else
  if (pointer_to_mpi_comm) fail(ErrorKind::not_built, "an MPI communicator was given, but MPI is not built in");
#endif
}

bool mpi_active()
{
#ifdef QUDA_HAVE_MPI
  return comms::mpi_running();
#else
  return false;
#endif
}

int process_rank()
{
#ifdef QUDA_HAVE_MPI
  if (comms::mpi_running()) return comms::mpi_rank();
#endif
  return 0;
}

std::shared_ptr<Communicator> default_communicator() { return default_slot(); }

void set_default_communicator(std::shared_ptr<Communicator> communicator) { default_slot() = std::move(communicator); }

std::size_t set_message_piece_bytes(std::size_t bytes)
{
  if (bytes < 1 || bytes > INT_MAX)
    fail(ErrorKind::bad_argument, text("message pieces of %zu bytes, must be 1 to %d", bytes, INT_MAX));
  return std::exchange(piece_bytes, bytes);
}

void agree(Communicator &communicator, const Error *mine)
{
  // The good case costs one reduction: the largest of (ranks - rank) over the failing ranks names the lowest of them.
  long long lowest = mine ? communicator.size() - communicator.rank() : 0;
  communicator.max(&lowest, 1);
  if (lowest == 0) return;

  const int root = communicator.size() - static_cast<int>(lowest);
  Refusal refusal {};
  std::string words;
  if (communicator.rank() == root) {
    words = mine->what();
    refusal = {static_cast<int>(mine->kind()), static_cast<int>(words.size())};
  }
  communicator.broadcast(&refusal, sizeof refusal, root);
  words.resize(refusal.length);
  communicator.broadcast(words.data(), words.size(), root);
  if (mine) throw Error(*mine);
  fail(static_cast<ErrorKind>(refusal.kind), text("rank %d refused: %s", root, words.c_str()));
}

void agree(Communicator &communicator, std::exception_ptr mine)
{
  if (!mine) return agree(communicator, static_cast<const Error *>(nullptr));
  try {
    try {
      std::rethrow_exception(mine);
    } catch (const Error &) {
      throw;
    } catch (const std::bad_alloc &) {
      fail(ErrorKind::out_of_memory, "out of host memory");
    } catch (const std::exception &other) {
      fail(ErrorKind::internal, text("unexpected exception: %s", other.what()));
    } catch (...) {
      fail(ErrorKind::internal, "unexpected exception of unknown type");
    }
  } catch (const Error &error) {
    agree(communicator, &error);
  }
}

} // namespace quda
