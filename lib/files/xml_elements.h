/// The elements of XML in records of LIME files, as QIO and we write it: without attributes, and none of one name within
/// another. Errors: FileError, with the names of file, record and element. Collective: no.
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

/// Words divided by blanks.
std::vector<std::string> words_of(std::string_view text);

/// A text without the entities that escaped() put in, as far as it is printable.
std::string unescaped(std::string text);

class Elements
{
public:
  /// `which` ends the message of a value that cannot be: "no file of quark fields has".
  Elements(const std::string &path, const Record &record, std::string text, const char *which);

  /// The content of the next element of this name from `at` on, which then is its end.
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
