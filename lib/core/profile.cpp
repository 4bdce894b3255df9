#include "core/profile.h"

#include "core/error.h"
#include "core/log.h"
#include "core/waits.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace quda
{

namespace
{

  // the words and the order users know
  constexpr const char *phase_names[] = {"download", "upload", "init",     "preamble", "compute",
                                         "comms",    "free",   "file i/o", "total"};
  static_assert(sizeof(phase_names) / sizeof(phase_names[0]) == n_phases, "a name for each phase");

  // the order users know
  constexpr const char *function_names[] = {"initQuda",
                                            "loadGaugeQuda",
                                            "loadCloverQuda",
                                            "dslashQuda",
                                            "invertQuda",
                                            "invertMultiSrcQuda",
                                            "invertMultiShiftQuda",
                                            "eigensolveQuda",
                                            "computeKSLinkQuda",
                                            "computeGaugeForceQuda",
                                            "updateGaugeFieldQuda",
                                            "createExtendedGaugeField",
                                            "computeCloverForceQuda",
                                            "computeTMCloverForceQuda",
                                            "computeStaggeredForceQuda",
                                            "computeHISQForceQuda",
                                            "contractQuda",
                                            "contractFTQuda",
                                            "blasQuda",
                                            "covDevQuda",
                                            "plaqQuda",
                                            "gaugeObservablesQuda",
                                            "gaussianSmearQuda",
                                            "gaugeSmearQuda",
                                            "wFlowQuda",
                                            "gFlowQuda",
                                            "projectSU3Quda",
                                            "staggeredPhaseQuda",
                                            "momActionQuda",
                                            "sinkProjectQuda"};
  // C functions whose times users know under another name
  constexpr const char *known_as[][2] = {{"gaugeForceQuda", "computeGaugeForceQuda"},
                                         {"invertMultiSrcMultiShiftQuda", "invertMultiShiftQuda"},
                                         {"blasGEMMQuda", "blasQuda"},
                                         {"blasLUInvQuda", "blasQuda"},
                                         {"performGaussianSmearNStep", "gaussianSmearQuda"},
                                         {"performTwoLinkGaussianSmearNStep", "gaussianSmearQuda"},
                                         {"performGaugeSmearQuda", "gaugeSmearQuda"},
                                         {"performWFlowQuda", "wFlowQuda"},
                                         {"performGFlowQuda", "gFlowQuda"},
                                         {"performAdjGFlowSafe", "gFlowQuda"},
                                         {"performAdjGFlowHier", "gFlowQuda"},
                                         {"laphSinkProject", "sinkProjectQuda"}};
  constexpr const char *closing_names[] = {"endQuda", "initQuda-endQuda"};
  constexpr const char *global_name = "QUDA";

  struct Registry {
    std::vector<std::unique_ptr<TimeProfile>> listed;  // function_names
    std::vector<std::unique_ptr<TimeProfile>> others;  // in order of first use
    std::vector<std::unique_ptr<TimeProfile>> closing; // closing_names
    TimeProfile global {global_name};
    TimeProfile *current = nullptr;

    Registry()
    {
      for (const char *name : function_names) listed.push_back(std::make_unique<TimeProfile>(name));
      for (const char *name : closing_names) closing.push_back(std::make_unique<TimeProfile>(name));
    }

    template <class Action> void for_each(Action action)
    {
      for (auto *group : {&listed, &others, &closing})
        for (auto &entry : *group) action(*entry);
    }
  };

  // never destroyed: a host program may call into the library while its static objects go
  Registry &registry()
  {
    static Registry &the_registry = *new Registry;
    return the_registry;
  }

} // namespace

const char *phase_name(Phase phase) { return phase_names[static_cast<int>(phase)]; }

TimeProfile::TimeProfile(const char *name)
    : name_(name)
{
  open_.reserve(64);
}

Timer *TimeProfile::top()
{
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [](Phase p) { return p != Phase::total; });
  return found == open_.rend() ? nullptr : &timers_[index(*found)];
}

