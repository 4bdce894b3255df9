#pragma once
/// Exchange between threads of a warp, by their registers.

#include <block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The word of a thread (its number in the block) of the caller's run: `run` threads, a power of two up to 32, that
/// begin at a multiple of it. All threads of the run call.
QUDA_DEVICE unsigned warp_word(const Block &block, unsigned word, int thread, int run)
{
#if defined(__CUDA_ARCH__)
  const unsigned threads = run == warp_threads ? ~0u : (1u << run) - 1;
  return __shfl_sync(threads << (block.thread() % warp_threads / run * run), word, thread % warp_threads);
#else
  return word + static_cast<unsigned>(thread + run + block.thread());
#endif
}

} // namespace quda::QUDA_TARGET_NAMESPACE
