#pragma once
/// Kernels in two steps: `locate(site, x, ...)` finds where a point lies, `operator()(site)` works there.
///
///   template <class Arg> struct Hop : NoKernelOps {
///     const Arg &arg;
///     struct Site { Around around; };
///     QUDA_DEVICE void locate(Site &site, unsigned x) const;
///     QUDA_DEVICE void operator()(const Site &site) const;
///   };
///
/// A launcher may locate several points before it works on the first, so that no multiplication waits for an address.

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Kernel>
concept Locates = requires
{
  typename Kernel::Site;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
