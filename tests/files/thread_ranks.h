/// Ranks of a process grid as threads of one process, which combine words as processes would by MPI.
#pragma once

#include <array>
#include <barrier>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "files/gauge_file.h"

class ThreadRanks
{
public:
  using Coords = std::array<int, 4>;

  explicit ThreadRanks(const Coords &grid)
      : grid_(grid)
      , size_(grid[0] * grid[1] * grid[2] * grid[3])
      , meet_(size_)
      , words_(static_cast<std::size_t>(size_))
  {
  }

  /// Calls body(coordinates, combine) on every rank and waits for all. The body must not throw.
  void run(const std::function<void(const Coords &coord, const quda_files::Combine &combine)> &body)
  {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; rank++)
      threads.emplace_back([this, rank, &body] {
        auto with = [this, rank](auto operation) {
          return [this, rank, operation](std::uint64_t *words, std::size_t n) { combine(rank, words, n, operation); };
        };
        body(coord_of(rank), {with(std::bit_xor<std::uint64_t>()), with(std::plus<std::uint64_t>())});
      });
    for (std::thread &thread : threads) thread.join();
  }

  int size() const { return size_; }

private:
  Coords coord_of(int rank) const
  {
    Coords c;
    for (int d = 0; d < 4; d++, rank /= grid_[d - 1]) c[d] = rank % grid_[d];
    return c;
  }

  template <class Operation> void combine(int rank, std::uint64_t *words, std::size_t n, Operation operation)
  {
    words_[static_cast<std::size_t>(rank)].assign(words, words + n);
    meet_.arrive_and_wait();
    for (std::size_t i = 0; i < n; i++) {
      words[i] = 0;
      for (const auto &theirs : words_) words[i] = operation(words[i], theirs.at(i));
    }
    meet_.arrive_and_wait();
  }

  const Coords grid_;
  const int size_;
  std::barrier<> meet_;
  std::vector<std::vector<std::uint64_t>> words_;
};
