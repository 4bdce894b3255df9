/// Memory that ends in the middle of a call, sooner or later: each time the call fails with the kind "out of memory",
/// what is resident is as before or freed, no block is lost, and the same call with memory enough gives what it always
/// gives.

#include "session.h"

#include "targets/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numeric>

#include <malloc.h>
#include <sys/resource.h>

namespace
{

using test::Handler;
using test::HostLinks;
using test::Session;

const reference::Lattice lattice({8, 8, 8, 8});
constexpr std::size_t step = 3 << 18;

/// What is given back is unmapped, from the program's first test on.
[[maybe_unused]] const int unmapped = mallopt(M_MMAP_THRESHOLD, 1 << 17);

/// What the process may map, as long as it lives: what it has and `more`.
class LittleMemory
{
public:
  explicit LittleMemory(std::size_t more)
  {
    flushPoolQuda(QUDA_MEMORY_DEVICE);
    flushPoolQuda(QUDA_MEMORY_HOST_PINNED);
    malloc_trim(0);
    getrlimit(RLIMIT_AS, &before_);
    rlimit little = before_;
    little.rlim_cur = mapped() + more;
    setrlimit(RLIMIT_AS, &little);
  }
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }

private:
  static std::size_t mapped()
  {
    std::size_t pages = 0;
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    if (!file || std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    if (file) std::fclose(file);
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
  rlimit before_;
};

class FullMemory : public ::testing::Test
{
protected:
  FullMemory()
      : A(reference::random_gauge(lattice, 1, reference::Kind::weak), reference::Part(lattice), QUDA_QDP_GAUGE_ORDER)
      , B(reference::random_gauge(lattice, 2, reference::Kind::weak), reference::Part(lattice), QUDA_MILC_GAUGE_ORDER)
      , numbers(24 * lattice.volume())
      , out(32 * lattice.volume())
  {
    std::iota(numbers.begin(), numbers.end(), 1.0);
    load_A();
  }

  void load_A()
  {
    QudaGaugeParam param = test::gauge_param(lattice.X);
    loadGaugeQuda(A.pointer(), &param);
  }
  void load_B()
  {
    test::Storage storage;
    storage.order = QUDA_MILC_GAUGE_ORDER;
    QudaGaugeParam param = test::gauge_param(lattice.X, storage);
    loadGaugeQuda(B.pointer(), &param);
  }
  double plaquette()
  {
    double plaq[3] = {};
    plaqQuda(plaq);
    return plaq[0];
  }
  long long blocks() const { return quda::device_pool().counts().live_blocks; }

  /// `call` returns one number that stands for its result.
  void expect_survived(const char *name, const std::function<double()> &call)
  {
    SCOPED_TRACE(name);
    load_A();
    const double at_first = plaquette();
    const double right = call(); // tuned now, threads started
    ASSERT_EQ(handler.calls(), 0) << handler.text();
    int failures = 0;
    for (std::size_t more = 0;; more += step) {
      load_A();
      const long long in_use = blocks();
      double result;
      {
        const LittleMemory little(more);
        result = call();
      }
      if (handler.calls() == 0) {
        EXPECT_EQ(result, right);
        break;
      }
      ASSERT_LT(more, std::size_t {1} << 30) << handler.text();
      failures++;
      EXPECT_EQ(handler.calls(), 1);
      EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_OUT_OF_MEMORY) << handler.text();
      EXPECT_TRUE(handler.says("memory")) << handler.text();
      handler.forget();
      EXPECT_EQ(blocks(), in_use) << failures;
      EXPECT_EQ(plaquette(), at_first) << failures;
    }
    load_A();
    EXPECT_EQ(call(), right);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    all_failures += failures;
    std::printf("%s: memory ended at %d places\n", name, failures);
  }

  Handler handler;
  Session session;
  HostLinks<double> A, B;
  std::vector<double> numbers, out;
  int all_failures = 0;
};

TEST_F(FullMemory, EveryCallSurvives)
{
  // fields are not memory of the process there, and what is stays too little for the driver
  if (quda::target().kind() == quda::Target::cuda && std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "a GPU";
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer maps more than any limit";
#endif
  if (std::getenv("TESTED_UNDER")) GTEST_SKIP() << "valgrind maps its own memory as it goes";
  const auto sum = [&] { return std::accumulate(out.begin(), out.end(), 0.0); };
  expect_survived("loadGaugeQuda", [&] {
    load_B();
    return handler.calls() ? 0 : plaquette();
  });
  expect_survived("MatQuda", [&] {
    QudaInvertParam param = test::wilson_param();
    MatQuda(out.data(), numbers.data(), &param);
    return sum();
  });
  expect_survived("contractQuda", [&] {
    QudaInvertParam param = test::wilson_param();
    contractQuda(numbers.data(), numbers.data(), out.data(), QUDA_CONTRACT_TYPE_OPEN, &param, lattice.X.data());
    return sum();
  });
  HostLinks<double> saved = A;
  expect_survived("saveGaugeQuda", [&] {
    QudaGaugeParam param = test::gauge_param(lattice.X);
    saved.fill(0);
    saveGaugeQuda(saved.pointer(), &param);
    return saved.direction(2)[17];
  });
  expect_survived("performGaugeSmearQuda", [&] {
    QudaGaugeSmearParam smear = newQudaGaugeSmearParam();
    smear.smear_type = QUDA_GAUGE_SMEAR_STOUT;
    smear.n_steps = 2;
    smear.meas_interval = 1;
    smear.rho = 0.1;
    smear.dir_ignore = 4;
    QudaGaugeObservableParam obs[3];
    for (auto &one : obs) {
      one = newQudaGaugeObservableParam();
      one.compute_qcharge = QUDA_BOOLEAN_TRUE;
    }
    performGaugeSmearQuda(&smear, obs);
    return handler.calls() ? 0 : obs[2].energy[0];
  });
  expect_survived("projectSU3Quda", [&] {
    QudaGaugeParam param = test::gauge_param(lattice.X);
    param.use_resident_gauge = 0;
    param.return_result_gauge = 1;
    const std::size_t reals = 18 * lattice.volume();
    for (int mu = 0; mu < 4; mu++) std::copy_n(A.direction(mu), reals, saved.direction(mu));
    projectSU3Quda(saved.pointer(), 1e-13, &param);
    return saved.direction(1)[5];
  });
  expect_survived("computeGaugeLoopTraceQuda", [&] {
    int steps[4] = {0, 1, 7, 6}, *loops[1] = {steps}, length = 4;
    double weight = 1;
    std::complex<double> trace = 0;
    computeGaugeLoopTraceQuda(reinterpret_cast<double _Complex *>(&trace), loops, &length, &weight, 1, 4, 1);
    return trace.real();
  });
  expect_survived("gaussGaugeQuda", [&] {
    gaussGaugeQuda(7, 0.3);
    return handler.calls() ? 0 : plaquette();
  });
  expect_survived("heatbathQuda", [&] {
    QudaHeatbathParam param = newQudaHeatbathParam();
    param.beta = 6;
    param.n_sweeps = 2;
    heatbathQuda(&param);
    return handler.calls() ? 0 : plaquette();
  });
  std::vector<double> momenta(40 * lattice.volume(), 0.25);
  const auto resident = [] {
    QudaGaugeParam param = test::gauge_param(lattice.X);
    param.gauge_order = QUDA_MILC_GAUGE_ORDER;
    param.make_resident_gauge = 1;
    return param;
  };
  expect_survived("updateGaugeFieldQuda", [&] {
    QudaGaugeParam param = resident();
    param.use_resident_gauge = 1;
    param.return_result_gauge = 0;
    updateGaugeFieldQuda(nullptr, momenta.data(), 0.1, 0, 1, &param);
    return handler.calls() ? 0 : plaquette();
  });
  expect_survived("computeGaugeForceQuda", [&] {
    QudaGaugeParam param = resident();
    param.overwrite_mom = 1;
    int steps[3] = {1, 7, 6}, *paths[1] = {steps}, **of_mu[4] = {paths, paths, paths, paths}, length = 3;
    double weight = 1;
    computeGaugeForceQuda(momenta.data(), B.pointer(), of_mu, &length, &weight, 1, 3, 0.1, &param);
    return handler.calls() ? 0 : plaquette();
  });
  EXPECT_GT(all_failures, 20);
}

} // namespace
