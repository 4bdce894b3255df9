#pragma once

/// The log's output into a temporary file for the duration of a test; the defaults return afterwards.

#include "core/log.h"

#include <cstdio>
#include <string>
#include <unistd.h>

class CapturedLog
{
public:
  explicit CapturedLog(quda::Verbosity level = quda::Verbosity::summarize, const char *prefix = "")
      : stream_(std::tmpfile())
  {
    quda::set_log(level, prefix, stream_);
  }
  ~CapturedLog()
  {
    quda::set_log(quda::Verbosity::summarize, "", nullptr);
    std::fclose(stream_);
  }
  CapturedLog(const CapturedLog &) = delete;
  CapturedLog &operator=(const CapturedLog &) = delete;

  /// What was written so far, read past the stream's buffer so that only what was flushed shows.
  std::string text() const
  {
    std::string content;
    char buffer[4096];
    for (;;) {
      const auto at = static_cast<off_t>(content.size());
      const ssize_t n = pread(fileno(stream_), buffer, sizeof buffer, at);
      if (n <= 0) return content;
      content.append(buffer, static_cast<std::size_t>(n));
    }
  }

  std::FILE *stream() const { return stream_; }

private:
  std::FILE *stream_;
};
