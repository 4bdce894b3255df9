#include "core/environment.h"

#include "core/error.h"

#include <cerrno>
#include <cstdlib>
#include <cctype>

namespace quda
{

namespace
{

  std::string trimmed(const std::string &s)
  {
    const char *blanks = " \t\r\n";
    const auto first = s.find_first_not_of(blanks);
    if (first == std::string::npos) return "";
    return s.substr(first, s.find_last_not_of(blanks) - first + 1);
  }

  // the whole piece must be one number: "12abc" is not 12
  std::optional<long> whole_number(const std::string &piece)
  {
    if (piece.empty()) return std::nullopt;
    errno = 0;
    char *end = nullptr;
    const long number = std::strtol(piece.c_str(), &end, 10);
    if (errno != 0 || *end != '\0') return std::nullopt;
    return number;
  }

  std::optional<std::string> non_empty(const char *name)
  {
    const auto value = env_string(name);
    if (!value) return std::nullopt;
    const std::string content = trimmed(*value);
    if (content.empty()) return std::nullopt;
    return content;
  }

} // namespace

std::optional<std::string> env_string(const char *name)
{
  const char *value = std::getenv(name);
  if (!value) return std::nullopt;
  return std::string(value);
}

std::optional<long> env_int(const char *name, long min, long max)
{
  const auto value = non_empty(name);
  if (!value) return std::nullopt;
  const auto number = whole_number(*value);
  if (!number || *number < min || *number > max)
    fail(ErrorKind::bad_argument,
         text("environment variable %s = \"%s\" must be an integer from %ld to %ld", name, value->c_str(), min, max));
  return number;
}

std::optional<std::vector<long>> env_int_list(const char *name, long min, long max)
{
  const auto value = non_empty(name);
  if (!value) return std::nullopt;
  std::vector<long> numbers;
  for (std::size_t begin = 0; begin <= value->size();) {
    const std::size_t comma = value->find(',', begin);
    const std::size_t end = comma == std::string::npos ? value->size() : comma;
    const auto number = whole_number(trimmed(value->substr(begin, end - begin)));
    if (!number || *number < min || *number > max)
      fail(ErrorKind::bad_argument,
           text("environment variable %s = \"%s\" must be integers from %ld to %ld separated by commas", name,
                value->c_str(), min, max));
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

bool env_flag(const char *name, bool otherwise_value)
{
  const auto value = non_empty(name);
  if (!value) return otherwise_value;
  std::string word = *value;
  for (char &c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (word == "1" || word == "yes" || word == "on" || word == "true") return true;
  if (word == "0" || word == "no" || word == "off" || word == "false") return false;
  fail(ErrorKind::bad_argument,
       text("environment variable %s = \"%s\" must be 1, yes, on, true or 0, no, off, false", name, value->c_str()));
}

} // namespace quda
