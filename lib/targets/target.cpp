#include "targets/target.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "core/environment.h"
#include "core/error.h"
#include "targets/cpu/cpu_target.h"
#include "targets/host_target.h"

// The compiled CPU targets, set by the build system; both if it sets none.
#if !defined(QUDA_CPU_AVX2) && !defined(QUDA_CPU_AVX512)
#define QUDA_CPU_AVX2 1
#define QUDA_CPU_AVX512 1
#endif

namespace quda
{

/// Defined by targets that a program may or may not be linked with. Also null if a target finds no device
/// that it can run on.
__attribute__((weak)) const TargetApi *cuda_target();
__attribute__((weak)) const TargetApi *fiber_target();

namespace
{

  std::mutex choosing;
  std::atomic<const TargetApi *> chosen {nullptr};

  bool built(Target kind)
  {
    switch (kind) {
#ifdef QUDA_CPU_AVX2
    case Target::cpu_avx2:
      return true;
#endif
#ifdef QUDA_CPU_AVX512
    case Target::cpu_avx512:
      return true;
#endif
    case Target::cuda:
      return cuda_target != nullptr;
    case Target::fiber:
      return fiber_target != nullptr;
    default:
      return false;
    }
  }

  // null if the machine cannot run it; the target must be built
  const TargetApi *api_of(Target kind)
  {
    switch (kind) {
    case Target::cpu_avx2:
    case Target::cpu_avx512:
      return cpu_target(kind);
    case Target::cuda: {
      const TargetApi *cuda = cuda_target();
      return cuda && cuda->device_count() > 0 ? cuda : nullptr;
    }
    case Target::fiber:
      return fiber_target();
    }
    return nullptr;
  }

  std::vector<Target> usable_of(std::initializer_list<Target> kinds)
  {
    std::vector<Target> usable;
    for (Target kind : kinds)
      if (built(kind) && api_of(kind)) usable.push_back(kind);
    return usable;
  }

  std::string allowed_names()
  {
    return std::string("auto, cpu, cpu:avx2, cpu:avx512, cuda") + (built(Target::fiber) ? ", fiber" : "");
  }

  // the targets that a name stands for, best first; none: the name is unknown
  std::vector<Target> meant_by(const std::string &name)
  {
    if (name == "auto") return {Target::cuda, Target::cpu_avx512, Target::cpu_avx2};
    if (name == "cpu") return {Target::cpu_avx512, Target::cpu_avx2};
    if (name == "cpu:avx2") return {Target::cpu_avx2};
    if (name == "cpu:avx512") return {Target::cpu_avx512};
    if (name == "cuda") return {Target::cuda};
    if (name == "fiber" && built(Target::fiber)) return {Target::fiber};
    return {};
  }

  const char *needs(Target kind) { return kind == Target::cuda ? "a GPU and its driver" : instructions_of(kind); }

  const TargetApi *resolve(const std::string &name, const char *origin)
  {
    const std::vector<Target> meant = meant_by(name);
    if (meant.empty())
      fail(ErrorKind::bad_argument,
           text("%s = \"%s\" names no target; allowed are %s", origin, name.c_str(), allowed_names().c_str()));
    bool any_built = false;
    std::string wanting;
    for (Target kind : meant) {
      if (!built(kind)) continue;
      any_built = true;
      if (const TargetApi *api = api_of(kind)) return api;
      wanting += text("%s%s needs %s", wanting.empty() ? "" : ", ", target_name(kind), needs(kind));
    }
    if (!any_built)
      fail(ErrorKind::not_built, text("%s = \"%s\": this library was built without it", origin, name.c_str()));
    fail(ErrorKind::device, text("%s = \"%s\": this machine (%s) has none of the targets built into the library: %s",
                                 origin, name.c_str(), processor_name().c_str(), wanting.c_str()));
  }

  void choose(const std::string &wish)
  {
    const std::string from_environment = wish.empty() ? env_string("QUDA_TARGET").value_or("") : "";
    const std::string name = !wish.empty() ? wish : !from_environment.empty() ? from_environment : "auto";
    const TargetApi *api = resolve(name, wish.empty() ? "QUDA_TARGET" : "choose_target: target");
    if (api == chosen) return;
    if (chosen) {
      MemoryPool *const pools[] = {&device_pool(), &pinned_pool(), &managed_pool()};
      long long live = 0;
      for (const MemoryPool *pool : pools) live += pool->counts().live_blocks;
      if (live)
        fail(ErrorKind::bad_argument,
             text("choose_target: target = \"%s\" while %lld blocks of memory of %s are in use; free them first",
                  name.c_str(), live, target_name(chosen.load()->kind())));
      for (MemoryPool *pool : pools) pool->flush();
    }
    chosen = api;
  }

  // Memory that only the target can write is filled from a host buffer.
  void fill(void *p, std::size_t bytes, std::uint32_t word)
  {
    const std::vector<std::uint32_t> words(std::min<std::size_t>(bytes / 4, std::size_t {1} << 18), word);
    for (std::size_t done = 0; done < bytes;) {
      const std::size_t now = std::min(bytes - done, 4 * words.size());
      target().copy(static_cast<char *>(p) + done, words.data(), now);
      done += now;
    }
  }

} // namespace

const char *target_name(Target target)
{
  switch (target) {
  case Target::cpu_avx2:
    return "cpu_avx2";
  case Target::cpu_avx512:
    return "cpu_avx512";
  case Target::cuda:
    return "cuda";
  case Target::fiber:
    return "fiber";
  }
  return "unknown target";
}

std::vector<Target> usable_targets()
{
  return usable_of({Target::cuda, Target::cpu_avx512, Target::cpu_avx2, Target::fiber});
}

void choose_target(const std::string &wish)
{
  std::lock_guard<std::mutex> lock(choosing);
  choose(wish);
}

const TargetApi &target()
{
  // Fields and launches ask on every call: no lock once the choice is made. A second choice is made only when no field
  // is left.
  if (const TargetApi *api = chosen.load(std::memory_order_acquire)) return *api;
  std::lock_guard<std::mutex> lock(choosing);
  if (!chosen.load()) choose({});
  return *chosen.load();
}

// Never destroyed, like the targets whose memory they keep.
MemoryPool &device_pool()
{
  static MemoryPool *const pool = new MemoryPool(
      "device", [](std::size_t bytes) { return target().allocate(bytes); }, [](void *p) { target().release(p); }, fill);
  return *pool;
}

MemoryPool &pinned_pool()
{
  static MemoryPool *const pool = new MemoryPool(
      "pinned host", [](std::size_t bytes) { return target().allocate_pinned(bytes); },
      [](void *p) { target().release_pinned(p); });
  return *pool;
}

MemoryPool &managed_pool()
{
  static MemoryPool *const pool = new MemoryPool(
      "managed", [](std::size_t bytes) { return target().allocate_managed(bytes); },
      [](void *p) { target().release_managed(p); });
  return *pool;
}

} // namespace quda
