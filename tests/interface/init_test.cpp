/// Start and end of the library through the C interface, memory and its leaks, threads, MILC's own start.

#include "session.h"

#include "malloc_quda.h"

#include "comms/communicator.h"
#include "core/environment_support.h"
#include "core/profile.h"
#include "quda_milc_interface.h"

#include "targets/target.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace
{

using test::Handler;
using test::Output;
using test::Session;

const reference::Lattice small({4, 4, 4, 8});

double plaquette_of(const reference::GaugeField &gauge)
{
  QudaGaugeParam param = test::gauge_param(gauge.lattice.X);
  test::HostLinks<double> host(gauge, reference::Part(gauge.lattice), QUDA_QDP_GAUGE_ORDER);
  loadGaugeQuda(host.pointer(), &param);
  double plaq[3] = {0, 0, 0};
  plaqQuda(plaq);
  return plaq[0];
}

TEST(Init, TwiceInOneProcess)
{
  const reference::GaugeField gauge = reference::random_gauge(small, 1);
  Handler handler;
  double first;
  {
    Session session;
    first = plaquette_of(gauge);
  }
  double plaq[3];
  plaqQuda(plaq);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("plaqQuda") && handler.says("initQuda")) << handler.text();
  handler.forget();
  {
    Session session;
    plaqQuda(plaq); // the field of the first session is gone
    EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text();
    EXPECT_EQ(plaquette_of(gauge), first);
  }
  EXPECT_EQ(handler.calls(), 1) << handler.text();
}

TEST(Init, EndWithoutStartAndStartTwice)
{
  Handler handler;
  endQuda();
  endQuda();
  {
    Output output;
    initQuda(-1);
    initQuda(0);
    const std::string once = output.text();
    EXPECT_EQ(once.find("libquda"), once.rfind("libquda")) << once;
    endQuda();
  }
  endQuda();
}

