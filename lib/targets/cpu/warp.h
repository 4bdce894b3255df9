#pragma once
/// Exchange between threads of a warp: on the CPU a thread has no others.

#include <block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_DEVICE unsigned warp_word(const Block &, unsigned word, int /* thread */, int /* run */) { return word; }

} // namespace quda::QUDA_TARGET_NAMESPACE
