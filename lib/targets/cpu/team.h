#pragma once
/// The threads of the CPU target: a team that stays, asleep between calls. Launch units call it through a plain
/// function pointer, so that no code compiled for one instruction set hands a symbol to another.
///
/// A launch is handed over by one atomic number, and the caller works too. Each thread's part is cut into shares. A
/// thread that is late, not awake yet or put aside by the system, is not waited for: the caller does its shares, and
/// where there are several the other threads help; what it has begun is all that it can hold up. A waiting thread looks
/// again and again for some microseconds, then sleeps. One launch has the team at a time; others meanwhile, from another
/// thread or from within work, are done by their callers alone. A forked child makes a team of its own.

namespace quda::cpu
{

/// Largest useful team (targets/cpu/processors.h), as it was at the first call in this process.
int max_threads();

constexpr int most_shares = 15;

/// Calls work(context, number, numbers) once for each number in 0..numbers-1, several of them at the same time where
/// there are threads; returns when all are done. numbers is threads times shares (1 to most_shares), or threads where
/// the caller does all by itself; neighbouring numbers belong to one thread. What work throws reaches the caller then,
/// of several the first.
void run_team(int threads, void (*work)(void *context, int number, int numbers), void *context, int shares = 1);

/// Memory of the calling thread for a record that is merged from others, aligned to a cache line. The latest of
/// these records stay valid: as many as fit into 16 KB if none has more than 5 KB.
char *next_record(int bytes);

} // namespace quda::cpu
