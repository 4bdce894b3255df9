#pragma once
/// Kernel operations: the use that a kernel makes of its thread block is part of its type.
///
///   template <class Arg> struct Mix : KernelOps<elements<Y>, SharedMemoryCache<typename Arg::real>> {
///     const Arg &arg;
///     QUDA_DEVICE void operator()(unsigned x, unsigned y) const;
///   };
///
/// The launcher reads the type: shared memory for the block it chose, whether the block's threads wait for each other,
/// which axes of the index space lie whole in a block. The kernel constructs its operations from itself,
/// `SharedMemoryCache<real> cache {*this}`; an undeclared operation does not compile.
///
/// Shared memory: operations overlap unless one names another as its Offset and is placed behind it. Threads
/// must wait (op_blockSync, a cache's sync) between the last use of one and the first use of one that overlaps it.

#include <block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The axes of the index space and of a block.
enum Axis : int { X = 0, Y = 1, Z = 2 };

/// Threads times elements of a block along each axis.
struct Extent {
  int size[3];
};

/// Properties of an operation; each operation derives from this and restates what differs.
struct Operation {
  static constexpr bool operation = true;
  static constexpr bool synchronises = false; // threads of a block wait for each other
  static constexpr int axis = -1;             // axis whose indices cooperate
  static constexpr int most = 0;              // maximal number of these indices
  static constexpr int warp_split = 1;        // threads of a warp that share a point
  using offset = void;                        // operation behind which this one's shared memory lies
  QUDA_DEVICE static constexpr int bytes(Extent) { return 0; }
};

template <class A, class B> constexpr bool same_type = false;
template <class A> constexpr bool same_type<A, A> = true;

/// First byte of an operation in the block's shared memory.
template <class Op> QUDA_DEVICE constexpr int shared_begin(Extent block)
{
  using Before = typename Op::offset;
  if constexpr (same_type<Before, void>) {
    return 0;
  } else {
    const int bytes = shared_begin<Before>(block) + Before::bytes(block);
    return (bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
  }
}

/// Base class of every kernel. The launcher passes the block as its one member.
template <class... Ops> struct KernelOps {
  Block block;

  static constexpr bool synchronises = (Ops::synchronises || ... || false);

  QUDA_DEVICE static constexpr bool cooperates([[maybe_unused]] int axis)
  {
    return ((Ops::axis == axis) || ... || false);
  }

  /// Largest extent that every declared use of the axis allows.
  QUDA_DEVICE static constexpr int most([[maybe_unused]] int axis)
  {
    int least = 1 << 30;
    ((least = Ops::axis == axis && Ops::most < least ? Ops::most : least), ...);
    return least;
  }

  QUDA_DEVICE static constexpr int warp_split()
  {
    int split = 1;
    ((split = Ops::warp_split > split ? Ops::warp_split : split), ...);
    return split;
  }

  /// Shared memory of a block of these extents (threads times elements).
  QUDA_DEVICE static constexpr int shared_bytes(int x, int y, int z)
  {
    [[maybe_unused]] const Extent block = {{x, y, z}};
    int all = 0;
    ((all = shared_begin<Ops>(block) + Ops::bytes(block) > all ? shared_begin<Ops>(block) + Ops::bytes(block) : all),
     ...);
    return all;
  }
};

using NoKernelOps = KernelOps<>;

template <class... Lists> struct CombinedOps;
template <class... A> struct CombinedOps<KernelOps<A...>> {
  using type = KernelOps<A...>;
};
template <class... A, class... B, class... Rest> struct CombinedOps<KernelOps<A...>, KernelOps<B...>, Rest...> {
  using type = typename CombinedOps<KernelOps<A..., B...>, Rest...>::type;
};

/// The operations of several lists: combineOps<StapleOps, KernelOps<op_blockSync>>.
template <class... Lists> using combineOps = typename CombinedOps<Lists...>::type;

/// Shared memory of a kernel for a block of these extents.
template <class Kernel> constexpr int shared_bytes(Extent block)
{
  return Kernel::shared_bytes(block.size[0], block.size[1], block.size[2]);
}

template <class Op, class... Ops> QUDA_DEVICE constexpr bool declares(const KernelOps<Ops...> *)
{
  return (same_type<Op, Ops> || ... || false);
}
template <class Op> QUDA_DEVICE constexpr bool declares(const void *) { return false; }

/// Every operation's constructor begins with this.
template <class Op, class Kernel> QUDA_DEVICE constexpr void require_declared()
{
  static_assert(declares<Op>(static_cast<const Kernel *>(nullptr)),
                "this kernel uses an operation that it does not declare: name the operation in the KernelOps<...> "
                "that the kernel derives from");
}

/// Extents of the block a kernel runs in.
QUDA_DEVICE Extent block_extent(const Block &block) { return {{block.extent(0), block.extent(1), block.extent(2)}}; }

/// Barrier: all threads of the block arrive before any goes on: `op_blockSync sync {*this}; sync();`
struct op_blockSync : Operation {
  static constexpr bool synchronises = true;

  template <class Kernel> QUDA_DEVICE explicit op_blockSync(const Kernel &kernel)
      : block(kernel.block)
  {
    require_declared<op_blockSync, Kernel>();
  }

  QUDA_DEVICE void operator()() const { block.sync(); }

private:
  Block block;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
