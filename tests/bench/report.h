#pragma once
/// What was measured, as a table for people and as JSON for programs.
///
/// JSON: an object with
///   machine : facts of lscpu, date, version, target, threads, last cache and the caches before it in bytes
///   limits  : GB/s of copy, triad, dot, update in place and gather from memory, and `memory`, the best of them;
///   GFLOP/s
///             of multiply-adds in double and single: medians over the whole run, each tuned
///   cache_limits : a list of working_set (bytes) and GB/s of the same, arrays of together that size under the last
///             cache, and `cache`, the best of them
///   latency : ns of a load from memory and of a line handed from thread to thread (`memory`, `hand_over`), one sample
///             before each kernel: median, least and most
///   results : a list of kernel, variant, prec, recon (18 where a kernel reads no links), dims, nrhs, threads, seconds
///             (median of one run), spread (middle half over the median), samples, gflops, uncounted_gflops
///             (exponentials), gbytes_per_s (of the ideal traffic), working_set, roof ("near", "last",
///             "memory": arithmetic/caches.h), bound ("memory", "cache", "fma"), limit (of the
///             same seconds), fraction, shape
///             ("copy", "triad", "dot", "update", "gather", "other"), shape_fraction (of the best limit of that shape;
///             0: none), checksum_ok; of solves also iterations, iteration_seconds and iteration_over_operator (the
///             time of the operator's products in an iteration, measured by themselves)

#include <array>
#include <string>
#include <vector>

#include "bench/latency.h"
#include "bench/measure.h"

namespace quda::bench
{

struct Report {
  std::array<int, 4> dims;
  Machine machine;
  Latencies latencies;
  std::vector<Result> results;
};

void print_heading(const Report &report);
/// One row, when it is known.
void print_result(const Result &result);
/// The limits, and what is wrong: false then.
bool print_end(const Report &report);
/// Error (file) when it cannot be written.
void write_json(const Report &report, const std::string &path);

} // namespace quda::bench
