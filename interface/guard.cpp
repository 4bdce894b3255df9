#include "interface/guard.h"

#include "quda_ext.h"

#include "comms/process_rank.h"
#include "core/error.h"
#include "core/log.h"
#include "core/profile.h"
#include "tune/tune_cache.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace quda
{

namespace guarded
{

  namespace
  {

    constexpr const char *no_memory = "out of memory"; // short enough for a string that allocates nothing

    struct Handler {
      QudaErrorHandler call = nullptr;
      void *user = nullptr;
    };

    // never destroyed: host programs call from functions that run at exit
    struct State {
      std::recursive_mutex mutex;
      Handler handler;
      QudaErrorKind last_kind = QUDA_ERROR_KIND_NONE;
      std::string last_text;
      int depth = 0;       // of guards one inside the other
      bool parted = false; // the failure on its way is one the other ranks will not hear of
    };
    State &state()
    {
      static State &the_state = *new State;
      return the_state;
    }

    class Depth
    {
    public:
      Depth() { state().depth++; }
      ~Depth() { state().depth--; }
      Depth(const Depth &) = delete;
      Depth &operator=(const Depth &) = delete;
    };

    void report(const Error &error)
    {
      const auto communicator = default_communicator();
      const auto host = communicator ? communicator->host_name() : make_single_communicator()->host_name();
      print_always("ERROR: %s (rank %d, host %s, %s:%d in %s())\n", error.what(),
                   communicator ? communicator->rank() : process_rank(), host.c_str(), error.file(), error.line(),
                   error.function());
      if (last_kernel()) print_always("       last kernel called was %s\n", last_kernel_text().c_str());
      save_tune_cache(TuneSave::after_error);
    }

    [[noreturn]] void end_all_ranks()
    {
      if (const auto communicator = default_communicator()) communicator->abort(1);
      std::exit(1);
    }

    /// Functions that do nothing worth a line in the table of times, and the one that prints it.
    bool timed(const char *function)
    {
      for (const char *start :
           {"new", "print", "set", "free", "initComms", "qudaSet", "qudaFree", "device_", "endQuda"})
        if (std::strncmp(function, start, std::strlen(start)) == 0) return false;
      return true;
    }

    void require_ranks(const char *function)
    {
      const auto communicator = default_communicator();
      if (communicator && !communicator->alive())
        fail(ErrorKind::comms, text("%s: MPI_Finalize() has been called; allowed then: endQuda()", function));
    }

  } // namespace

  Error caught(const char *function)
  {
    try {
      throw;
    } catch (const Error &error) {
      if (std::strstr(error.what(), function)) return error;
      return Error(error.kind(), text("%s: %s", function, error.what()),
                   {error.file(), error.line(), error.function()});
    } catch (const std::bad_alloc &) {
      return Error(ErrorKind::out_of_memory, text("%s: out of host memory", function));
    } catch (const std::exception &other) {
      return Error(ErrorKind::internal, text("%s: unexpected exception: %s", function, other.what()));
    } catch (...) {
      return Error(ErrorKind::internal, text("%s: unexpected exception of unknown type", function));
    }
  }

  void run(const char *function, void (*body)(void *), void *context)
  {
    // of this thread's last failure, whatever other threads do meanwhile; still there for functions that run at exit
    static thread_local char told[2048];
    Handler handler;
    QudaErrorKind kind = QUDA_ERROR_KIND_OUT_OF_MEMORY;
    const char *message = no_memory;
    {
      State &now = state();
      const std::lock_guard<std::recursive_mutex> lock(now.mutex);
      if (now.depth > 0) return body(context);

      const Depth inside;
      now.parted = false;
      try {
        std::optional<ProfileScope> scope;
        if (timed(function)) {
          scope.emplace(profile(function));
          require_ranks(function);
        }
        body(context);
        scope.reset();
        save_tune_cache();
        return;
      } catch (...) {
        handler = now.handler;
        const bool ends = !handler.call || now.parted;
        try {
          const Error error = caught(function);
          if (ends) report(error);
          kind = static_cast<QudaErrorKind>(error.kind());
          std::snprintf(told, sizeof told, "%s", error.what());
          message = told;
          now.last_text = error.what();
        } catch (...) { // even for the words
          if (ends) std::fprintf(stderr, "ERROR: %s: %s\n", function, no_memory);
          now.last_text = no_memory;
        }
        now.last_kind = kind;
        if (ends) end_all_ranks();
      }
    }
    // the lock is free and nothing here waits for its destructor: the handler may ask for the error, or jump away
    handler.call(kind, message, handler.user);
  }

  std::shared_ptr<Communicator> agreement(const char *function)
  {
    auto communicator = default_communicator();
    if (!communicator) require_initialised(function);
    if (!communicator) fail(ErrorKind::internal, text("%s: there is no communicator", function));
    return communicator;
  }

  namespace
  {

    std::string name_text(const Choice &choice)
    {
      const std::string index = choice.index < 0 ? "" : text("[%d]", choice.index);
      return choice.structure ? text("%s.%s%s", choice.structure, choice.name, index.c_str()) : choice.name + index;
    }

    std::string value_text(const Choice &choice, long long bits)
    {
      if (choice.kind == Choice::Kind::real)
        return text("%.17g", std::bit_cast<double>(static_cast<std::int64_t>(bits)));
      return choice.kind == Choice::Kind::integer ? text("%lld", bits)
                                                  : text("%llu", static_cast<unsigned long long>(bits));
    }

    long long digest(const std::vector<Choice> &choices)
    {
      std::uint64_t sum = choices.size();
      for (const Choice &choice : choices) {
        sum = (sum ^ static_cast<std::uint64_t>(choice.bits)) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
      }
      return static_cast<long long>(sum);
    }

    /// The largest of each number over the ranks, and the smallest.
    struct Extremes {
      std::vector<long long> largest, smallest;

      Extremes(Communicator &communicator, const std::vector<long long> &mine)
      {
        std::vector<long long> both = mine; // of the numbers, and of their complements, which none overflows
        for (const long long number : mine) both.push_back(~number);
        communicator.max(both.data(), static_cast<int>(both.size()));
        largest.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(mine.size()));
        for (std::size_t i = mine.size(); i < both.size(); i++) smallest.push_back(~both[i]);
      }
    };

  } // namespace

  void same_on_all_ranks(Communicator &communicator, const char *function, const std::vector<Choice> &choices)
  {
    if (communicator.size() == 1) return;
    const Extremes all(communicator, {digest(choices), static_cast<long long>(choices.size())});
    if (all.largest == all.smallest) return;
    std::vector<long long> bits(static_cast<std::size_t>(all.largest[1]));
    for (std::size_t i = 0; i < choices.size(); i++) bits[i] = choices[i].bits;
    const Extremes of_each(communicator, bits);
    for (std::size_t i = 0; i < choices.size(); i++) {
      if (of_each.largest[i] == of_each.smallest[i]) continue;
      const std::string name = name_text(choices[i]), from = value_text(choices[i], of_each.smallest[i]),
                        to = value_text(choices[i], of_each.largest[i]);
      throw FoundTogether(ErrorKind::bad_argument,
                          text("%s: %s differs between ranks, from %s to %s; allowed: one value", choices[i].function,
                               name.c_str(), from.c_str(), to.c_str()));
    }
    throw FoundTogether(ErrorKind::bad_argument,
                        text("%s: what is asked for differs between ranks; allowed: one and the same", function));
  }

  void ranks_have_parted(Communicator &communicator) { state().parted = communicator.size() > 1; }

} // namespace guarded

} // namespace quda

extern "C" {

void qudaSetErrorHandler(QudaErrorHandler handler, void *user)
{
  auto &state = quda::guarded::state();
  const std::lock_guard<std::recursive_mutex> lock(state.mutex);
  state.handler = {handler, user};
}

QudaErrorKind qudaGetLastError(const char **message)
{
  auto &state = quda::guarded::state();
  const std::lock_guard<std::recursive_mutex> lock(state.mutex);
  if (message) *message = state.last_text.c_str();
  return state.last_kind;
}

void qudaClearLastError(void)
{
  auto &state = quda::guarded::state();
  const std::lock_guard<std::recursive_mutex> lock(state.mutex);
  state.last_kind = QUDA_ERROR_KIND_NONE;
  state.last_text.clear();
}

} // extern "C"
