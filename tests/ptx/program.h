#pragma once
/// A kernel made ready: every virtual register has a place in a warp's register file, constants too, so that an
/// instruction is a function of 32 lanes and a few places.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ptx/memory.h"
#include "ptx/module.h"

namespace ptx
{

struct Warp;
struct Instruction;
using Operation = void (*)(Warp &, const Instruction &);

struct Instruction {
  Operation run = nullptr;
  std::uint32_t d = 0, a = 0, b = 0, c = 0; // places in bytes
  std::uint32_t more[4] = {0, 0, 0, 0};     // vectors; fourth operands
  std::int32_t number = 0;                  // offset of an address, target of a branch, number of a barrier
  bool negated = false;                     // a branch is taken where the predicate is false
  std::uint32_t used_bytes = ~0u;           // of a vector load
  std::uint32_t statement = 0;              // in Program::origins
  mutable Allocation *last = nullptr;       // the allocation that the last access found
};

/// Places that every register file begins with, 32 lanes each.
enum FixedPlace : std::uint32_t {
  place_tid = 0,       // x, y, z, 4 bytes a lane
  place_ctaid = 384,   // block
  place_ntid = 768,    // extent of a block
  place_nctaid = 1152, // number of blocks
  place_laneid = 1536,
  place_local = 1664,  // 8 bytes a lane: where the lane's own memory begins
  place_shared = 1920, // bytes of shared memory that the launch asked for
  first_free_place = 2048
};

struct Parameter {
  std::string name;
  int bytes, offset;
};

struct Count { // of an instruction
  std::uint64_t warps = 0, lanes = 0;
  std::uint64_t sectors = 0; // of 32 bytes; passes through the banks of shared memory
};

struct Program {
  std::string name, title; // as linkers have it, as people read it
  std::vector<Parameter> parameters;
  int parameter_bytes = 0, local_bytes = 0;
  int static_shared_bytes = 0; // before what the launch asks for
  std::vector<Instruction> code;
  std::vector<Origin> origins;
  std::vector<std::string> sources; // of origins, "file:line" or empty
  std::uint32_t file_bytes = 0;     // register file of a warp
  int virtual_registers = 0;
  struct Value {
    std::uint32_t place;
    int width;
    std::uint64_t value;
  };
  std::vector<Value> constants;
  std::vector<Value> parameter_addresses; // value: offset of the parameter

  // what launches have cost
  std::uint64_t launches = 0, warp_instructions = 0, lane_instructions = 0;
  double seconds = 0;        // of the processor
  std::vector<Count> counts; // of code, when they are wanted
};

/// Where the module's variables are, by name: made once a device.
using Addresses = std::map<std::string, std::uint64_t>;

/// Throws Unknown with the text of what it does not know.
std::unique_ptr<Program> decode(Module &, const std::string &kernel, const Addresses &);

/// A symbol as people read it, without its parameters.
std::string readable(const std::string &symbol);

/// An opcode and the bytes of its registers, as decode() asks for its operation.
struct Form {
  std::string opcode;
  int result = 0, first = 0; // bytes of the registers
  int vector = 1;
};
/// Null where there is none.
Operation arithmetic(const Form &);
Operation conversion(const Form &);
Operation access(const Form &);
/// Branches and what lanes do together.
namespace control
{
  void label(Warp &, const Instruction &);
  void jump(Warp &, const Instruction &);
  void branch(Warp &, const Instruction &);
  void leave(Warp &, const Instruction &);
  void barrier(Warp &, const Instruction &);
  void trap(Warp &, const Instruction &);
  void nothing(Warp &, const Instruction &);
} // namespace control
/// Shuffles, votes, barriers of a warp: all lanes that the mask (more[0]) names have to come.
Operation together(const Form &);

} // namespace ptx
