#include "ptx/module.h"

#include <cctype>
#include <cstring>

namespace ptx
{

namespace
{

  bool starts(std::string_view s, std::string_view with) { return s.substr(0, with.size()) == with; }

  std::string_view trimmed(std::string_view s)
  {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
    return s;
  }

  /// Words between white space; commas and semicolons end words too.
  std::vector<std::string> words(std::string_view s)
  {
    std::vector<std::string> all(1);
    for (const char c : s) {
      if (!std::isspace(static_cast<unsigned char>(c)) && c != ',' && c != ';')
        all.back() += c;
      else if (!all.back().empty())
        all.emplace_back();
    }
    if (all.back().empty()) all.pop_back();
    return all;
  }

  /// ".param .align 16 .b8 name[16]", ".global .align 4 .u32 counter = {1}", ".param .b64 x"
  Variable variable_of(std::string_view declaration)
  {
    Variable v;
    const std::size_t equals = declaration.find('=');
    std::string type;
    for (const std::string &word : words(declaration.substr(0, equals))) {
      if (word == ".extern" || word == ".visible" || word == ".weak" || word == ".common" || word == ".ptr") continue;
      if (word == ".align" || (v.align == 0 && std::isdigit(static_cast<unsigned char>(word[0])))) {
        v.align = word == ".align" ? 0 : std::stoi(word);
      } else if (word[0] == '.') {
        if (v.space.empty())
          v.space = word.substr(1);
        else if (type.empty())
          type = word.substr(1);
      } else {
        const std::size_t bracket = word.find('[');
        v.name = word.substr(0, bracket);
        v.bytes = bytes_of(type);
        if (v.align <= 1 && v.bytes > 1) v.align = static_cast<int>(v.bytes);
        if (bracket != std::string::npos) v.bytes *= std::strtoull(word.c_str() + bracket + 1, nullptr, 0);
      }
    }
    if (v.name.empty() || type.empty()) throw Unknown("declaration: " + std::string(declaration));
    if (equals != std::string_view::npos) {
      const std::string_view list = trimmed(declaration.substr(equals + 1));
      const int one = bytes_of(type);
      const bool braces = !list.empty() && list.front() == '{';
      for (const std::string &word : split(braces ? list.substr(1, list.find('}') - 1) : list, ',')) {
        char *end = nullptr;
        const std::uint64_t n = word[0] == '-' ? static_cast<std::uint64_t>(std::strtoll(word.c_str(), &end, 0))
                                : starts(word, "0f") || starts(word, "0d") ? std::strtoull(word.c_str() + 2, &end, 16)
                                                                           : std::strtoull(word.c_str(), &end, 0);
        if (*end && *end != 'U') throw Unknown("initial value: " + word);
        for (int b = 0; b < one; b++) v.initial.push_back(static_cast<std::uint8_t>(n >> 8 * b));
      }
    }
    return v;
  }

  /// A list of declarations in brackets, which begins at text[*at]; *at goes behind it.
  std::vector<Variable> parameters_of(std::string_view text, std::size_t *at)
  {
    const std::size_t close = text.find(')', *at);
    std::vector<Variable> all;
    for (std::string_view rest = text.substr(*at + 1, close - *at - 1); !trimmed(rest).empty();) {
      const std::size_t comma = rest.find(',');
      all.push_back(variable_of(rest.substr(0, comma)));
      rest = comma == std::string_view::npos ? std::string_view {} : rest.substr(comma + 1);
    }
    *at = close + 1;
    return all;
  }

  /// Cuts a body into statements.
  class Cutter
  {
  public:
    Cutter(std::string_view text, std::size_t begin, int line)
        : text_(text)
        , at_(begin)
        , origin_ {line, 0, 0, {}}
    {
    }

    std::vector<Statement> all()
    {
      for (int depth = 0;;) {
        skip_space();
        if (at_ >= text_.size()) throw Unknown("a function without end");
        if (text_[at_] == '{') {
          depth++, at_++;
        } else if (text_[at_] == '}') {
          at_++;
          if (--depth == 0) return std::move(statements_);
        } else if (text_[at_] == '.') {
          directive();
        } else {
          instruction();
        }
      }
    }

  private:
    void skip_space()
    {
      for (; at_ < text_.size(); at_++) {
        if (text_[at_] == '\n')
          origin_.line++;
        else if (text_.substr(at_, 2) == "//")
          at_ = text_.find('\n', at_) - 1;
        else if (!std::isspace(static_cast<unsigned char>(text_[at_])))
          return;
      }
    }

    /// Up to `end`, which is left behind; lines are counted, white space is one blank.
    std::string upto(char end)
    {
      std::string s;
      for (; at_ < text_.size() && text_[at_] != end; at_++) {
        if (text_.substr(at_, 2) == "//") at_ = text_.find('\n', at_);
        if (text_[at_] == '\n' && end == '\n') break;
        if (text_[at_] == '\n') origin_.line++;
        const char c = text_[at_];
        if (!std::isspace(static_cast<unsigned char>(c)))
          s += c;
        else if (!s.empty() && s.back() != ' ')
          s += ' ';
      }
      if (end != '\n') at_++;
      return s;
    }

