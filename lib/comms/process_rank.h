#pragma once
/// This process among those that MPI started, whatever grid they make; 0 where MPI does not run.

namespace quda
{

int process_rank();

} // namespace quda
