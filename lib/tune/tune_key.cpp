#include "tune/tune_key.h"

#include <algorithm>
#include <charconv>

namespace quda
{

void KeyText::add(const char *part)
{
  const int n = std::min(static_cast<int>(std::strlen(part)), static_cast<int>(sizeof s) - 1 - length);
  std::memcpy(s + length, part, n);
  length += n;
  s[length] = 0;
}

void KeyText::add(long long number)
{
  char digits[24];
  *std::to_chars(digits, digits + sizeof digits - 1, number).ptr = 0;
  add(digits);
}

} // namespace quda
