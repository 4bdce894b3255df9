#pragma once
/// What was measured, as a table for people and as JSON for programs.
///
/// JSON: an object with
///   machine : facts of lscpu, date, version, target, threads, gridsize, tuning, last cache and the caches before it
///             in bytes
///   limits  : GB/s of copy, triad, dot, update in place and gather from memory, and `memory`, the best of them; GFLOP/s
///             of multiply-adds in double and single: medians over the whole run, each tuned
///   cache_limits : a list of working_set (bytes) and GB/s of the same, arrays of together that size under the last
///             cache, and `cache`, the best of them
///   latency : ns of a load from memory and of a line handed from thread to thread (`memory`, `hand_over`), one sample
///             before each kernel: median, least and most
///   results : a list of kernel, variant ("reference", "cpu:avx512", ..), prec, recon (18 where a kernel reads no
///             links), dims, nrhs, threads, ranks, tuning, features, tables; of one run flops, read, written, touched,
///             working_set (bytes), uncounted_flops; seconds (median of one run), spread (middle half over the median),
///             samples, passes (a list of seconds, all samples, with the share of the processors that this process had
///             during each; the upper quartile of bandwidth and multiply-add rate of the same seconds),
///             gflops, uncounted_gflops (exponentials), gbytes_per_s (of the ideal traffic), roof ("near", "last",
///             "memory": arithmetic/caches.h), bound ("memory", "cache", "fma"), limit (of the same seconds),
///             fraction, shape ("copy", "triad", "dot", "update", "gather", "other"), shape_fraction (of the best limit
///             of that shape; 0: none), checksum (value, size, count), checksum_ok; of solves also iterations,
///             iteration_seconds and iteration_over_operator (the time of the operator's products in an iteration,
///             measured by themselves)
/// Of several targets, tunings or numbers of threads: an object with `runs`, a list of such objects.
/// CSV: the results, a line each, without passes.

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/latency.h"
#include "bench/measure.h"

namespace quda::bench
{

struct Report {
  Machine machine;
  Latencies latencies;
  std::string tuning;
  std::vector<Result> results;
};

void print_heading(const Report &report, const std::array<int, 4> &dims);
/// One row, when it is known.
void print_result(const Result &result);
/// The limits, and what is wrong: false then.
bool print_end(const Report &report);

/// What would run, as a table of names, costs and features, one row a case.
void print_list(const std::vector<Case> &cases);
/// The same as JSON: a list of case, kernel, variant, tables, features and costs.
nlohmann::json list_of(const std::vector<Case> &cases);

nlohmann::json json_of(const Report &report);
/// Compares the checksums of each kernel's variants, precisions and so on; says what differs, and gives false.
bool checksums_agree(const nlohmann::json &rows);

/// A result or run a line. Error (file) when it cannot be written.
void write_json(const nlohmann::json &all, const std::string &path);
void write_csv(const nlohmann::json &rows, const std::string &path);

/// On a terminal, a line that the next one overwrites; else, where in_files says so, one every five minutes.
void print_progress(const std::string &line, bool in_files = false);

} // namespace quda::bench
