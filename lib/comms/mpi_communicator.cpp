/// The communicator over MPI: the only file of lib/ that calls MPI. Works on duplicates of the host's communicators,
/// whose errors come back as codes; never starts or ends MPI.
#ifdef QUDA_HAVE_MPI

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <unistd.h>

#include "comms/backend.h"
#include "comms/communicator.h"

namespace quda
{

namespace
{
  void check(int code, const char *call, SourceLocation where = SourceLocation::current())
  {
    if (code == MPI_SUCCESS) return;
    char words[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, words, &length);
    fail(ErrorKind::comms, text("%s: %s", call, words), where);
  }

  bool running()
  {
    int started = 0, ended = 0;
    MPI_Initialized(&started);
    if (started) MPI_Finalized(&ended);
    return started && !ended;
  }

  /// A duplicated MPI communicator; freed with this object, unless MPI has ended before.
  class OwnComm
  {
  public:
    explicit OwnComm(MPI_Comm comm)
        : comm_(comm)
    {
      if (comm_ != MPI_COMM_NULL) check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    }
    OwnComm(OwnComm &&other) noexcept
        : comm_(std::exchange(other.comm_, MPI_COMM_NULL))
    {
    }
    OwnComm &operator=(OwnComm &&) = delete;
    ~OwnComm()
    {
      if (comm_ != MPI_COMM_NULL && running()) MPI_Comm_free(&comm_);
    }
    MPI_Comm get() const { return comm_; }
    int rank() const
    {
      int rank = 0;
      check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
      return rank;
    }
    int size() const
    {
      int size = 0;
      check(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
      return size;
    }

  private:
    MPI_Comm comm_;
  };

  /// Polls until ready(). After some microseconds it yields the processor between two polls, and after a
  /// millisecond it sleeps for a while: the event awaited may need the processor.
  template <class Ready> void wait_until(const Ready &ready)
  {
    using namespace std::chrono_literals;
    constexpr auto patience = 50us, long_wait = 1000us, nap = 20us;
    constexpr int questions = 16; // polls between two looks at the clock
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
      for (int i = 0; i < questions; i++)
        if (ready()) return;
      const auto waited = std::chrono::steady_clock::now() - start;
      if (waited > long_wait)
        std::this_thread::sleep_for(nap);
      else if (waited > patience)
        std::this_thread::yield();
    }
  }

  struct Transfer final : Request::State {
    std::vector<MPI_Request> pieces;
    std::size_t bytes = 0; // expected by a receive
    bool receives = false;
    long long *totals = nullptr;      // destination of a sum
    std::unique_ptr<long long[]> sum; // the sum's buffer in MPI
    int numbers = 0;

    ~Transfer() override
    {
      if (!running()) return;
      if (totals) {
        give_up_sum();
        return;
      }
      for (auto &piece : pieces) {
        if (piece == MPI_REQUEST_NULL) continue;
        if (receives) MPI_Cancel(&piece);
        MPI_Request_free(&piece);
      }
    }

    /// MPI can neither cancel nor release a sum: the buffer of an unfinished one is left to it.
    void give_up_sum()
    {
      int done = 0; // set also if it has been waited for
      if (MPI_Test(pieces.data(), &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done) static_cast<void>(sum.release());
    }

    /// A completed transfer: its error, and whether as many bytes arrived as expected.
    void inspect(int code, std::vector<MPI_Status> &statuses) const
    {
      if (totals) {
        check(code, "MPI_Iallreduce");
        std::copy_n(sum.get(), numbers, totals);
        return;
      }
      if (code == MPI_ERR_IN_STATUS) {
        for (auto &status : statuses)
          if (status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING)
            check(status.MPI_ERROR, receives ? "receiving" : "sending");
      }
      check(code, receives ? "receiving" : "sending");
      if (!receives) return;
      std::size_t arrived = 0;
      for (auto &status : statuses) {
        int count = 0;
        check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
        arrived += static_cast<std::size_t>(count);
      }
      if (arrived != bytes) fail(ErrorKind::comms, text("received %zu bytes where %zu were expected", arrived, bytes));
    }
  };

  std::uint64_t hash(const std::string &s) // FNV-1a: host names of any length compared as one number
  {
    std::uint64_t h = 14695981039346656037ull;
    for (unsigned char c : s) h = (h ^ c) * 1099511628211ull;
    return h;
  }

