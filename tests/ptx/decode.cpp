#include "ptx/places.h"
#include "ptx/program.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>

namespace ptx
{

namespace
{

  bool is_number(const std::string &s) { return std::isdigit(static_cast<unsigned char>(s[0])) || s[0] == '-'; }

  std::uint64_t number_of(const std::string &s)
  {
    if (s.size() > 2 && s[0] == '0' && std::strchr("fFdD", s[1])) return std::strtoull(s.c_str() + 2, nullptr, 16);
    if (s[0] == '-') return static_cast<std::uint64_t>(std::strtoll(s.c_str(), nullptr, 0));
    return std::strtoull(s.c_str(), nullptr, 0);
  }

  std::vector<std::string> inside(const std::string &s)
  {
    return split(std::string_view(s).substr(1, s.size() - 2), ',');
  }
  bool begins(const std::string &s, const char *with) { return s.rfind(with, 0) == 0; }

  /// What names mean within a function: a kernel, or one that is called, whose statements stand where the call does.
  struct Scope {
    int number;                           // of the call, 0 for the kernel
    std::map<std::string, int> registers; // number of the register
    std::map<std::string, int> widths;    // by prefix
    std::map<std::string, int> locals;    // offset in the thread's own memory
    std::map<std::string, int> shared;    // offset in shared memory
    std::string end;                      // label behind the call
  };

  class Decoder
  {
  public:
    Decoder(Module &module, const Addresses &addresses, Program &program)
        : module_(module)
        , addresses_(addresses)
        , program_(program)
    {
    }

    void kernel(const Function &f)
    {
      for (const Variable &p : f.parameters) {
        int &n = program_.parameter_bytes;
        n = (n + p.align - 1) / p.align * p.align;
        program_.parameters.push_back({p.name, static_cast<int>(p.bytes), n});
        n += static_cast<int>(p.bytes);
      }
      Scope scope {};
      for (const Variable &v : module_.variables())
        if (v.space == "shared" && v.bytes > 0) scope.shared[v.name] = shared_room(v);
      find_static_shared(f, scope);
      body(f, scope);
      place();
    }

  private:
    struct Use { // of a register in an instruction
      std::uint32_t Instruction::*place;
      int element; // of more[], where place is null
      int reg;
    };
    struct Raw {
      Instruction code;
      Flow flow;
      std::vector<Use> uses;
      std::string target;
    };

    int shared_room(const Variable &v)
    {
      int &n = program_.static_shared_bytes;
      n = (n + v.align - 1) / v.align * v.align;
      const int at = n;
      n += static_cast<int>(v.bytes);
      return at;
    }
    /// Before all else, since what the launch asks for begins behind it.
    void find_static_shared(const Function &f, Scope &scope)
    {
      for (const Statement &s : f.body)
        if (s.kind == Statement::variable && s.declared.space == "shared")
          scope.shared[s.declared.name] = shared_room(s.declared);
      program_.static_shared_bytes = (program_.static_shared_bytes + 15) / 16 * 16;
    }

    int local_room(const Variable &v)
    {
      int &n = program_.local_bytes;
      n = (n + v.align - 1) / v.align * v.align;
      const int at = n;
      n += static_cast<int>((v.bytes + 7) / 8 * 8);
      return at;
    }

    // ---- registers
    int new_register(int width, bool fixed = false, std::uint32_t place = 0)
    {
      registers_.push_back({width, fixed, place});
      return static_cast<int>(registers_.size()) - 1;
    }
    int constant(std::uint64_t value, int width)
    {
      if (width < 8) value &= (std::uint64_t(1) << 8 * width) - 1;
      const auto [it, fresh] = constants_.try_emplace({value, width}, 0);
      if (fresh) it->second = new_register(width, true);
      return it->second;
    }
    int special(const std::string &name, int width, std::uint32_t place)
    {
      const auto [it, fresh] = specials_.try_emplace(name, 0);
      if (fresh) it->second = new_register(width, true, place);
      return it->second;
    }
    int parameter_address(const Parameter &p)
    {
      const auto [it, fresh] = parameters_.try_emplace(p.offset, 0);
      if (fresh) it->second = new_register(8, true);
      return it->second;
    }
    /// Address within the thread's own memory: its beginning plus an offset, computed where it is used.
    int local_address(int offset)
    {
      if (offset == 0) return special("%local", 8, place_local);
      const int r = new_register(8);
      Raw add;
      add.code.run = arithmetic({"add.u64", 8, 8, 1});
      add.code.statement = statement_;
      write(add, &Instruction::d, r);
      read(add, &Instruction::a, special("%local", 8, place_local));
      read(add, &Instruction::b, constant(offset, 8));
      raw_.push_back(std::move(add));
      return r;
    }

