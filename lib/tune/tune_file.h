#pragma once
/// The text of tunecache.tsv: rows and first line, written and parsed. No file access and no communication.

#include <ctime>
#include <string>
#include <vector>

#include "core/tune_param.h"
#include "tune/tune_key.h"

namespace quda
{

class TargetApi;

struct TuneRow {
  TuneKey key;
  TuneParam param = {};
  double seconds = 0; // of one launch
  int version = 1;    // Tunable::tune_version() of the measured kernel
  std::string digest; // of the device and the build of the measurement
  std::string comment;
};

/// One file holds rows of several devices; ordered by key, then digest.
bool operator<(const TuneRow &a, const TuneRow &b);

enum class TuneFileState {
  good,
  foreign, ///< from another library
  newer,   ///< ours, from a later version
  damaged
};

struct TuneFile {
  TuneFileState state = TuneFileState::good;
  std::string why; // not good: a short reason
  std::vector<TuneRow> rows;
};

/// any_version: rows of a newer file are accepted as well, as far as they can be understood.
TuneFile parse_tune_file(const std::string &content, bool any_version = false);

/// The whole file; `hash` is the last word of the first line.
std::string tune_file_text(const std::vector<TuneRow> &rows, const std::string &hash, std::time_t now);

/// The first line of a file of ours: word, version, "libquda-" version, hash, date (which ends the line).
std::string file_heading(const char *word, const std::string &hash, std::time_t now);

/// "# .. Gflop/s, .. GB/s, version .., device .., tuning took .. seconds at <date>" of a row.
std::string row_comment(const TuneRow &row, long long flops, long long bytes, double tuning_seconds, std::time_t now);

/// Device, instruction set, threads and build in readable words without blanks, for the first line.
std::string build_hash();

/// Eight hexadecimal digits of a device (the one in use) and the build: rows of another digest are not used.
std::string build_digest();
std::string build_digest(const TargetApi &device);

} // namespace quda
