#pragma once
/// Two builds of quda_bench measured in turn.
///
/// A round runs before, after, after, before (arithmetic/ratios.h) of each case, each run a process of its own with the
/// same options; rounds follow each other over all cases, so that a bad minute of the machine touches a round or two of
/// each and not all rounds of one. Each build tunes once, in a folder of its own that is removed at the end, with
/// `retune` anew for each round: the spread then has the luck of tuning in it.
///
/// Programs need --list, --dim, --prec, --recon, --nrhs, --filter, --time, --json with `results`: `seconds` and
/// `checksum_ok` of each. Precisions, reconstructs and numbers of right-hand sides that a program refuses are its
/// missing cases. The plain host versions are compared only where the filter names "reference".
///
/// --json writes {before, after, dims, rounds, cases: [{case, before, after (seconds of the runs), ratios, median,
/// least, most, at_least, at_most}], only_before, only_after, failed}.

#include "bench/options.h"

namespace quda::bench
{

/// Exit status: 0; 1 where a case is slower than options.least in more rounds than chance explains, differs from the
/// plain reference in the new build, or failed; errors of what cannot be started or compared are thrown.
int compare(const Options &options);

} // namespace quda::bench
