#include "files/xml_elements.h"

#include <utility>

namespace quda_files
{

std::vector<std::string> words_of(std::string_view text)
{
  std::vector<std::string> words;
  for (std::string_view rest = trimmed(text); !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
    words.emplace_back(word);
    rest = trimmed(rest.substr(word.size()));
  }
  return words;
}

std::string unescaped(std::string text)
{
  for (const auto &[entity, c] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&amp;", "&")})
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; at++)
      text.replace(at, std::string_view(entity).size(), c);
  return printable(text, 2000);
}

Elements::Elements(const std::string &path, const Record &record, std::string text, const char *which)
    : path_(path)
    , record_(record.type)
    , text_(std::move(text))
    , which_(which)
{
}

std::optional<std::string> Elements::next(const std::string &tag, std::size_t &at) const
{
  const std::string open = "<" + tag + ">", close = "</" + tag + ">";
  const std::size_t begin = text_.find(open, at);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = text_.find(close, begin);
  if (end == std::string::npos)
    refuse(path_, "LIME record '%s' has an element <%s> that does not end", record_.c_str(), tag.c_str());
  at = end + close.size();
  const std::size_t from = begin + open.size();
  return std::string(trimmed(std::string_view(text_).substr(from, end - from)));
}

std::optional<std::string> Elements::find(const std::string &tag) const
{
  std::size_t at = 0;
  return next(tag, at);
}

std::string Elements::get(const std::string &tag) const
{
  const auto value = find(tag);
  if (!value) refuse(path_, "LIME record '%s' has no element <%s>", record_.c_str(), tag.c_str());
  return *value;
}

std::int64_t Elements::positive(const std::string &tag, std::int64_t most) const
{
  const std::string word = get(tag);
  const auto value = number<std::int64_t>(tag, word, 10);
  if (value < 1 || value > most) wrong(tag, word);
  return value;
}

void Elements::wrong(const std::string &tag, const std::string &value) const
{
  refuse(path_, "LIME record '%s' has <%s> '%s', which %s", record_.c_str(), tag.c_str(), printable(value).c_str(),
         which_);
}

} // namespace quda_files