    int named_register(Scope &scope, const std::string &s)
    {
      if (const auto it = scope.registers.find(s); it != scope.registers.end()) return it->second;
      static const char *const vectors[] = {"%tid.", "%ctaid.", "%ntid.", "%nctaid."};
      static constexpr std::uint32_t places[] = {place_tid, place_ctaid, place_ntid, place_nctaid};
      for (int v = 0; v < 4; v++)
        if (begins(s, vectors[v])) return special(s, 4, places[v] + 128 * (s.back() - 'x'));
      if (s == "%laneid") return special(s, 4, place_laneid);
      if (s == "%dynamic_smem_size") return special(s, 4, place_shared);
      std::string prefix = s;
      auto w = scope.widths.find(prefix);
      while (w == scope.widths.end() && !prefix.empty() && std::isdigit(static_cast<unsigned char>(prefix.back()))) {
        prefix.pop_back();
        w = scope.widths.find(prefix);
      }
      if (w == scope.widths.end()) throw Unknown("register " + s);
      program_.virtual_registers++;
      return scope.registers[s] = new_register(w->second);
    }

    int operand(Scope &scope, const std::string &s, int width)
    {
      if (s[0] == '%') return named_register(scope, s);
      if (is_number(s)) return constant(number_of(s), width);
      if (const auto it = scope.registers.find(s); it != scope.registers.end()) return it->second;
      if (const auto it = scope.locals.find(s); it != scope.locals.end()) return local_address(it->second);
      if (const auto it = scope.shared.find(s); it != scope.shared.end()) return constant(it->second, width);
      if (const auto it = addresses_.find(s); it != addresses_.end()) return constant(it->second, width);
      if (scope.number == 0)
        for (const Parameter &p : program_.parameters)
          if (p.name == s) return parameter_address(p);
      for (const Variable &v : module_.variables())
        if (v.name == s && v.space == "shared" && v.bytes == 0) return constant(program_.static_shared_bytes, width);
      if (scope.widths.count(s)) return named_register(scope, s);
      throw Unknown("operand " + s);
    }

    int width_of(int reg) const { return registers_[reg].width; }

    void read(Raw &r, std::uint32_t Instruction::*place, int reg)
    {
      r.flow.reads.push_back(reg);
      r.uses.push_back({place, 0, reg});
    }
    void write(Raw &r, std::uint32_t Instruction::*place, int reg)
    {
      r.flow.writes.push_back(reg);
      r.uses.push_back({place, 0, reg});
    }
    void element(Raw &r, int q, int reg, bool written)
    {
      (written ? r.flow.writes : r.flow.reads).push_back(reg);
      r.uses.push_back({nullptr, q, reg});
    }

    // ---- statements
    void label(const std::string &name)
    {
      Raw r;
      r.code.run = control::label;
      r.code.statement = statement_;
      r.flow.begins = true;
      if (!name.empty()) labels_[name] = static_cast<int>(raw_.size());
      raw_.push_back(std::move(r));
    }

    void jump(const std::string &target, int predicate = -1, bool negated = false)
    {
      Raw r;
      r.code.run = predicate < 0 ? control::jump : control::branch;
      r.code.negated = negated;
      r.code.statement = statement_;
      r.flow.stops = predicate < 0;
      r.target = target;
      if (predicate >= 0) read(r, &Instruction::a, predicate);
      raw_.push_back(std::move(r));
      label("");
    }

    void body(const Function &f, Scope &scope)
    {
      for (const Statement &s : f.body) {
        statement_ = static_cast<std::uint32_t>(program_.origins.size());
        program_.origins.push_back(s.origin);
        program_.sources.push_back(module_.source(s.origin));
        try {
          statement(s, scope);
        } catch (const Unknown &u) {
          throw Unknown(std::string(u.what()) + ", PTX line " + std::to_string(s.origin.line) + ": " + s.origin.text);
        }
      }
    }

    std::string label_name(const Scope &scope, const std::string &s) const
    {
      return s + "#" + std::to_string(scope.number);
    }

