#pragma once
/// Exchange between threads of a warp, through the fibers' runtime.

#include <block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The word of a thread (its number in the block) of the caller's run of threads; all of the warp call.
QUDA_DEVICE unsigned warp_word(const Block &block, unsigned word, int thread, int /* run */)
{
  return quda::fiber::exchange_words(*block.self, word, thread % warp_threads);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
