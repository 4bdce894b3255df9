/// A kernel that uses an operation it did not declare is refused by every compiler at hand, with a message that says
/// so.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace
{

struct Outcome {
  int status;
  std::string output;
};

Outcome run(const std::string &command)
{
  std::FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  char buffer[4096];
  for (std::size_t n; pipe && (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) output.append(buffer, n);
  return {pipe ? pclose(pipe) : -1, output};
}

const std::string source = QUDA_SOURCE_DIR;
const char *const operations[] = {"op_blockSync", "ThreadLocalCache", "SharedMemoryCache", "thread_array",
                                  "elements",     "BlockReduce",      "op_warp_combine",   "BlockTranspose"};

std::string command(const std::string &compiler, const std::string &room, const std::string &flags,
                    const std::string &operation)
{
  return compiler + " -std=c++20 " + flags + " -I" + source + "/lib/targets/" + room + " -I" + source +
         "/lib/targets/cuda -I" + source + "/lib -DUSE_" + operation;
}

/// all: each operation must compile where it is declared; else one of them, for compilers that take long.
void expect_refusal(const std::string &compiler, const std::string &room, const std::string &flags, bool all = true)
{
  if (run(compiler + " --version").status != 0) GTEST_SKIP() << compiler << " is not on the path";
  std::string line;
  for (const std::string operation : operations) {
    SCOPED_TRACE(compiler + ", " + operation);
    const std::string unit = " " + source + "/tests/kernel_ops/undeclared.inc";
    if (all || operation == "SharedMemoryCache") {
      const Outcome declared = run(command(compiler, room, flags + " -DDECLARED", operation) + unit);
      EXPECT_EQ(declared.status, 0) << declared.output;
    }
    const Outcome undeclared = run(command(compiler, room, flags, operation) + unit);
    EXPECT_NE(undeclared.status, 0);
    const auto at = undeclared.output.find("uses an operation that it does not declare");
    EXPECT_NE(at, std::string::npos) << undeclared.output;
    if (at == std::string::npos) continue;
    const auto begin = undeclared.output.rfind('\n', at) + 1;
    line = undeclared.output.substr(begin, undeclared.output.find('\n', at) - begin);
  }
  std::printf("%s: %s\n", compiler.c_str(), line.c_str());
}

} // namespace

TEST(Undeclared, gcc)
{
  expect_refusal("g++", "cpu", "-mavx2 -mfma -fsyntax-only -x c++ -DQUDA_TARGET_NAMESPACE=cpu_avx2");
}

TEST(Undeclared, gcc_for_fiber)
{
  expect_refusal("g++", "fiber", "-fsyntax-only -x c++ -DQUDA_TARGET_NAMESPACE=fiber");
}

TEST(Undeclared, clang)
{
  expect_refusal("clang++", "cpu", "-mavx2 -mfma -fsyntax-only -x c++ -DQUDA_TARGET_NAMESPACE=cpu_avx2");
}

TEST(Undeclared, nvcc)
{
  expect_refusal("nvcc", "cuda", "-x cu -arch=sm_90 -DQUDA_TARGET_NAMESPACE=cuda -ptx -o /dev/null", false);
}
