#include "core/error.h"

#include <cstdarg>
#include <cstdio>

namespace quda
{

Error::Error(ErrorKind kind, const std::string &message, SourceLocation where)
    : std::runtime_error(message)
    , kind_(kind)
    , where_(where)
{
}

void fail(ErrorKind kind, const std::string &message, SourceLocation where) { throw Error(kind, message, where); }

std::string text(const char *format, ...)
{
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, values);
  va_end(values);
  std::string result;
  if (length > 0) {
    result.resize(static_cast<std::size_t>(length));
    std::vsnprintf(result.data(), result.size() + 1, format, again);
  }
  va_end(again);
  return result;
}

} // namespace quda
