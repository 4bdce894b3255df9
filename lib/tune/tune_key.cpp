#include "tune/tune_key.h"

#include <cstdarg>
#include <cstdio>

namespace quda
{

KeyText key_text(const char *format, ...)
{
  KeyText text;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.s, sizeof text.s, format, arguments);
  va_end(arguments);
  return text;
}

} // namespace quda
