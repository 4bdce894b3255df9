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
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
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
  const std::string command =
      std::string("env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX OMP_NUM_THREADS=1 ") + case_variable + "='" + which +
      "'" + " timeout 100 mpirun --oversubscribe --bind-to none -n " + std::to_string(ranks) + " " + self +
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

std::string expect_end_with(const char *which, const char *words)
{
  const Ended ended = program(which);
  EXPECT_NE(ended.status, 0) << ended.output;
  EXPECT_NE(ended.status, timed_out) << ended.output;
  EXPECT_NE(ended.output.find(words), std::string::npos) << ended.output;
  EXPECT_EQ(ended.output.find("came through"), std::string::npos) << ended.output;
  return ended.output;
}

TEST(Ending, AllRanksWrong) { expect_end_with("all", "ERROR: loadGaugeQuda: QudaGaugeParam.X[3] = 5"); }
TEST(Ending, OneRankWrong) { expect_end_with("one", "ERROR: loadGaugeQuda: QudaGaugeParam.X[3] = 5"); }
/// Before there is a grid, too, a process says which one it is.
TEST(Ending, NoGrid)
{
  const std::string output = expect_end_with("grid", "call initCommsGridQuda() first");
  int told = 0;
  for (int rank = 0; rank < ranks; rank++) {
    const std::string words = "(rank " + std::to_string(rank) + ", host";
    const std::size_t found = output.find(words);
    told += found != std::string::npos;
    if (found != std::string::npos) {
      EXPECT_EQ(output.find(words, found + 1), std::string::npos) << output;
    }
  }
  EXPECT_GE(told, 1) << output;
}
TEST(Ending, RanksThatHaveParted) { expect_end_with("parted", "half way"); }

TEST(Ending, MpiOverBeforeTheLibrary)
{
  const Ended ended = program("finalised");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_NE(ended.output.find("came through"), std::string::npos) << ended.output;
  EXPECT_EQ(ended.output.find("ERROR"), std::string::npos) << ended.output;
}

/// A call that is right or, with `wrong`, not.
using Call = std::function<void(test::HostLinks<double> &links, bool wrong)>;
struct WrongOnOneRank {
  const char *words;
  Call call;
};

const reference::Lattice local({4, 4, 4, 4});

const std::map<std::string, WrongOnOneRank> &wrong_on_one_rank()
{
  static std::vector<double> field(24 * local.volume(), 1), result(16 * 2 * local.volume());
  static std::vector<double> momenta(40 * local.volume(), 0);
  static const auto milc = [] {
    QudaGaugeParam param = test::gauge_param(local.X);
    param.gauge_order = QUDA_MILC_GAUGE_ORDER;
    return param;
  };
  static const std::map<std::string, WrongOnOneRank> all = {
      {"plaquette",
       {"ERROR: plaqQuda: plaq = null",
        [](auto &, bool wrong) {
          double plaq[3];
          plaqQuda(wrong ? nullptr : plaq);
        }}},
      {"matrix",
       {"ERROR: MatQuda: QudaInvertParam.kappa = nan",
        [](auto &, bool wrong) {
          QudaInvertParam param = test::wilson_param();
          if (wrong) param.kappa = NAN;
          MatQuda(result.data(), field.data(), &param);
        }}},
      {"contraction",
       {"ERROR: contractQuda: x = null",
        [](auto &, bool wrong) {
          QudaInvertParam param = test::wilson_param();
          contractQuda(wrong ? nullptr : field.data(), field.data(), result.data(), QUDA_CONTRACT_TYPE_OPEN, &param,
                       local.X.data());
        }}},
      {"stout",
       {"ERROR: stoutQuda: rho = inf",
        [](auto &links, bool wrong) {
          QudaGaugeParam param = test::gauge_param(local.X);
          stoutQuda(links.pointer(), links.pointer(), 1, wrong ? INFINITY : 0.1, 3, &param);
        }}},
      {"projection",
       {"ERROR: projectSU3Quda: tol = 0",
        [](auto &links, bool wrong) {
          QudaGaugeParam param = test::gauge_param(local.X);
          projectSU3Quda(links.pointer(), wrong ? 0 : 1e-14, &param);
        }}},
      {"random links",
       {"ERROR: gaussGaugeQuda: sigma = nan", [](auto &, bool wrong) { gaussGaugeQuda(1, wrong ? NAN : 1); }}},
      {"heat bath",
       {"ERROR: heatbathQuda: QudaHeatbathParam.beta = -1",
        [](auto &, bool wrong) {
          QudaHeatbathParam param = newQudaHeatbathParam();
          param.beta = wrong ? -1 : 6;
          heatbathQuda(&param);
        }}},
      {"resident momentum",
       {"ERROR: momResidentQuda: mom = null",
        [](auto &, bool wrong) {
          QudaGaugeParam param = milc();
          param.make_resident_mom = 1;
          param.return_result_mom = 0;
          momResidentQuda(wrong ? nullptr : momenta.data(), &param);
        }}},
      {"momentum",
       {"ERROR: momActionQuda: momentum = null",
        [](auto &, bool wrong) {
          QudaGaugeParam param = milc();
          momActionQuda(wrong ? nullptr : momenta.data(), &param);
        }}},
      {"update",
       {"ERROR: updateGaugeFieldQuda: dt = nan",
        [](auto &, bool wrong) {
          QudaGaugeParam param = milc();
          std::vector<double> links(72 * local.volume(), 0);
          updateGaugeFieldQuda(links.data(), momenta.data(), wrong ? NAN : 0.1, 0, 1, &param);
        }}},
  };
  return all;
}

TEST(Ending, OneRankWrongInAnyCall)
{
  for (const auto &[name, one] : wrong_on_one_rank()) {
    SCOPED_TRACE(name);
    expect_end_with(name.c_str(), one.words);
  }
}

std::jmp_buf away;

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

  test::HostLinks<double> host(reference::GaugeField {local}, reference::Part {local}, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(local.X);
  if (which == "all" || (which == "one" && rank == 2)) param.X[3] = 5;
  loadGaugeQuda(host.pointer(), &param);
  double plaq[3];
  plaqQuda(plaq);
  const auto one = wrong_on_one_rank().find(which);
  if (one != wrong_on_one_rank().end()) one->second.call(host, rank == 2);
  if (which == "parted") {
    qudaSetErrorHandler([](QudaErrorKind, const char *, void *) { std::longjmp(away, 1); }, nullptr); // is not asked
    if (setjmp(away) == 0)
      quda::guard_collective(
          "test", [] {},
          [&] {
            if (rank == 1) quda::fail(quda::ErrorKind::device, "half way");
            MPI_Barrier(MPI_COMM_WORLD);
          });
  }
  MPI_Finalize();
  {
    test::Handler handler;
    double plaquette[3];
    plaqQuda(plaquette);
    if (!handler.says("plaqQuda: MPI_Finalize() has been called")) std::printf("ERROR: no word about MPI\n");
  }
  endQuda();
  std::printf("came through\n");
  std::fflush(stdout);
  std::_Exit(plaq[0] == 1 ? 0 : 1);
}

} // namespace

#endif
