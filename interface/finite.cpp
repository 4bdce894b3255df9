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

  // exponents of ones alone mark NaN and infinity; on integers, so that the loop fills registers
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
    const char *reals;
    long long count;
    Precision precision;
    int period;
    std::atomic<long long> first_bad {-1};

    bool looked_at(long long i) const { return period == 0 || i % period != period - 1; }

    void look(long long begin, long long end)
    {
      for (long long p = begin; p < end; p++) {
        const long long stop = std::min((p + 1) * piece, count);
        long long i = p * piece;
        if (all_finite(reals + i * bytes_of(precision), stop - i, precision)) continue;
        while (i < stop && (!looked_at(i) || std::isfinite(real_at(reals, i, precision)))) i++;
        if (i == stop) continue;
        long long known = first_bad;
        while ((known < 0 || i < known) && !first_bad.compare_exchange_weak(known, i)) {
        }
        return;
      }
    }
  };

  long long first_in_host_memory(const char *reals, long long count, Precision precision, int period)
  {
    Scan scan {reals, count, precision, period};
    const auto share = [](void *context, int thread, int threads) {
      Scan &all = *static_cast<Scan *>(context);
      const long long pieces = (all.count + piece - 1) / piece;
      all.look(pieces * thread / threads, pieces * (thread + 1) / threads);
    };
    cpu::run_team(cpu::max_threads(), share, &scan);
    return scan.first_bad;
  }

} // namespace

long long first_not_finite(const void *reals, long long count, Precision precision, int period)
{
  const char *bytes = static_cast<const char *>(reals);
  // what a GPU can read may lie where the host cannot
  const bool on_host = target().kind() != Target::cuda || !target().can_read(reals);
  if (on_host) return first_in_host_memory(bytes, count, precision, period);

  const long long most = 256 * piece, step = std::min(count, period ? most - most % period : most);
  std::vector<char> buffer(step * bytes_of(precision));
  for (long long begin = 0; begin < count; begin += step) {
    const long long n = std::min(step, count - begin);
    target().copy(buffer.data(), bytes + begin * bytes_of(precision), n * bytes_of(precision));
    const long long found = first_in_host_memory(buffer.data(), n, precision, period);
    if (found >= 0) return begin + found;
  }
  return -1;
}

} // namespace quda
