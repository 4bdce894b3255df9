#include "command_line.h"

#include <iostream>
#include <sstream>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace program
{

struct CommandLine::Parser {
  CLI::App app;
};

namespace
{
  CLI::Validator check_of(const Allowed &allowed)
  {
    return CLI::Validator(
        [allowed](std::string &given) -> std::string {
          double value = 0;
          if (!CLI::detail::lexical_cast(given, value)) return {};         // the reader of the value reports it
          const bool in = value >= allowed.least && value <= allowed.most; // NaN is in no range
          if (!in || (allowed.above_least && value == allowed.least)) {
            std::ostringstream out;
            if (allowed.above_least && allowed.least == 0)
              out << given << " is not positive";
            else if (allowed.most == Allowed().most)
              out << given << " is less than " << allowed.least;
            else
              out << given << " is not from " << allowed.least << " to " << allowed.most;
            return out.str();
          }
          return {};
        },
        "");
  }
} // namespace

CommandLine::CommandLine(const std::string &description)
    : parser_(new Parser {CLI::App(description)})
{
}
CommandLine::~CommandLine() = default;

template <class T>
void CommandLine::add(const std::string &option, T &value, const std::string &text, const Allowed &allowed)
{
  std::ostringstream standard;
  standard << std::boolalpha << value;
  const std::string shown = standard.str().empty() ? "none" : standard.str();
  CLI::Option *added = parser_->app.add_option(option, value, with_default(text, shown));
  const bool limited = allowed.least != Allowed().least || allowed.most != Allowed().most;
  if (limited) added->check(check_of(allowed));
}

template void CommandLine::add(const std::string &, bool &, const std::string &, const Allowed &);
template void CommandLine::add(const std::string &, int &, const std::string &, const Allowed &);
template void CommandLine::add(const std::string &, unsigned &, const std::string &, const Allowed &);
template void CommandLine::add(const std::string &, unsigned long &, const std::string &, const Allowed &);
template void CommandLine::add(const std::string &, double &, const std::string &, const Allowed &);
template void CommandLine::add(const std::string &, std::string &, const std::string &, const Allowed &);

void CommandLine::add_numbers(const std::string &option, int number, std::function<void(const std::vector<int> &)> take,
                              const std::string &type, const std::string &text, const Allowed &allowed)
{
  parser_->app.add_option_function<std::vector<int>>(option, std::move(take), text)
      ->expected(number)
      ->check(check_of(allowed))
      ->type_name(type);
}

void CommandLine::add_texts(const std::string &option, int number,
                            std::function<void(const std::vector<std::string> &)> take, const std::string &type,
                            const std::string &text)
{
  parser_->app.add_option_function<std::vector<std::string>>(option, std::move(take), text)
      ->expected(number)
      ->type_name(type);
}

void CommandLine::add_flag(const std::string &option, bool &value, const std::string &text)
{
  parser_->app.add_flag(option, value, with_default(text, "off"));
}

void CommandLine::add_names(const std::string &option, int number, const std::vector<std::string> &names, Take take,
                            const std::string &text)
{
  std::string list;
  for (const std::string &name : names) list += (list.empty() ? "" : "|") + name;
  // IsMember puts the name in the table's own spelling before it is taken
  parser_->app.add_option_function<std::vector<std::string>>(option, std::move(take), text)
      ->expected(number)
      ->transform(CLI::IsMember(names, CLI::ignore_case).description(""))
      ->type_name(list);
}

bool CommandLine::parse(int argc, char **argv, int rank, int &code)
{
  try {
    parser_->app.parse(argc, argv);
    return true;
  } catch (const CLI::ParseError &error) {
    std::ostringstream out, err;
    code = parser_->app.exit(error, out, err);
    if (rank == 0) {
      std::cout << out.str() << std::flush;
      std::cerr << err.str() << std::flush;
    }
    return false;
  }
}

} // namespace program
