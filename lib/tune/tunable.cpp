#include "tune/tunable.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "core/error.h"
#include "core/log.h"
#include "targets/target.h"
#include "tune/kernel_profile.h"
#include "tune/tune_cache.h"
#include "tune/tune_clock.h"
#include "tune/tune_search.h"
#include "tune/tune_tables.h"

namespace quda
{

namespace
{

  const TuneKey *launched_last = nullptr;

  // Cut at the end of the field. The cache file splits at blanks and treats the rest after a # as a comment.
  template <int size> void set(char (&field)[size], const char *from)
  {
    int n = 0;
    for (; from[n] && n < size - 1; n++) {
      const char c = from[n];
      field[n] = c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#' ? '_' : c;
    }
    field[n] = 0;
  }

  /// The tuning rank's message to the others.
  struct Choice {
    int good;
    int later;    // the launch has not run long enough, or the machine is too busy to measure
    int measured; // now, instead of known from elsewhere
    TuneResult result;
  };

  /// Whether its launches have run so long that tuning would take at most `share` per cent of that.
  bool worth_it(const TunedLaunch &waiting, int share)
  {
    return waiting.calls > 0 &&
           waiting.ran * share >= 100 * tuning_budget(waiting.ran / static_cast<double>(waiting.calls));
  }

  void say_busy(const TuneKey &key)
  {
    static bool said = false;
    if (!said)
      print(
          Verbosity::summarize,
          "Tuning: the machine is too busy to tell launch parameters apart (%s); launches go on untuned and are tried "
          "again\n",
          key.name);
    said = true;
  }

  void add_once(std::vector<TuneParam> &params, const TuneParam &tp)
  {
    for (const TuneParam &other : params)
      if (std::memcmp(&other, &tp, sizeof tp) == 0) return;
    params.push_back(tp);
  }

  // Powers of `base` below `end`.
  std::vector<int> powers(int base, long long end)
  {
    std::vector<int> all;
    for (long long p = 1; p < end; p *= base) all.push_back(static_cast<int>(p));
    return all;
  }

  constexpr int largest_tile = 2048;
  constexpr int untuned_tile = 64; // the lines that its first walk has read are in cache at the next
  // untuned: a thread gets some microseconds of work, as waking it and fetching another's data take one or two
  constexpr long long bytes_worth_a_thread = 1 << 17, flops_worth_a_thread = 250000;
  constexpr long long private_cache = 1 << 20; // bytes of a processor's own cache: more is prefetched
  constexpr int prefetch_distances[] = {0, 1, 2, 3, 4, 6, 8, 12}, first_distances[] = {0, 2, 4, 8};
  constexpr int warp = 32, largest_block = 1024;

