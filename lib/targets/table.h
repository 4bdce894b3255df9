#pragma once
/// Tables of launch units, seen from the host. A launch unit defines, once per target, `const Table name` in its
/// target's namespace. The declarations here are weak: a target that was not built leaves a null address, which is
/// reported by name. Both macros are used at namespace quda.
///
///   QUDA_KERNEL_TABLE(Table, name)   defines `const Table &name()`, the table of the target in use, any plain struct
///   QUDA_KERNELS(Call, name)         defines `Kernels<Call> name_kernels()`, the instances that the units made by
///                              QUDA_INSTANCES(name, Call, ...) hold for the target in use (device/instances.h)

#include "core/error.h"
#include "core/kernel_table.h"
#include "targets/target.h"
#include "targets/targets.h"

namespace quda
{

// The errors of find(). any: whether the target in use has an instance of the kernel at all.
[[noreturn]] void fail_not_built(const char *function, int precision, int variant);
[[noreturn]] void fail_unsupported(const char *function, const char *kernel, bool any, int precision, int variant);

/// The instances of a kernel; a table for each unit if there is a unit for each precision.
template <class Call> struct Kernels {
  static constexpr int most = 5;
  const char *name;
  const KernelTable<Call> *tables[most]; // null if there is no such unit

  /// The instance for fields of this precision (bytes of a real) and variant. Errors: not_built if this build left
  /// it out, unsupported if there is no such kernel; both name `function` and the request.
  LaunchFunction<Call> find(const char *function, int precision, int variant = 0) const
  {
    bool any = false;
    for (const KernelTable<Call> *table : tables)
      for (int i = 0; table && i < table->count; i++) {
        any = true;
        const KernelInstance<Call> &instance = table->instances[i];
        if (instance.precision != precision || instance.variant != variant) continue;
        if (instance.launch) return instance.launch;
        fail_not_built(function, precision, variant);
      }
    fail_unsupported(function, name, any, precision, variant);
  }

  /// Whether find() would return one.
  bool has(int precision, int variant = 0) const
  {
    for (const KernelTable<Call> *table : tables)
      for (int i = 0; table && i < table->count; i++)
        if (table->instances[i].precision == precision && table->instances[i].variant == variant)
          return table->instances[i].launch != nullptr;
    return false;
  }
};

} // namespace quda

#define QUDA_WEAK_TABLE(ns, Table, name)                                                                               \
  namespace ns                                                                                                         \
  {                                                                                                                    \
    extern const Table name __attribute__((weak));                                                                     \
  }
#define QUDA_ADDRESS_OF(ns, name) &ns::name,

#define QUDA_KERNEL_TABLE(Table, name)                                                                                 \
  QUDA_FOR_TARGETS(QUDA_WEAK_TABLE, Table, name)                                                                       \
  const Table &name()                                                                                                  \
  {                                                                                                                    \
    const Table *const tables[] = {QUDA_FOR_TARGETS(QUDA_ADDRESS_OF, name)};                                           \
    const Table *table = tables[static_cast<int>(target().kind())];                                                    \
    if (!table)                                                                                                        \
      fail(ErrorKind::not_built, text("kernels " #name " were not built for %s", target_name(target().kind())));       \
    return *table;                                                                                                     \
  }

#define QUDA_WEAK_KERNELS(ns, Call, name)                                                                              \
  namespace ns                                                                                                         \
  {                                                                                                                    \
    extern const KernelTable<Call> name##_kernels __attribute__((weak));                                               \
    extern const KernelTable<Call> name##_kernels_8 __attribute__((weak));                                             \
    extern const KernelTable<Call> name##_kernels_4 __attribute__((weak));                                             \
    extern const KernelTable<Call> name##_kernels_2 __attribute__((weak));                                             \
    extern const KernelTable<Call> name##_kernels_1 __attribute__((weak));                                             \
  }
#define QUDA_KERNELS_OF(ns, name)                                                                                      \
  {&ns::name##_kernels, &ns::name##_kernels_8, &ns::name##_kernels_4, &ns::name##_kernels_2, &ns::name##_kernels_1},

#define QUDA_KERNELS(Call, name)                                                                                       \
  QUDA_FOR_TARGETS(QUDA_WEAK_KERNELS, Call, name)                                                                      \
  static Kernels<Call> name##_kernels()                                                                                \
  {                                                                                                                    \
    const KernelTable<Call> *const tables[][Kernels<Call>::most] = {QUDA_FOR_TARGETS(QUDA_KERNELS_OF, name)};          \
    const auto &of_target = tables[static_cast<int>(target().kind())];                                                 \
    return {#name, {of_target[0], of_target[1], of_target[2], of_target[3], of_target[4]}};                            \
  }
