#pragma once
/// Launches on the CPU: every point of the index space [0, threads[0]) x [0, threads[1]) x [0, threads[2]) is visited
/// once, by a team of tp.grid[0] threads (0: all there are).
///
/// x is cut into tiles of tp.block[0] points (0: a thread's whole share). Within a tile x runs fastest, then y, then z.
/// Schedule tp.schedule = 0 gives each thread one contiguous range of x, the same for every kernel on a field, so that
/// memory stays with the thread that touched it first; a long range has shares, and other threads take some if its
/// thread is late. 1 deals tiles round-robin. Nothing is allocated. After streaming stores (tp.streaming) each share
/// ends with a store fence.
///
/// Axes that a kernel cooperates along (device/elements.h) are the kernel's own loops: the launcher calls it once for
/// each point of the others, along X once a tile. An Error is thrown for a block the kernel does not allow.

#include <immintrin.h>

#include "core/tune_param.h"
#include "targets/cpu/team.h"
#include "targets/launch_error.h"
#include "targets/locates.h"
#include <block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int most_shared_bytes = 1 << 20; // of a thread's stack
constexpr unsigned share_points = 512;     // of x, many times what taking a share costs

template <class Arg> struct CpuLaunch {
  const Arg *arg;
  unsigned threads[3]; // extents, 1 beyond the launch's dimensions
  long long tile;
  int schedule;
  int fence;
  int shared_bytes;
};

/// Calls body(x0, x1) for the tiles of one number of the team. Tiles start at multiples of `grain`.
template <class Body> QUDA_DEVICE void for_tiles(long long n, long long tile, int schedule, int thread, int threads,
                                                 long long grain, const Body &body)
{
  long long first, last, step;
  if (schedule == 0) {
    const long long grains = (n + grain - 1) / grain;
    first = grains * thread / threads * grain;
    last = grains * (thread + 1) / threads * grain;
    last = last < n ? last : n;
    step = tile;
  } else {
    first = thread * tile;
    last = n;
    step = threads * tile;
  }
  for (long long x0 = first; x0 < last; x0 += step) {
    const long long x1 = x0 + tile < last ? x0 + tile : last;
    body(static_cast<unsigned>(x0), static_cast<unsigned>(x1));
  }
}

/// The points [x0, x1) of one line of the index space.
template <class Kernel, class... Rest>
QUDA_DEVICE void for_points(const Kernel &kernel, unsigned x0, unsigned x1, Rest... rest)
{
  if constexpr (Locates<Kernel>) {
    // batch after batch; the points that a kernel looks ahead to, beyond a batch, are located with it
    constexpr unsigned batch = look_ahead_limit, ring = 2 * batch;
    typename Kernel::Site site[ring];
    unsigned ahead = 0;
    if constexpr (LooksAhead<Kernel>) ahead = kernel.ahead() < look_ahead_limit ? kernel.ahead() : look_ahead_limit;
    for (unsigned x = x0, located = x0; x < x1;) {
      const unsigned stop = x1 - x < batch ? x1 : x + batch, known = x1 - stop < ahead ? x1 : stop + ahead;
      for (; located < known; located++) kernel.locate(site[located % ring], located, rest...);
      for (; x < stop; x++) {
        if constexpr (LooksAhead<Kernel>)
          kernel(site[x % ring], ahead > 0 && x + ahead < known ? &site[(x + ahead) % ring] : nullptr);
        else
          kernel(site[x % ring]);
      }
    }
  } else {
    for (unsigned x = x0; x < x1; x++) kernel(x, rest...);
  }
}

