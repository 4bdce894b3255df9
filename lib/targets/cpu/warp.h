#pragma once
/// What threads of a warp read from each other's registers: a CPU thread has no other.

#include <block.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_DEVICE unsigned warp_word(const Block &, unsigned word, int /* thread */, int /* run */) { return word; }

} // namespace quda::QUDA_TARGET_NAMESPACE
