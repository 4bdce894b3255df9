/// The elements of XML in records of LIME files, as QIO and this library write it: no attributes, no element within
/// another of its name. Errors: FileError, with the names of file, record and element. Collective: no.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/lime.h"

namespace quda_files
{

/// Words separated by blanks.
std::vector<std::string> words_of(std::string_view text);

/// A text without the entities of escaped(), restricted to printable characters.
std::string unescaped(std::string text);

class Elements
{
public:
  /// `which` ends the message about an impossible value: "no file of quark fields has".
  Elements(const std::string &path, const Record &record, std::string text, const char *which);

  /// The content of the next element of this name from `at` on; `at` becomes its end.
  std::optional<std::string> next(const std::string &tag, std::size_t &at) const;
  std::optional<std::string> find(const std::string &tag) const;
  std::string get(const std::string &tag) const;

  template <class T, class How> T number(const std::string &tag, std::string_view word, How how) const
  {
    const auto value = to_number<T>(word, how);
    if (!value) wrong(tag, std::string(word));
    return *value;
  }
  std::int64_t positive(const std::string &tag, std::int64_t most) const;
  [[noreturn]] void wrong(const std::string &tag, const std::string &value) const;

private:
  const std::string &path_;
  const std::string record_, text_;
  const char *const which_;
};

} // namespace quda_files
