/// XML of LIME records.
#pragma once

#include <pugixml.hpp>

#include "gauge_file_parse.h"

namespace quda_files
{

/// A record's document; refusals name the record. An element is found by its name without namespace prefix, at the
/// least nested place, and its text is trimmed. Other elements, attributes and comments are ignored.
class Xml
{
public:
  Xml(const std::string &path, const std::string &record, const std::string &text);

  std::optional<std::string> find(const std::string &tag) const;
  std::string get(const std::string &tag) const;
  std::optional<std::int64_t> find_number(const std::string &tag) const;
  std::int64_t number(const std::string &tag) const;
  std::array<std::int64_t, 4> four_numbers(const std::string &tag) const;
  std::uint32_t hexadecimal(const std::string &tag) const;

  [[noreturn]] void wrong(const std::string &tag, std::string_view value) const;

private:
  /// A word of an element's value.
  std::int64_t integer(const std::string &tag, std::string_view word, std::string_view value) const;

  const std::string path_, record_;
  pugi::xml_document document_;
};

} // namespace quda_files
