#pragma once

/// Messages to the user of the program.
///
/// Default: Verbosity::summarize, no prefix, standard output, rank 0. QUDA_RANK_VERBOSITY lists the ranks that print
/// ("0,3"; -1 for all); if it is set, a rank not listed is silent, rank 0 included.
/// Each message is written in one piece behind the prefix and flushed; it carries its own newline.
/// Messages may come from several threads. Collective: no.

#include <cstdio>
#include <string>

namespace quda
{

enum class Verbosity : int { silent = 0, summarize = 1, verbose = 2, debug = 3 };

/// Longer prefixes are cut to this many characters.
constexpr int log_prefix_limit = 99;

/// Level and stream of the output. The stream stays the caller's; null means standard output.
void set_log(Verbosity level, const std::string &prefix, std::FILE *stream);

/// This process's rank in the current communicator; reads QUDA_RANK_VERBOSITY, an ill-formed list is an Error.
void set_log_rank(int rank);

Verbosity verbosity();
void set_verbosity(Verbosity level);

/// A verbosity for the duration of a block.
class VerbosityScope
{
public:
  explicit VerbosityScope(Verbosity level)
      : before_(verbosity())
  {
    set_verbosity(level);
  }
  ~VerbosityScope() { set_verbosity(before_); }
  VerbosityScope(const VerbosityScope &) = delete;
  VerbosityScope &operator=(const VerbosityScope &) = delete;

private:
  Verbosity before_;
};

/// Does this rank print?
bool log_rank_prints();

/// Does a message of this level reach the stream on this rank? Guards texts that are costly to compose.
bool log_prints(Verbosity level);

/// A message of the given level, from printing ranks only.
__attribute__((format(printf, 2, 3))) void print(Verbosity level, const char *format, ...);

/// "WARNING: ", the text and a newline, from printing ranks only, unless silent.
__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

/// A message from this rank whatever its number and the verbosity: for failures.
__attribute__((format(printf, 1, 2))) void print_always(const char *format, ...);

} // namespace quda
