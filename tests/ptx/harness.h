#pragma once
/// Kernels written in PTX by tests, and what they do to memory.

#include <cstring>
#include <string>
#include <vector>

#include "ptx/findings.h"
#include "ptx/launch.h"

namespace ptx
{

/// Memory of a device, as an array.
template <class T> class Array
{
public:
  explicit Array(std::size_t n)
      : memory_(allocate(n * sizeof(T), MemoryKind::device, 0))
      , n_(n)
  {
  }
  explicit Array(const std::vector<T> &values)
      : Array(values.size())
  {
    std::memcpy(memory_->data, values.data(), n_ * sizeof(T));
    memory_->written.assign(n_ * sizeof(T), 1);
  }
  Array(const Array &) = delete;
  ~Array() { release(memory_->first); }

  std::uint64_t address() const { return memory_->first; }
  std::vector<T> get() const
  {
    std::vector<T> values(n_);
    std::memcpy(values.data(), memory_->data, n_ * sizeof(T));
    return values;
  }

private:
  Allocation *memory_;
  std::size_t n_;
};

/// A module with one kernel "k" of parameters p0, p1, ... of 64 bits. `before` stands before it.
inline std::string module_text(const std::string &body, int parameters, const std::string &before = "")
{
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n" + before + "\n.visible .entry k(\n";
  for (int q = 0; q < parameters; q++)
    text += " .param .u64 p" + std::to_string(q) + (q + 1 < parameters ? ",\n" : "\n");
  return text + ")\n{\n" + body + "\n}\n";
}

/// Registers that bodies below use: predicates %p, words %r, %rd of 32 and 64 bits, numbers %f, %fd.
inline const std::string registers =
    ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f32 %f<9>; .reg .f64 %fd<9>;\n";

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

/// Runs it; throws Unknown or LaunchFault. What is found is in findings().
inline void run_text(const std::string &text, Dim grid, Dim block, const std::vector<std::uint64_t> &arguments,
                     int shared_bytes = 0)
{
  static std::vector<std::unique_ptr<Program>> kept; // totals know them until the process ends
  Module module(text);
  Addresses addresses;
  kept.push_back(decode(module, "k", addresses));
  Launch launch {kept.back().get(), {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, {}, 0, 0};
  launch.parameters.resize(8 * arguments.size());
  std::memcpy(launch.parameters.data(), arguments.data(), launch.parameters.size());
  run(launch);
}

inline void run_body(const std::string &body, Dim grid, Dim block, const std::vector<std::uint64_t> &arguments,
                     int shared_bytes = 0, const std::string &before = "")
{
  run_text(module_text(registers + body, static_cast<int>(arguments.size()), before), grid, block, arguments,
           shared_bytes);
}

} // namespace ptx