  class MpiCommunicator final : public Communicator
  {
  public:
    /// Collective. The grid and table must be good ones.
    MpiCommunicator(OwnComm comm, const int extent[4], std::vector<int> rank_at)
        : Communicator(extent, comm.rank(), std::move(rank_at))
        , comm_(std::move(comm))
    {
      host_name_ = comms::this_host();
      const std::uint64_t mine = hash(host_name_);
      std::vector<std::uint64_t> all(size());
      check(MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm_.get()), "MPI_Allgather");
      rank_on_host_ = static_cast<int>(std::count(all.begin(), all.begin() + rank(), mine));
      crowded_ = std::count(all.begin(), all.end(), mine) > sysconf(_SC_NPROCESSORS_ONLN);
    }

    /// Collective. All ranks return, or all throw.
    static std::shared_ptr<MpiCommunicator> make(OwnComm comm, const int extent[4], const RankMap &map)
    {
      const int size = comm.size();
      const int row[4] = {1, 1, 1, size};
      MpiCommunicator line(std::move(comm), row, comms::rank_table(row, {})); // for agreement before there is a grid

      std::vector<int> table;
      checked_together(line, [&] {
        comms::check_grid(extent, size);
        table = comms::rank_table(extent, map);
      });

      std::vector<int> first(4 + static_cast<std::size_t>(size)); // rank 0's grid, then its table
      std::copy(extent, extent + 4, first.begin());
      std::copy(table.begin(), table.end(), first.begin() + 4);
      line.broadcast(first.data(), first.size() * sizeof(int), 0);
      checked_together(line, [&] {
        if (!std::equal(extent, extent + 4, first.begin()))
          fail(ErrorKind::bad_argument, text("process grid %s differs from %s on rank 0",
                                             comms::grid_text(extent).c_str(), comms::grid_text(&first[0]).c_str()));
        const auto odd = std::mismatch(table.begin(), table.end(), first.begin() + 4);
        if (odd.first != table.end())
          fail(ErrorKind::bad_argument,
               text("rank map gives rank %d where it gives %d on rank 0", *odd.first, *odd.second));
      });
      return std::make_shared<MpiCommunicator>(std::move(line.comm_), extent, std::move(table));
    }

    void barrier() override
    {
      if (!crowded_) return check(MPI_Barrier(comm_.get()), "MPI_Barrier");
      finish("MPI_Ibarrier", [&](MPI_Request *request) { return MPI_Ibarrier(comm_.get(), request); });
    }

    void sum(long long *v, int n) override { reduce(v, n, MPI_LONG_LONG, MPI_SUM); }
    void sum(double *v, int n) override { reduce(v, n, MPI_DOUBLE, MPI_SUM); }
    void max(long long *v, int n) override { reduce(v, n, MPI_LONG_LONG, MPI_MAX); }

    Request sum_start(long long *v, int n) override
    {
      if (n <= 0) return {};
      auto transfer = std::make_unique<Transfer>();
      transfer->totals = v;
      transfer->numbers = n;
      transfer->sum = std::make_unique<long long[]>(static_cast<std::size_t>(n));
      std::copy_n(v, n, transfer->sum.get());
      transfer->pieces.assign(1, MPI_REQUEST_NULL);
      check(MPI_Iallreduce(MPI_IN_PLACE, transfer->sum.get(), n, MPI_LONG_LONG, MPI_SUM, comm_.get(),
                           transfer->pieces.data()),
            "MPI_Iallreduce");
      return Request(std::move(transfer));
    }

    void max(double *v, int n) override
    {
      // MPI_MAX may lose a NaN, so each number travels with a flag in the same message.
      std::vector<double> pairs(2 * static_cast<std::size_t>(n));
      for (int i = 0; i < n; i++) {
        const bool nan = std::isnan(v[i]);
        pairs[2 * i] = nan ? -std::numeric_limits<double>::infinity() : v[i];
        pairs[2 * i + 1] = nan ? 1 : 0;
      }
      for (std::size_t done = 0; done < pairs.size(); done += half_count) {
        const auto part = std::min(pairs.size() - done, half_count);
        reduce(&pairs[done], static_cast<int>(part), MPI_DOUBLE, MPI_MAX);
      }
      for (int i = 0; i < n; i++)
        v[i] = pairs[2 * i + 1] != 0 ? std::numeric_limits<double>::quiet_NaN() : pairs[2 * i];
    }

