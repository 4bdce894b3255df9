#include "ptx/places.h"

#include <algorithm>
#include <climits>
#include <map>

namespace ptx
{

namespace
{

  struct Span { // of instructions, two positions each: before reading, after
    int first = INT_MAX, last = -1;
    void touch(int at)
    {
      first = std::min(first, at);
      last = std::max(last, at);
    }
  };

  using Set = std::vector<std::uint64_t>;
  void put(Set &s, int r) { s[r / 64] |= std::uint64_t(1) << r % 64; }
  bool has(const Set &s, int r) { return s[r / 64] >> r % 64 & 1; }
  template <class F> void each(const Set &s, F f)
  {
    for (std::size_t q = 0; q < s.size(); q++)
      for (std::uint64_t m = s[q]; m; m &= m - 1) f(static_cast<int>(q * 64 + __builtin_ctzll(m)));
  }

  struct BasicBlock {
    int begin, end;
    Set reads, writes, in, out; // reads: before they are written here
    std::vector<int> next;
  };

  std::vector<BasicBlock> blocks_of(const std::vector<Flow> &flow, int registers)
  {
    const int n = static_cast<int>(flow.size());
    const Set none((registers + 63) / 64);
    std::vector<BasicBlock> blocks;
    std::vector<int> block_of(n);
    for (int p = 0; p < n; p++) {
      if (p == 0 || flow[p].begins || flow[p - 1].target >= 0 || flow[p - 1].stops) {
        if (p > 0) blocks.back().end = p;
        blocks.push_back({p, n, none, none, none, none, {}});
      }
      block_of[p] = static_cast<int>(blocks.size()) - 1;
    }
    for (std::size_t b = 0; b < blocks.size(); b++) {
      BasicBlock &x = blocks[b];
      for (int p = x.begin; p < x.end; p++) {
        for (int r : flow[p].reads)
          if (!has(x.writes, r)) put(x.reads, r);
        for (int r : flow[p].writes) put(x.writes, r);
      }
      const Flow &last = flow[x.end - 1];
      if (last.target >= 0) x.next.push_back(block_of[last.target]);
      if (!last.stops && b + 1 < blocks.size()) x.next.push_back(static_cast<int>(b) + 1);
    }
    return blocks;
  }

  void solve(std::vector<BasicBlock> &blocks)
  {
    for (bool again = true; again;) {
      again = false;
      for (auto x = blocks.rbegin(); x != blocks.rend(); ++x)
        for (std::size_t q = 0; q < x->in.size(); q++) {
          std::uint64_t out = 0;
          for (int s : x->next) out |= blocks[s].in[q];
          const std::uint64_t in = x->reads[q] | (out & ~x->writes[q]);
          x->out[q] = out;
          again = again || in != x->in[q];
          x->in[q] = in;
        }
    }
  }

} // namespace

std::uint32_t give_places(std::vector<Register> &registers, const std::vector<Flow> &flow, std::uint32_t first)
{
  const int n = static_cast<int>(registers.size());
  std::vector<BasicBlock> blocks = blocks_of(flow, n);
  solve(blocks);
  std::vector<Span> spans(n);
  for (const BasicBlock &x : blocks) {
    each(x.in, [&](int r) { spans[r].touch(2 * x.begin); });
    each(x.out, [&](int r) { spans[r].touch(2 * x.end - 1); });
    for (int p = x.begin; p < x.end; p++) {
      for (int r : flow[p].reads) spans[r].touch(2 * p);
      for (int r : flow[p].writes) spans[r].touch(2 * p + 1);
    }
  }

  std::vector<int> order;
  for (int r = 0; r < n; r++)
    if (!registers[r].fixed && spans[r].last >= 0) order.push_back(r);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return spans[a].first < spans[b].first; });
  std::map<int, std::vector<std::uint32_t>> vacant; // by width: a place never changes it
  std::multimap<int, int> living;                   // end, register
  for (int r : order) {
    while (!living.empty() && living.begin()->first < spans[r].first) {
      const Register &gone = registers[living.begin()->second];
      vacant[gone.width].push_back(gone.place);
      living.erase(living.begin());
    }
    std::vector<std::uint32_t> &v = vacant[registers[r].width];
    if (v.empty()) {
      registers[r].place = first;
      first += 32 * registers[r].width;
    } else {
      registers[r].place = v.back();
      v.pop_back();
    }
    living.insert({spans[r].last, r});
  }
  return first;
}

} // namespace ptx
