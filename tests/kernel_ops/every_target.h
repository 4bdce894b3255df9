#pragma once
/// Runs a test on every target that this machine can run, with launches that cut the work differently.

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/tune_param.h"
#include "targets/target.h"

namespace quda
{

inline std::string wish_for(Target kind)
{
  switch (kind) {
  case Target::cpu_avx2:
    return "cpu:avx2";
  case Target::cpu_avx512:
    return "cpu:avx512";
  default:
    return target_name(kind);
  }
}

template <class Body> void on_every_target(const Body &body)
{
  for (const Target kind : usable_targets()) {
    choose_target(wish_for(kind));
    SCOPED_TRACE(target_name(kind));
    body();
  }
}

/// Launches for kernels over about a hundred points: blocks that divide them and that do not, few and many threads,
/// both schedules.
inline std::vector<TuneParam> some_launches()
{
  std::vector<TuneParam> launches;
  if (target().kind() == Target::cuda || target().kind() == Target::fiber) {
    for (int x : {0, 1, 7, 32, 48, 64})
      for (int y : {1, 2})
        if (x > 0 || y == 1) launches.push_back({{x, y, 1}, {0, 0, 0}, 0, 0, 0, 0, 0});
  } else {
    for (int tile : {0, 1, 7, 64})
      for (int threads : {0, 1, 2, 5})
        for (int schedule : {0, 1}) launches.push_back({{tile, 1, 1}, {threads, 1, 1}, 0, 0, schedule, schedule, 0});
  }
  return launches;
}

inline std::string described(const TuneParam &tp)
{
  return "block " + std::to_string(tp.block[0]) + " " + std::to_string(tp.block[1]) + ", grid " +
         std::to_string(tp.grid[0]) + ", schedule " + std::to_string(tp.schedule);
}

/// An array in the target's memory.
template <class T> class TargetArray
{
public:
  explicit TargetArray(const std::vector<T> &values)
      : size_(values.size())
  {
    data_ = static_cast<T *>(target().allocate(size_ * sizeof(T)));
    set(values);
  }
  ~TargetArray() { target().release(data_); }
  TargetArray(const TargetArray &) = delete;
  TargetArray &operator=(const TargetArray &) = delete;

  T *data() { return data_; }
  void set(const std::vector<T> &values) { target().copy(data_, values.data(), size_ * sizeof(T)); }
  std::vector<T> get() const
  {
    std::vector<T> values(size_);
    target().synchronize();
    target().copy(values.data(), data_, size_ * sizeof(T));
    return values;
  }

private:
  std::size_t size_;
  T *data_;
};

/// Numbers without a pattern, in (-1, 1).
inline std::vector<double> some_numbers(std::size_t n)
{
  std::vector<double> numbers(n);
  unsigned long long state = 88172645463325252ULL;
  for (double &x : numbers) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x = static_cast<double>(static_cast<long long>(state) >> 11) * 0x1p-52;
  }
  return numbers;
}

} // namespace quda
