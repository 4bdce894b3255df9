#include "bench/limits.h"

#include <algorithm>

#include <unistd.h>

#include "comms/communicator.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

using bench::LimitTable;
QUDA_KERNEL_TABLE(LimitTable, limit_table)

namespace bench
{

  namespace
  {

    constexpr std::size_t least_bytes = std::size_t {64} << 20; // of an array, from memory
    constexpr std::size_t caches_passed = 8;                    // of an array that passes follow each other over
    constexpr double passes_seconds = 0.005;                    // of passes in cache
    constexpr double most_passes = 1000;
    constexpr unsigned grain = 2 * gather_streams * dot_chunk; // records that all limits can divide up

    bool has_lanes() { return target().lanes() > 1; }

    std::size_t record_bytes() { return sizeof(double) * limit_reals * target().width(Precision::double_); }

    unsigned whole_grains(double records) { return std::max(1u, static_cast<unsigned>(records / grain)) * grain; }

    FieldView view(void *data, unsigned records)
    {
      FieldView v {};
      v.data = data;
      v.precision = sizeof(double);
      v.inner = 1;
      v.record_stride = v.inner_stride = limit_reals * target().width(Precision::double_);
      v.reals = limit_reals;
      v.vector = 2;
      v.lattice.lanes = v.lattice.width = target().width(Precision::double_);
      v.lattice.parts = 1;
      v.lattice.volume_cb = v.lattice.stored_cb = records;
      return v;
    }

    /// Tuned over everything that kernels are tuned over; multiply-adds, which touch no memory, over tiles alone.
    class LimitLaunch final : public Tunable
    {
    public:
      LimitLaunch(Limit limit, LimitTable::Launch launch, const LimitCall &call, double work, std::size_t set)
          : Tunable(default_communicator(), call.count, 1, 1, key_text(static_cast<long long>(call.count)).s,
                    key_text("limit_", limit_name(limit)).s, key_text("set=", static_cast<long long>(set)).s)
          , launch_(launch)
          , call_(call)
          , work_(static_cast<long long>(work))
          , fma_(limit == Limit::fma_double || limit == Limit::fma_single)
          , streams_(!fma_ && limit != Limit::dot)
      {
      }
      void launch(const TuneParam &tp, void *stream) override { launch_(tp, stream, call_); }
      long long flops() const override { return fma_ ? work_ : 0; }
      long long bytes() const override { return fma_ ? 0 : work_; }
      bool has_prefetch() const override { return !fma_; }
      bool has_streaming() const override { return streams_; }
      /// Multiply-adds move nothing, so that nothing says how many threads are worth waking: all.
      TuneParam default_param() const override
      {
        TuneParam tp = Tunable::default_param();
        if (fma_ && has_lanes()) tp.grid[0] = target().max_threads();
        return tp;
      }
      std::vector<TuneParam> candidates() const override
      {
        if (!fma_ || !has_lanes()) return Tunable::candidates();
        std::vector<TuneParam> params(3, default_param());
        for (const int k : {1, 2}) params[k].schedule = 1, params[k].block[0] = k == 1 ? 8 : 64;
        return params;
      }
      std::vector<TuneParam> refinements(const TuneParam &best) const override
      {
        return fma_ ? std::vector<TuneParam>() : Tunable::refinements(best);
      }

    private:
      LimitTable::Launch launch_;
      const LimitCall &call_;
      long long work_;
      bool fma_, streams_;
    };

    unsigned fma_count() { return has_lanes() ? 1024u * target().max_threads() : 1u << 20; }

  } // namespace

  const char *limit_name(Limit limit)
  {
    constexpr const char *names[n_limits] = {"copy", "triad", "dot", "update", "gather", "fma_double", "fma_single"};
    return names[static_cast<int>(limit)];
  }

  Limits::Limits(std::size_t array, std::size_t set)
      : records_(whole_grains(static_cast<double>(array / record_bytes())))
      , set_(set)
      , x_(records_ * record_bytes())
      , y_(records_ * record_bytes())
      , z_(records_ * record_bytes())
  {
    call_.x = view(x_.device(), records_);
    call_.y = view(y_.device(), records_);
    call_.z = view(z_.device(), records_);
    call_.count = records_;
    call_.a = 1 - 0x1p-20;
    call_.b = 0x1p-20;
    TuneParam tp {};
    if (has_lanes())
      tp.grid[0] = target().max_threads();
    else
      tp.block[0] = 256, tp.block[1] = tp.block[2] = 1;
    limit_table().fill(tp, nullptr, call_);
    target().synchronize();
  }

