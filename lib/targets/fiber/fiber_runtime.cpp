#include "targets/fiber/fiber_runtime.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define QUDA_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUDA_FIBER_ASAN 1
#endif
#endif

#if defined(QUDA_FIBER_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

namespace quda::fiber
{

namespace
{
  constexpr std::size_t stack_bytes = 256 * 1024;
  constexpr int warp = 32;

  enum class State { ready, at_block, at_warp, done };

  // A stack with a page below it that faults.
  class Stack
  {
  public:
    Stack()
    {
      const std::size_t page = sysconf(_SC_PAGESIZE);
      all_ = stack_bytes + page;
      base_ = static_cast<char *>(
          mmap(nullptr, all_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
      if (base_ == MAP_FAILED) fail(ErrorKind::out_of_memory, "no memory for the stack of a fiber");
      mprotect(base_, page, PROT_NONE);
      low_ = base_ + page;
    }
    ~Stack() { munmap(base_, all_); }
    Stack(const Stack &) = delete;
    Stack &operator=(const Stack &) = delete;
    char *low() const { return low_; }

  private:
    char *base_;
    char *low_;
    std::size_t all_;
  };

  struct Fiber {
    std::unique_ptr<Stack> stack = std::make_unique<Stack>();
    ucontext_t context;
    void *fake_stack = nullptr; // the address sanitizer's
    FiberThread thread;
    State state;
    unsigned word; // passed to the warp
  };
} // namespace

struct Crew {
  std::vector<std::unique_ptr<Fiber>> fibers;
  ucontext_t home;
  void *home_fake_stack = nullptr;
  const void *home_stack = nullptr;
  std::size_t home_stack_bytes = 0;
  FiberBody body;
  void *context;
  int running; // number of the running fiber
};

namespace
{
  // makecontext passes no pointers
  thread_local Crew *starting = nullptr;

  void enter(Crew &crew, int number)
  {
    Fiber &fiber = *crew.fibers[number];
    crew.running = number;
#if defined(QUDA_FIBER_ASAN)
    __sanitizer_start_switch_fiber(&crew.home_fake_stack, fiber.stack->low(), stack_bytes);
#endif
    swapcontext(&crew.home, &fiber.context);
#if defined(QUDA_FIBER_ASAN)
    __sanitizer_finish_switch_fiber(crew.home_fake_stack, nullptr, nullptr);
#endif
  }

  void leave(Crew &crew, Fiber &fiber, State state)
  {
    fiber.state = state;
#if defined(QUDA_FIBER_ASAN)
    // a fiber that has ended gives its fake stack back
    __sanitizer_start_switch_fiber(state == State::done ? nullptr : &fiber.fake_stack, crew.home_stack,
                                   crew.home_stack_bytes);
#endif
    swapcontext(&fiber.context, &crew.home);
#if defined(QUDA_FIBER_ASAN)
    __sanitizer_finish_switch_fiber(fiber.fake_stack, &crew.home_stack, &crew.home_stack_bytes);
#endif
  }

  void fiber_main()
  {
    Crew &crew = *starting;
    Fiber &fiber = *crew.fibers[crew.running];
#if defined(QUDA_FIBER_ASAN)
    __sanitizer_finish_switch_fiber(nullptr, &crew.home_stack, &crew.home_stack_bytes);
#endif
    crew.body(crew.context, fiber.thread);
    leave(crew, fiber, State::done);
  }

  // Resumes fibers first..last-1 that wait in `state` if no other is still on its way. True if some did.
  bool release(Crew &crew, int first, int last, State state)
  {
    int waiting = 0;
    for (int i = first; i < last; i++) {
      const State s = crew.fibers[i]->state;
      if (s == state)
        waiting++;
      else if (s != State::done)
        return false;
    }
    for (int i = first; i < last; i++)
      if (crew.fibers[i]->state == state) crew.fibers[i]->state = State::ready;
    return waiting > 0;
  }

