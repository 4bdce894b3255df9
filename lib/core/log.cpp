#include "core/log.h"

#include "core/environment.h"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <limits>
#include <mutex>

namespace quda
{

namespace
{

  struct Log {
    std::atomic<Verbosity> level {Verbosity::summarize};
    std::atomic<bool> rank_prints {true};
    std::mutex mutex; // guards the members below, and keeps messages of different threads apart
    std::string prefix;
    std::FILE *stream = nullptr;
  };

  // never destroyed: static objects of a host program may still print at exit
  Log &log()
  {
    static Log &the_log = *new Log;
    return the_log;
  }

  __attribute__((format(printf, 2, 0))) void write(const char *heading, const char *format, va_list values,
                                                   const char *ending)
  {
    va_list again;
    va_copy(again, values);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    std::string body(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
    if (length > 0) std::vsnprintf(body.data(), body.size() + 1, format, values);

    Log &the_log = log();
    std::lock_guard<std::mutex> lock(the_log.mutex);
    std::FILE *stream = the_log.stream ? the_log.stream : stdout;
    const std::string message = the_log.prefix + heading + body + ending;
    std::fwrite(message.data(), 1, message.size(), stream);
    std::fflush(stream);
  }

} // namespace

void set_log(Verbosity level, const std::string &prefix, std::FILE *stream)
{
  Log &the_log = log();
  std::lock_guard<std::mutex> lock(the_log.mutex);
  the_log.level = level;
  the_log.prefix = prefix.substr(0, log_prefix_limit);
  the_log.stream = stream;
}

void set_log_rank(int rank)
{
  const auto listed = env_int_list("QUDA_RANK_VERBOSITY", -1, std::numeric_limits<int>::max());
  const auto lists = [&](long wanted) { return std::find(listed->begin(), listed->end(), wanted) != listed->end(); };
  log().rank_prints = listed ? lists(-1) || lists(rank) : rank == 0;
}

Verbosity verbosity() { return log().level; }

void set_verbosity(Verbosity level) { log().level = level; }

bool log_rank_prints() { return log().rank_prints; }

bool log_prints(Verbosity level) { return log_rank_prints() && level <= verbosity(); }

void print(Verbosity level, const char *format, ...)
{
  if (!log_prints(level)) return;
  va_list values;
  va_start(values, format);
  write("", format, values, "");
  va_end(values);
}

void warn(const char *format, ...)
{
  if (!log_prints(Verbosity::summarize)) return;
  va_list values;
  va_start(values, format);
  write("WARNING: ", format, values, "\n");
  va_end(values);
}

void print_always(const char *format, ...)
{
  va_list values;
  va_start(values, format);
  write("", format, values, "");
  va_end(values);
}

} // namespace quda
