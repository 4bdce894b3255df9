#pragma once
/// Thread blocks on the host: each thread of a block is a fiber, barriers are real. For tests: one block after the
/// other on the calling thread.
///
/// Shared memory holds NaN when a block begins. Even blocks start their fibers in ascending order, odd blocks in
/// descending order, so that a missing barrier shows in one of them. Threads that wait for each other at
/// different barriers, or leave a barrier's partners behind for good, are an Error. Fiber switches are announced to the
/// address sanitizer.

namespace quda::fiber
{

struct Crew;

/// One thread of a block.
struct FiberThread {
  int extent[3];  // of the block
  int index[3];   // in the block
  unsigned at[3]; // the block in the grid
  int number;     // in the block
  char *shared;   // 64-byte aligned
  Crew *crew;     // null when the block runs without barriers
};

using FiberBody = void (*)(void *context, const FiberThread &thread);

/// Runs body for every thread of every block. Without `synchronises` a block is a plain loop, in which a barrier is an
/// Error.
void run_grid(const unsigned (&grid)[3], const unsigned (&block)[3], int shared_bytes, bool synchronises,
              FiberBody body, void *context);

/// All threads of the block that have not ended arrive before any goes on.
void wait_for_block(const FiberThread &thread);

/// The word that thread `lane` of the same warp passed; the threads of a warp call together.
unsigned exchange_words(const FiberThread &thread, unsigned word, int lane);

} // namespace quda::fiber
