#pragma once
/// Kernels in two steps: `locate(site, x, ...)` finds the place of a point, `operator()(site)` works there.
///
///   template <class Arg> struct Hop : NoKernelOps {
///     const Arg &arg;
///     struct Site { Around around; };
///     QUDA_DEVICE void locate(Site &site, unsigned x) const;
///     QUDA_DEVICE void operator()(const Site &site) const;
///   };
///
/// A launcher may locate several points before it works on the first, so that no multiplication waits for an address.
/// A kernel that prefetches the operands of a later point states by `int ahead() const` how many points later (at most
/// look_ahead_limit), and is called as `operator()(site, ahead)`: that point, or null if there is none.

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Kernel>
concept Locates = requires
{
  typename Kernel::Site;
};

template <class Kernel>
concept LooksAhead = Locates<Kernel> && requires(const Kernel &kernel)
{
  kernel.ahead();
};

constexpr int look_ahead_limit = 8;

} // namespace quda::QUDA_TARGET_NAMESPACE
