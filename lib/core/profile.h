#pragma once

/// Time spent in each C function, phase by phase, printed when the library ends.
///
/// A C function opens ProfileScope(profile("plaqQuda")); what it calls opens PhaseScope(Phase::compute) and the like,
/// which count for the function on top. Phases nest: an inner one pauses the phase around it, so the phases of a
/// profile never overlap and add up to the accounted part of its total. The total of a profile runs while anything of
/// it runs. Every phase also counts for the profile "QUDA", which sums over all functions.
///
/// Scopes are opened and closed by one thread at a time, last opened first closed. No allocation per phase.
/// Collective: no.

#include <vector>

#include "core/timer.h"

namespace quda
{

/// Each C function's time falls into these. `download` is host to device, as users of the C interface read it.
enum class Phase : int { h2d, d2h, init, preamble, compute, comms, free, io, total };
constexpr int n_phases = static_cast<int>(Phase::total) + 1;

/// The name in the printed table ("download").
const char *phase_name(Phase phase);

class TimeProfile
{
public:
  explicit TimeProfile(const char *name); // a string that outlives the profile

  TimeProfile(const TimeProfile &) = delete;
  TimeProfile &operator=(const TimeProfile &) = delete;

  const char *name() const { return name_; }

  /// Pauses the phase that runs and starts this one; Phase::total may be started any number of times over.
  void start(Phase phase);

  /// Ends the phase started last, which must be this one (else Error), and resumes the one it paused.
  void stop(Phase phase);

  /// Number of open starts, and a function that ends all above a depth: a scope closes whatever was left open in it.
  std::size_t depth() const { return open_.size(); }
  void unwind(std::size_t depth) noexcept;

  double seconds(Phase phase) const { return timers_[index(phase)].seconds(); }
  long long calls(Phase phase) const { return calls_[index(phase)]; }

  /// Zeroes times and calls; what is open stays open.
  void reset();

  /// The table of this profile through the log; nothing where no time was measured.
  void print() const;

private:
  static int index(Phase phase) { return static_cast<int>(phase); }
  Timer *top(); // timer of the phase that runs, or null
  void pop();

  const char *name_;
  Timer timers_[n_phases];
  long long calls_[n_phases] = {};
  std::vector<Phase> open_; // innermost last; entries of Phase::total mark scopes and neither pause nor run
};

/// The profile of a C function, made on first use; some have the name that users know ("gaugeSmearQuda"). The name
/// must be a string that lives as long as the process.
TimeProfile &profile(const char *name);

/// The sum over all functions.
TimeProfile &global_profile();

/// The profile on top, null outside of every ProfileScope.
TimeProfile *current_profile();

/// Prints the profiles that measured anything: the C functions in the fixed order of the table in profile.cpp, others
/// in order of first use, then the whole session and the sum, and this rank's waiting times (core/waits.h).
void print_profiles();

/// Zeroes all profiles, and waiting times.
void reset_profiles();

/// One C call: makes a profile current and runs its total.
class ProfileScope
{
public:
  explicit ProfileScope(TimeProfile &profile);
  ~ProfileScope();
  ProfileScope(const ProfileScope &) = delete;
  ProfileScope &operator=(const ProfileScope &) = delete;

  /// Wall time since the scope was opened.
  double seconds() const { return timer_.seconds(); }

private:
  TimeProfile &profile_;
  TimeProfile *outer_;
  std::size_t depth_;
  std::size_t global_depth_;
  Timer timer_;
};

/// One phase of the current profile.
class PhaseScope
{
public:
  explicit PhaseScope(Phase phase);
  ~PhaseScope();
  PhaseScope(const PhaseScope &) = delete;
  PhaseScope &operator=(const PhaseScope &) = delete;

private:
  TimeProfile *profile_;
  std::size_t depth_ = 0;
  std::size_t global_depth_;
};

} // namespace quda
