#pragma once
/// The key of a tuned launch: its volume, its kernel, and other properties that its speed depends on. Plain
/// arrays, so that a key is made and looked up without allocation; no blanks inside, as the cache file splits at them.

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

  /// By (volume, name, aux), the order of the cache file.
  friend int compare(const TuneKey &a, const TuneKey &b)
  {
    if (const int c = std::strcmp(a.volume, b.volume)) return c;
    if (const int c = std::strcmp(a.name, b.name)) return c;
    return std::strcmp(a.aux, b.aux);
  }
  friend bool operator<(const TuneKey &a, const TuneKey &b) { return compare(a, b) < 0; }
  friend bool operator==(const TuneKey &a, const TuneKey &b) { return compare(a, b) == 0; }
};

/// A piece of a key, cut at the longest aux. Every launch makes one, and printf is too slow for that.
struct KeyText {
  char s[TuneKey::aux_size];
  int length = 0;

  KeyText() { s[0] = 0; }
  void add(const char *part);
  void add(long long number);
  void add(int number) { add(static_cast<long long>(number)); }
};

/// The texts and whole numbers in sequence.
template <class... Parts> KeyText key_text(const Parts &...parts)
{
  KeyText text;
  (text.add(parts), ...);
  return text;
}

} // namespace quda