  thread_local bool alone = false; // a LaunchesAlone exists

} // namespace

LaunchesAlone::LaunchesAlone()
    : before_(alone)
{
  alone = true;
}

LaunchesAlone::~LaunchesAlone() { alone = before_; }

const TuneKey *last_kernel() { return launched_last; }

std::string last_kernel_text()
{
  if (!launched_last) return "(none)";
  return text("(name=%s,volume=%s,aux=%s)", launched_last->name, launched_last->volume, launched_last->aux);
}

Tunable::Tunable(std::shared_ptr<Communicator> communicator, unsigned x, unsigned y, unsigned z, const char *volume,
                 const char *name, const char *aux)
    : communicator_(std::move(communicator))
    , extents_ {x, y, z}
{
  set(key_.volume, volume);
  set(key_.name, name);
  set(key_.aux, key_text(target_name(target().kind()), ",", aux, ",threads=", target().max_threads()).s);
}

bool Tunable::from_memory() const { return bytes() > static_cast<long long>(target().last_cache()); }

TuneParam Tunable::default_param() const
{
  TuneParam tp {};
  if (target().lanes() > 1) {
    const long long worthwhile = std::max({bytes() / bytes_worth_a_thread, flops() / flops_worth_a_thread, 1LL});
    tp.grid[0] = static_cast<int>(std::min<long long>(target().max_threads(), worthwhile));
    tp.block[0] = walked() && extents_[0] > untuned_tile ? untuned_tile : 0;
    tp.prefetch = has_prefetch() && bytes() > private_cache ? 4 : 0;
    tp.streaming = has_streaming() && from_memory();
  } else {
    tp.block[0] = 128;
    tp.block[1] = tp.block[2] = 1;
    tp.grid[0] = static_cast<int>((extents_[0] + 127) / 128);
    tp.grid[1] = static_cast<int>(extents_[1]);
    tp.grid[2] = static_cast<int>(extents_[2]);
  }
  return tp;
}

/// Settings of the hooks, the rest as in `tp`.
void Tunable::add_hooks(std::vector<TuneParam> &params, TuneParam tp, std::span<const int> distances) const
{
  for (const int prefetch : distances)
    for (const int streaming : {0, 1}) {
      if (has_prefetch()) tp.prefetch = prefetch;
      if (has_streaming()) tp.streaming = streaming;
      add_once(params, tp);
    }
}

/// All variants, the rest as in `tp`.
void Tunable::add_variants(std::vector<TuneParam> &params, TuneParam tp) const
{
  for (tp.variant = 1; tp.variant <= variants() && variants() > 1; tp.variant++) add_once(params, tp);
}

/// Tiles matter if a tile is walked several times (y, z), or in round robin.
std::vector<TuneParam> Tunable::lane_candidates() const
{
  const long long n = extents_[0];
  const int most = target().max_threads();
  std::vector<int> threads = powers(2, most);
  threads.push_back(most);
  std::reverse(threads.begin(), threads.end());
  std::vector<TuneParam> params {default_param()};
  const TuneParam untuned = params[0];
  TuneParam tp = untuned;
  tp.grid[0] = untuned.grid[0] > 1 ? 1 : static_cast<int>(std::min<long long>(most, n));
  add_once(params, tp);
  if (untuned.grid[0] <= n) add_hooks(params, untuned, first_distances);
  for (const int team : threads) {
    if (team > 1 && team > n) continue;
    const long long share = (n + team - 1) / team;
    tp.grid[0] = team;
    for (const int schedule : {0, 1}) {
      tp.schedule = schedule;
      if (schedule == 1 && team == 1) continue; // the same walk
      if (schedule == 0) {
        for (const int tile : {untuned.block[0], 0}) {
          tp.block[0] = tile;
          if (tile < share) add_once(params, tp);
        }
        if (!walked()) continue;
      }
      // the best tiles for one number of threads show those for another
      if (team != untuned.grid[0] && team != most) continue;
      for (const int tile : powers(4, std::min<long long>(share + schedule, largest_tile + 1))) {
        tp.block[0] = tile;
        add_once(params, tp);
      }
    }
  }
  return params;
}

std::vector<TuneParam> Tunable::candidates() const
{
  if (target().lanes() > 1) return lane_candidates();
  std::vector<TuneParam> params {default_param()};
  TuneParam tp = params[0];
  for (int y = 1; y <= (reduces() ? 1 : static_cast<int>(extents_[1])) && y * warp <= largest_block; y *= 2)
    for (int x = warp; x * y <= largest_block; x += warp) {
      tp.block[0] = x;
      tp.block[1] = y;
      tp.grid[0] = static_cast<int>((extents_[0] + x - 1) / x);
      tp.grid[1] = static_cast<int>((extents_[1] + y - 1) / y);
      add_once(params, tp);
    }
  return params;
}

std::vector<TuneParam> Tunable::refinements(const TuneParam &best) const
{
  std::vector<TuneParam> params;
  TuneParam tp = best;
  if (target().lanes() == 1) {
    add_variants(params, tp);
    if (!reduces()) return params;
    for (const int blocks : {32, 64, 128, 256, 512, 1024})
      if (blocks < best.grid[0]) {
        tp.grid[0] = blocks;
        add_once(params, tp);
      }
    return params;
  }
  add_hooks(params, tp, prefetch_distances);
  add_variants(params, tp);
  const int most = std::min(target().max_threads(), static_cast<int>(extents_[0])), team = best.grid[0];
  for (const int other : {1, team / 2, 2 * team, most}) {
    if (other < 1 || other > most || other == team) continue;
    tp = best;
    tp.grid[0] = other;
    if (other == 1) tp.schedule = 0;
    add_once(params, tp);
  }
  const int share = static_cast<int>(extents_[0] / std::max(best.grid[0], 1));
  const int tile = best.block[0];
  if (best.schedule == 0 && !walked()) return params;
  tp = best;
  if (walked() && team != default_param().grid[0]) // whose tiles are not known yet
    for (const int tile : powers(4, std::min(share, largest_tile + 1))) {
      tp.block[0] = tile;
      add_once(params, tp);
    }
  const int larger = tile > 0 ? 2 * tile : share / 2, smaller = tile > 0 ? tile / 2 : share / 4;
  for (const int nearby : {larger, smaller, 3 * larger / 4, 3 * smaller / 4}) {
    if (nearby == 0) continue;
    tp.block[0] = nearby;
    add_once(params, tp);
  }
  return params;
}

/// For a key not known on `together` (null: on this rank), or due again. All ranks of `together` call it, or none.
/// waiting: its untuned launches so far; null: it is tuned now.
TunedLaunch &Tunable::tune(const std::shared_ptr<Communicator> &together, TunedLaunch *waiting, void *stream)
{
  TuneTables &tables = TuneTables::instance();
  const TuneSettings &settings = tables.settings();
  const int root = together && settings.rank < together->size() ? settings.rank : 0;
  Choice choice {};
  std::exception_ptr failure;
  if (!together || together->rank() == root) {
    try {
      if (const TuneRow *known = tables.known(key_, tune_version()))
        choice.result = {known->param, known->seconds, 0};
      else if (waiting && !worth_it(*waiting, settings.share))
        choice.later = 1;
      else {
        choice.result = search_best(*this, stream, settings.report);
        choice.later = waiting && !choice.result.clear;
        choice.measured = !choice.later;
        if (choice.later) say_busy(key_);
      }
      choice.good = 1;
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (together) {
    together->broadcast(&choice, sizeof choice, root);
    if (!choice.good) agree(*together, failure);
  }
  if (failure) std::rethrow_exception(failure);
  if (choice.later) {
    waiting->due *= 2;
    return *waiting;
  }

  TuneRow row {key_, choice.result.param, choice.result.seconds, tune_version(), build_digest(), {}};
  row.comment = row_comment(row, flops(), bytes(), choice.result.tuning_seconds, std::time(nullptr));
  const TuneParam &tp = row.param;
  print(Verbosity::verbose,
        "Tuned %s, volume %s, %s: block %d %d %d, grid %d %d %d, prefetch %d, streaming %d, schedule %d, variant %d "
        "%s\n",
        key_.name, key_.volume, key_.aux, tp.block[0], tp.block[1], tp.block[2], tp.grid[0], tp.grid[1], tp.grid[2],
        tp.prefetch, tp.streaming, tp.schedule, tp.variant, row.comment.c_str());
  return tables.insert(together, row, choice.measured);
}

void Tunable::apply(void *stream)
{
  TuneTables &tables = TuneTables::instance();
  const TuneSettings &settings = tables.settings();
  TuneParam tp;
  KernelTime *time;
  TunedLaunch *waiting = nullptr;
  double seconds = 0;
  if (settings.any_forced || !settings.enabled) {
    time = &kernel_time(key_);
    launched_last = &time->key;
    tp = forced_param(settings, default_param(), has_prefetch(), has_streaming(), variants());
  } else {
    const std::shared_ptr<Communicator> together =
        collective() && !alone && communicator_ && tables.together(*communicator_) ? communicator_ : nullptr;
    TunedLaunch *tuned = tables.find(together, key_, tune_version());
    if (!tuned || !tuned->time || tuned->calls == tuned->due - 1) {
      KernelTime &entry = kernel_time(key_);
      launched_last = &entry.key;
      // a GPU does not report when a launch is done, and nobody else uses it
      const bool at_once = settings.share == 0 || target().kind() == Target::cuda;
      if (!tuned && !at_once) tuned = &tables.wait(together, key_, default_param(), tune_version());
      if (!tuned || tuned->calls == tuned->due - 1) tuned = &tune(together, tuned, stream);
      tuned->time = &entry;
    }
    launched_last = &tuned->time->key;
    time = tuned->time;
    tp = tuned->param;
    seconds = tuned->seconds;
    waiting = tuned->due > 0 ? tuned : nullptr;
  }

  const double start = tune_clock();
  launch(tp, stream);
  // A GPU returns before it is done; waiting for it would cost more than the measurement is worth.
  const bool done = target().kind() != Target::cuda;
  if (done || seconds == 0) seconds = tune_clock() - start;
  if (waiting) {
    waiting->calls++;
    waiting->ran += seconds;
  }
  time->calls++;
  time->seconds += seconds;
  time->flops += flops();
  time->bytes += bytes();
}

} // namespace quda
