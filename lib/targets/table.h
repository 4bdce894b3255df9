#pragma once
/// Kernel tables. A launch unit defines, once per target, `const Table name` in its target's namespace: a plain struct
/// of function pointers. QUDA_KERNEL_TABLE(Table, name), used at namespace quda in the host unit of the same stem,
/// declares them and defines `const Table &name()`, the one of the target in use. The declarations are weak: a target
/// that was not built leaves a null address, which is reported by name.

#include "core/error.h"
#include "targets/target.h"

#define QUDA_KERNEL_TABLE_OF(ns, Table, name)                                                                          \
  namespace ns                                                                                                         \
  {                                                                                                                    \
  extern const Table name __attribute__((weak));                                                                       \
  }

#define QUDA_KERNEL_TABLE(Table, name)                                                                                 \
  QUDA_KERNEL_TABLE_OF(cpu_avx2, Table, name)                                                                          \
  QUDA_KERNEL_TABLE_OF(cpu_avx512, Table, name)                                                                        \
  QUDA_KERNEL_TABLE_OF(cuda, Table, name)                                                                              \
  QUDA_KERNEL_TABLE_OF(fiber, Table, name)                                                                             \
  const Table &name()                                                                                                  \
  {                                                                                                                    \
    const Table *const tables[n_targets] = {&cpu_avx2::name, &cpu_avx512::name, &cuda::name, &fiber::name};            \
    const Table *table = tables[static_cast<int>(target().kind())];                                                    \
    if (!table)                                                                                                        \
      fail(ErrorKind::not_built, text("kernels " #name " were not built for %s", target_name(target().kind())));       \
    return *table;                                                                                                     \
  }
