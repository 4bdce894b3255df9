#pragma once
/// Reductions of a whole field with an operator on the CPU: a thread's points into its registers, lane by lane, then
/// the lanes that hold sites, then the threads.

#include "core/tune_param.h"
#include "core/view.h"
#include "targets/shared/fold_numbers.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int W> QUDA_DEVICE T first_lane(Lane<T, W> a) { return a.v[0]; }

template <class Arg> struct CpuFold {
  const Arg *arg;
  void *parts;
  long long tile;
  int schedule;
};

template <class Kernel, class Op, class Arg> void cpu_fold_sweep(void *context, int thread, int threads)
{
  using Value = Folded<Kernel>;
  using R = typename Value::value_type;
  constexpr int n = Value::size;
  const auto &launch = *static_cast<const CpuFold<Arg> *>(context);
  const Arg arg = *launch.arg;
  const Block block = {nullptr, {1, 1, 1}, {0, 0, 0}};
  const Kernel kernel {{block}, arg};
  Value value;
  Op::nothing(value);
  for_tiles(arg.threads[0], launch.tile, launch.schedule, thread, threads, 1,
            [&](unsigned x0, unsigned x1) QUDA_LAMBDA {
              for (unsigned y = 0; y < arg.threads[1]; y++)
                for (unsigned x = x0; x < x1; x++) value = Op {}(value, kernel(x, y));
            });
  number_of<R> lanes[max_lanes * n];
  for (int l = 0; l < arg.active; l++)
    for (int i = 0; i < n; i++) lanes[n * l + i] = value[i].v[l];
  fold_numbers<Value, Op>(lanes, arg.active);
  for (int i = 0; i < n; i++) static_cast<number_of<R> *>(launch.parts)[n * thread + i] = lanes[i];
}

/// parts[i] = the combination by Op of f(x, y)[i] over all points and the first arg.active lanes of each. f returns an
/// array of registers. parts: memory of the target for most_fold_parts results; the first is the result when
/// `stream` is done.
template <template <class> class Functor, class Op, class Arg>
void launch_fold_2d(const TuneParam &tp, void *, const Arg &arg, void *parts)
{
  using Kernel = Functor<Arg>;
  require_fold<Op, Kernel>();
  const unsigned nx = arg.threads[0];
  CpuFold<Arg> launch = {&arg, parts, tp.block[0] > 0 ? tp.block[0] : nx > 0 ? nx : 1, tp.schedule};
  int team = team_size(tp, nx);
  if (team > most_fold_parts) team = most_fold_parts;
  cpu::run_team(team, cpu_fold_sweep<Kernel, Op, Arg>, &launch);
  using Value = Folded<Kernel>;
  fold_numbers<Value, Op>(static_cast<number_of<typename Value::value_type> *>(parts), team);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
