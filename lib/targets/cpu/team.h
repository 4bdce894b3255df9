#pragma once
/// The threads of the CPU target: a team that stays, asleep between calls. Launch units call it through a plain
/// function pointer, so that no code compiled for one instruction set hands a symbol to another.
///
/// A launch is handed over by one atomic number, and whoever calls works too. A thread that is not there in time - not
/// awake yet, or put aside by the system - is not waited for: the caller does its part as well. Who waits looks again
/// and again for some microseconds, then sleeps. One launch has the team at a time; others meanwhile, from another
/// thread or from within work, are done by their callers alone. A forked child makes a team of its own.

namespace quda::cpu
{

/// Largest useful team (targets/cpu/processors.h), as it was at the first call in this process.
int max_threads();

/// Calls work(context, number, numbers) once for each number in 0..numbers-1, several of them at the same time where
/// there are threads; returns when all are done. What work throws reaches the caller then, of several the first.
void run_team(int numbers, void (*work)(void *context, int number, int numbers), void *context);

/// Memory of the calling thread for a record that is put together from others, aligned as a line of cache. The last of
/// these are kept beside the one asked for: as many as 16 KB hold where none has more than 5.
char *next_record(int bytes);

} // namespace quda::cpu