template <int dims, class Kernel, class Arg> void cpu_sweep(void *context, int thread, int threads)
{
  const auto &launch = *static_cast<const CpuLaunch<Arg> *>(context);
  const Arg arg = *launch.arg; // a copy whose members no store of the kernel can change
  constexpr bool x_together = Kernel::cooperates(0);
  constexpr bool y_together = dims > 1 && Kernel::cooperates(1);
  constexpr bool z_together = dims > 2 && Kernel::cooperates(2);
  const unsigned ny = y_together ? 1 : launch.threads[1];
  const unsigned nz = z_together ? 1 : launch.threads[2];

  Block block;
  block.memory = nullptr;
  if (launch.shared_bytes > 0)
    block.memory = static_cast<char *>(__builtin_alloca_with_align(launch.shared_bytes, 8 * shared_alignment));
  block.size[0] = x_together ? static_cast<int>(launch.tile) : 1;
  block.size[1] = y_together ? static_cast<int>(launch.threads[1]) : 1;
  block.size[2] = z_together ? static_cast<int>(launch.threads[2]) : 1;
  block.first[0] = block.first[1] = block.first[2] = 0;

  for_tiles(launch.threads[0], launch.tile, launch.schedule, thread, threads, x_together ? launch.tile : 1,
            [&](unsigned x0, unsigned x1) QUDA_LAMBDA {
              if constexpr (x_together) {
                block.first[0] = x0;
                x1 = x0 + 1;
              }
              const Kernel kernel {{block}, arg};
              for (unsigned z = 0; z < nz; z++)
                for (unsigned y = 0; y < ny; y++) {
                  if constexpr (dims == 1)
                    for_points(kernel, x0, x1);
                  else if constexpr (dims == 2)
                    for_points(kernel, x0, x1, y);
                  else
                    for_points(kernel, x0, x1, y, z);
                }
            });
  if (launch.fence) stream_fence();
}

/// Team and tile of a launch over `n` points of x.
QUDA_DEVICE int team_size(const TuneParam &tp, unsigned n)
{
  int team = tp.grid[0] > 0 ? tp.grid[0] : cpu::max_threads();
  if (static_cast<unsigned>(team) > n) team = n > 0 ? static_cast<int>(n) : 1;
  return team;
}

/// Shares of each thread of a launch over `n` points of x (targets/cpu/team.h).
QUDA_DEVICE int shares(const TuneParam &tp, unsigned n)
{
  return tp.schedule == 0 ? static_cast<int>(n / share_points) / team_size(tp, n) : 1;
}

template <int dims, template <class> class Functor, class Arg> void cpu_launch(const TuneParam &tp, const Arg &arg)
{
  using Kernel = Functor<Arg>;
  CpuLaunch<Arg> launch;
  launch.arg = &arg;
  for (int axis = 0; axis < 3; axis++) launch.threads[axis] = axis < dims ? arg.threads[axis] : 1;
  launch.tile = tp.block[0] > 0 ? tp.block[0] : launch.threads[0] > 0 ? launch.threads[0] : 1;
  launch.schedule = tp.schedule;
  launch.fence = tp.streaming;

  int size[3];
  for (int axis = 0; axis < 3; axis++) {
    const long long together = axis == 0 ? launch.tile : launch.threads[axis];
    if (Kernel::cooperates(axis) && together > Kernel::most(axis))
      launch_error(__PRETTY_FUNCTION__, "indices of a block along a cooperating axis", together, 0, Kernel::most(axis));
    size[axis] = Kernel::cooperates(axis) ? static_cast<int>(together) : 1;
  }
  constexpr int split = Kernel::warp_split();
  if (split > 1 && size[1] != split)
    launch_error(__PRETTY_FUNCTION__, "indices that share a point", size[1], split, split);
  launch.shared_bytes = Kernel::shared_bytes(size[0], size[1], size[2]);
  if (launch.shared_bytes > most_shared_bytes)
    launch_error(__PRETTY_FUNCTION__, "bytes of shared memory", launch.shared_bytes, 0, most_shared_bytes);

  if (launch.threads[0] > 0 && launch.threads[1] > 0 && launch.threads[2] > 0)
    cpu::run_team(team_size(tp, launch.threads[0]), cpu_sweep<dims, Kernel, Arg>, &launch,
                  shares(tp, launch.threads[0]));
}

/// f(x) for every point. `stream` is for targets that have streams. Done on return.
template <template <class> class Functor, class Arg> void launch_1d(const TuneParam &tp, void *, const Arg &arg)
{
  cpu_launch<1, Functor>(tp, arg);
}

/// f(x, y) for every point.
template <template <class> class Functor, class Arg> void launch_2d(const TuneParam &tp, void *, const Arg &arg)
{
  cpu_launch<2, Functor>(tp, arg);
}

/// f(x, y, z) for every point.
template <template <class> class Functor, class Arg> void launch_3d(const TuneParam &tp, void *, const Arg &arg)
{
  cpu_launch<3, Functor>(tp, arg);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
