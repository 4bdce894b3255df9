/// Branches, barriers, and what the lanes of a warp do together.

#include "ptx/warp.h"

#include <algorithm>
#include <climits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace ptx
{

void Warp::park(int at, std::uint32_t lanes)
{
  for (Group &g : parked)
    if (g.at == at) {
      g.lanes |= lanes;
      return;
    }
  parked.push_back({at, lanes});
  lowest = std::min(lowest, at);
}

bool Warp::pick()
{
  const auto best = std::min_element(parked.begin(), parked.end(), [](Group a, Group b) { return a.at < b.at; });
  if (best == parked.end()) {
    lowest = INT_MAX;
    return false;
  }
  next = best->at;
  set(best->lanes);
  *best = parked.back();
  parked.pop_back();
  lowest = INT_MAX;
  for (const Group &g : parked) lowest = std::min(lowest, g.at);
  return true;
}

namespace
{

  std::uint32_t lanes_where(const std::int32_t *predicate)
  {
    std::uint32_t m = 0;
#if defined(__AVX2__)
    for (int l = 0; l < 32; l += 8) {
      const __m256i p = _mm256_load_si256(reinterpret_cast<const __m256i *>(predicate + l));
      m |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(p))) << l;
    }
#else
    for (int l = 0; l < 32; l++) m |= static_cast<std::uint32_t>(predicate[l] != 0) << l;
#endif
    return m;
  }

  void wait_with(std::vector<Group> &waiting, Warp &w, int at)
  {
    waiting.push_back({at, w.mask});
    w.mask = 0;
    w.pick();
  }

  /// True when all lanes are here that the mask of each lane (more[0]) names; otherwise those that run wait for the
  /// others, and the instruction is done again when they have come.
  bool all_came(Warp &w, const Instruction &i)
  {
    const std::uint32_t *names = w.at<std::uint32_t>(i.more[0]);
    std::uint32_t named = 0;
    for (std::uint32_t m = w.mask; m; m &= m - 1) {
      const int l = __builtin_ctz(m);
      named |= names[l];
      if (!(names[l] >> l & 1)) found(Fault::missing_lanes, w, i, l, 0, "the mask does not name the lane that calls");
    }
    if ((named & ~w.mask) == 0) return true;
    if (named & ~w.live) {
      const int l = __builtin_ctz(named & ~w.live);
      found(Fault::missing_lanes, w, i, l, 0, "this lane has left");
    }
    std::uint32_t here = w.mask;
    for (const Group &g : w.at_meeting)
      if (g.at == w.here) here |= g.lanes;
    if ((named & ~here) == 0) {
      std::erase_if(w.at_meeting, [&](const Group &g) { return g.at == w.here; });
      w.next = w.here;
      w.set(here);
    } else {
      wait_with(w.at_meeting, w, w.here);
    }
    return false;
  }

  enum class Way { butterfly, index, up, down };

  template <Way way> void shuffle(Warp &w, const Instruction &i)
  {
    if (!all_came(w, i)) return;
    const std::uint32_t *a = w.at<std::uint32_t>(i.a), *b = w.at<std::uint32_t>(i.b), *c = w.at<std::uint32_t>(i.c);
    std::uint32_t r[32];
    std::int32_t inside[32];
    for (int l = 0; l < 32; l++) {
      const int step = b[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
      const int least = l & segment, most = least | (clamp & ~segment);
      const int j = way == Way::butterfly ? l ^ step
                    : way == Way::index   ? least | (step & ~segment)
                    : way == Way::up      ? l - step
                                          : l + step;
      inside[l] = way == Way::up ? j >= most : j <= most;
      const int from = inside[l] ? j : l;
      if ((w.mask >> l & 1) && !(w.mask >> from & 1))
        found(Fault::missing_lanes, w, i, l, 0, "it reads from a lane that is not there");
      r[l] = a[from];
    }
    each_lane<std::uint32_t>(w, i.d, [&](int l) { return r[l]; });
    if (i.more[1]) each_lane<std::int32_t>(w, i.more[1], [&](int l) { return inside[l] ? -1 : 0; });
  }

  enum class Vote { all, any, uniform, ballot };

  template <Vote vote> void voted(Warp &w, const Instruction &i)
  {
    if (!all_came(w, i)) return;
    const std::uint32_t yes = lanes_where(w.at<std::int32_t>(i.a)) & w.mask;
    if (vote == Vote::ballot)
      each_lane<std::uint32_t>(w, i.d, [=](int) { return yes; });
    else {
      const bool r = vote == Vote::all ? yes == w.mask : vote == Vote::any ? yes != 0 : yes == 0 || yes == w.mask;
      each_lane<std::int32_t>(w, i.d, [=](int) { return r ? -1 : 0; });
    }
  }

  /// Lanes that have this lane's value.
  template <class T> void match_any(Warp &w, const Instruction &i)
  {
    if (!all_came(w, i)) return;
    const T *a = w.at<T>(i.a);
    std::uint32_t r[32] = {};
    for (int l = 0; l < 32; l++)
      for (int j = 0; j < 32; j++) r[l] |= static_cast<std::uint32_t>((w.mask >> j & 1) && a[j] == a[l]) << j;
    each_lane<std::uint32_t>(w, i.d, [&](int l) { return r[l]; });
  }

  void active_mask(Warp &w, const Instruction &i)
  {
    const std::uint32_t m = w.mask;
    each_lane<std::uint32_t>(w, i.d, [=](int) { return m; });
  }

  /// Orders the shared memory of the warp's lanes.
  void warp_barrier(Warp &w, const Instruction &i)
  {
    if (!all_came(w, i)) return;
    const auto mine = [&](std::uint16_t &thread) {
      if (thread && (thread - 1) / 32 == w.number) thread = 0;
    };
    for (SharedByte &s : w.block->bytes) mine(s.writer), mine(s.reader), mine(s.atomic);
  }

} // namespace

