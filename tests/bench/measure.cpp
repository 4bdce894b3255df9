#include "bench/measure.h"

#include <algorithm>
#include <cmath>
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
  return text("%s/%s/%s/%d/%d", what.entry->name.c_str(), variant_name(what.entry->variant),
              precision_name(what.setting.precision), static_cast<int>(what.setting.reconstruct), what.setting.nrhs);
}

const char *shape_name(Shape shape)
{
  constexpr const char *names[] = {"other", "copy", "triad", "dot", "update", "gather"};
  return names[static_cast<int>(shape)];
}

double best_bandwidth(const LimitSamples &samples) { return best(samples, 0.5); }

bool Result::beyond_memory() const { return roof == Roof::memory && surely > most_fraction; }

Result measure(const Case &what, Machine &machine, double seconds)
{
  const std::unique_ptr<Kernel> kernel = what.entry->make(what.setting);
  Result result {};
  result.what = what;
  result.working_set = kernel->working_set();
  result.checksum_ok = kernel->check();
  result.roof = roof_of(result.working_set, machine.caches());
  std::vector<Limit> turns;
  if (result.roof != Roof::near)
    for (int l = 0; l < n_bandwidths; l++) turns.push_back(static_cast<Limit>(l));
  const Limit fma = fma_limit(what.setting.precision);
  turns.push_back(fma);

  Sampler sampler(*kernel, result.roof == Roof::memory);
  Samples times;
  LimitSamples here;
  const double start = now();
  do {
    for (const Limit limit : turns)
      times.add(sampler.sample([&] {
        here[static_cast<int>(limit)].add(limit == fma ? machine.sample_fma(limit)
                                                       : machine.sample(limit, result.roof, result.working_set));
      }));
  } while (!interrupted() && (now() - start < seconds || times.size() < kernel->least_samples()));

  result.seconds = times.median();
  result.spread = times.spread();
  result.samples = times.size();
  result.gflops = kernel->flops() / result.seconds * 1e-9;
  result.iterations = kernel->iterations();
  result.uncounted_gflops = kernel->uncounted_flops() / result.seconds * 1e-9;
  result.gbytes_per_s = kernel->bytes() / result.seconds * 1e-9;
  const double fma_rate = here[static_cast<int>(fma)].median();
  const double fma_fraction = result.gflops / fma_rate;
  if (result.roof != Roof::near) {
    result.bandwidth_fraction = result.gbytes_per_s / best_bandwidth(here);
    result.surely = result.gbytes_per_s / best(here, 0.9);
  }
  result.shape = kernel->shape();
  const double same_shape = shape_limit(here, result.shape);
  result.shape_fraction = same_shape > 0 ? result.gbytes_per_s / same_shape : 0;
  const bool by_bandwidth = result.bandwidth_fraction > fma_fraction;
  result.bound = !by_bandwidth ? Bound::fma : result.roof == Roof::memory ? Bound::memory : Bound::cache;
  result.limit = by_bandwidth ? best_bandwidth(here) : fma_rate;
  result.fraction = std::max(result.bandwidth_fraction, fma_fraction);
  return result;
}

} // namespace quda::bench
