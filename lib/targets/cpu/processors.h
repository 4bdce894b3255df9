#pragma once
/// Processors that this process may use, and the number of threads it should have.

#include <string>
#include <vector>

namespace quda::cpu
{

/// Numbers of the processors this thread may run on, one of each core before the second ones; if a host's OpenMP has
/// bound the thread to one place, the processors of all its places.
std::vector<int> usable_processors();

/// Processor time, in processors, that the control groups of this process allow (versions 1 and 2); 0: no limit. root:
/// the folder that holds proc and sys.
double processor_quota(const std::string &root = "");

/// The number of threads set by OMP_NUM_THREADS or the host's omp_set_num_threads(); else the number of usable
/// processors, at most what the quota keeps busy.
int threads_to_use();

/// Whether the environment asks for threads that stay on their processors (OMP_PROC_BIND).
bool threads_are_bound();

} // namespace quda::cpu
