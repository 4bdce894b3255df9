#pragma once
/// Kernel tables: the kernels that a launch unit offers to the host. Plain data; no functions, so that launch units may
/// include it. Call is the plain struct of views and numbers that a kernel's Arg is made from.

#include "core/tune_param.h"

namespace quda
{

template <class Call> using LaunchFunction = void (*)(const TuneParam &, void *stream, const Call &);

/// A kernel for fields of one kind.
template <class Call> struct KernelInstance {
  int precision;               // bytes of a stored real
  int variant;                 // reconstruct of the links, or whatever the kernel's type depends on; 0: nothing
  LaunchFunction<Call> launch; // null: left out of the build
};

template <class Call> struct KernelTable {
  const KernelInstance<Call> *instances;
  int count;
};

} // namespace quda
