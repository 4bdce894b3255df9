#pragma once
/// Common parts of products and inverses of many small matrices on the host: names for the storage of a caller's
/// matrices, and a loop that shares a batch among the processor's threads. A piece of the batch is the same work
/// in any thread, so that results do not depend on the number of threads.
///
/// Collective: no.

#include "targets/cpu/team.h"

#include <algorithm>

namespace quda::dense
{

/// Type of a number. Values of this enumeration and the next two are those of the C interface.
enum class Scalar : int { real_single = 0, real_double = 1, complex_single = 2, complex_double = 3 };

/// Storage order: the numbers of a row, or those of a column, lie one after the other.
enum class Order : int { row = 0, column = 1 };

/// op(X) = X, X^T or X^dag.
enum class Op : int { none = 0, transpose = 1, adjoint = 2 };

struct Shape {
  int rows, columns;
};

/// Shape of the stored X whose op(X) has shape `used`.
inline Shape stored(Op op, Shape used) { return op == Op::none ? used : Shape {used.columns, used.rows}; }

/// Length and number of the contiguous runs of a matrix.
inline int length_of_run(Order order, Shape shape) { return order == Order::row ? shape.columns : shape.rows; }
inline int number_of_runs(Order order, Shape shape) { return order == Order::row ? shape.rows : shape.columns; }

/// Makes Eigen block sums for one size of cache, not the machine's, since their bits depend on it, and start no
/// threads. Called before any work on matrices.
void prepare_eigen();

/// Calls work(begin, end) on parts that together cover 0 ... number - 1, in several threads.
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
