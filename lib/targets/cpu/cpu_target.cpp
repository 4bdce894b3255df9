#include "targets/cpu/cpu_target.h"

#include <atomic>

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
    static const TargetApi *const avx512 = new HostTarget(Target::cpu_avx512, 16, 64);
    return avx512;
  }
  static const TargetApi *const avx2 = new HostTarget(Target::cpu_avx2, 16, 32);
  return avx2;
}

} // namespace quda
