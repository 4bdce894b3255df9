#include "targets/cpu/cpu_target.h"

#include <atomic>

#include "targets/cpu/team.h"
#include "targets/host_target.h"

namespace quda
{

namespace
{

  std::atomic<bool> hidden[n_targets];

  bool instructions_present(Target target)
  {
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (target == Target::cpu_avx2) return avx2;
    if (target == Target::cpu_avx512)
      return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    static_cast<void>(target);
    return false;
  }

  class CpuTarget : public HostTarget
  {
  public:
    CpuTarget(Target kind, int lanes, int register_bytes)
        : HostTarget(kind, lanes, register_bytes, cpu::max_threads())
    {
    }

    void read(const void *p, std::size_t bytes) const override
    {
      struct Range {
        const volatile char *begin;
        std::size_t bytes;
      } range {static_cast<const volatile char *>(p), bytes};
      const auto read_share = [](void *context, int thread, int threads) {
        const Range &all = *static_cast<const Range *>(context);
        const std::size_t end = all.bytes * (thread + 1) / threads;
        for (std::size_t at = all.bytes * thread / threads; at < end; at += 64) static_cast<void>(all.begin[at]);
      };
      cpu::run_team(max_threads(), read_share, &range);
    }
  };

} // namespace

const char *instructions_of(Target target)
{
  return target == Target::cpu_avx512 ? "AVX-512 (F, BW, DQ, VL)" : "AVX2 and FMA";
}

bool processor_has(Target target) { return instructions_present(target) && !hidden[static_cast<int>(target)]; }

void pretend_processor_lacks(Target target, bool lacking) { hidden[static_cast<int>(target)] = lacking; }

const TargetApi *cpu_target(Target target)
{
  if (!processor_has(target)) return nullptr;
  if (target == Target::cpu_avx512) {
    static const TargetApi *const avx512 = new CpuTarget(Target::cpu_avx512, 16, 64);
    return avx512;
  }
  static const TargetApi *const avx2 = new CpuTarget(Target::cpu_avx2, 16, 32);
  return avx2;
}

} // namespace quda