    void min(double *v, int n) override
    {
      for (int i = 0; i < n; i++) v[i] = -v[i];
      max(v, n);
      for (int i = 0; i < n; i++) v[i] = -v[i];
    }

    void broadcast(void *data, std::size_t bytes, int root) override
    {
      if (root < 0 || root >= size())
        fail(ErrorKind::bad_argument, text("broadcast from rank %d, must be 0 to %d", root, size() - 1));
      const auto piece = comms::message_piece_bytes();
      for (std::size_t done = 0; done < bytes; done += piece) {
        const int count = static_cast<int>(std::min(piece, bytes - done));
        char *const part = static_cast<char *>(data) + done;
        if (!crowded_)
          check(MPI_Bcast(part, count, MPI_BYTE, root, comm_.get()), "MPI_Bcast");
        else
          finish("MPI_Ibcast",
                 [&](MPI_Request *request) { return MPI_Ibcast(part, count, MPI_BYTE, root, comm_.get(), request); });
      }
    }

    std::vector<std::string> gather_text(const std::string &mine) override
    {
      std::vector<long long> lengths(size());
      const long long length = static_cast<long long>(mine.size());
      check(MPI_Allgather(&length, 1, MPI_LONG_LONG, lengths.data(), 1, MPI_LONG_LONG, comm_.get()), "MPI_Allgather");
      std::vector<std::string> all(size());
      for (int r = 0; r < size(); r++) { // texts are few and rare; one broadcast each has no limit of length
        all[r] = r == rank() ? mine : std::string(lengths[r], '\0');
        broadcast(all[r].data(), all[r].size(), r);
      }
      return all;
    }

    Request send_start(const void *data, std::size_t bytes, int d, int direction) override
    {
      return send(data, bytes, neighbour(d, direction), tag(d, direction));
    }

    Request receive_start(void *data, std::size_t bytes, int d, int direction) override
    {
      return receive(data, bytes, neighbour(d, -direction), tag(d, direction));
    }

    Request send_to_start(const void *data, std::size_t bytes, int rank) override
    {
      coordinates_of(rank); // refuses those that do not exist
      return send(data, bytes, rank, direct_tag);
    }

    Request receive_from_start(void *data, std::size_t bytes, int rank) override
    {
      coordinates_of(rank);
      return receive(data, bytes, rank, direct_tag);
    }

    void wait(Request &request) override
    {
      if (!request.pending()) return;
      Request done = std::move(request); // not pending afterwards, whatever happens
      auto &transfer = *static_cast<Transfer *>(done.state());
      std::vector<MPI_Status> statuses(transfer.pieces.size());
      int code = MPI_SUCCESS, finished = 0;
      wait_until([&] {
        code =
            MPI_Testall(static_cast<int>(transfer.pieces.size()), transfer.pieces.data(), &finished, statuses.data());
        return code != MPI_SUCCESS || finished;
      });
      transfer.inspect(code, statuses);
    }

    bool test(Request &request) override
    {
      if (!request.pending()) return true;
      auto &transfer = *static_cast<Transfer *>(request.state());
      std::vector<MPI_Status> statuses(transfer.pieces.size());
      int finished = 0;
      const int code =
          MPI_Testall(static_cast<int>(transfer.pieces.size()), transfer.pieces.data(), &finished, statuses.data());
      if (code == MPI_SUCCESS && !finished) return false;
      Request done = std::move(request);
      transfer.inspect(code, statuses);
      return true;
    }

    bool alive() const override { return running(); }

    [[noreturn]] void abort(int code) override
    {
      if (running()) MPI_Abort(comm_.get(), code);
      std::exit(code);
    }

    std::shared_ptr<Communicator> split(int colour, int key, const int extent[4]) override
    {
      MPI_Comm part = MPI_COMM_NULL;
      check(MPI_Comm_split(comm_.get(), colour < 0 ? MPI_UNDEFINED : colour, key, &part), "MPI_Comm_split");
      OwnComm own(part);
      std::shared_ptr<Communicator> made;
      std::exception_ptr mine; // the part has agreed within itself; now the parts agree among each other
      try {
        if (part != MPI_COMM_NULL) {
          const auto of_part = make(std::move(own), extent, {});
          of_part->crowded_ = of_part->crowded_ || crowded_; // others of the host wait for the part, or it for them
          made = of_part;
        }
      } catch (...) {
        mine = std::current_exception();
      }
      agree(*this, mine);
      return made;
    }