    void statement(const Statement &s, Scope &scope)
    {
      switch (s.kind) {
      case Statement::label:
        label(label_name(scope, s.name));
        return;
      case Statement::registers:
        scope.widths[s.name] = std::max(2, bytes_of(s.type));
        return;
      case Statement::variable:
        if (s.declared.space != "shared") scope.locals[s.declared.name] = local_room(s.declared);
        return;
      case Statement::instruction:
        break;
      }
      const std::vector<std::string> words = split(s.name, '.');
      if (words[0] == "bra") {
        jump(label_name(scope, s.operands.at(0)), s.guard.empty() ? -1 : named_register(scope, s.guard), s.guard_not);
        return;
      }
      std::string behind;
      if (!s.guard.empty()) { // lanes without it jump over the instruction
        behind = "behind " + std::to_string(raw_.size());
        jump(behind, named_register(scope, s.guard), !s.guard_not);
      }
      instruction(s, words, scope);
      if (!behind.empty()) label(behind);
    }

    void instruction(const Statement &s, const std::vector<std::string> &words, Scope &scope)
    {
      const std::string &kind = words[0];
      if (kind == "ret" && scope.number > 0) return jump(scope.end);
      if (kind == "call") return call(s, scope);
      Raw r;
      r.code.statement = statement_;
      bool joins = false; // a label on both sides, where lanes may wait for others
      if (kind == "ret" || kind == "exit") {
        r.code.run = control::leave;
        r.flow.stops = true;
        joins = true;
      } else if ((kind == "bar" || kind == "barrier") && words.size() > 1 && words[1] != "warp") {
        if (words[1] != "sync" && !(words[1] == "cta" && words.at(2) == "sync")) throw Unknown("barrier");
        if (s.operands.size() != 1) throw Unknown("barrier of some threads");
        r.code.run = control::barrier;
        r.code.number = static_cast<int>(number_of(s.operands[0]));
        joins = true;
      } else if (kind == "membar" || kind == "fence" || kind == "prefetch" || kind == "prefetchu" ||
                 kind == "discard" || kind == "nanosleep") {
        r.code.run = control::nothing;
      } else if (kind == "trap" || kind == "brkpt") {
        r.code.run = control::trap;
      } else if (kind == "ld" || kind == "st" || kind == "ldu") {
        moves(r, s, words, scope);
      } else if (kind == "atom" || kind == "red") {
        atomics(r, s, words, scope);
      } else if (kind == "shfl" || kind == "vote" || kind == "match" || kind == "activemask" ||
                 s.name == "bar.warp.sync") {
        meets(r, s, words, scope);
        label("");
        joins = true;
      } else {
        computes(r, s, words, scope);
      }
      if (!r.code.run) throw Unknown("opcode " + s.name);
      raw_.push_back(std::move(r));
      if (joins) label("");
    }

    void address(Raw &r, const std::string &text, Scope &scope, std::uint32_t Instruction::*place, int *width)
    {
      std::string in = text.substr(1, text.size() - 2);
      if (const std::size_t plus = in.find_first_of("+", 1); plus != std::string::npos) {
        r.code.number = static_cast<std::int32_t>(number_of(in.substr(plus + 1)));
        in = in.substr(0, plus);
      }
      const int reg = operand(scope, in, 8);
      *width = width_of(reg);
      read(r, place, reg);
    }

    void moves(Raw &r, const Statement &s, const std::vector<std::string> &words, Scope &scope)
    {
      const bool store = words[0] == "st";
      const std::string &value = s.operands.at(store ? 1 : 0);
      const std::vector<std::string> parts = value[0] == '{' ? inside(value) : std::vector<std::string> {value};
      Form form {s.name, 0, 0, static_cast<int>(parts.size())};
      int width = 0, address_width = 0;
      for (int q = 0; q < form.vector; q++) {
        const int reg = operand(scope, parts[q], std::max(2, bytes_of(words.back())));
        if (q > 0 && width_of(reg) != width) throw Unknown("widths of a vector");
        width = width_of(reg);
        element(r, q, reg, !store);
      }
      address(r, s.operands.at(store ? 0 : 1), scope, &Instruction::a, &address_width);
      form.result = store ? address_width : width;
      form.first = store ? width : address_width;
      r.code.used_bytes = s.used_bytes;
      r.code.run = access(form);
    }

    void atomics(Raw &r, const Statement &s, const std::vector<std::string> &words, Scope &scope)
    {
      const bool result = words[0] == "atom";
      const int width = bytes_of(words.back());
      Form form {s.name, width, 0, 1};
      if (result && s.operands.at(0) != "_") write(r, &Instruction::d, operand(scope, s.operands[0], width));
      address(r, s.operands.at(result ? 1 : 0), scope, &Instruction::a, &form.first);
      const std::size_t b = result ? 2 : 1;
      read(r, &Instruction::b, checked(operand(scope, s.operands.at(b), width), width));
      if (s.operands.size() > b + 1) read(r, &Instruction::c, checked(operand(scope, s.operands[b + 1], width), width));
      r.code.run = access(form);
    }

