/// The command line of a program. The library that parses it is known to command_line.cpp alone: its header takes
/// longer to compile than the programs.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace program
{

/// Numbers that an option takes; others are refused with the reason.
struct Allowed {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false; // the least one itself is refused
};
inline const Allowed positive {0, std::numeric_limits<double>::infinity(), true}, not_negative {0};

template <class T> using Names = std::map<std::string, T>;

class CommandLine
{
public:
  explicit CommandLine(const std::string &description);
  ~CommandLine();

  /// An option that sets `value`: bool (true or false), int, unsigned, unsigned long, double or std::string. What
  /// `value` is here is the option's default.
  template <class T>
  void add(const std::string &option, T &value, const std::string &text, const Allowed &allowed = {});

  /// An option with a fixed number of whole numbers, handed to `take` together.
  void add_numbers(const std::string &option, int number, std::function<void(const std::vector<int> &)> take,
                   const std::string &type, const std::string &text, const Allowed &allowed);

  /// An option without a value.
  void add_flag(const std::string &option, bool &value, const std::string &text);

  /// An option whose value is one of these names, in any case; the list is shown and everything else refused.
  template <class T>
  void add_choice(const std::string &option, T &value, const Names<T> &names, const std::string &text)
  {
    std::vector<std::string> keys;
    for (const auto &[key, unused] : names) keys.push_back(key);
    add_names(
        option, keys, [&value, names](const std::string &given) { value = names.at(given); }, text);
  }

  /// On --help or a mistake prints (rank 0 only) and returns false, with the program's exit code in `code`.
  bool parse(int argc, char **argv, int rank, int &code);

private:
  using Take = std::function<void(const std::string &)>;
  void add_names(const std::string &option, const std::vector<std::string> &keys, Take take, const std::string &text);

  struct Parser;
  std::unique_ptr<Parser> parser_;
};

} // namespace program
