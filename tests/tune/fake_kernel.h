#pragma once

/// A launch that does nothing but take time of a clock of its own, by a rule of the test's: tuning becomes arithmetic.

#include <functional>
#include <set>
#include <tuple>
#include <vector>

#include "tune/tunable.h"
#include "tune/tune_clock.h"

/// The clock all fakes advance, in place of the real one while it lives.
class FakeClock
{
public:
  FakeClock()
  {
    now() = 0;
    quda::set_tune_clock(read);
  }
  ~FakeClock() { quda::set_tune_clock(nullptr); }
  FakeClock(const FakeClock &) = delete;
  FakeClock &operator=(const FakeClock &) = delete;

  static double &now()
  {
    static double seconds = 0;
    return seconds;
  }

private:
  static double read() { return now(); }
};

inline auto parts(const quda::TuneParam &tp)
{
  return std::make_tuple(tp.block[0], tp.block[1], tp.block[2], tp.grid[0], tp.grid[1], tp.grid[2], tp.prefetch,
                         tp.streaming, tp.schedule, tp.variant, tp.shared_bytes);
}

class FakeKernel : public quda::Tunable
{
public:
  using Cost = std::function<double(const quda::TuneParam &)>; // seconds of a launch

  template <class... Args> explicit FakeKernel(Cost cost, Args &&...args)
      : Tunable(std::forward<Args>(args)...)
      , cost(std::move(cost))
  {
  }

  void launch(const quda::TuneParam &tp, void *) override
  {
    FakeClock::now() += cost(tp);
    launches++;
    last = tp;
    seen.insert(parts(tp));
    data++;
  }
  long long flops() const override { return 2000; }
  long long bytes() const override { return moved; }
  std::vector<quda::MemorySpan> in_place() const override { return {{const_cast<int *>(&data), sizeof data}}; }
  bool has_prefetch() const override { return hooks; }
  bool has_streaming() const override { return hooks; }
  int variants() const override { return n_variants; }
  void read_written() const override
  {
    readings++;
    FakeClock::now() += reading_seconds;
  }
  std::vector<quda::MemorySpan> written_between() const override
  {
    asked_between++;
    return {{const_cast<char *>(between.data()), between.size()}};
  }
  int tune_version() const override { return version; }
  bool collective() const override { return together; }

  Cost cost;
  int launches = 0;
  mutable int readings = 0, asked_between = 0;
  std::vector<char> between;
  double reading_seconds = 0;
  quda::TuneParam last = {};
  std::set<decltype(parts({}))> seen;
  int data = 0;
  bool hooks = true;
  int n_variants = 1;
  long long moved = 1000; // bytes
  int version = 1;
  bool together = true;
  bool sums = false;

protected:
  bool reduces() const override { return sums; }
};

inline FakeKernel::Cost takes(double seconds)
{
  return [seconds](const quda::TuneParam &) { return seconds; };
}

inline FakeKernel fake_kernel(FakeKernel::Cost cost, const char *name = "Fake",
                              std::shared_ptr<quda::Communicator> communicator = quda::make_single_communicator())
{
  return FakeKernel(std::move(cost), std::move(communicator), 4096u, 2u, 3u, "16x16x16x16", name, "prec=8");
}
