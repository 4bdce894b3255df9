#include "ptx/warp.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <ctime>

namespace ptx
{

namespace
{

  std::vector<Program *> &have_run()
  {
    static auto *all = new std::vector<Program *>;
    return *all;
  }

  char *aligned(std::vector<char> &room, std::size_t to)
  {
    return reinterpret_cast<char *>((reinterpret_cast<std::uintptr_t>(room.data()) + to - 1) / to * to);
  }

  /// Of this thread: others may be busy on the machine.
  double processor_seconds()
  {
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  template <bool counting> void run_warp(Warp &w)
  {
    const Instruction *const code = w.program->code.data();
    Count *const counts = w.program->counts.data();
    std::uint64_t n = 0, lanes = 0;
    while (w.mask) {
      w.here = w.next;
      w.next = w.here + 1;
      const Instruction &i = code[w.here];
      const int running = __builtin_popcount(w.mask);
      n++;
      lanes += running;
      if constexpr (counting) {
        counts[w.here].warps++;
        counts[w.here].lanes += running;
      }
      i.run(w, i);
    }
    w.program->warp_instructions += n;
    w.program->lane_instructions += lanes;
  }

  /// What every launch of a block size finds in its registers.
  void prepare(Block &b, const Launch &launch)
  {
    Program &p = *launch.program;
    b.launch = &launch;
    b.threads = launch.block[0] * launch.block[1] * launch.block[2];
    b.shared_bytes = p.static_shared_bytes + launch.shared_bytes;
    b.shared.resize(b.shared_bytes + 16);
    b.bytes.resize(b.shared_bytes);
    const int warps = (b.threads + 31) / 32;
    b.warps.resize(warps);
    const std::size_t stride = (p.file_bytes + 63) / 64 * 64;
    if (b.files.size() < warps * stride + 64) b.files.resize(warps * stride + 64);
    const std::size_t local = (p.local_bytes + 15) / 16 * 16;
    b.local.assign(local * warps * 32 + 16, static_cast<char>(0xff));
    char *const file = aligned(b.files, 64), *const own = aligned(b.local, 16);
    for (int n = 0; n < warps; n++) {
      Warp &w = b.warps[n];
      w.file = file + n * stride;
      w.program = &p;
      w.block = &b;
      w.number = n;
      for (int axis = 0; axis < 3; axis++)
        for (int l = 0; l < 32; l++) {
          const unsigned t = n * 32 + l;
          w.at<unsigned>(place_tid + 128 * axis)[l] = axis == 0   ? t % launch.block[0]
                                                      : axis == 1 ? t / launch.block[0] % launch.block[1]
                                                                  : t / launch.block[0] / launch.block[1];
          w.at<unsigned>(place_ntid + 128 * axis)[l] = launch.block[axis];
          w.at<unsigned>(place_nctaid + 128 * axis)[l] = launch.grid[axis];
        }
      for (int l = 0; l < 32; l++) {
        w.at<unsigned>(place_laneid)[l] = l;
        w.at<unsigned>(place_shared)[l] = launch.shared_bytes;
        w.at<std::uint64_t>(place_local)[l] = reinterpret_cast<std::uint64_t>(own + local * (n * 32 + l));
        for (const auto &c : p.constants) std::memcpy(w.file + c.place + l * c.width, &c.value, c.width);
        for (const auto &a : p.parameter_addresses)
          w.at<std::uint64_t>(a.place)[l] = reinterpret_cast<std::uint64_t>(launch.parameters.data() + a.value);
      }
    }
  }

  void begin(Block &b)
  {
    b.barriers = 0;
    for (Warp &w : b.warps) {
      for (int axis = 0; axis < 3; axis++) {
        unsigned *at = w.at<unsigned>(place_ctaid + 128 * axis);
        const unsigned n = b.at[axis];
        PTX_LANES at[l] = n;
      }
      const int left = b.threads - w.number * 32;
      w.live = left >= 32 ? ~0u : (1u << left) - 1;
      w.here = w.next = 0;
      w.parked.clear();
      w.at_barrier.clear();
      w.at_meeting.clear();
      w.lowest = INT_MAX;
      w.set(w.live);
    }
    std::memset(b.shared.data(), 0xff, b.shared.size());
    if (!b.bytes.empty()) std::memset(static_cast<void *>(b.bytes.data()), 0, b.bytes.size() * sizeof(SharedByte));
  }

  const Instruction &instruction_before(const Warp &w, int next) { return w.program->code[next - 1]; }

  /// Lets the block go on behind its barrier; false where no thread waits there. Threads that have left are not waited
  /// for, as CUDA has it since compute capability 7.0.
  bool pass_barrier(Block &b)
  {
    const Group *first = nullptr;
    for (Warp &w : b.warps) {
      std::uint32_t waiting = 0;
      for (const Group &g : w.at_barrier) waiting |= g.lanes;
      if (waiting != w.live) { // some wait for lanes that will never come
        const Group &g = w.at_meeting.front();
        found(Fault::missing_lanes, w, w.program->code[g.at], __builtin_ctz(g.lanes), 0, "others never come");
      }
      for (const Group &g : w.at_barrier) {
        if (!first) first = &g;
        if (g.at != first->at)
          found(Fault::barrier, w, instruction_before(w, g.at), __builtin_ctz(g.lanes), 0,
                "other threads wait at another one");
      }
    }
    if (!first) return false;
    for (Warp &w : b.warps) {
      for (const Group &g : w.at_barrier) w.park(g.at, g.lanes);
      w.at_barrier.clear();
      if (w.live) w.pick();
    }
    b.barriers++;
    for (SharedByte &s : b.bytes) s.writer = s.reader = s.atomic = 0;
    return true;
  }

  void run_block(Block &b)
  {
    begin(b);
    do {
      for (Warp &w : b.warps)
        if (w.mask) checks().counts ? run_warp<true>(w) : run_warp<false>(w);
    } while (pass_barrier(b));
  }

} // namespace

Checks &checks()
{
  static Checks all;
  return all;
}

void found(Fault fault, const Warp &w, const Instruction &i, int lane, std::uint64_t address, const char *what)
{
  const Program &p = *w.program;
  const Origin &o = p.origins[i.statement];
  const std::string &source = p.sources[i.statement];
  const Block &b = *w.block;
  char text[200];
  std::string where = p.title + ", PTX line " + std::to_string(o.line);
  if (!source.empty()) where += ", " + source;
  where += ": " + o.text;
  if (*what) where += std::string(" (") + what + ")";
  const unsigned *const x = b.launch->block;
  const unsigned t = w.number * 32 + lane;
  std::snprintf(text, sizeof text, "block %u,%u,%u thread %u,%u,%u", b.at[0], b.at[1], b.at[2], t % x[0],
                t / x[0] % x[1], t / x[0] / x[1]);
  std::string first = text;
  if (address || fault == Fault::out_of_bounds) {
    std::snprintf(text, sizeof text, ", address 0x%llx", static_cast<unsigned long long>(address));
    first += text;
    if (fault == Fault::out_of_bounds) {
      const Allocation *near = nearest(address);
      if (near && is_device_address(address)) {
        const bool behind = address >= near->end();
        std::snprintf(text, sizeof text, ", %llu bytes %s an allocation of %zu",
                      static_cast<unsigned long long>(behind ? address - near->end() : near->first - address),
                      behind ? "behind" : "before", near->bytes);
        first += text;
      } else if (!is_device_address(address)) {
        first += address < 4096 ? ", a null pointer" : ", no memory of a device";
      }
    }
  }
  report(fault, where, first);
  if (ends_launch(fault)) throw LaunchFault(fault);
}

void run(const Launch &launch)
{
  const double start = processor_seconds();
  static Block b; // its room is kept
  static std::uint64_t number = 0;
  Program &p = *launch.program;
  if (checks().counts && p.counts.empty()) p.counts.resize(p.code.size());
  if (p.launches++ == 0) have_run().push_back(&p);
  b.launch_number = ++number;
  prepare(b, launch);
  b.number = 0;
  for (b.at[2] = 0; b.at[2] < launch.grid[2]; b.at[2]++)
    for (b.at[1] = 0; b.at[1] < launch.grid[1]; b.at[1]++)
      for (b.at[0] = 0; b.at[0] < launch.grid[0]; b.at[0]++, b.number++) run_block(b);
  p.seconds += processor_seconds() - start;
}

std::vector<const Program *> programs_run()
{
  std::vector<const Program *> all(have_run().begin(), have_run().end());
  std::sort(all.begin(), all.end(), [](auto *a, auto *b) { return a->seconds > b->seconds; });
  return all;
}

} // namespace ptx
