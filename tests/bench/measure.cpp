#include "bench/measure.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "bench/interrupt.h"
#include "core/error.h"
#include "targets/target.h"

namespace quda::bench
{

namespace
{

  constexpr double sample_seconds = 0.01;
  constexpr int most_runs = 1000;
  constexpr std::size_t least_samples = 5;
  constexpr double most_fraction = 1.02;

  double timed_runs(Kernel &kernel, int runs)
  {
    const double start = now();
    for (int i = 0; i < runs; i++) kernel.run();
    target().synchronize();
    return (now() - start) / runs;
  }

  /// How a kernel is sampled. In cache: what it works on is there when the clock starts. From memory: once, after the
  /// pass of a limit has driven it out, for caches may hold more than they say.
  class Sampler
  {
  public:
    Sampler(Kernel &kernel, bool from_memory)
        : kernel_(kernel)
        , runs_(kernel.turns())
        , warm_up_(from_memory ? 0 : kernel.turns())
    {
      kernel_.refresh();
      timed_runs(kernel_, runs_); // tuning, first touch
      if (from_memory) return;
      const double once = timed_runs(kernel_, runs_) * runs_;
      if (once > sample_seconds) warm_up_ = 0;
      runs_ *= static_cast<int>(std::clamp(sample_seconds / once, 1.0, 1.0 * most_runs));
    }

    /// Seconds of one run, `before` having been done in between.
    template <class Before> double sample(const Before &before)
    {
      kernel_.refresh();
      before();
      if (warm_up_ > 0) timed_runs(kernel_, warm_up_);
      return timed_runs(kernel_, runs_);
    }

  private:
    Kernel &kernel_;
    int runs_, warm_up_;
  };

  double best_of(const LimitSamples &samples, std::initializer_list<Limit> limits)
  {
    double best = 0;
    for (const Limit limit : limits) best = std::max(best, samples[static_cast<int>(limit)].median());
    return best;
  }

  double shape_limit(const LimitSamples &samples, Shape shape)
  {
    switch (shape) {
    case Shape::copy:
      return best_of(samples, {Limit::copy, Limit::copy_streaming});
    case Shape::triad:
      return best_of(samples, {Limit::triad, Limit::triad_streaming});
    case Shape::dot:
      return best_of(samples, {Limit::dot});
    case Shape::update:
      return best_of(samples, {Limit::update});
    case Shape::gather:
      return best_of(samples, {Limit::gather});
    case Shape::other:
      break;
    }
    return 0;
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
  return text("%s/%s/%s/%d/%d", what.entry->name.c_str(), variant_name(what.entry->variant),
              precision_name(what.setting.precision), static_cast<int>(what.setting.reconstruct), what.setting.nrhs);
}

const char *shape_name(Shape shape)
{
  constexpr const char *names[] = {"other", "copy", "triad", "dot", "update", "gather"};
  return names[static_cast<int>(shape)];
}

double memory_limit(const LimitSamples &samples, Shape shape)
{
  const double best =
      best_of(samples, {Limit::copy, Limit::copy_streaming, Limit::triad, Limit::triad_streaming, Limit::dot});
  return shape == Shape::update ? std::max(best, best_of(samples, {Limit::update})) : best;
}

bool Result::beyond_memory() const { return memory_fraction > most_fraction; }

Result measure(const Case &what, Limits &limits, std::size_t last_cache, double seconds, LimitSamples &all)
{
  const std::unique_ptr<Kernel> kernel = what.entry->make(what.setting);
  Result result {};
  result.what = what;
  result.working_set = kernel->working_set();
  result.checksum_ok = kernel->check();
  const bool from_memory = result.working_set > 2.0 * static_cast<double>(last_cache);
  std::vector<Limit> turns;
  if (from_memory)
    for (int l = 0; l < n_memory_limits; l++) turns.push_back(static_cast<Limit>(l));
  const Limit fma = fma_limit(what.setting.precision);
  turns.push_back(fma);

  Sampler sampler(*kernel, from_memory);
  Samples times;
  LimitSamples here;
  const double start = now();
  do {
    for (const Limit limit : turns) {
      if (!limits.has(limit)) continue;
      times.add(sampler.sample([&] {
        const double rate = limits.sample(limit);
        here[static_cast<int>(limit)].add(rate);
        all[static_cast<int>(limit)].add(rate);
      }));
    }
  } while (!interrupted() && (now() - start < seconds || times.size() < least_samples));

  result.seconds = times.median();
  result.spread = times.spread();
  result.samples = times.size();
  result.gflops = kernel->flops() / result.seconds * 1e-9;
  result.uncounted_gflops = kernel->uncounted_flops() / result.seconds * 1e-9;
  result.gbytes_per_s = kernel->bytes() / result.seconds * 1e-9;
  const double fma_rate = here[static_cast<int>(fma)].median(), memory_rate = memory_limit(here, kernel->shape());
  result.memory_fraction = from_memory ? result.gbytes_per_s / memory_rate : 0;
  result.shape = kernel->shape();
  const double same_shape = from_memory ? shape_limit(here, result.shape) : 0;
  result.shape_fraction = same_shape > 0 ? result.gbytes_per_s / same_shape : 0;
  const double fma_fraction = result.gflops / fma_rate;
  result.bound = result.memory_fraction > fma_fraction ? Bound::memory : Bound::fma;
  result.limit = result.bound == Bound::memory ? memory_rate : fma_rate;
  result.fraction = std::max(result.memory_fraction, fma_fraction);
  return result;
}

} // namespace quda::bench
