#pragma once
/// The pattern of --filter.

#include <string>

#include <regex.h>

#include "core/error.h"

namespace quda::bench
{

/// An extended regular expression. Error (bad_argument) where it is none.
class Pattern
{
public:
  /// POSIX: the one of the standard library takes longer to compile than all else here.
  explicit Pattern(const std::string &pattern)
  {
    const int wrong = regcomp(&compiled_, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
    if (wrong) {
      char why[200];
      regerror(wrong, &compiled_, why, sizeof why);
      fail(ErrorKind::bad_argument, text("--filter = \"%s\": %s", pattern.c_str(), why));
    }
  }
  ~Pattern() { regfree(&compiled_); }
  Pattern(const Pattern &) = delete;
  Pattern &operator=(const Pattern &) = delete;

  bool in(const std::string &name) const { return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0; }

private:
  regex_t compiled_;
};

} // namespace quda::bench
