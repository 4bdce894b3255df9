#pragma once
/// What products and inverses of many small matrices of the host share: words for matrices as a caller stores them, and
/// a loop over a batch that the threads of the processor work on together. A piece of the batch is the same work
/// whichever thread does it, so that results do not depend on threads.
///
/// Collective: no.

#include "targets/cpu/team.h"

#include <algorithm>

namespace quda::dense
{

/// Type of a number. Values of this and the next two are those of the C interface.
enum class Scalar : int { real_single = 0, real_double = 1, complex_single = 2, complex_double = 3 };

/// What lies one after the other: the numbers of a row, or those of a column.
enum class Order : int { row = 0, column = 1 };

/// op(X) = X, X^T or X^dag.
enum class Op : int { none = 0, transpose = 1, adjoint = 2 };

struct Shape {
  int rows, columns;
};

/// Shape of the X that is stored where op(X) has this one.
inline Shape stored(Op op, Shape used) { return op == Op::none ? used : Shape {used.columns, used.rows}; }

/// Numbers that lie one after the other, and how often.
inline int length_of_run(Order order, Shape shape) { return order == Order::row ? shape.columns : shape.rows; }
inline int number_of_runs(Order order, Shape shape) { return order == Order::row ? shape.rows : shape.columns; }

/// Has Eigen cut sums for caches of one size and not of that found, which would be in their bits, and start no threads.
/// Called before matrices are worked on.
void prepare_eigen();

/// work(begin, end) for parts of 0 ... number - 1 that together are all of it, by several threads.
template <class Work> void share_out(long long number, Work &&work)
{
  struct Shared {
    Work &work;
    long long number;
  } shared {work, number};
  const auto part = [](void *context, int thread, int threads) {
    const Shared &all = *static_cast<const Shared *>(context);
    const long long begin = all.number * thread / threads, end = all.number * (thread + 1) / threads;
    if (begin < end) all.work(begin, end);
  };
  const long long threads = std::min<long long>(number, cpu::max_threads());
  if (threads > 0) cpu::run_team(static_cast<int>(threads), part, &shared);
}

} // namespace quda::dense
