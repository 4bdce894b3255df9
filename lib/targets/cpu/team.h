#pragma once
/// The threads of the CPU target. Launch units call the team through a plain function pointer, so that no code compiled
/// for one instruction set hands a symbol to another.

namespace quda::cpu
{

/// Largest useful team: what OMP_NUM_THREADS or the application asked for, else the processors at hand.
int max_threads();

/// Calls work(context, thread, threads) once for each thread in 0..threads-1, at most one call at a time per thread;
/// returns when all are done. All numbers are served, also when fewer real threads can be had. `work` must not throw.
void run_team(int threads, void (*work)(void *context, int thread, int threads), void *context);

} // namespace quda::cpu