namespace control
{

  void label(Warp &w, const Instruction &)
  {
    if (w.here < w.lowest) return;
    w.park(w.here, w.mask); // with those that wait at this very label
    w.pick();
    if (w.next == w.here) w.next = w.here + 1;
  }

  void jump(Warp &w, const Instruction &i) { w.next = i.number; }

  void branch(Warp &w, const Instruction &i)
  {
    const std::uint32_t p = lanes_where(w.at<std::int32_t>(i.a));
    const std::uint32_t taken = (i.negated ? ~p : p) & w.mask;
    if (taken == w.mask) {
      w.next = i.number;
    } else if (taken) {
      w.park(i.number, taken);
      w.park(w.next, w.mask & ~taken);
      w.pick();
    }
  }

  void leave(Warp &w, const Instruction &)
  {
    w.live &= ~w.mask;
    w.mask = 0;
    w.pick();
  }

  void barrier(Warp &w, const Instruction &) { wait_with(w.at_barrier, w, w.next); }
  void trap(Warp &w, const Instruction &i) { found(Fault::unknown_instruction, w, i, __builtin_ctz(w.mask), 0); }
  void nothing(Warp &, const Instruction &) {}

} // namespace control

Operation together(const Form &form)
{
  static const std::map<std::string, Operation, std::less<>> table = {
      {"shfl.sync.bfly.b32", shuffle<Way::butterfly>},
      {"shfl.sync.idx.b32", shuffle<Way::index>},
      {"shfl.sync.up.b32", shuffle<Way::up>},
      {"shfl.sync.down.b32", shuffle<Way::down>},
      {"vote.sync.all.pred", voted<Vote::all>},
      {"vote.sync.any.pred", voted<Vote::any>},
      {"vote.sync.uni.pred", voted<Vote::uniform>},
      {"vote.sync.ballot.b32", voted<Vote::ballot>},
      {"match.any.sync.b32", match_any<std::uint32_t>},
      {"match.any.sync.b64", match_any<std::uint64_t>},
      {"bar.warp.sync", warp_barrier},
      {"activemask.b32", active_mask},
  };
  const auto it = table.find(form.opcode);
  return it == table.end() ? nullptr : it->second;
}

} // namespace ptx