    void meets(Raw &r, const Statement &s, const std::vector<std::string> &words, Scope &scope)
    {
      label(""); // the lanes that come later wait here
      const std::vector<std::string> &o = s.operands;
      if (words[0] == "bar") {
        element(r, 0, operand(scope, o.at(0), 4), false);
      } else if (words[0] == "activemask") {
        write(r, &Instruction::d, operand(scope, o.at(0), 4));
      } else {
        const std::vector<std::string> results = split(o.at(0), '|');
        write(r, &Instruction::d, operand(scope, results[0], 4));
        if (results.size() > 1) element(r, 1, operand(scope, results[1], 4), true);
        const int width = words[0] == "match" ? bytes_of(words.back()) : 4;
        if (words[0] == "vote" && o.at(1)[0] == '!') throw Unknown("negated operand");
        read(r, &Instruction::a, checked(operand(scope, o.at(1), width), width));
        if (words[0] == "shfl") {
          read(r, &Instruction::b, operand(scope, o.at(2), 4));
          read(r, &Instruction::c, operand(scope, o.at(3), 4));
        }
        element(r, 0, operand(scope, o.back(), 4), false);
      }
      r.code.run = together({s.name, 4, 4, 1});
    }

    int checked(int reg, int width) const
    {
      if (width_of(reg) != width) throw Unknown("width of an operand");
      return reg;
    }

    void computes(Raw &r, const Statement &s, const std::vector<std::string> &words, Scope &scope)
    {
      const std::vector<std::string> &o = s.operands;
      const std::string &kind = words[0];
      if (kind == "mov" && o.size() == 2 && (o[0][0] == '{' || o[1][0] == '{')) return packs(r, s, words, scope);
      if (kind == "cvt") {
        const int d = operand(scope, o.at(0), 8), a = operand(scope, o.at(1), bytes_of(words.back()));
        write(r, &Instruction::d, d);
        read(r, &Instruction::a, a);
        r.code.run = conversion({s.name, width_of(d), width_of(a), 1});
        return;
      }
      if (kind == "cvta" && words[words.size() - 2] == "shared") { // shared memory has a window of its own
        write(r, &Instruction::d, checked(operand(scope, o.at(0), 8), 8));
        read(r, &Instruction::a, checked(operand(scope, o.at(1), 8), 8));
        read(r, &Instruction::b, constant(shared_window(), 8));
        r.code.run = arithmetic({words[1] == "to" ? "sub.u64" : "add.u64", 8, 8, 1});
        return;
      }
      const int width = bytes_of(words.back());
      const bool wide = words.size() > 2 && words[1] == "wide";
      const bool counts = kind == "popc" || kind == "clz" || kind == "bfind";
      int result = wide ? 2 * width : kind == "setp" || counts ? 4 : width;
      r.code.run = arithmetic({s.name, result, width, 1});
      if (!r.code.run) return;
      write(r, &Instruction::d, checked(operand(scope, o.at(0), result), result));
      // operands that are words of 32 bits whatever the type is
      const std::size_t first_word = kind == "shl" || kind == "shr" || kind == "bfe"                       ? 2
                                     : kind == "bfi" || kind == "selp" || kind == "lop3" || kind == "prmt" ? 3
                                                                                                           : 99;
      std::uint32_t Instruction::*const places[] = {&Instruction::a, &Instruction::b, &Instruction::c};
      for (std::size_t q = 1; q < o.size(); q++) {
        const int bytes = q >= first_word ? 4 : wide && q == 3 ? 2 * width : width;
        const bool truth = words.back() == "pred" && is_number(o[q]);
        if (o[q][0] == '!') throw Unknown("negated operand");
        const int reg = checked(truth ? constant(number_of(o[q]) ? ~0ull : 0, 4) : operand(scope, o[q], bytes), bytes);
        if (q < 4)
          read(r, places[q - 1], reg);
        else
          element(r, 0, reg, false);
      }
    }

