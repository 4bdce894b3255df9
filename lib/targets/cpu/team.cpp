#include "targets/cpu/team.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "core/error.h"
#include "targets/cpu/processors.h"

namespace quda::cpu
{

namespace
{

  using Work = void (*)(void *context, int number, int numbers);
  using Clock = std::chrono::steady_clock;

  constexpr auto patience = std::chrono::microseconds(50); // of a wait, before it sleeps
  constexpr int looks = 32;                                // polls between two looks at the clock
  constexpr std::size_t line_bytes = 64;
  constexpr std::size_t stack_bytes = std::size_t {8} << 20; // kernels keep tiles and windows of sums there
  constexpr int seat_bits = 12, share_bits = 4;              // of an order: its seats, and the shares of each

  void sleep_while(std::atomic<std::uint32_t> &word, std::uint32_t value)
  {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
  }

  void wake(std::atomic<std::uint32_t> &word)
  {
    word.store(0, std::memory_order_relaxed);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  /// Polls until ready(), at least some times and for a limited time; returns whether it came.
  template <class Ready> bool look_for(const Ready &ready)
  {
    const auto end = Clock::now() + patience;
    do {
      for (int i = 0; i < looks; i++) {
        if (ready()) return true;
        __builtin_ia32_pause();
      }
    } while (Clock::now() < end);
    return false;
  }

  /// Polls, then sleeps with `asleep` set, until ready(). The thread that makes it ready then checks `asleep`.
  template <class Ready> void wait_for(std::atomic<std::uint32_t> &asleep, const Ready &ready)
  {
    while (!look_for(ready)) {
      asleep.store(1);
      if (!ready())
        sleep_while(asleep, 1);
      else
        asleep.store(0, std::memory_order_relaxed);
    }
  }

  static_assert(most_shares < 1 << share_bits);

  class Team
  {
  public:
    explicit Team(int most)
        : most_(most)
        , seats_(new Seat[most])
        , asleep_(new std::atomic<std::uint32_t>[most] {})
        , processors_(usable_processors())
        , bound_(threads_are_bound())
    {
    }

    /// False when another launch has the team.
    bool run(int threads, int shares, Work work, void *context)
    {
      if (taken_.load(std::memory_order_relaxed) || taken_.exchange(true, std::memory_order_acquire)) return false;
      const int seats = hire(std::min(threads, most_));
      order_.work = work;
      order_.context = context;
      order_.numbers = threads * shares;
      done_.store(0, std::memory_order_relaxed);
      const std::uint64_t word = ++launch_ << (seat_bits + share_bits) | shares << seat_bits | seats;
      order_.word.exchange(word);
      for (int seat = 1; seat < seats; seat++)
        if (asleep_[seat].load()) wake(asleep_[seat]);
      int mine = 0;
      for (int seat = 0; seat < seats; seat++) mine += serve(seat, word);
      wait_for(caller_asleep_, [&] { return done_.load() == seats * shares - mine; });
      const std::exception_ptr failure = std::move(failure_);
      failure_ = nullptr;
      failed_.store(false, std::memory_order_relaxed);
      taken_.store(false, std::memory_order_release);
      if (failure) std::rethrow_exception(failure);
      return true;
    }

  private:
    /// Written by the caller of a launch, then read by all: one line.
    struct alignas(line_bytes) Order {
      std::atomic<std::uint64_t> word {0}; // the launch, the shares of a seat, how many seats take part
      Work work = nullptr;
      void *context = nullptr;
      int numbers = 0;
    };

    struct alignas(line_bytes) Seat {
      std::atomic<std::uint64_t> turn {0}; // the last launch it took part in, and how many of its shares were taken
    };

    static std::uint64_t launch_of(std::uint64_t word) { return word >> (seat_bits + share_bits); }
    static int shares_of(std::uint64_t word) { return static_cast<int>(word >> seat_bits & ((1 << share_bits) - 1)); }
    static int seats_of(std::uint64_t word) { return static_cast<int>(word & ((1 << seat_bits) - 1)); }

    /// Takes the next share of a seat; -1: none is left. A launch ends when all its shares are done, so a thread that
    /// comes after its end takes none, and reads nothing of it.
    int take(int seat, std::uint64_t word)
    {
      const std::uint64_t fresh = launch_of(word) << share_bits;
      std::uint64_t turn = seats_[seat].turn.load(std::memory_order_relaxed);
      for (;;) {
        const std::uint64_t next = std::max(turn, fresh); // untouched so far, or the launch's, or a later launch's
        if (next >= fresh + shares_of(word)) return -1;
        if (seats_[seat].turn.compare_exchange_weak(turn, next + 1)) return static_cast<int>(next - fresh);
      }
    }

    /// Does what is left of a seat's shares; how many those were.
    int serve(int seat, std::uint64_t word) noexcept
    {
      const int shares = shares_of(word);
      const long long all = static_cast<long long>(seats_of(word)) * shares;
      int done = 0;
      for (int share; (share = take(seat, word)) >= 0; done++) {
        const long long at = static_cast<long long>(seat) * shares + share;
        try {
          const int numbers = order_.numbers;
          for (auto n = static_cast<int>(numbers * at / all); n < numbers * (at + 1) / all; n++)
            order_.work(order_.context, n, numbers);
        } catch (...) {
          if (!failed_.exchange(true)) failure_ = std::current_exception();
        }
      }
      return done;
    }

    void attend(int seat)
    {
      for (std::uint64_t seen = 0;;) {
        std::uint64_t word = 0;
        const auto called = [&] {
          word = order_.word.load();
          return word != seen && seat < seats_of(word);
        };
        wait_for(asleep_[seat], called);
        seen = word;
        int done = serve(seat, word);
        if (shares_of(word) > 1) // else the caller alone looks after the others
          for (int next = 1; next < seats_of(word); next++) done += serve((seat + next) % seats_of(word), word);
        if (done == 0) continue;
        done_.fetch_add(done);
        if (caller_asleep_.load()) wake(caller_asleep_);
      }
    }

    /// Starts missing threads up to `threads`; returns their number then, the caller included.
    int hire(int threads)
    {
      while (hired_ < threads && !refused_) {
        auto *const place = new Place {this, hired_};
        refused_ = !start(place);
        if (refused_)
          delete place;
        else
          hired_++;
      }
      return std::min(threads, hired_);
    }

    struct Place {
      Team *team;
      int seat;
    };

    /// Signals are left to the host's threads.
    static bool start(Place *place)
    {
      pthread_attr_t attributes;
      if (pthread_attr_init(&attributes) != 0) return false;
      pthread_attr_setstacksize(&attributes, stack_bytes);
      pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
      sigset_t all, before;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
      pthread_t thread;
      const auto enter = [](void *given) -> void * {
        const std::unique_ptr<Place> place(static_cast<Place *>(given));
        place->team->settle(place->seat);
        place->team->attend(place->seat);
        return nullptr;
      };
      const bool started = pthread_create(&thread, &attributes, enter, place) == 0;
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      pthread_attr_destroy(&attributes);
      return started;
    }

    /// On all processors of the process, whatever the caller was bound to; or on the one of this seat.
    void settle(int seat) const
    {
      if (processors_.empty()) return;
      const int most = 1 + *std::max_element(processors_.begin(), processors_.end());
      cpu_set_t *const set = CPU_ALLOC(most);
      if (!set) return;
      const std::size_t bytes = CPU_ALLOC_SIZE(most);
      CPU_ZERO_S(bytes, set);
      if (bound_)
        CPU_SET_S(processors_[seat % processors_.size()], bytes, set);
      else
        for (const int processor : processors_) CPU_SET_S(processor, bytes, set);
      sched_setaffinity(0, bytes, set);
      CPU_FREE(set);
    }

    Order order_;
    alignas(line_bytes) std::atomic<int> done_ {0};       // shares that the caller did not do itself
    alignas(line_bytes) std::atomic<bool> taken_ {false}; // and what else the callers alone write
    std::uint64_t launch_ = 0;
    int hired_ = 1;
    bool refused_ = false;
    std::atomic<bool> failed_ {false};
    std::exception_ptr failure_;
    alignas(line_bytes) std::atomic<std::uint32_t> caller_asleep_ {0};
    const int most_;
    const std::unique_ptr<Seat[]> seats_;
    const std::unique_ptr<std::atomic<std::uint32_t>[]> asleep_;
    const std::vector<int> processors_;
    const bool bound_;
  };

  /// The team of this process; never destroyed, because its threads never end.
  struct Office {
    std::mutex making;
    std::atomic<Team *> team {nullptr};
    std::atomic<int> threads {0}; // 0: not counted yet

    static Office &instance()
    {
      static Office *const office = [] {
        auto *const made = new Office;
        pthread_atfork([] { instance().making.lock(); }, [] { instance().making.unlock(); },
                       [] {
                         instance().team.store(nullptr); // its threads stayed with the parent
                         instance().making.unlock();
                       });
        return made;
      }();
      return *office;
    }

    Team &of_process()
    {
      if (Team *const known = team.load(std::memory_order_acquire)) return *known;
      const std::lock_guard lock(making);
      if (!team.load()) team.store(new Team(std::max(1, std::min(max_threads(), (1 << seat_bits) - 1))));
      return *team.load();
    }
  };

} // namespace

char *next_record(int bytes)
{
  constexpr int kept = 32 << 10, most = 64 << 10;
  alignas(line_bytes) static thread_local char memory[most];
  static thread_local int used = 0;
  const int size =
      (bytes + static_cast<int>(line_bytes) - 1) / static_cast<int>(line_bytes) * static_cast<int>(line_bytes);
  if (size > most) fail(ErrorKind::internal, text("next_record: %d bytes of %d", bytes, most));
  if (used > 0 && used + size > kept) used = 0;
  char *const record = memory + used;
  used += size;
  return record;
}

int max_threads()
{
  std::atomic<int> &threads = Office::instance().threads;
  if (threads.load(std::memory_order_relaxed) == 0) threads.store(threads_to_use());
  return threads.load(std::memory_order_relaxed);
}

void run_team(int threads, Work work, void *context, int shares)
{
  shares = std::clamp(shares, 1, most_shares);
  if (threads > 1 && Office::instance().of_process().run(threads, shares, work, context)) return;
  for (int number = 0; number < threads; number++) work(context, number, threads);
}

} // namespace quda::cpu
