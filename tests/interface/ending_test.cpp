/// How a program of several ranks ends: with the message of the failure where there is no handler or where the ranks
/// have parted, and in peace when MPI is over before the library. Each is a program of its own, this one started by
/// mpirun.

#ifdef QUDA_HAVE_MPI

#include "session.h"

#include "core/error.h"
#include "interface/guard.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/wait.h>

namespace
{

constexpr int ranks = 4;
constexpr const char *case_variable = "QUDA_TEST_ENDING";

struct Ended {
  int status;
  std::string output;
};

Ended program(const char *which)
{
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = std::string("OMP_NUM_THREADS=1 ") + case_variable + "=" + which +
                              " timeout 100 mpirun --oversubscribe --bind-to none -n " + std::to_string(ranks) + " " +
                              self +
                              " --gtest_also_run_disabled_tests --gtest_filter=Ending.DISABLED_Program"
                              " --gtest_color=no 2>&1";
  Ended ended {-1, ""};
  std::FILE *pipe = popen(command.c_str(), "r");
  if (!pipe) return ended;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) ended.output.append(buffer, n);
  const int status = pclose(pipe);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ended;
}

constexpr int timed_out = 124;

void expect_end_with(const char *which, const char *words)
{
  const Ended ended = program(which);
  EXPECT_NE(ended.status, 0) << ended.output;
  EXPECT_NE(ended.status, timed_out) << ended.output;
  EXPECT_NE(ended.output.find(words), std::string::npos) << ended.output;
  EXPECT_EQ(ended.output.find("came through"), std::string::npos) << ended.output;
}

TEST(Ending, AllRanksWrong) { expect_end_with("all", "ERROR: loadGaugeQuda: QudaGaugeParam.X[3] = 5"); }
TEST(Ending, OneRankWrong) { expect_end_with("one", "ERROR: loadGaugeQuda: QudaGaugeParam.X[3] = 5"); }
TEST(Ending, NoGrid) { expect_end_with("grid", "call initCommsGridQuda() first"); }
TEST(Ending, RanksThatHaveParted) { expect_end_with("parted", "half way"); }

TEST(Ending, MpiOverBeforeTheLibrary)
{
  const Ended ended = program("finalised");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_NE(ended.output.find("came through"), std::string::npos) << ended.output;
  EXPECT_EQ(ended.output.find("ERROR"), std::string::npos) << ended.output;
}

/// One rank of the program. Not for runs on its own.
TEST(Ending, DISABLED_Program)
{
  const std::string which = getenv(case_variable) ? getenv(case_variable) : "";
  MPI_Init(nullptr, nullptr);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  const std::array<int, 4> grid = {1, 1, 1, size};
  if (which != "grid") initCommsGridQuda(4, grid.data(), nullptr, nullptr);
  initQuda(-1);

  const reference::Lattice local({4, 4, 4, 4});
  test::HostLinks<double> host(reference::GaugeField {local}, reference::Part {local}, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(local.X);
  if (which == "all" || (which == "one" && rank == 2)) param.X[3] = 5;
  loadGaugeQuda(host.pointer(), &param);
  double plaq[3];
  plaqQuda(plaq);
  if (which == "parted") {
    test::Handler handler; // is told, and cannot help
    quda::guard_collective(
        "test", [] {},
        [&] {
          if (rank == 1) quda::fail(quda::ErrorKind::device, "half way");
          MPI_Barrier(MPI_COMM_WORLD);
        });
  }
  MPI_Finalize();
  endQuda();
  std::printf("came through\n");
  std::fflush(stdout);
  std::_Exit(plaq[0] == 1 ? 0 : 1);
}

} // namespace

#endif
