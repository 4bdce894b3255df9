#pragma once
/// What a tuned launch is known by: the volume it works on, the kernel, and whatever else its speed depends on. Plain
/// arrays, so that a key is made and looked up without allocation; no blanks inside, the cache file splits at them.

#include <cstring>

namespace quda
{

struct TuneKey {
  static constexpr int volume_size = 32;
  static constexpr int name_size = 512;
  static constexpr int aux_size = 256;
  char volume[volume_size] = {};
  char name[name_size] = {};
  char aux[aux_size] = {};

  /// By (volume, name, aux), as the cache file is sorted.
  friend int compare(const TuneKey &a, const TuneKey &b)
  {
    if (const int c = std::strcmp(a.volume, b.volume)) return c;
    if (const int c = std::strcmp(a.name, b.name)) return c;
    return std::strcmp(a.aux, b.aux);
  }
  friend bool operator<(const TuneKey &a, const TuneKey &b) { return compare(a, b) < 0; }
  friend bool operator==(const TuneKey &a, const TuneKey &b) { return compare(a, b) == 0; }
};

/// A piece of a key, by printf; cut at the longest an aux may be.
struct KeyText {
  char s[TuneKey::aux_size];
};
__attribute__((format(printf, 1, 2))) KeyText key_text(const char *format, ...);

} // namespace quda
