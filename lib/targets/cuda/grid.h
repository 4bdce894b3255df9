#pragma once
/// Block, grid and shared memory of a launch on a scalar target, and the work of one of its threads.
/// cuda and fiber launch by the same geometry.

#include "core/tune_param.h"
#include "targets/as_asked.h"
#include "targets/launch_error.h"
#include "targets/locates.h"
#include <block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int most_block_threads = 1024;
constexpr int default_block = 128; // threads of a block without tuning

struct Geometry {
  unsigned block[3];
  unsigned grid[3];
  int shared_bytes;
};

/// Threads along an axis so that a block has at most `most`, with `others` along the other axes: whole units, at
/// least one. More than that are refused while a LaunchesAsAsked exists.
inline unsigned allowed_threads(const char *launcher, unsigned threads, unsigned others, unsigned most, unsigned unit)
{
  if (threads * others <= most) return threads;
  if (threads > warp_threads && launches_as_asked())
    launch_error(launcher, "threads of a block", static_cast<long long>(threads) * others, 1, most);
  const unsigned room = most / others / unit * unit;
  return room > unit ? room : unit;
}

/// Blocks of tp.block threads that cover the index space, or of fewer if the kernel's registers allow only `most`;
/// axes a kernel cooperates along lie whole in a block (Y, Z).
template <int dims, template <class> class Functor, class Arg>
Geometry geometry(const TuneParam &tp, const Arg &arg, int most = most_block_threads)
{
  using Kernel = Functor<Arg>;
  constexpr int split = Kernel::warp_split();
  Geometry g;
  int threads = 1;
  for (int axis = 2; axis >= 0; axis--) {
    const unsigned n = axis < dims ? arg.threads[axis] : 1;
    const int wished = tp.block[axis] > 0 ? tp.block[axis] : axis == 0 ? default_block : 1;
    int block = axis < dims ? wished : 1;
    if (Kernel::cooperates(axis)) {
      const unsigned together = axis == 0 ? block : n;
      if (together > static_cast<unsigned>(Kernel::most(axis)))
        launch_error(__PRETTY_FUNCTION__, "indices of a block along a cooperating axis", together, 0,
                     Kernel::most(axis));
      block = together > 0 ? static_cast<int>(together) : 1;
    }
    if (axis == 1 && split > 1 && block != split)
      launch_error(__PRETTY_FUNCTION__, "indices that share a point", block, split, split);
    if (axis == 0) {
      // whole warps if threads of a warp share points; and whole axes may leave less room than requested
      constexpr int row = warp_threads / split;
      const int room = most_block_threads / threads;
      if (split > 1) block = (block + row - 1) / row * row;
      if (!Kernel::cooperates(0) && (Kernel::cooperates(1) || Kernel::cooperates(2)) && block > room && room > 0)
        block = split > 1 ? room / row * row : room;
    }
    g.block[axis] = block;
    g.grid[axis] = (n + block - 1) / block;
    threads *= block;
  }
  if (threads > most_block_threads || threads == 0)
    launch_error(__PRETTY_FUNCTION__, "threads of a block", threads, 1, most_block_threads);
  for (int axis = 0; axis < dims && threads > most; axis++) {
    if (Kernel::cooperates(axis) || (axis == 1 && split > 1)) continue;
    const unsigned others = threads / g.block[axis], row = warp_threads / split;
    const bool whole_warps = axis == 0 && (split > 1 || most / others >= row);
    g.block[axis] = allowed_threads(__PRETTY_FUNCTION__, g.block[axis], others, most, whole_warps ? row : 1);
    g.grid[axis] = (arg.threads[axis] + g.block[axis] - 1) / g.block[axis];
    threads = static_cast<int>(others * g.block[axis]);
  }
  if (threads > most) launch_error(__PRETTY_FUNCTION__, "threads of a block", threads, 1, most);
  const int needed = Kernel::shared_bytes(g.block[0], g.block[1], g.block[2]);
  g.shared_bytes = needed > tp.shared_bytes ? needed : tp.shared_bytes;
  if (g.shared_bytes > most_shared_bytes())
    launch_error(__PRETTY_FUNCTION__, "bytes of shared memory", g.shared_bytes, 0, most_shared_bytes());
  return g;
}

QUDA_DEVICE bool covers_something(const Geometry &g) { return g.grid[0] > 0 && g.grid[1] > 0 && g.grid[2] > 0; }

template <class Kernel, class... Point> QUDA_DEVICE void work_at(const Kernel &kernel, Point... point)
{
  if constexpr (Locates<Kernel>) {
    typename Kernel::Site site;
    kernel.locate(site, point...);
    if constexpr (LooksAhead<Kernel>)
      kernel(site, nullptr);
    else
      kernel(site);
  } else {
    kernel(point...);
  }
}

/// The work of one thread. Threads beyond the end of an axis leave, except along cooperating axes, where their
/// element loops are empty: they still have to arrive at the barriers.
template <int dims, class Kernel, class Arg> QUDA_DEVICE void thread_work(const Block &block, const Arg &arg)
{
  unsigned at[3];
  QUDA_UNROLL
  for (int axis = 0; axis < 3; axis++) {
    at[axis] = block.start(axis);
    if (!Kernel::cooperates(axis)) at[axis] += block.template index<Kernel::warp_split()>(axis);
    if (axis < dims && at[axis] >= arg.threads[axis]) return;
  }
  const Kernel kernel {{block}, arg};
  if constexpr (dims == 1)
    work_at(kernel, at[0]);
  else if constexpr (dims == 2)
    work_at(kernel, at[0], at[1]);
  else
    work_at(kernel, at[0], at[1], at[2]);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
