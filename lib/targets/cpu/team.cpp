#include "targets/cpu/team.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace quda::cpu
{

int max_threads()
{
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

void run_team(int threads, void (*work)(void *context, int thread, int threads), void *context)
{
#if defined(_OPENMP)
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    for (int thread = omp_get_thread_num(); thread < threads; thread += omp_get_num_threads())
      work(context, thread, threads);
    return;
  }
#endif
  for (int thread = 0; thread < threads; thread++) work(context, thread, threads);
}

} // namespace quda::cpu
