#include "gauge_file_xml.h"

namespace quda_files
{

namespace
{
  std::string_view local_name(const pugi::xml_node &element)
  {
    const std::string_view name = element.name();
    return name.substr(name.find(':') + 1); // without a colon, all of it
  }

  // A comment may stand between two pieces of text.
  std::string text_of(const pugi::xml_node &element)
  {
    std::string text;
    for (const pugi::xml_node &piece : element.children()) text += piece.value();
    return std::string(trimmed(text));
  }

  // The document with the tag at this place bare: in some files ildgFormat lacks a quotation mark, or the blank between
  // two attributes.
  std::string without_attributes(std::string text, std::size_t place)
  {
    const auto tag = text.rfind('<', place), end = text.find('>', place);
    if (tag == std::string::npos || end == std::string::npos) return text;
    const auto name_end = text.find_first_of(blanks, tag);
    return name_end < end ? text.erase(name_end, end - name_end) : text;
  }
} // namespace

Xml::Xml(const std::string &path, const std::string &record, const std::string &text)
    : path_(path)
    , record_(record)
{
  // The text ends at its first zero. A document's own entities are not expanded.
  pugi::xml_parse_result result = document_.load_string(text.c_str());
  if (result.status == pugi::status_bad_attribute)
    result = document_.load_string(without_attributes(text.c_str(), static_cast<std::size_t>(result.offset)).c_str());
  if (!result)
    refuse(path_, "LIME record '%s' is not XML: %s, at byte %td of its text", record_.c_str(), result.description(),
           result.offset);
}

std::optional<std::string> Xml::find(const std::string &tag) const
{
  std::optional<std::string> found;
  std::vector<pugi::xml_node> level = {document_}, next;
  while (!found && !level.empty()) {
    next.clear();
    for (const pugi::xml_node &parent : level)
      for (const pugi::xml_node &element : parent.children()) {
        next.push_back(element);
        if (local_name(element) != tag) continue;
        const std::string text = text_of(element);
        if (found && *found != text)
          refuse(path_, "LIME record '%s' has <%s> '%s' and '%s'", record_.c_str(), tag.c_str(),
                 printable(*found).c_str(), printable(text).c_str());
        found = text;
      }
    level.swap(next);
  }
  return found;
}

std::string Xml::get(const std::string &tag) const
{
  auto value = find(tag);
  if (!value) refuse(path_, "LIME record '%s' has no element <%s>", record_.c_str(), tag.c_str());
  return *value;
}

std::optional<std::int64_t> Xml::find_number(const std::string &tag) const
{
  const auto value = find(tag);
  return value ? std::optional(integer(tag, *value, *value)) : std::nullopt;
}

std::int64_t Xml::number(const std::string &tag) const
{
  const std::string value = get(tag);
  return integer(tag, value, value);
}

std::int64_t Xml::integer(const std::string &tag, std::string_view word, std::string_view value) const
{
  const auto number = to_number<std::int64_t>(word, 10);
  if (!number) wrong(tag, value);
  return *number;
}

std::array<std::int64_t, 4> Xml::four_numbers(const std::string &tag) const
{
  const std::string value = get(tag);
  std::string_view rest = value;
  std::array<std::int64_t, 4> numbers = {};
  for (auto &number : numbers) {
    const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
    number = integer(tag, word, value);
    rest = trimmed(rest.substr(word.size()));
  }
  if (!rest.empty()) wrong(tag, value);
  return numbers;
}

std::uint32_t Xml::hexadecimal(const std::string &tag) const
{
  const std::string value = get(tag);
  const auto number = to_hexadecimal(value);
  if (!number) wrong(tag, value);
  return *number;
}

void Xml::wrong(const std::string &tag, std::string_view value) const
{
  refuse(path_, "LIME record '%s' has <%s> '%s', which is not understood", record_.c_str(), tag.c_str(),
         printable(std::string(value)).c_str());
}

} // namespace quda_files