    void directive()
    {
      const std::string_view rest = text_.substr(at_, 16);
      if (starts(rest, ".loc") && std::isspace(static_cast<unsigned char>(rest[4]))) {
        const std::vector<std::string> w = words(upto('\n'));
        origin_.source_file = std::stoi(w.at(1));
        origin_.source_line = std::stoi(w.at(2));
        return;
      }
      Statement s;
      s.origin = origin_;
      const std::string line = upto(';');
      s.origin.text = line;
      if (starts(line, ".reg")) {
        const std::vector<std::string> w = words(line);
        s.kind = Statement::registers;
        s.type = w.at(1).substr(1);
        for (std::size_t i = 2; i < w.size(); i++) {
          s.name = w[i].substr(0, w[i].find('<'));
          statements_.push_back(s);
        }
      } else if (starts(line, ".pragma")) {
        const char *mask = "used_bytes_mask";
        if (const std::size_t p = line.find(mask); p != std::string::npos)
          used_ = static_cast<std::uint32_t>(std::strtoul(line.c_str() + p + std::strlen(mask), nullptr, 0));
      } else if (starts(line, ".local") || starts(line, ".shared") || starts(line, ".param")) {
        s.kind = Statement::variable;
        s.declared = variable_of(line);
        statements_.push_back(std::move(s));
      } else {
        throw Unknown(line);
      }
    }

    void instruction()
    {
      Statement s;
      s.origin = origin_;
      const std::size_t end = text_.find_first_of(":;", at_);
      if (end != std::string_view::npos && text_[end] == ':' &&
          text_.substr(at_, end - at_).find(' ') == std::string::npos) {
        s.kind = Statement::label;
        s.name = trimmed(text_.substr(at_, end - at_));
        s.origin.text = s.name + ":";
        at_ = end + 1;
        statements_.push_back(std::move(s));
        return;
      }
      std::string line = upto(';');
      s.origin.text = line;
      if (line[0] == '@') {
        const std::size_t blank = line.find(' ');
        s.guard_not = line[1] == '!';
        s.guard = line.substr(s.guard_not ? 2 : 1, blank - (s.guard_not ? 2 : 1));
        line = line.substr(blank + 1);
      }
      const std::size_t blank = line.find(' ');
      s.name = line.substr(0, blank);
      if (blank != std::string::npos) s.operands = split(std::string_view(line).substr(blank), ',');
      if (starts(s.name, "ld")) s.used_bytes = used_, used_ = ~0u;
      statements_.push_back(std::move(s));
    }

    std::string_view text_;
    std::size_t at_;
    Origin origin_;
    std::uint32_t used_ = ~0u;
    std::vector<Statement> statements_;
  };

} // namespace

std::vector<std::string> split(std::string_view text, char by)
{
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    if (c == '{' || c == '[' || c == '(') depth++;
    if (c == '}' || c == ']' || c == ')') depth--;
    if (c == by && depth == 0)
      parts.push_back(std::move(part)), part.clear();
    else if (!std::isspace(static_cast<unsigned char>(c)))
      part += c;
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

int bytes_of(std::string_view type)
{
  if (type == "pred") return 4;
  if (type.size() < 2 || !std::strchr("bsuf", type[0])) throw Unknown("type " + std::string(type));
  const int bits = std::atoi(std::string(type.substr(1)).c_str());
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) throw Unknown("type " + std::string(type));
  return bits / 8;
}

Module::Module(std::string text)
    : text_(std::move(text))
{
  int line = 1, depth = 0;
  for (std::size_t at = 0; at < text_.size(); line++) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    const std::string_view whole = std::string_view(text_).substr(at, end - at);
    const std::string_view s = trimmed(whole.substr(0, whole.find("//")));
    if (depth == 0 && !s.empty()) {
      const std::size_t entry = s.find(".entry "), func = s.find(".func ");
      const std::size_t head = std::min(entry, func);
      if (head != std::string_view::npos) {
        std::size_t name = head + (entry < func ? 7 : 6);
        while (name < s.size() && s[name] == ' ') name++;
        if (name < s.size() && s[name] == '(') // what it returns
          name = s.find(')', name) == std::string_view::npos ? s.size() : s.find(')', name) + 1;
        std::string_view word = trimmed(s.substr(name));
        word = word.substr(0, word.find_first_of(" (;"));
        const std::size_t stop = text_.find_first_of("{;", at);
        if (!word.empty() && stop != std::string::npos && text_[stop] == '{')
          definitions_[std::string(word)] = {at, line};
      } else {
        declare(s);
      }
    }
    for (const char c : s) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    at = end + 1;
  }
}

void Module::declare(std::string_view line)
{
  if (starts(line, ".file")) {
    const std::size_t open = line.find('"'), close = line.find('"', open + 1);
    files_[std::atoi(std::string(line.substr(6)).c_str())] = line.substr(open + 1, close - open - 1);
    return;
  }
  for (const char *space : {".global", ".const", ".shared"})
    if (line.find(space) < line.find('=') && line[0] == '.') {
      variables_.push_back(variable_of(line.substr(0, line.rfind(';'))));
      return;
    }
}

const Function *Module::function(const std::string &name)
{
  if (const auto it = functions_.find(name); it != functions_.end()) return it->second.get();
  const auto definition = definitions_.find(name);
  if (definition == definitions_.end()) return nullptr;
  auto f = std::make_unique<Function>();
  f->name = name;
  const std::string_view text = text_;
  const std::size_t begin = definition->second.begin, body = text.find('{', begin);
  const std::string_view head = text.substr(begin, body - begin);
  f->entry = head.find(".entry ") != std::string_view::npos;
  const std::size_t place = head.find(name);
  if (std::size_t open = head.find('('); open < place) f->returns = parameters_of(head, &open);
  if (std::size_t open = head.find('(', place); open != std::string_view::npos)
    f->parameters = parameters_of(head, &open);
  int line = definition->second.line;
  for (const char c : head) line += c == '\n';
  f->body = Cutter(text, body, line).all();
  return (functions_[name] = std::move(f)).get();
}

std::string Module::source(const Origin &origin) const
{
  const auto it = files_.find(origin.source_file);
  return it == files_.end() ? std::string() : it->second + ":" + std::to_string(origin.source_line);
}

} // namespace ptx