    void packs(Raw &r, const Statement &s, const std::vector<std::string> &words, Scope &scope)
    {
      const bool unpack = s.operands[0][0] == '{';
      const std::vector<std::string> parts = inside(s.operands[unpack ? 0 : 1]);
      const int n = static_cast<int>(parts.size()), width = bytes_of(words.back());
      for (int q = 0; q < n; q++) {
        const bool unwanted = unpack && parts[q] == "_";
        element(r, q, unwanted ? new_register(width / n) : checked(operand(scope, parts[q], width / n), width / n),
                unpack);
      }
      const int whole = checked(operand(scope, s.operands[unpack ? 1 : 0], width), width);
      unpack ? read(r, &Instruction::a, whole) : write(r, &Instruction::d, whole);
      const std::string type = ".b" + std::to_string(8 * width);
      r.code.run = arithmetic({(unpack ? "unpack." : "pack.") + std::to_string(n) + type, width, width, 1});
    }

    /// The statements of the function, with names of their own; parameters are the caller's.
    void call(const Statement &s, Scope &scope)
    {
      std::vector<std::string> o = s.operands;
      std::vector<std::string> results, arguments;
      if (!o.empty() && o[0][0] == '(') {
        results = inside(o[0]);
        o.erase(o.begin());
      }
      if (o.size() > 1 && o[1][0] == '(') arguments = inside(o[1]);
      const Function *f = o.empty() ? nullptr : module_.function(o[0]);
      if (!f || o.size() > 2) throw Unknown("call");
      if (std::find(called_.begin(), called_.end(), f) != called_.end()) throw Unknown("recursion");
      Scope inner {};
      inner.number = ++calls_;
      inner.end = "end of call " + std::to_string(inner.number);
      const auto bind = [&](const std::vector<Variable> &formal, const std::vector<std::string> &actual) {
        if (formal.size() != actual.size()) throw Unknown("call");
        for (std::size_t q = 0; q < formal.size(); q++) {
          if (const auto it = scope.locals.find(actual[q]); it != scope.locals.end())
            inner.locals[formal[q].name] = it->second;
          else
            throw Unknown("call with registers");
        }
      };
      bind(f->returns, results);
      bind(f->parameters, arguments);
      for (const Variable &v : module_.variables())
        if (v.space == "shared" && scope.shared.count(v.name)) inner.shared[v.name] = scope.shared[v.name];
      called_.push_back(f);
      body(*f, inner);
      called_.pop_back();
      label(inner.end);
    }

    // ---- places
    void place()
    {
      std::vector<Flow> flow;
      for (Raw &r : raw_) {
        if (!r.target.empty()) {
          const auto it = labels_.find(r.target);
          if (it == labels_.end()) throw Unknown("label " + r.target);
          r.flow.target = r.code.number = it->second;
        }
        flow.push_back(r.flow);
      }
      std::uint32_t next = first_free_place;
      const auto take = [&](int reg) {
        registers_[reg].place = next;
        next += 32 * registers_[reg].width;
        return registers_[reg].place;
      };
      for (const auto &[key, reg] : constants_) program_.constants.push_back({take(reg), key.second, key.first});
      for (const auto &[offset, reg] : parameters_)
        program_.parameter_addresses.push_back({take(reg), 8, static_cast<std::uint64_t>(offset)});
      program_.file_bytes = give_places(registers_, flow, next);
      for (Raw &r : raw_) {
        for (const Use &u : r.uses) (u.place ? r.code.*u.place : r.code.more[u.element]) = registers_[u.reg].place;
        program_.code.push_back(r.code);
      }
    }

    Module &module_;
    const Addresses &addresses_;
    Program &program_;
    std::vector<Register> registers_;
    std::map<std::pair<std::uint64_t, int>, int> constants_;
    std::map<std::string, int> specials_;
    std::map<int, int> parameters_; // by offset
    std::map<std::string, int> labels_;
    std::vector<Raw> raw_;
    std::vector<const Function *> called_;
    std::uint32_t statement_ = 0;
    int calls_ = 0;
  };

} // namespace

std::string readable(const std::string &symbol)
{
  int status = 0;
  char *s = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? s : symbol;
  std::free(s);
  if (const std::size_t open = name.rfind('('); open != std::string::npos && open > 0) name.resize(open);
  if (name.compare(0, 5, "void ") == 0) name.erase(0, 5);
  return name;
}

std::unique_ptr<Program> decode(Module &module, const std::string &kernel, const Addresses &addresses)
{
  const Function *f = module.function(kernel);
  if (!f) return nullptr;
  auto program = std::make_unique<Program>();
  program->name = kernel;
  program->title = readable(kernel);
  Decoder(module, addresses, *program).kernel(*f);
  return program;
}

} // namespace ptx
