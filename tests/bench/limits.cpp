#include "bench/limits.h"

#include <algorithm>

#include "bench/samples.h"
#include "targets/table.h"

namespace quda
{

using bench::LimitTable;
QUDA_KERNEL_TABLE(LimitTable, limit_table)

namespace bench
{

  namespace
  {

    constexpr std::size_t least_bytes = std::size_t {64} << 20; // of an array

    unsigned records_of(std::size_t last_cache)
    {
      const std::size_t record = sizeof(double) * limit_reals * target().width(Precision::double_);
      const std::size_t records = std::max(least_bytes, 2 * last_cache) / record;
      return static_cast<unsigned>(records / dot_chunk * dot_chunk);
    }

    std::size_t bytes_of_array(unsigned records)
    {
      return std::size_t {records} * limit_reals * target().width(Precision::double_) * sizeof(double);
    }

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

  } // namespace

  const char *limit_name(Limit limit)
  {
    constexpr const char *names[n_limits] = {"copy",   "copy_streaming", "triad",      "triad_streaming", "dot",
                                             "update", "gather",         "fma_double", "fma_single"};
    return names[static_cast<int>(limit)];
  }

  Limits::Limits(std::size_t last_cache)
      : records_(records_of(last_cache))
      , lanes_ {target().width(Precision::double_), target().width(Precision::single)}
      , x_(bytes_of_array(records_))
      , y_(bytes_of_array(records_))
      , z_(bytes_of_array(records_))
  {
    call_.x = view(x_.device(), records_);
    call_.y = view(y_.device(), records_);
    call_.z = view(z_.device(), records_);
    call_.count = records_;
    // a processor's thread reads on, the threads of a GPU read side by side
    call_.near = target().lanes() > 1 ? dot_chunk : 1;
    call_.far = target().lanes() > 1 ? 1 : records_ / dot_chunk;
    call_.a = 1 - 0x1p-20;
    call_.b = 0x1p-20;
    limit_table().fill(param(false), nullptr, call_);
    target().synchronize();
  }

  bool Limits::has(Limit limit) const
  {
    return target().lanes() > 1 || (limit != Limit::copy_streaming && limit != Limit::triad_streaming);
  }

  TuneParam Limits::param(bool streaming) const
  {
    TuneParam tp {};
    if (target().lanes() > 1)
      tp.grid[0] = target().max_threads();
    else
      tp.block[0] = 256, tp.block[1] = tp.block[2] = 1;
    tp.streaming = streaming;
    return tp;
  }

  double Limits::sample(Limit limit)
  {
    const LimitTable &table = limit_table();
    const bool streaming = limit == Limit::copy_streaming || limit == Limit::triad_streaming || limit == Limit::gather;
    const double array = static_cast<double>(bytes_of_array(records_));
    LimitCall call = call_;
    LimitTable::Launch launch = nullptr;
    double work = 0;
    switch (limit) {
    case Limit::copy:
    case Limit::copy_streaming:
      launch = table.copy;
      work = 2 * array;
      break;
    case Limit::triad:
    case Limit::triad_streaming:
      launch = table.triad;
      work = 3 * array;
      break;
    case Limit::update:
      launch = table.update;
      work = 3 * array;
      break;
    case Limit::gather:
      launch = table.gather;
      call.count = call.far = records_ / (gather_streams / 2);
      work = (2 + 2.0 / gather_streams) * array;
      break;
    case Limit::dot:
      launch = table.dot;
      call.count = records_ / dot_chunk;
      work = 2 * array + array / dot_chunk;
      break;
    case Limit::fma_double:
    case Limit::fma_single: {
      const int single = limit == Limit::fma_single;
      launch = table.fma[single];
      for (FieldView *v : {&call.x, &call.y, &call.z}) v->record_stride = limit_reals * lanes_[single];
      // some ten milliseconds on a processor, on a GPU enough threads to fill it
      call.count = std::min(records_, target().lanes() > 1 ? 1024u * target().max_threads() : 1u << 20);
      work = 2.0 * fma_chains * fma_steps * lanes_[single] * call.count;
      break;
    }
    }
    const TuneParam tp = param(streaming);
    const double start = now();
    launch(tp, nullptr, call);
    target().synchronize();
    return work / (now() - start) * 1e-9;
  }

} // namespace bench

} // namespace quda
