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

/// A piece of a key, cut at the longest an aux may be. Every launch makes one, so printf is too slow for it.
struct KeyText {
  char s[TuneKey::aux_size];
  int length = 0;

  KeyText() { s[0] = 0; }
  void add(const char *part);
  void add(long long number);
  void add(int number) { add(static_cast<long long>(number)); }
};

/// The texts and whole numbers one after the other.
template <class... Parts> KeyText key_text(const Parts &...parts)
{
  KeyText text;
  (text.add(parts), ...);
  return text;
}

} // namespace quda