  /// Of an array, where a limit uses so many of them.
  unsigned Limits::records_of(double arrays) const
  {
    if (set_ == 0) return records_;
    return std::min(records_, whole_grains(static_cast<double>(set_) / (arrays * static_cast<double>(record_bytes()))));
  }

  double Limits::sample(Limit limit)
  {
    const LimitTable &table = limit_table();
    const double record = static_cast<double>(record_bytes());
    LimitCall call = call_;
    LimitTable::Launch launch = nullptr;
    double work = 0;
    switch (limit) {
    case Limit::copy:
      launch = table.copy;
      call.count = records_of(2);
      work = 2 * record * call.count;
      break;
    case Limit::triad:
      launch = table.triad;
      call.count = records_of(3);
      work = 3 * record * call.count;
      break;
    case Limit::update:
      launch = table.update;
      call.count = records_of(2);
      work = 3 * record * call.count;
      break;
    case Limit::gather:
      launch = table.gather;
      call.count = call.far = records_of(2 + 2.0 / gather_streams) / (gather_streams / 2);
      work = (gather_streams + 1) * record * call.count;
      break;
    case Limit::dot:
      launch = table.dot;
      call.count = records_of(2) / dot_chunk;
      // a processor's thread reads on, the threads of a GPU read side by side
      call.near = has_lanes() ? dot_chunk : 1;
      call.far = has_lanes() ? 1 : call.count;
      work = (2 * dot_chunk + 1) * record * call.count;
      break;
    case Limit::fma_double:
    case Limit::fma_single: {
      const bool single = limit == Limit::fma_single;
      const int lanes = target().width(single ? Precision::single : Precision::double_);
      launch = table.fma[single];
      for (FieldView *v : {&call.x, &call.y, &call.z}) v->record_stride = limit_reals * lanes;
      // some ten milliseconds on a processor, on a GPU enough threads to fill it
      call.count = std::min(records_, fma_count());
      work = 2.0 * fma_chains * fma_steps * lanes * call.count;
      break;
    }
    }

    LimitLaunch one(limit, launch, call, work, set_);
    double &once = once_[static_cast<int>(limit)];
    const bool repeated = set_ > 0 || !has_lanes(); // a launch on a GPU takes as long as some megabytes
    const auto timed = [&](int passes) {
      const double start = now();
      for (int i = 0; i < passes; i++) one.apply();
      target().synchronize();
      return (now() - start) / passes;
    };
    if (once == 0) timed(1);                    // tunes
    if (once == 0 || repeated) once = timed(1); // brings what caches hold
    once = timed(repeated ? static_cast<int>(std::clamp(passes_seconds / once, 1.0, most_passes)) : 1);
    return work / once * 1e-9;
  }

  Machine::Machine()
  {
    const std::size_t last = target().last_cache();
    caches_ = {0, last};
    if (!has_lanes()) return;
    const int processors = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    caches_ = cache_sizes(read_caches("/sys/devices/system/cpu", processors), target().max_threads(), last);
  }

  double Machine::sample_fma(Limit limit)
  {
    if (!fma_) fma_ = std::make_unique<Limits>(fma_count() * record_bytes(), 0);
    const double rate = fma_->sample(limit);
    samples_[static_cast<int>(limit)].add(rate);
    return rate;
  }

  double Machine::sample(Limit limit, Roof roof, double working_set)
  {
    const std::size_t set = roof == Roof::memory ? 0 : standard_set(working_set);
    std::unique_ptr<Limits> &limits = limits_[set];
    const std::size_t array = std::max(least_bytes, (has_lanes() ? 2 : caches_passed) * caches_.last);
    if (!limits) limits = std::make_unique<Limits>(set > 0 ? set / 2 : array, set);
    const double rate = limits->sample(limit);
    (set > 0 ? cache_samples_[set] : samples_)[static_cast<int>(limit)].add(rate);
    return rate;
  }

} // namespace bench

} // namespace quda
