/// A set-up that fails on one rank of several: all are told, none hangs or ends, and the next set-up works.

#include "agreement.h"
#include "c_multigrid.h"
#include "solves.h"

#include <cstdio>
#include <optional>

#include <sys/resource.h>
#include <unistd.h>

namespace
{

using namespace test;
using reference::Coords;

constexpr int blocks[1][4] = {{2, 2, 2, 2}};
const host_operator fermions {0.12, 0, 0};

host_multigrid small_hierarchy()
{
  host_multigrid host;
  c_pyquda(&host, &fermions, 2, blocks);
  host.hierarchy.n_vec[0] = 8;
  host.hierarchy.setup_maxiter[0] = 10;
  host.inner.verbosity = QUDA_SILENT;
  return host;
}

Coords grid_of_all() { return {1, 1, 1, ranks()}; }
Coords here() { return {0, 0, 0, rank()}; }
bool last_rank() { return rank() == ranks() - 1; }

/// Address space beyond what there is, while it lives, of this process.
class LittleMemory
{
public:
  explicit LittleMemory(rlim_t more)
  {
    getrlimit(RLIMIT_AS, &before_);
    long long pages = 0;
    std::FILE *const file = std::fopen("/proc/self/statm", "r");
    works_ = file && std::fscanf(file, "%lld", &pages) == 1;
    if (file) std::fclose(file);
    rlimit less = before_;
    less.rlim_cur = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more;
    works_ = works_ && setrlimit(RLIMIT_AS, &less) == 0;
  }
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory &) = delete;
  LittleMemory &operator=(const LittleMemory &) = delete;
  bool works() const { return works_; }

private:
  rlimit before_ {};
  bool works_ = false;
};

void expect_works(host_multigrid host)
{
  host.hierarchy.invert_param = &host.inner;
  void *const handle = newMultigridQuda(&host.hierarchy);
  EXPECT_NE(handle, nullptr);
  destroyMultigridQuda(handle);
}

/// Memory for the vectors is missing on the last rank.
TEST(MultigridFailures, MemoryOfOneRank)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers map what they like";
#endif
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Handler handler;
  Session session(grid_of_all().data());
  const reference::Lattice lattice({8, 8, 8, 16});
  const Case on(reference::random_gauge(lattice, 41, reference::Kind::weak), grid_of_all(), here());
  host_multigrid host = small_hierarchy();
  host.hierarchy.invert_param = &host.inner;
  host.hierarchy.n_vec[0] = 80; // 16 MB on four ranks
  {
    std::optional<LittleMemory> little;
    if (last_rank()) little.emplace(8u << 20);
    if (little && !little->works()) GTEST_SKIP() << "no limit can be set";
    EXPECT_EQ(newMultigridQuda(&host.hierarchy), nullptr);
  }
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_OUT_OF_MEMORY) << handler.text();
  EXPECT_TRUE(handler.says("newMultigridQuda") && handler.says("memory")) << handler.text();
  handler.forget();
  expect_works(small_hierarchy());
}

} // namespace