  // getcontext may return twice, as far as the compiler knows: no local variables
  void prepare(Fiber &fiber)
  {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack->low();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, fiber_main, 0);
    fiber.state = State::ready;
  }

  void run_block(Crew &crew, int threads, bool descending)
  {
    starting = &crew;
    for (int i = 0; i < threads; i++) prepare(*crew.fibers[i]);
    for (;;) {
      bool all_done = true, some_ran = false;
      for (int i = 0; i < threads; i++) {
        const int number = descending ? threads - 1 - i : i;
        if (crew.fibers[number]->state == State::ready) {
          enter(crew, number);
          some_ran = true;
        }
        all_done = all_done && crew.fibers[number]->state == State::done;
      }
      if (all_done) return;
      bool released = release(crew, 0, threads, State::at_block);
      if (!released)
        for (int first = 0; first < threads; first += warp) {
          const int last = first + warp < threads ? first + warp : threads;
          released = release(crew, first, last, State::at_warp) || released;
        }
      if (!released && !some_ran)
        fail(ErrorKind::internal, "threads of a block wait at different barriers: no barrier may stand in a branch "
                                  "that not all of them take");
    }
  }
} // namespace

void run_grid(const unsigned (&grid)[3], const unsigned (&block)[3], int shared_bytes, bool synchronises,
              FiberBody body, void *context)
{
  static thread_local Crew crew;
  const int threads = static_cast<int>(block[0] * block[1] * block[2]);
  const std::size_t room = (static_cast<std::size_t>(shared_bytes) + 127) / 64 * 64;
  const std::unique_ptr<char, decltype(&std::free)> shared(static_cast<char *>(std::aligned_alloc(64, room)),
                                                           &std::free);
  if (!shared) fail(ErrorKind::out_of_memory, text("no memory for %d bytes shared by a block", shared_bytes));
  if (synchronises)
    while (static_cast<int>(crew.fibers.size()) < threads) crew.fibers.push_back(std::make_unique<Fiber>());
  crew.body = body;
  crew.context = context;

  FiberThread thread = {};
  thread.shared = shared.get();
  thread.crew = synchronises ? &crew : nullptr;
  for (int axis = 0; axis < 3; axis++) thread.extent[axis] = static_cast<int>(block[axis]);
  bool descending = false;
  for (thread.at[2] = 0; thread.at[2] < grid[2]; thread.at[2]++)
    for (thread.at[1] = 0; thread.at[1] < grid[1]; thread.at[1]++)
      for (thread.at[0] = 0; thread.at[0] < grid[0]; thread.at[0]++) {
        if (shared_bytes > 0) std::memset(shared.get(), 0xff, room);
        for (thread.number = 0; thread.number < threads; thread.number++) {
          thread.index[0] = thread.number % thread.extent[0];
          thread.index[1] = thread.number / thread.extent[0] % thread.extent[1];
          thread.index[2] = thread.number / (thread.extent[0] * thread.extent[1]);
          if (synchronises)
            crew.fibers[thread.number]->thread = thread;
          else
            body(context, thread);
        }
        if (synchronises) run_block(crew, threads, descending);
        descending = !descending;
      }
}

void wait_for_block(const FiberThread &thread)
{
  if (!thread.crew) fail(ErrorKind::internal, "a barrier in a kernel that declares no synchronising operation");
  leave(*thread.crew, *thread.crew->fibers[thread.number], State::at_block);
}

unsigned exchange_words(const FiberThread &thread, unsigned word, int lane)
{
  if (!thread.crew) fail(ErrorKind::internal, "a warp exchange in a kernel that declares no synchronising operation");
  Crew &crew = *thread.crew;
  Fiber &fiber = *crew.fibers[thread.number];
  fiber.word = word;
  leave(crew, fiber, State::at_warp);
  const unsigned answer = crew.fibers[thread.number / warp * warp + lane]->word;
  leave(crew, fiber, State::at_warp); // all have read before the next word is passed
  return answer;
}

} // namespace quda::fiber
