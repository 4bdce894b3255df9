#include "tune/tune_search.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "targets/cpu/team.h"
#include "targets/as_asked.h"
#include "targets/target.h"
#include "tune/tunable.h"
#include "tune/tune_clock.h"

namespace quda
{

namespace
{

  constexpr int rounds = 5;
  constexpr double sample_seconds = 200e-6; // launches are repeated within a sample up to this
  constexpr int most_repeats = 256;
  constexpr double least_budget = 0.03, most_budget = 2.5, budget_launches = 120;
  constexpr std::size_t private_bytes = std::size_t {1} << 19; // held by a processor's own caches
  constexpr double agreement = 1.3;                            // ratio of two times of a candidate
  // where other programs run, one long time says nothing of a candidate: none is dropped before one of its samples is
  // likely to be undisturbed, and the search may take longer
  constexpr std::size_t busy_samples = 4;         // before a candidate is dropped
  constexpr double busy_budget = 4;               // times the budget
  constexpr int probes = 8, disturbed_probes = 2; // samples of the first candidate, and how many of them then disagree
  constexpr double probe_share = 0.2;             // of the budget, at most
  // a short launch of several threads waits for the last of them, which another program may delay, and they poll for
  // the next one in other launches' time: they must win by a factor plus the cost of waking them, not by luck
  constexpr double several_threads = 1.2, waking_seconds = 2e-6, short_seconds = 100e-6;
  constexpr double pretence_budget = 0.02;                     // for fibers, whose times mean nothing
  constexpr double hopeless[rounds] = {2, 1.3, 1.2, 1.2, 1.2}; // times the best, after each round

  struct Candidate {
    TuneParam param;
    std::vector<double> samples;  // times for judgement: a launch, and its threads' reading of its output
    std::vector<double> launches; // the launch only
    bool running = true;

    double shortest() const { return *std::min_element(samples.begin(), samples.end()); }
    double median() const
    {
      std::vector<double> sorted = samples;
      std::ranges::sort(sorted);
      return sorted[sorted.size() / 2];
    }
    double launch_seconds() const { return *std::min_element(launches.begin(), launches.end()); }
    /// Samples that something else made longer.
    long disturbed() const
    {
      const double least = shortest();
      return std::ranges::count_if(samples, [&](double one) { return one > agreement * least; });
    }
    bool several() const { return running && samples.size() > 1; }
    /// Whether a second time is nearly as short.
    bool clear() const { return samples.size() < 2 || std::ssize(samples) - disturbed() > 1; }
  };

