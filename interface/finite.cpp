#include "interface/finite.h"

#include "targets/cpu/team.h"
#include "targets/target.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace quda
{

namespace
{

  constexpr long long piece = 1LL << 14; // reals looked at in one go

  // NaN and infinity have an exponent of all ones; integer operations, so that the loop vectorises
  template <class Bits, Bits exponent> bool all_finite(const void *reals, long long count)
  {
    const char *bytes = static_cast<const char *>(reals);
    Bits found = 0;
    for (long long i = 0; i < count; i++) {
      Bits x;
      std::memcpy(&x, bytes + i * sizeof(Bits), sizeof(Bits));
      found |= (x & exponent) == exponent;
    }
    return found == 0;
  }

  bool all_finite(const void *reals, long long count, Precision precision)
  {
    return precision == Precision::double_ ? all_finite<std::uint64_t, 0x7ff0000000000000u>(reals, count)
                                           : all_finite<std::uint32_t, 0x7f800000u>(reals, count);
  }

  double real_at(const char *reals, long long i, Precision precision)
  {
    if (precision == Precision::double_) {
      double x;
      std::memcpy(&x, reals + i * sizeof x, sizeof x);
      return x;
    }
    float x;
    std::memcpy(&x, reals + i * sizeof x, sizeof x);
    return x;
  }

  struct Scan {
    RealRuns runs;
    Precision precision;
    int period;
    std::atomic<long long> first_bad {-1};

    long long count() const { return runs.runs * runs.length; }
    const char *at(long long i) const
    {
      return static_cast<const char *>(runs.first) +
             (i / runs.length * runs.stride + i % runs.length) * bytes_of(precision);
    }
    bool looked_at(long long i) const { return period == 0 || i % period != period - 1; }

    void look(long long begin, long long end)
    {
      for (long long i = begin, stop; i < end; i = stop) {
        stop = std::min({i + piece, end, (i / runs.length + 1) * runs.length}); // within a run
        const char *const reals = at(i);
        if (all_finite(reals, stop - i, precision)) continue;
        long long bad = i;
        while (bad < stop && (!looked_at(bad) || std::isfinite(real_at(reals, bad - i, precision)))) bad++;
        if (bad == stop) continue;
        long long known = first_bad;
        while ((known < 0 || bad < known) && !first_bad.compare_exchange_weak(known, bad)) {
        }
        return;
      }
    }
  };

  long long first_in_host_memory(const RealRuns &runs, Precision precision, int period)
  {
    Scan scan {runs, precision, period};
    const auto share = [](void *context, int thread, int threads) {
      Scan &all = *static_cast<Scan *>(context);
      const long long pieces = (all.count() + piece - 1) / piece;
      all.look(pieces * thread / threads * piece, std::min(pieces * (thread + 1) / threads * piece, all.count()));
    };
    cpu::run_team(cpu::max_threads(), share, &scan);
    return scan.first_bad;
  }

  /// The same for `count` reals from `first` on, copied to host memory.
  long long first_in_device_memory(const RealRuns &runs, Precision precision, int period, std::vector<char> &buffer)
  {
    const long long reals = (runs.runs - 1) * runs.stride + runs.length;
    buffer.resize(static_cast<std::size_t>(reals * bytes_of(precision)));
    target().copy(buffer.data(), runs.first, buffer.size());
    return first_in_host_memory({buffer.data(), runs.runs, runs.length, runs.stride}, precision, period);
  }

} // namespace

long long first_not_finite(const RealRuns &all, Precision precision, int period)
{
  // memory that a GPU can read may be out of the host's reach
  const bool on_host = target().kind() != Target::cuda || !target().can_read(all.first);
  if (on_host) return first_in_host_memory(all, precision, period);

  // some runs, or a part of one, at a time
  const long long most = 256 * piece, part = std::min(all.length, period ? most - most % period : most),
                  several = part < all.length ? 1 : std::max(1LL, most / all.stride);
  const char *bytes = static_cast<const char *>(all.first);
  std::vector<char> buffer;
  for (long long run = 0; run < all.runs; run += several)
    for (long long begin = 0; begin < all.length; begin += part) {
      const RealRuns some {bytes + (run * all.stride + begin) * bytes_of(precision), std::min(several, all.runs - run),
                           std::min(part, all.length - begin), all.stride};
      const long long found = first_in_device_memory(some, precision, period, buffer);
      if (found >= 0) return run * all.length + begin + found;
    }
  return -1;
}

} // namespace quda