void TimeProfile::start(Phase phase)
{
  if (open_.empty()) {
    timers_[index(Phase::total)].start();
    calls_[index(Phase::total)]++;
  }
  if (phase != Phase::total) {
    if (Timer *paused = top()) paused->stop();
    timers_[index(phase)].start();
    calls_[index(phase)]++;
  }
  open_.push_back(phase);
}

void TimeProfile::pop()
{
  const Phase phase = open_.back();
  open_.pop_back();
  if (phase != Phase::total) {
    timers_[index(phase)].stop();
    if (Timer *paused = top()) paused->start();
  }
  if (open_.empty()) timers_[index(Phase::total)].stop();
}

void TimeProfile::stop(Phase phase)
{
  if (open_.empty() || open_.back() != phase)
    fail(ErrorKind::internal, text("profile %s: phase \"%s\" is stopped while \"%s\" runs", name_, phase_name(phase),
                                   open_.empty() ? "nothing" : phase_name(open_.back())));
  pop();
}

void TimeProfile::unwind(std::size_t depth) noexcept
{
  while (open_.size() > depth) pop();
}

void TimeProfile::reset()
{
  for (Timer &timer : timers_) timer.reset();
  for (long long &calls : calls_) calls = 0;
}

void TimeProfile::print() const
{
  const double total = seconds(Phase::total);
  if (total <= 0.0) return;

  quda::print(Verbosity::summarize, "\n   %20s Total time = %9.3f secs\n", name_, total);
  double accounted = 0.0;
  for (int i = 0; i < index(Phase::total); i++) {
    if (calls_[i] == 0) continue;
    const double time = timers_[i].seconds();
    quda::print(Verbosity::summarize, "     %20s     = %9.3f secs (%7.3f%%),\t with %8lld calls at %6.3e us per call\n",
                phase_names[i], time, 100 * time / total, calls_[i], 1e6 * time / static_cast<double>(calls_[i]));
    accounted += time;
  }
  const double missing = total - accounted;
  quda::print(Verbosity::summarize, "        total accounted       = %9.3f secs (%7.3f%%)\n", accounted,
              100 * accounted / total);
  quda::print(Verbosity::summarize, "        total missing         = %9.3f secs (%7.3f%%)\n", missing,
              100 * missing / total);
}

TimeProfile &profile(const char *name)
{
  Registry &all = registry();
  for (const auto &[function, known] : known_as)
    if (std::strcmp(name, function) == 0) name = known;
  TimeProfile *found = std::strcmp(name, global_name) == 0 ? &all.global : nullptr;
  all.for_each([&](TimeProfile &entry) {
    if (std::strcmp(entry.name(), name) == 0) found = &entry;
  });
  if (!found) found = all.others.emplace_back(std::make_unique<TimeProfile>(name)).get();
  return *found;
}

TimeProfile &global_profile() { return registry().global; }

TimeProfile *current_profile() { return registry().current; }

void print_profiles()
{
  Registry &all = registry();
  all.for_each([](TimeProfile &entry) { entry.print(); });
  all.global.print();
  print_wait_times();
}

void reset_profiles()
{
  Registry &all = registry();
  all.for_each([](TimeProfile &entry) { entry.reset(); });
  all.global.reset();
  reset_wait_times();
}

ProfileScope::ProfileScope(TimeProfile &profile)
    : profile_(profile)
    , outer_(registry().current)
    , depth_(profile.depth())
    , global_depth_(registry().global.depth())
{
  timer_.start();
  profile_.start(Phase::total);
  registry().global.start(Phase::total);
  registry().current = &profile_;
}

ProfileScope::~ProfileScope()
{
  registry().current = outer_;
  registry().global.unwind(global_depth_);
  profile_.unwind(depth_);
}

PhaseScope::PhaseScope(Phase phase)
    : profile_(registry().current)
    , global_depth_(registry().global.depth())
{
  if (profile_) {
    depth_ = profile_->depth();
    profile_->start(phase);
  }
  registry().global.start(phase);
}

PhaseScope::~PhaseScope()
{
  registry().global.unwind(global_depth_);
  if (profile_) profile_->unwind(depth_);
}

} // namespace quda