/// What fails on the way is told, and does not leave the rest open.
TEST(Init, AnEndThatFailsEndsAllTheSame)
{
  const reference::GaugeField gauge = reference::random_gauge(small, 1);
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  initQuda(-1);
  const double first = plaquette_of(gauge);
  quda::TimeProfile &times = quda::profile("initQuda-endQuda");
  times.start(quda::Phase::compute); // which nobody ends
  endQuda();
  EXPECT_TRUE(handler.says("profile initQuda-endQuda: phase")) << handler.text();
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_EQ(quda::default_communicator(), nullptr);
  EXPECT_EQ(quda::device_pool().counts().cached_blocks, 0);
  times.unwind(0);
  handler.forget();
  endQuda();
  const Session session;
  EXPECT_EQ(plaquette_of(gauge), first);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST(Init, HalvesInTurn)
{
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  initQudaMemory();
  EXPECT_TRUE(handler.says("initQudaDevice()")) << handler.text();
  initQudaDevice(-1);
  double plaq[3];
  handler.forget();
  plaqQuda(plaq);
  EXPECT_TRUE(handler.says("not initialised")) << handler.text();
  initQudaMemory();
  handler.forget();
  plaquette_of(reference::GaugeField(small));
  endQuda();
}

TEST(Init, GridOfAProcessOnItsOwn)
{
  Handler handler;
  const int one[4] = {1, 1, 1, 1}, two[4] = {1, 1, 1, 2};
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  initCommsGridQuda(3, one, nullptr, nullptr);
  EXPECT_TRUE(handler.says("nDim = 3")) << handler.text();
  initCommsGridQuda(4, nullptr, nullptr, nullptr);
  EXPECT_TRUE(handler.says("dims = null")) << handler.text();
  initCommsGridQuda(4, two, nullptr, nullptr);
  EXPECT_TRUE(handler.says("1 1 1 2")) << handler.text();
  EXPECT_EQ(handler.calls(), 3);

  int asked = 0;
  const QudaCommsMap map = [](const int *coordinates, void *data) {
    ++*static_cast<int *>(data);
    return coordinates[0];
  };
  initCommsGridQuda(4, one, map, &asked);
  EXPECT_EQ(asked, 1);
  initCommsGridQuda(4, two, map, &asked); // ignored until the end
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(handler.calls(), 3) << handler.text();
  endQuda();
  initCommsGridQuda(4, one, map, &asked);
  EXPECT_EQ(asked, 2);
  endQuda();
}

TEST(Init, SaysWhatItRunsOn)
{
  Output output;
  initQuda(-1);
  EXPECT_TRUE(output.says(std::string("target ") + quda::target_name(quda::target().kind()))) << output.text();
  EXPECT_TRUE(output.says("thread")) << output.text();
  plaquette_of(reference::GaugeField(small));
  plaquette_of(reference::GaugeField(small));
  const std::string words = output.text();
  EXPECT_NE(words.find("4x4x4x8"), std::string::npos) << words;
  EXPECT_EQ(words.find("4x4x4x8"), words.rfind("4x4x4x8")) << words; // once a shape
  endQuda();
  EXPECT_TRUE(output.says("loadGaugeQuda Total time")) << output.text();
  EXPECT_TRUE(output.says("initQuda-endQuda Total time")) << output.text();
  EXPECT_TRUE(output.says("Device memory used")) << output.text();
  EXPECT_FALSE(output.says("never handed back")) << output.text();
  EXPECT_FALSE(output.says("do nothing here")) << output.text();
}

TEST(Init, SaysWhatItDoesNotRead)
{
  const Variable peers("QUDA_ENABLE_P2P", "3"), empty("QUDA_ENABLE_GDR", "");
  Output output;
  initQuda(-1);
  endQuda();
  EXPECT_TRUE(output.says("that are set and do nothing here: QUDA_ENABLE_P2P\n")) << output.text();
}

TEST(Init, SilentMeansSilent)
{
  Output output(QUDA_SILENT);
  initQuda(-1);
  plaquette_of(reference::GaugeField(small));
  endQuda();
  EXPECT_EQ(output.text(), "");
}

TEST(Init, CallsFromAnotherThread)
{
  const reference::GaugeField gauge = reference::random_gauge(small, 2);
  Handler handler;
  Session session;
  const double here = plaquette_of(gauge);
  double there = 0;
  std::thread([&] { there = plaquette_of(gauge); }).join();
  EXPECT_EQ(here, there);
  std::thread([&] { loadGaugeQuda(nullptr, nullptr); }).join();
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_EQ(plaquette_of(gauge), here);
}

TEST(Memory, CallsKeepThePoolsAsTheyAre)
{
  Session session;
  const reference::GaugeField gauge = reference::random_gauge(small, 3);
  test::HostLinks<double> host(gauge, reference::Part(small), QUDA_MILC_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(small.X);
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  QudaInvertParam wilson = test::wilson_param();
  std::vector<double> in(24 * small.volume(), 1), out(in.size());
  const auto round = [&] {
    loadGaugeQuda(host.pointer(), &param);
    double plaq[3];
    plaqQuda(plaq);
    wilson.solution_type = QUDA_MAT_SOLUTION;
    MatQuda(out.data(), in.data(), &wilson);
    wilson.solution_type = QUDA_MATPC_SOLUTION;
    MatQuda(out.data(), in.data(), &wilson);
    dslashQuda(out.data(), in.data(), &wilson, QUDA_ODD_PARITY);
    saveGaugeQuda(host.pointer(), &param);
  };
  round();
  const auto after_first = quda::device_pool().counts().allocations + quda::pinned_pool().counts().allocations;
  const auto live = quda::device_pool().counts().live_blocks;
  for (int i = 0; i < 167; i++) round(); // six calls each
  EXPECT_EQ(quda::device_pool().counts().allocations + quda::pinned_pool().counts().allocations, after_first);
  EXPECT_EQ(quda::device_pool().counts().live_blocks, live);
}

TEST(Memory, ALeakIsNamed)
{
  Handler handler;
  Output output;
  initQuda(-1);
  void *kept = quda::pool::device_malloc_("forgetful", "host_code.cpp", 42, 1000);
  void *returned = pool_device_malloc(2000);
  ASSERT_NE(kept, nullptr);
  ASSERT_NE(returned, nullptr);
  pool_device_free(returned);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  int nothing = 0;
  pool_device_free(&nothing);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << handler.text();
  endQuda();
  EXPECT_TRUE(output.says("never handed back")) << output.text();
  EXPECT_TRUE(output.says("forgetful") && output.says("host_code.cpp") && output.says("42")) << output.text();
  quda::pool::device_free_("forgetful", "host_code.cpp", 43, kept); // later than late, still well
  EXPECT_EQ(handler.calls(), 1) << handler.text();
}

TEST(Memory, NotBeforeTheStart)
{
  Handler handler;
  EXPECT_EQ(pool_device_malloc(10), nullptr);
  EXPECT_TRUE(handler.says("initQuda")) << handler.text();
}

TEST(Memory, Flush)
{
  Handler handler;
  Session session;
  pool_device_free(pool_device_malloc(5000));
  EXPECT_GT(quda::device_pool().counts().cached_blocks, 0);
  flushPoolQuda(QUDA_MEMORY_DEVICE);
  EXPECT_EQ(quda::device_pool().counts().cached_blocks, 0);
  flushPoolQuda(QUDA_MEMORY_HOST_PINNED);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  flushPoolQuda(QUDA_MEMORY_MAPPED);
  EXPECT_TRUE(handler.says("flushPoolQuda") && handler.says("QUDA_MEMORY_DEVICE")) << handler.text();
}

/// For the test below, in a process of its own.
TEST(Init, DISABLED_OnWhatIsThere)
{
  Handler handler;
  const Output output;
  initQuda(-1);
  std::printf("%s%s", output.text().c_str(), handler.text().c_str());
  endQuda();
}

/// A device that is there and runs no kernel: the processor takes over, unless the device alone is asked for.
TEST(Init, ADeviceThatRunsNoKernel)
{
  quda::choose_target();
  if (quda::target().description().find("emulator of PTX") == std::string::npos)
    GTEST_SKIP() << "no device whose capability is ours to choose";
  const auto said = [](const std::string &wish) {
    const std::string command = "PTX_CAPABILITY=70 QUDA_TARGET=" + wish + " '" +
                                std::filesystem::read_symlink("/proc/self/exe").string() +
                                "' --gtest_also_run_disabled_tests --gtest_filter=Init.DISABLED_OnWhatIsThere 2>&1";
    std::string text;
    std::FILE *const pipe = popen(command.c_str(), "r");
    for (int c; pipe && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    if (pipe) pclose(pipe);
    return text;
  };
  constexpr const char *no_kernel = "CUDA device 0 cannot run this library's kernels: no kernel image";
  const std::string open = said("auto"), one = said("cuda");
  for (const std::string &text : {open, one}) EXPECT_NE(text.find(no_kernel), std::string::npos) << text;
  EXPECT_NE(open.find("target cpu"), std::string::npos) << open;
  EXPECT_EQ(one.find("target cpu"), std::string::npos) << one;
}

TEST(Milc, StartsAndEnds)
{
  Handler handler;
  const int lattice[4] = {4, 4, 4, 8}, odd[4] = {4, 4, 3, 8}, machine[4] = {1, 1, 1, 1};
  qudaSetMPICommHandle(nullptr);
  qudaInit({QUDA_SILENT, {odd, machine, 0}});
  EXPECT_TRUE(handler.says("latsize[2] = 3")) << handler.text();
  handler.forget();
  qudaInit({QUDA_SILENT, {lattice, machine, 0}});
  plaquette_of(reference::GaugeField(small));
  void *pinned = qudaAllocatePinned(100), *managed = qudaAllocateManaged(100);
  EXPECT_NE(pinned, nullptr);
  EXPECT_NE(managed, nullptr);
  EXPECT_EQ(quda::managed_pool().counts().live_blocks, 1);
  std::memset(pinned, 1, 100);
  std::memset(managed, 1, 100);
  qudaFreePinned(pinned);
  qudaFreeManaged(managed);
  qudaFinalize();
}

TEST(Tuning, CacheAndProfileAreWritten)
{
  const auto folder = std::filesystem::temp_directory_path() / ("quda_interface_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  setenv("QUDA_RESOURCE_PATH", folder.c_str(), 1);
  setenv("QUDA_TUNE_SHARE", "0", 1);
  {
    Session session;
    plaquette_of(reference::random_gauge(small, 4));
    EXPECT_TRUE(std::filesystem::exists(folder / "tunecache.tsv")); // at the end of the call
  }
  std::ifstream cache(folder / "tunecache.tsv");
  const std::string rows {std::istreambuf_iterator<char>(cache), {}};
  EXPECT_NE(rows.find("Plaquette"), std::string::npos) << rows;
  EXPECT_TRUE(std::filesystem::exists(folder / "profile_0.tsv"));
  unsetenv("QUDA_TUNE_SHARE");
  unsetenv("QUDA_RESOURCE_PATH");
  std::filesystem::remove_all(folder);
}

} // namespace
