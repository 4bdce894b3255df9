/// Command line of a program. Only command_line.cpp includes the library that parses it, whose header takes longer to
/// compile than the programs.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace program
{

/// Numbers that an option accepts; others are refused with the reason.
struct Allowed {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false; // whether the least one itself is refused
};
inline const Allowed positive {0, std::numeric_limits<double>::infinity(), true}, not_negative {0};

template <class T> using Names = std::map<std::string, T>;

class CommandLine
{
public:
  explicit CommandLine(const std::string &description);
  ~CommandLine();

  /// An option that sets `value`: bool (true or false), int, unsigned, unsigned long, double or std::string. The
  /// present `value` is the default, shown after `text` unless that describes it in [...].
  template <class T>
  void add(const std::string &option, T &value, const std::string &text, const Allowed &allowed = {});

  static constexpr int one_or_more = -1;

  /// An option with a fixed number of whole numbers, or one_or_more of them, passed to `take` together.
  void add_numbers(const std::string &option, int number, std::function<void(const std::vector<int> &)> take,
                   const std::string &type, const std::string &text, const Allowed &allowed);

  /// An option with a fixed number of words, passed to `take` together.
  void add_texts(const std::string &option, int number, std::function<void(const std::vector<std::string> &)> take,
                 const std::string &type, const std::string &text);

  /// An option without a value, off by default.
  void add_flag(const std::string &option, bool &value, const std::string &text);

  /// An option whose value is one of these names, in any case; help shows the list, other values are refused.
  template <class T>
  void add_choice(const std::string &option, T &value, const Names<T> &names, const std::string &text)
  {
    std::string standard;
    for (const auto &[key, named] : names)
      if (named == value) standard = key;
    add_names(
        option, 1, keys(names), [&value, names](const std::vector<std::string> &given) { value = names.at(given[0]); },
        with_default(text, standard));
  }

  /// The same with one or more values.
  template <class T>
  void add_choices(const std::string &option, std::vector<T> &values, const Names<T> &names, const std::string &text)
  {
    const auto take = [&values, names](const std::vector<std::string> &given) {
      values.clear();
      for (const std::string &name : given) values.push_back(names.at(name));
    };
    add_names(option, one_or_more, keys(names), take, text);
  }

  /// On --help or a mistake prints (rank 0 only) and returns false, with the program's exit code in `code`.
  bool parse(int argc, char **argv, int rank, int &code);

private:
  static std::string with_default(const std::string &text, const std::string &value)
  {
    return text.find('[') == std::string::npos ? text + " [" + value + "]" : text;
  }
  template <class T> static std::vector<std::string> keys(const Names<T> &names)
  {
    std::vector<std::string> all;
    for (const auto &[key, unused] : names) all.push_back(key);
    return all;
  }
  using Take = std::function<void(const std::vector<std::string> &)>;
  void add_names(const std::string &option, int number, const std::vector<std::string> &names, Take take,
                 const std::string &text);

  struct Parser;
  std::unique_ptr<Parser> parser_;
};

} // namespace program
