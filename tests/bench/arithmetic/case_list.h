#pragma once
/// Names of cases, "wilson/cpu/single/12/1", as `quda_bench --list` prints them.

#include <optional>
#include <string>
#include <vector>

namespace quda::bench
{

/// kernel/variant/precision/reconstruct/right-hand sides
struct CaseName {
  std::string kernel, variant, precision;
  int reconstruct, nrhs;
  std::string text() const;
  bool operator==(const CaseName &) const = default;
};

/// Nothing where the text is no name of a case.
std::optional<CaseName> parse_case(const std::string &text);

/// The first words of lines, as far as they are names; the rest of a line may be a table's.
std::vector<CaseName> parse_list(const std::string &lines);

/// What two lists share, in the order of the second one, and what only one of them has.
struct Pairing {
  std::vector<CaseName> both, only_before, only_after;
};
Pairing pair_up(const std::vector<CaseName> &before, const std::vector<CaseName> &after);

/// An extended regular expression that matches this text alone.
std::string exactly(const std::string &text);

} // namespace quda::bench
