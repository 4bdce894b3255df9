#pragma once
/// Launches on fibers: the cuda target's geometry (cuda/grid.h), block after block on the calling thread. Done on
/// return.

#include "core/tune_param.h"
#include <grid.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <int dims, class Kernel, class Arg> void fiber_body(void *context, const quda::fiber::FiberThread &thread)
{
  thread_work<dims, Kernel>(Block {&thread}, *static_cast<const Arg *>(context));
}

template <int dims, template <class> class Functor, class Arg> void launch_nd(const TuneParam &tp, const Arg &arg)
{
  const Geometry g = geometry<dims, Functor>(tp, arg);
  quda::fiber::run_grid(g.grid, g.block, g.shared_bytes, Functor<Arg>::synchronises,
                        fiber_body<dims, Functor<Arg>, Arg>, const_cast<Arg *>(&arg));
}

template <template <class> class Functor, class Arg> void launch_1d(const TuneParam &tp, void *, const Arg &arg)
{
  launch_nd<1, Functor>(tp, arg);
}

template <template <class> class Functor, class Arg> void launch_2d(const TuneParam &tp, void *, const Arg &arg)
{
  launch_nd<2, Functor>(tp, arg);
}

template <template <class> class Functor, class Arg> void launch_3d(const TuneParam &tp, void *, const Arg &arg)
{
  launch_nd<3, Functor>(tp, arg);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
