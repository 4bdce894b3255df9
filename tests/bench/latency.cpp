#include "bench/latency.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <thread>

#include "targets/cpu/team.h"
#include "targets/target.h"

namespace quda::bench
{

namespace
{

  constexpr std::size_t least_chain = std::size_t {64} << 20; // bytes
  constexpr int loads = 1 << 16;
  constexpr int rounds = 1 << 11;
  constexpr int patience = 1 << 14;    // looks before a waiting thread lets others run
  constexpr double longest_wait = 0.1; // seconds for the other to come

  struct Game {
    alignas(64) std::atomic<int> players {0};
    alignas(64) std::atomic<int> side {0};
    double seconds = 0; // from the meeting on, by the one who plays first; 0: no game
  };

  /// Whether both are here: a team may have to serve its numbers one after the other.
  bool meet(std::atomic<int> &players)
  {
    if (players.fetch_add(1) != 0) return players.load() == 2;
    const double start = now();
    while (players.load() != 2) {
      int alone = 1;
      if (now() - start > longest_wait && players.compare_exchange_strong(alone, -1)) return false;
    }
    return true;
  }

  void play(void *context, int thread, int)
  {
    Game &game = *static_cast<Game *>(context);
    if (!meet(game.players)) return;
    const double start = now();
    for (int n = 0; n < rounds; n++) {
      for (int looks = 0; game.side.load(std::memory_order_acquire) != thread; looks++)
        if (looks > patience) std::this_thread::yield();
      game.side.store(1 - thread, std::memory_order_release);
    }
    if (thread == 0) game.seconds = now() - start;
  }

  bool on_processor() { return target().lanes() > 1; }

} // namespace

Latencies::Latencies(std::size_t last_cache)
    : lines_(on_processor() ? std::bit_ceil(std::max(least_chain, 2 * last_cache)) / sizeof(Line) : 0)
    , chain_(lines_ * sizeof(Line))
{
  // a linear congruence modulo a power of two that visits every line once, in strides that no prefetcher follows
  Line *line = static_cast<Line *>(chain_.device());
  for (std::size_t i = 0; i < lines_; i++) line[i].next = (i * 1'664'525 + 1'013'904'223) & (lines_ - 1);
}

void Latencies::sample()
{
  if (!on_processor()) return;
  const Line *line = static_cast<const Line *>(chain_.device());
  const double start = now();
  for (int i = 0; i < loads; i++) at_ = line[at_].next;
  memory_.add((now() - start) / loads * 1e9);

  if (target().max_threads() < 2) return;
  Game game;
  cpu::run_team(2, play, &game);
  if (game.seconds > 0) hand_over_.add(game.seconds / (2 * rounds) * 1e9);
}

} // namespace quda::bench
