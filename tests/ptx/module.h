#pragma once
/// PTX as text: what a module declares, and its functions cut into statements when they are first asked for.
/// Lines are numbered from 1 as in the text that cuobjdump -ptx prints; sources are known where nvcc had -lineinfo.

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ptx
{

/// Text that is not understood: the statement, and why.
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Variable {
  std::string space; // global, const, shared, local, param
  std::string name;
  int align = 1;
  std::uint64_t bytes = 0; // 0: as much as the launch says (.extern .shared)
  std::vector<std::uint8_t> initial;
};

/// Where a statement stands.
struct Origin {
  int line = 0;        // of the PTX
  int source_file = 0; // number of the module's file, 0: not known
  int source_line = 0;
  std::string text;
};

struct Statement {
  enum Kind { label, instruction, registers, variable };
  Kind kind = instruction;
  std::string name;  // of a label; opcode; prefix of registers
  std::string type;  // of registers
  std::string guard; // predicate register, or empty
  bool guard_not = false;
  std::vector<std::string> operands; // { } and [ ] in one piece
  Variable declared;
  std::uint32_t used_bytes = ~0u; // of a vector load
  Origin origin;
};

struct Function {
  std::string name;
  bool entry = false;
  std::vector<Variable> returns, parameters;
  std::vector<Statement> body;
};

class Module
{
public:
  explicit Module(std::string text);

  const std::vector<Variable> &variables() const { return variables_; }
  /// Null where the module does not define it. Throws Unknown.
  const Function *function(const std::string &name);
  /// "file:line", or empty.
  std::string source(const Origin &) const;

private:
  struct Piece { // of the text
    std::size_t begin;
    int line;
  };
  void declare(std::string_view line);

  std::string text_;
  std::vector<Variable> variables_;
  std::map<std::string, Piece, std::less<>> definitions_;
  std::map<std::string, std::unique_ptr<Function>> functions_;
  std::map<int, std::string> files_;
};

/// Parts between commas outside of brackets, without white space.
std::vector<std::string> split(std::string_view text, char by);
/// Bytes of a type as PTX writes it: "b32", "pred" (4, as registers hold it).
int bytes_of(std::string_view type);

} // namespace ptx
