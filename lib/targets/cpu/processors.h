#pragma once
/// The processors this process may use, and how many threads it should have.

#include <string>
#include <vector>

namespace quda::cpu
{

/// Numbers of the processors this thread may run on, one of each core before the second ones; where a host's OpenMP has
/// bound the thread to one place, those of all its places.
std::vector<int> usable_processors();

/// Processors' worth of time that the control groups of this process allow (versions 1 and 2); 0: no limit. root: the
/// folder that holds proc and sys.
double processor_quota(const std::string &root = "");

/// As many threads as OMP_NUM_THREADS or the host by omp_set_num_threads() asks for; else as there are usable
/// processors, and no more than the quota keeps busy.
int threads_to_use();

/// Whether the environment asks for threads that stay on their processors (OMP_PROC_BIND).
bool threads_are_bound();

} // namespace quda::cpu
