#include "bench/measure.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <time.h>

#include "bench/host_data.h"
#include "bench/interrupt.h"
#include "bench/ranks.h"
#include "core/error.h"
#include "targets/target.h"

namespace quda::bench
{

namespace
{

  constexpr double sample_seconds = 0.0025; // shorter than what other programs get of a processor at a time
  constexpr int samples_a_turn = 4;
  constexpr int most_runs = 1000;
  constexpr double upper = 0.75; // quantile of a pass's limits: what disturbs slows down, but clocks err now and then
  constexpr double most_fraction = 1.02;

  /// Of all threads of this process.
  double processor_time()
  {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

  /// Of the processors that the target's threads run on, how much was ours; 1 where they are elsewhere.
  struct Watch {
    double start = now(), worked = processor_time();
    double seconds() const { return now() - start; }
    double share() const
    {
      return target().lanes() == 1 ? 1 : (processor_time() - worked) / (target().max_threads() * seconds());
    }
  };

  struct Sample {
    double seconds, share; // of a run
  };

  Sample timed_runs(Kernel &kernel, int runs)
  {
    ranks().barrier();
    const Watch watch;
    for (int i = 0; i < runs; i++) kernel.run();
    target().synchronize();
    const double share = watch.share();
    return {slowest(watch.seconds()) / runs, share};
  }

  /// How a kernel is sampled. In cache: what it works on is there when the clock starts. From memory: once, after the
  /// pass of a limit has driven it out, for caches may hold more than they say; on a GPU as often as makes the start of
  /// a sample small.
  class Sampler
  {
  public:
    Sampler(Kernel &kernel, bool once_a_sample)
        : kernel_(kernel)
        , runs_(kernel.turns())
        , warm_up_(once_a_sample ? 0 : kernel.turns())
    {
      kernel_.refresh();
      timed_runs(kernel_, runs_); // tuning, first touch
      if (once_a_sample) return;
      const double once = timed_runs(kernel_, runs_).seconds * runs_;
      samples_ = once > sample_seconds ? 1 : samples_a_turn;
      if (once > sample_seconds) warm_up_ = 0;
      runs_ *= static_cast<int>(std::clamp(sample_seconds / once, 1.0, 1.0 * most_runs));
    }

    /// Some samples, `before` having been done first; one from memory or of a long run.
    template <class Before, class Take> void sample(const Before &before, const Take &take)
    {
      kernel_.refresh();
      before();
      if (warm_up_ > 0) timed_runs(kernel_, warm_up_);
      for (int i = 0; i < samples_; i++) take(timed_runs(kernel_, runs_));
    }

  private:
    Kernel &kernel_;
    int runs_, warm_up_;
    int samples_ = 1; // a turn
  };

  double shape_limit(const LimitSamples &samples, Shape shape)
  {
    constexpr Limit limits[] = {Limit::copy, Limit::copy, Limit::triad, Limit::dot, Limit::update, Limit::gather};
    return shape == Shape::other ? 0 : samples[static_cast<int>(limits[static_cast<int>(shape)])].median();
  }

  double best(const LimitSamples &samples, double quantile)
  {
    double best = 0;
    for (int l = 0; l < n_bandwidths; l++) best = std::max(best, samples[l].quantile(quantile));
    return best;
  }

} // namespace

std::vector<Entry> &registry()
{
  static std::vector<Entry> entries;
  return entries;
}

const char *variant_name(Variant variant)
{
  if (variant == Variant::reference) return "reference";
  return target().kind() == Target::cuda ? "cuda" : target().kind() == Target::fiber ? "fiber" : "cpu";
}

const char *precision_name(Precision precision)
{
  return precision == Precision::double_ ? "double" : precision == Precision::single ? "single" : "half";
}

std::string case_name(const Case &what)
{
  return text("%s/%s/%s/%d/%d", what.entry->name.c_str(), variant_name(what.variant),
              precision_name(what.setting.precision), static_cast<int>(what.setting.reconstruct), what.setting.nrhs);
}

const char *shape_name(Shape shape)
{
  constexpr const char *names[] = {"other", "copy", "triad", "dot", "update", "gather"};
  return names[static_cast<int>(shape)];
}

double best_bandwidth(const LimitSamples &samples) { return best(samples, 0.5); }

bool Result::beyond_memory() const { return roof == Roof::memory && surely > most_fraction; }

Measurement::Measurement(const Case &what)
    : what_(what)
    , work_(what.entry->work(what.setting))
{
}

void Measurement::take(Machine &machine, double seconds, std::size_t least)
{
  const Entry &entry = *what_.entry;
  const std::unique_ptr<Kernel> kernel =
      (what_.variant == Variant::library ? entry.make : entry.reference)(what_.setting);
  roof_ = roof_of(work_.set(), machine.caches());
  if (!taken()) {
    checked_ = kernel->check();
    checksum_ = kernel->checksum();
  }
  std::vector<Limit> turns;
  const bool bare = seconds == 0;
  if (bare) roof_ = Roof::near;
  if (roof_ != Roof::near)
    for (int l = 0; l < n_bandwidths; l++) turns.push_back(static_cast<Limit>(l));
  const Limit fma = fma_limit(what_.setting.precision);
  turns.push_back(fma);

  Pass pass;
  Sampler sampler(*kernel, bare || (roof_ == Roof::memory && target().lanes() > 1));
  LimitSamples here;
  const double start = now();
  do {
    for (const Limit limit : turns) {
      const auto measure_limit = [&] {
        const Samples &known = machine.samples()[static_cast<int>(limit)];
        const double rate = limit != fma             ? machine.sample(limit, roof_, work_.set())
                            : bare && !known.empty() ? known.median()
                                                     : machine.sample_fma(limit);
        here[static_cast<int>(limit)].add(rate);
        limits_[static_cast<int>(limit)].add(rate);
      };
      sampler.sample(measure_limit, [&](const Sample &one) {
        pass.seconds.push_back(one.seconds);
        pass.share.push_back(one.share);
        times_.add(one.seconds);
      });
    }
  } while (!interrupted() && (of_first(now() - start) < seconds || pass.seconds.size() < least));
  pass.bandwidth = best(here, upper);
  pass.fma = here[static_cast<int>(fma)].quantile(upper);
  passes_.push_back(std::move(pass));

  iterations_ = kernel->iterations();
  if (!iterations_) return;
  work_.flops = iterations_->flops;
  work_.read = iterations_->bytes;
  work_.written = 0;
}

void Measurement::compare(const std::optional<Checksum> &plain)
{
  const double allowed = what_.entry->loose * checksum_tolerance(what_.setting.precision);
  checked_ = checked_ && (!plain || checksum_.agrees(*plain, allowed));
}

Result Measurement::result() const
{
  Result result {};
  result.what = what_;
  result.work = work_;
  std::copy_n(what_.setting.host->lattice().X.begin(), 4, result.dims.begin());
  result.passes = passes_;
  result.checksum = checksum_;
  result.checksum_ok = checked_;
  result.roof = roof_;
  result.seconds = times_.median();
  result.spread = times_.spread();
  result.samples = times_.size();
  result.iterations = iterations_;
  result.gflops = work_.flops / result.seconds * 1e-9;
  result.uncounted_gflops = work_.uncounted_flops / result.seconds * 1e-9;
  result.gbytes_per_s = work_.bytes() / result.seconds * 1e-9;
  const double fma_rate = limits_[static_cast<int>(fma_limit(what_.setting.precision))].median();
  const double fma_fraction = result.gflops / fma_rate;
  if (result.roof != Roof::near) {
    result.bandwidth_fraction = result.gbytes_per_s / best_bandwidth(limits_);
    result.surely = result.gbytes_per_s / best(limits_, 0.9);
  }
  const double same_shape = shape_limit(limits_, work_.shape);
  result.shape_fraction = same_shape > 0 ? result.gbytes_per_s / same_shape : 0;
  const bool by_bandwidth = result.bandwidth_fraction > fma_fraction;
  result.bound = !by_bandwidth ? Bound::fma : result.roof == Roof::memory ? Bound::memory : Bound::cache;
  result.limit = by_bandwidth ? best_bandwidth(limits_) : fma_rate;
  result.fraction = std::max(result.bandwidth_fraction, fma_fraction);
  return result;
}

std::optional<Checksum> reference_checksum(const Case &what)
{
  const Entry &entry = *what.entry;
  if (!entry.reference || what.setting.sites() > entry.most_reference) return {};
  Setting plain = what.setting;
  plain.precision = Precision::double_;
  plain.reconstruct = Reconstruct::none;
  plain.nrhs = 1;
  return entry.reference(plain)->checksum();
}

double checksum_tolerance(Precision precision)
{
  return precision == Precision::double_ ? 1e-12 : precision == Precision::single ? 5e-6 : 1e-3;
}

} // namespace quda::bench
