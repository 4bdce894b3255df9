#pragma once
/// A warp: 32 lanes that go together where they can. Lanes elsewhere wait in groups by instruction, and the group of
/// the lowest instruction runs; labels join groups.

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "ptx/findings.h"
#include "ptx/launch.h"
#include "ptx/program.h"

/// A loop over the lanes, which the compiler turns into vectors: places of registers never overlap in part.
#define PTX_LANES _Pragma("GCC ivdep") _Pragma("GCC unroll 1") for (int l = 0; l < 32; l++)

namespace ptx
{

struct Block;

struct Group {
  int at; // instruction
  std::uint32_t lanes;
};

struct Warp {
  char *file; // registers
  Program *program;
  Block *block;
  int number;
  int here = 0, next = 0; // instructions
  std::uint32_t mask = 0; // lanes that run
  std::uint32_t live = 0; // lanes that have not left
  bool whole = false;     // all live lanes run
  int lowest = 0;         // instruction of a parked group
  std::vector<Group> parked, at_barrier, at_meeting;
  alignas(64) std::int32_t runs[32]; // -1 or 0, as mask

  void set(std::uint32_t lanes)
  {
    mask = lanes;
    whole = lanes == live;
    PTX_LANES runs[l] = -static_cast<std::int32_t>(lanes >> l & 1);
  }
  void park(int at, std::uint32_t lanes);
  /// The group of the lowest instruction goes on; false where there is none.
  bool pick();

  template <class T> T *at(std::uint32_t place) const { return reinterpret_cast<T *>(file + place); }
};

/// f(lane) into a register, in the lanes that run.
template <class T, class F> inline void each_lane(Warp &w, std::uint32_t place, F f)
{
  T *d = w.at<T>(place);
  if (w.whole) {
    PTX_LANES d[l] = f(l);
  } else {
    alignas(64) T t[32];
    PTX_LANES t[l] = f(l);
    using M = std::conditional_t<sizeof(T) == 8, std::int64_t,
                                 std::conditional_t<sizeof(T) == 2, std::int16_t, std::int32_t>>;
    PTX_LANES d[l] = static_cast<M>(w.runs[l]) ? t[l] : d[l];
  }
}

/// Who touched a byte of shared memory since the last barrier: threads counted from 1, 0xffff for several.
struct SharedByte {
  std::uint16_t writer, reader, atomic;
  std::uint8_t written, unused;
};

struct Block {
  const Launch *launch;
  unsigned at[3];
  unsigned number;
  int threads;
  int shared_bytes;
  std::uint64_t launch_number; // for races in device memory
  unsigned barriers;           // passed so far
  std::vector<char> shared, files, local;
  std::vector<SharedByte> bytes;
  std::vector<Warp> warps;
};

/// Reports what a lane did at an instruction, and ends the launch where the fault is of that sort.
void found(Fault, const Warp &, const Instruction &, int lane, std::uint64_t address, const char *what = "");

} // namespace ptx
