#pragma once

/// The boundary of the C interface: no exception leaves it, and every failure is told in one way.
///
///   void freeGaugeQuda(void) { quda::guard(__func__, [] { ... }); }
///   void plaqQuda(double *plaq) { quda::guard_collective(__func__, [&] { checks }, [&] { work }); }
///
/// Without a handler (qudaSetErrorHandler) a failure is printed with rank, host, place and the last kernel, the tune
/// cache is saved, and the communicator, or a process on its own, is ended. With one, kind and text are kept for
/// qudaGetLastError(), the handler is called, and the C function returns: nothing, zero or a null pointer.
/// A call that comes through saves what the tuner learned in it. A guard inside a guard does nothing of its own.
/// What must be the same on all ranks is noted while it is checked, and compared before the work begins:
///   guard_collective(__func__, [&](Checks &checks) { check(checks, *param, &QudaGaugeParam::X); ... }, ...);
/// What the library keeps between calls (interface/resident.h) is in the Session that checks hold, and that bodies and
/// work take as their first argument where they need it: guard(__func__, [](Session &session) { ... }).
/// Threads: calls may come from any thread; one that comes while another is under way waits for it.

#include "comms/communicator.h"

#include "core/error.h"
#include "core/profile.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace quda
{

struct Session;

/// Throws, naming the function, unless the library is initialised (initQuda). From there on the calling thread works on
/// the library's device.
void require_initialised(const char *function);

namespace guarded
{

  /// Runs body(context) behind the boundary. `function` must live as long as the process (__func__).
  void run(const char *function, void (*body)(void *), void *context);

  /// What is kept now, for the boundary itself.
  Session &session();

  /// work(arguments...), or work(session, arguments...) if it takes that.
  template <class Work, class... Arguments> decltype(auto) with_session(Work &&work, Arguments &&...arguments)
  {
    if constexpr (std::is_invocable_v<Work &, Session &, Arguments &...>)
      return work(session(), arguments...);
    else
      return work(arguments...);
  }

  /// The exception that is being handled, as one of ours.
  Error caught(const char *function);

  /// The communicator all ranks of the call agree over; throws where there is none yet.
  std::shared_ptr<Communicator> agreement(const char *function);

  /// A number of the caller's, kept as its bits.
  struct Choice {
    enum class Kind { integer, unsigned_integer, real };

    template <class T> Choice(const char *name, T value)
        : name(name)
        , kind(std::is_floating_point_v<T> ? Kind::real
               : std::is_unsigned_v<T>     ? Kind::unsigned_integer
                                           : Kind::integer)
    {
      if constexpr (std::is_floating_point_v<T>)
        bits = std::bit_cast<std::int64_t>(static_cast<double>(value));
      else
        bits = static_cast<std::int64_t>(value);
    }
    /// An element of a structure's member; index: none where negative.
    Choice(const char *structure, const char *name, int index, Kind kind, std::int64_t bits)
        : structure(structure)
        , name(name)
        , index(index)
        , kind(kind)
        , bits(bits)
    {
    }

    const char *function = nullptr; // whose it is
    const char *structure = nullptr, *name;
    int index = -1;
    Kind kind;
    std::int64_t bits;
  };

  /// Refuses, on all ranks, choices whose bits differ between them, naming the first. What a rank chose must follow
  /// from what it chose before: lists of two ranks are alike up to the first difference. Collective.
  void same_on_all_ranks(Communicator &communicator, const char *function, const std::vector<Choice> &choices);

  /// From here on the ranks have parted: a failure of this one cannot be told the others, and ends them.
  void ranks_have_parted(Communicator &communicator);

  template <class F> void run(const char *function, F &body)
  {
    run(
        function, [](void *context) { (*static_cast<F *>(context))(); }, &body);
  }

} // namespace guarded

/// The checks of one call: its name, and what all ranks must have been given alike. What they return is the job: all
/// that the work needs, checked.
class Checks
{
public:
  explicit Checks(const char *function)
      : function(function)
      , session(guarded::session())
      , choices_(own_)
  {
  }
  /// Checks of another C function's job, which belong to those of a call: messages name both functions.
  Checks(Checks &call, const char *function)
      : function(function)
      , session(call.session)
      , choices_(call.choices_)
  {
  }
  Checks(const Checks &) = delete;
  Checks &operator=(const Checks &) = delete;

  /// The ranks will be compared on this value. name: as in messages, and as long-lived as a literal.
  template <class T> void same(const char *name, T value) { same(guarded::Choice(name, value)); }
  void same(guarded::Choice choice)
  {
    choice.function = function;
    choices_.push_back(choice);
  }
  /// The same of n numbers.
  void same(const char *name, const int *numbers, int n)
  {
    for (int i = 0; i < n; i++) same({nullptr, name, i, guarded::Choice::Kind::integer, numbers[i]});
  }
  const std::vector<guarded::Choice> &choices() const { return choices_; }

  const char *const function;
  Session &session;

private:
  std::vector<guarded::Choice> own_, &choices_;
};

/// A checked call, about to be carried out: what its checks have found, and the work on that.
template <class Result = void> class Job
{
public:
  template <class Found, class Work> Job(Found found, Work work)
      : work_([found = std::make_shared<Found>(std::move(found)), work] { return guarded::with_session(work, *found); })
  {
  }
  Result operator()() const { return work_(); }
  /// This, and then what follows it.
  template <class Next> Job then(Next next) const
  {
    return {*this, [next](const Job &first) {
              first();
              next();
            }};
  }

private:
  std::function<Result()> work_;
};

/// A call that does not communicate. Returns what body returns, or, after a failure, its type's zero.
template <class F> auto guard(const char *function, F &&body)
{
  auto call = [&] { return guarded::with_session(body); };
  using Result = decltype(call());
  if constexpr (std::is_void_v<Result>) {
    guarded::run(function, call);
  } else {
    Result result {};
    auto assign = [&] { result = call(); };
    guarded::run(function, assign);
    return result;
  }
}

namespace guarded
{

  /// Checks, agreement and work of a collective call.
  template <class Check, class Work> auto collective(const char *function, Check &&check, Work &&work)
  {
    constexpr bool compares = std::is_invocable_v<Check &, Checks &>;
    Checks checks(function);
    const auto checked = [&] {
      if constexpr (compares)
        return check(checks);
      else
        return check();
    };
    using Found = std::invoke_result_t<decltype(checked)>;
    const auto communicator = agreement(function);
    const auto begin = [&](auto &&go) {
      try {
        return go();
      } catch (const FoundTogether &) {
        throw;
      } catch (...) {
        ranks_have_parted(*communicator);
        throw;
      }
    };
    const auto agree_on = [&](auto &&all_checks) {
      const PhaseScope phase(Phase::preamble);
      try {
        checked_together(*communicator, [&] {
          require_initialised(function);
          all_checks();
        });
      } catch (const Error &error) { // of all ranks, within the work of another call too
        throw FoundTogether(error.kind(), error.what(), {error.file(), error.line(), error.function()});
      }
      if (compares) same_on_all_ranks(*communicator, function, checks.choices());
    };
    if constexpr (std::is_void_v<Found>) {
      agree_on(checked);
      return begin([&] { return with_session(work); });
    } else {
      std::optional<Found> found;
      agree_on([&] { found.emplace(checked()); });
      return begin([&] { return with_session(work, *found); });
    }
  }

} // namespace guarded

/// A call that is collective in QUDA. The checks, which may take a Checks & and must not communicate, end with an
/// agreement: all ranks go on, or all fail with the message of the lowest rank that refused, or with the name of the
/// first choice in which they differ. Only then the work begins, on the job that the checks returned. A failure
/// during the work of one rank among several ends them all, handler or not.
template <class Check, class Work> auto guard_collective(const char *function, Check &&check, Work &&work)
{
  return guard(function, [&] { // nothing outside of it needs its destructor: a handler may jump away
    return guarded::collective(function, check, work);
  });
}

/// A job within the work of a collective call, where its checks need what has been done before: the ranks agree anew.
/// make(checks, arguments...) gives it.
template <class Make, class... Arguments> auto step(const char *function, Make &&make, Arguments &&...arguments)
{
  return guarded::collective(
      function, [&](Checks &checks) { return make(checks, arguments...); }, [](auto &job) { return job(); });
}

/// A collective call that is one job.
template <class Make, class... Arguments> auto guard_job(const char *function, Make &&make, Arguments &&...arguments)
{
  return guard(function, [&] { return step(function, make, arguments...); });
}

/// The same of a job that reads arrays of the host in its checks: the ranks agree first on what `first` has checked,
/// such as the arrays' precision, so that no rank reads more than there is.
template <class First, class Make> auto guard_agreed_job(const char *function, First &&first, Make &&make)
{
  return guard_collective(function, first, [&] { return step(function, make); });
}

/// How a job is made: by its checks, which are given the arguments, and the work on what they have found.
template <auto check, auto work> struct By {
  template <class... Arguments> auto operator()(Checks &checks, Arguments... arguments) const
  {
    auto found = check(checks, arguments...);
    return Job<decltype(guarded::with_session(work, found))>(std::move(found), work);
  }
};
template <auto check, auto work> constexpr By<check, work> by {};

/// The job of a C function, for its own calls and for those of others (interface/jobs.h).
template <auto c_function> class JobOf;
template <class Result, class... Arguments, Result (*c_function)(Arguments...)> class JobOf<c_function>
{
public:
  using Make = Job<Result>(Checks &, Arguments...);

  /// make: a function, or by<check, work>.
  constexpr JobOf(const char *function, Make *make)
      : function_(function)
      , make_(make)
  {
  }
  template <auto check, auto work> constexpr JobOf(const char *function, By<check, work>)
      : JobOf(function, [](Checks &checks, Arguments... of) { return By<check, work> {}(checks, of...); })
  {
  }
  Job<Result> operator()(Checks &call, Arguments... arguments) const
  {
    Checks checks(call, function_);
    return make_(checks, arguments...);
  }
  /// The C function itself.
  Result call(Arguments... arguments) const { return guard_job(function_, make_, arguments...); }

private:
  const char *function_;
  Make *make_;
};

} // namespace quda