  bool same(const TuneParam &a, const TuneParam &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

  /// Memory that a kernel changes in place, restored on every way out.
  class Kept
  {
  public:
    explicit Kept(const Tunable &tunable)
        : spans_(tunable.in_place())
    {
      for (const MemorySpan &span : spans_) {
        copies_.emplace_back(span.bytes);
        target().copy(copies_.back().data(), span.data, span.bytes);
      }
    }
    Kept(const Kept &) = delete;
    Kept &operator=(const Kept &) = delete;

    void put_back()
    {
      for (std::size_t i = 0; i < copies_.size(); i++)
        target().copy(spans_[i].data, copies_[i].data(), spans_[i].bytes);
      copies_.clear();
    }

    ~Kept()
    {
      try {
        put_back();
      } catch (const std::exception &) {
        // on the way out with the first failure of a broken device
      }
    }

  private:
    const std::vector<MemorySpan> spans_;
    std::vector<std::vector<char>> copies_;
  };

  /// Writes each line again with its own contents.
  void write_again(const MemorySpan &span)
  {
    constexpr std::size_t line = 64;
    char *const first = static_cast<char *>(span.data);
    for (std::size_t at = 0; at < span.bytes; at += line) {
      volatile char &one = first[at];
      one = one;
    }
  }

  void no_work(void *, int, int) {}

  class Search
  {
  public:
    Search(Tunable &tunable, void *stream)
        : tunable_(tunable)
        , stream_(stream)
        , reads_back_(!tunable.from_memory() && target().kind() != Target::cuda)
        , start_(tune_clock())
    {
      if (!reads_back_ || target().max_threads() == 1) return;
      between_ = tunable.written_between();
      std::size_t bytes = 0;
      for (const MemorySpan &span : between_) bytes += span.bytes;
      if (bytes > private_bytes) between_.clear();
    }

    /// The first launches warm up caches and threads and show how long one takes, the next ones whether others disturb.
    void warm_up(const std::vector<TuneParam> &params)
    {
      double once = 0;
      const auto launched = std::ranges::find_if(params, [&](const TuneParam &param) {
        double alone = 0;
        if (!launch(param, 1, once, alone)) return false;
        if (once < 0.1) launch(param, 1, once, alone);
        return true;
      });
      settle(once);
      if (once == 0 || pretends_ || probes * once > probe_share * budget_) return;
      Candidate &first = all_.emplace_back(Candidate {.param = *launched, .samples = {}, .launches = {}});
      for (int i = 0; i < probes && first.running; i++) sample(first);
      if (!first.running) return;
      settle(first.shortest());
      if (first.disturbed() >= disturbed_probes) now_busy();
      measuring_since_ = tune_clock();
    }

    /// Rounds over new candidates (and the best so far) until `share` of the budget is used up. If there is no
    /// time for two rounds over all of them, every second, third... is taken: neighbours are similar.
    void measure(const std::vector<TuneParam> &params, double share)
    {
      const std::size_t wanted = busy_ ? busy_samples : 2; // samples of each
      const double affordable =
          std::max(share * budget_ - spent(), 0.0) / (static_cast<double>(wanted) * launch_seconds_ * repeats_);
      const std::size_t step = static_cast<std::size_t>(static_cast<double>(params.size()) / (affordable + 1)) + 1;
      for (std::size_t i = 0; i < params.size(); i++) {
        const TuneParam &param = params[i];
        if (i % step != 0 && !(all_.size() < Tunable::always() && i < Tunable::always())) continue;
        if (std::none_of(all_.begin(), all_.end(), [&](const Candidate &c) { return same(c.param, param); }))
          all_.push_back({.param = param, .samples = {}, .launches = {}});
      }
      const std::size_t n = all_.size();
      for (int round = 0; round < rounds; round++) {
        // there and back, so that a drift of the machine favours none
        for (std::size_t i = 0; i < n; i++) {
          Candidate &candidate = all_[round % 2 ? n - 1 - i : i];
          if (candidate.running && !over(share)) sample(candidate);
        }
        look_around();
        drop(hopeless[round]);
        if (over(share)) break;
      }
    }

    /// Null until a candidate was launched. A single sample does not win against several, of which the first candidate
    /// may have more than the others.
    const Candidate *best() const
    {
      const std::size_t wanted = with_several() > 1 ? 2 : 1;
      const Candidate *best = nullptr;
      double least = 0;
      for (const Candidate &candidate : all_) {
        if (!candidate.running || candidate.samples.size() < wanted) continue;
        double shortest = candidate.shortest();
        if (threads_of(candidate.param) > 1 && shortest < short_seconds)
          shortest = several_threads * candidate.median() + waking_seconds;
        if (best && shortest >= least) continue;
        best = &candidate;
        least = shortest;
      }
      return best;
    }

    void report() const
    {
      const TuneKey &key = tunable_.key();
      print(Verbosity::summarize, "Tuning %s, volume %s, %s: %zu candidates, %d launches a sample, %.6f s\n", key.name,
            key.volume, key.aux, all_.size(), repeats_, seconds());
      for (const Candidate &c : all_) {
        const TuneParam &tp = c.param;
        const char *remark = &c == best() ? "  <- taken" : c.samples.empty() ? "  not measured" : "";
        print(Verbosity::summarize,
              "  block %5d %3d %3d  grid %7d %5d %5d  shared %6d  prefetch %2d streaming %d schedule %d rhs %d  %11.3f "
              "us x %zu%s\n",
              tp.block[0], tp.block[1], tp.block[2], tp.grid[0], tp.grid[1], tp.grid[2], tp.shared_bytes, tp.prefetch,
              tp.streaming, tp.schedule, tp.variant, c.samples.empty() ? 0.0 : 1e6 * c.shortest(), c.samples.size(),
              remark);
      }
    }

    double seconds() const { return tune_clock() - start_; }
    std::exception_ptr failure() const { return failure_; }

  private:
    // At least one measurement is made, however long it takes.
    bool over(double share) const { return measured_ && spent() > share * budget_; }
    double spent() const { return tune_clock() - measuring_since_; }

    /// once: seconds of a launch.
    void settle(double once)
    {
      launch_seconds_ = once > 0 ? once : sample_seconds;
      repeats_ = static_cast<int>(std::clamp(sample_seconds / launch_seconds_, 1.0, static_cast<double>(most_repeats)));
      budget_ = pretends_ ? pretence_budget : tuning_budget(once);
    }

    void now_busy()
    {
      if (busy_ || pretends_) return;
      busy_ = true;
      budget_ = std::max(budget_, std::min(busy_budget * budget_, most_budget));
    }

    /// Whether samples of the same candidates differ.
    void look_around()
    {
      const long several = with_several(), disturbed = std::ranges::count_if(all_, [](const Candidate &one) {
                                             return one.several() && one.disturbed() > 0;
                                           });
      if (several > 1 && 2 * disturbed > several) now_busy();
    }

    long with_several() const { return std::ranges::count_if(all_, &Candidate::several); }

    /// seconds: a launch and the reading; alone: the launch only.
    bool launch(const TuneParam &param, int repeats, double &seconds, double &alone)
    {
      try {
        const LaunchesAsAsked as_asked;
        double start = tune_clock(), launching = 0, reading = 0;
        for (int i = 0; i < repeats; i++) {
          if (!between_.empty()) {
            for (const MemorySpan &span : between_) write_again(span);
            cpu::run_team(std::max(param.grid[0], 1), no_work, nullptr); // no thread sleeps
            start = tune_clock();
          }
          tunable_.launch(param, stream_);
          if (!reads_back_) continue;
          const double launched = tune_clock();
          launching += launched - start;
          tunable_.read_written();
          start = tune_clock();
          reading += start - launched;
        }
        target().synchronize();
        launching += tune_clock() - start;
        alone = launching / repeats;
        seconds = alone + reading / repeats / std::max(threads_of(param), 1);
        return true;
      } catch (const Error &error) {
        if (error.kind() != ErrorKind::bad_argument && error.kind() != ErrorKind::device) throw;
        failure_ = std::current_exception();
        return false;
      }
    }

    void sample(Candidate &candidate)
    {
      double seconds = 0, alone = 0;
      candidate.running = launch(candidate.param, repeats_, seconds, alone);
      if (!candidate.running) return;
      candidate.samples.push_back(seconds);
      candidate.launches.push_back(alone);
      measured_ = true;
    }

    void drop(double factor)
    {
      double least = 0;
      for (const Candidate &c : all_)
        if (c.running && !c.samples.empty() && (least == 0 || c.shortest() < least)) least = c.shortest();
      for (Candidate &c : all_)
        if (c.samples.empty() || (c.shortest() > factor * least && !(busy_ && c.samples.size() < busy_samples)))
          c.running = false;
    }

    /// Number of threads that read the output, if the next launch has as many.
    static int threads_of(const TuneParam &param)
    {
      if (target().lanes() == 1) return 1;
      return param.grid[0] > 0 ? param.grid[0] : target().max_threads();
    }

    Tunable &tunable_;
    void *stream_;
    std::vector<MemorySpan> between_; // written by the calling thread between two launches
    const bool pretends_ = target().kind() == Target::fiber;
    bool reads_back_; // whether threads read a launch's output; a GPU is not done when a launch returns
    double start_, measuring_since_ = start_;
    double launch_seconds_ = 0;
    int repeats_ = 1;
    double budget_ = least_budget;
    bool measured_ = false;
    bool busy_ = false; // other programs disturb many samples
    std::vector<Candidate> all_;
    std::exception_ptr failure_;
  };

} // namespace

double tuning_budget(double seconds) { return std::clamp(budget_launches * seconds, least_budget, most_budget); }

TuneResult search_best(Tunable &tunable, void *stream, bool report)
{
  Kept kept(tunable);
  Search search(tunable, stream);
  const std::vector<TuneParam> candidates = tunable.candidates();
  search.warm_up(candidates);
  search.measure(candidates, 0.6);
  TuneParam before = {};
  for (const double share : {0.75, 0.88, 1.0}) {
    const Candidate *best = search.best();
    if (!best || same(best->param, before)) break;
    before = best->param;
    search.measure(tunable.refinements(before), share);
  }
  kept.put_back();
  if (report) search.report();
  const Candidate *best = search.best();
  if (!best && search.failure()) std::rethrow_exception(search.failure());
  if (!best) fail(ErrorKind::internal, text("%s: nothing to choose from in tuning", tunable.key().name));
  return {best->param, best->launch_seconds(), search.seconds(), best->clear()};
}

} // namespace quda
