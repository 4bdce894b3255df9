/// main() of the tests that run on several ranks. Only the first rank reports in full and writes result files; the
/// others print their failures. The program fails on every rank when it failed on one.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <string>

namespace
{
/// Prints failures alone, with the rank in front.
class FailurePrinter : public testing::EmptyTestEventListener
{
  int rank;
  std::string test; // remembered: asking for it while a result is reported locks twice

  void OnTestStart(const testing::TestInfo &info) override
  {
    test = std::string(info.test_suite_name()) + "." + info.name();
  }

  void OnTestPartResult(const testing::TestPartResult &result) override
  {
    if (!result.failed()) return;
    std::printf("rank %d: %s: %s:%d: %s\n", rank, test.c_str(), result.file_name() ? result.file_name() : "?",
                result.line_number(), result.summary());
    std::fflush(stdout);
  }

public:
  explicit FailurePrinter(int rank)
      : rank(rank)
  {
  }
};
} // namespace

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  testing::InitGoogleTest(&argc, argv);
  if (rank != 0) {
    testing::GTEST_FLAG(output) = "";
    auto &listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(rank));
  }
  int mine = RUN_ALL_TESTS(), all = 0;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized) return mine;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return all;
}
