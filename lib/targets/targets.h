#pragma once
/// The targets a program may hold, by namespace, in the order of enum Target: the one list of them.

/// f(namespace, more...) for each.
#define QUDA_FOR_TARGETS(f, ...)                                                                                       \
  f(cpu_avx2, __VA_ARGS__) f(cpu_avx512, __VA_ARGS__) f(cuda, __VA_ARGS__) f(fiber, __VA_ARGS__)
