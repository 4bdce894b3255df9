#include "bench/arithmetic/case_list.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace quda::bench
{

namespace
{

  std::optional<int> parse_number(const std::string &text)
  {
    int n = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, n);
    if (error != std::errc() || stop != end || n < 1) return {};
    return n;
  }

  bool has(const std::vector<CaseName> &list, const CaseName &name)
  {
    return std::find(list.begin(), list.end(), name) != list.end();
  }

} // namespace

std::string CaseName::text() const
{
  return kernel + '/' + variant + '/' + precision + '/' + std::to_string(reconstruct) + '/' + std::to_string(nrhs);
}

std::optional<CaseName> parse_case(const std::string &text)
{
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '/');) parts.push_back(part);
  if (parts.size() != 5 || text.back() == '/') return {};
  if (parts[0].empty() || parts[1].empty() || parts[2].empty()) return {};
  const std::optional<int> reconstruct = parse_number(parts[3]), nrhs = parse_number(parts[4]);
  if (!reconstruct || !nrhs) return {};
  return CaseName {parts[0], parts[1], parts[2], *reconstruct, *nrhs};
}

std::vector<CaseName> parse_list(const std::string &lines)
{
  std::vector<CaseName> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    const std::optional<CaseName> name = parse_case(first);
    if (name && !has(all, *name)) all.push_back(*name);
  }
  return all;
}

Pairing pair_up(const std::vector<CaseName> &before, const std::vector<CaseName> &after)
{
  Pairing pairing;
  for (const CaseName &name : after) (has(before, name) ? pairing.both : pairing.only_after).push_back(name);
  for (const CaseName &name : before)
    if (!has(after, name)) pairing.only_before.push_back(name);
  return pairing;
}

std::string exactly(const std::string &text)
{
  std::string pattern = "^";
  for (const char c : text) {
    if (std::string(".[]()*+?{}|^$\\").find(c) != std::string::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + '$';
}

} // namespace quda::bench