  private:
    static constexpr std::size_t half_count = std::size_t(1) << 30;

    static int tag(int d, int direction) { return 2 * d + (direction > 0 ? 1 : 0); }
    static constexpr int direct_tag = 8;

    Request send(const void *data, std::size_t bytes, int to, int tag)
    {
      return start(bytes, false, [&](std::size_t offset, int count, MPI_Request *request) {
        check(MPI_Isend(static_cast<const char *>(data) + offset, count, MPI_BYTE, to, tag, comm_.get(), request),
              "MPI_Isend");
      });
    }

    Request receive(void *data, std::size_t bytes, int from, int tag)
    {
      return start(bytes, true, [&](std::size_t offset, int count, MPI_Request *request) {
        check(MPI_Irecv(static_cast<char *>(data) + offset, count, MPI_BYTE, from, tag, comm_.get(), request),
              "MPI_Irecv");
      });
    }

    template <class T> void reduce(T *v, int n, MPI_Datatype type, MPI_Op op)
    {
      if (n <= 0) return;
      if (!crowded_) return check(MPI_Allreduce(MPI_IN_PLACE, v, n, type, op, comm_.get()), "MPI_Allreduce");
      finish("MPI_Iallreduce",
             [&](MPI_Request *request) { return MPI_Iallreduce(MPI_IN_PLACE, v, n, type, op, comm_.get(), request); });
    }

    /// Waits for the operation that start(&request) begins, without keeping the processor from other ranks.
    template <class Start> static void finish(const char *call, const Start &start)
    {
      MPI_Request request = MPI_REQUEST_NULL;
      check(start(&request), call);
      int code = MPI_SUCCESS, finished = 0;
      wait_until([&] {
        code = MPI_Test(&request, &finished, MPI_STATUS_IGNORE);
        return code != MPI_SUCCESS || finished;
      });
      check(code, call);
    }

    /// One piece at least, so that a message of no bytes is one too. Pieces share a tag: MPI keeps their order.
    template <class Post> Request start(std::size_t bytes, bool receives, Post &&post)
    {
      auto transfer = std::make_unique<Transfer>();
      transfer->bytes = bytes;
      transfer->receives = receives;
      const auto piece = comms::message_piece_bytes();
      transfer->pieces.assign(std::max<std::size_t>(1, (bytes + piece - 1) / piece), MPI_REQUEST_NULL);
      std::size_t offset = 0;
      for (auto &request : transfer->pieces) {
        post(offset, static_cast<int>(std::min(piece, bytes - offset)), &request);
        offset += piece;
      }
      return Request(std::move(transfer));
    }

    OwnComm comm_;
    bool crowded_ = false; // ranks outnumber the processors of this host
  };

  std::optional<MPI_Comm> host_handle;
} // namespace

namespace comms
{
  bool mpi_running() { return running(); }

  void set_mpi_communicator_handle(const void *pointer_to_mpi_comm)
  {
    if (!pointer_to_mpi_comm) {
      host_handle.reset();
      return;
    }
    if (!running()) fail(ErrorKind::bad_argument, "an MPI communicator was given, but MPI is not running");
    const MPI_Comm comm = *static_cast<const MPI_Comm *>(pointer_to_mpi_comm);
    if (comm == MPI_COMM_NULL) fail(ErrorKind::bad_argument, "the MPI communicator given is MPI_COMM_NULL");
    int between_groups = 0;
    check(MPI_Comm_test_inter(comm, &between_groups), "MPI_Comm_test_inter");
    if (between_groups)
      fail(ErrorKind::bad_argument, "the MPI communicator given is an intercommunicator, must be of one group");
    host_handle = comm;
  }

  int mpi_rank()
  {
    int rank = 0;
    MPI_Comm_rank(host_handle.value_or(MPI_COMM_WORLD), &rank);
    return rank;
  }

  std::shared_ptr<Communicator> make_mpi_communicator(const int extent[4], const RankMap &map)
  {
    MPI_Comm copy = MPI_COMM_NULL;
    check(MPI_Comm_dup(host_handle.value_or(MPI_COMM_WORLD), &copy), "MPI_Comm_dup");
    return MpiCommunicator::make(OwnComm(copy), extent, map);
  }
} // namespace comms

} // namespace quda

#endif
