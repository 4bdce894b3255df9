#pragma once
/// Common part of reductions with an operator on all targets. The operator (device/reducers.h) is associative and
/// commutative to the bit, `in_any_order`, so neither threads, launch nor ranks change the result.

#include "core/fold_parts.h"
#include "core/number.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The result of a kernel for a point, an array of registers; for decltype only.
template <class Kernel> auto folded_value() -> decltype((*(const Kernel *)nullptr)(0u, 0u));
template <class Kernel> using Folded = decltype(folded_value<Kernel>());

template <class Op, class Kernel> constexpr void require_fold()
{
  static_assert(Op::in_any_order, "a whole field is reduced in no fixed order: the operator must be associative and "
                                  "commutative to the bit and say so, static constexpr bool in_any_order = true");
  static_assert(!Kernel::synchronises, "kernels of whole-field reductions do not share work within a block");
}

/// The number in a register of one; <fold.h> of lanes has its own.
template <class T> QUDA_DEVICE T first_lane(T a) { return a; }

/// numbers[i] = the combination of numbers[n p + i] for p < parts: over threads or ranks.
template <class Value, class Op>
QUDA_DEVICE void fold_numbers(number_of<typename Value::value_type> *numbers, int parts)
{
  using R = typename Value::value_type;
  constexpr int n = Value::size;
  Value all;
  for (int p = 0; p < parts; p++) {
    Value next;
    for (int i = 0; i < n; i++) next[i] = R(numbers[n * p + i]);
    all = p == 0 ? next : Op {}(all, next);
  }
  for (int i = 0; i < n; i++) numbers[i] = first_lane(all[i]);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
