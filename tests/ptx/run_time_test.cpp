/// The run time as a program uses it: what is queued, what waits for what, and how faults come back.

#include "ptx/harness.h"
#include "ptx/registers.h"
#include "ptx/run_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

extern "C" {
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);
}

namespace
{

/// A fat binary as nvcc registers it, of PTX that is not compressed.
class Binary
{
public:
  explicit Binary(const std::string &text)
  {
    const auto put = [&](std::size_t at, auto value) { std::memcpy(&image_[at], &value, sizeof value); };
    image_.resize(16 + 64 + text.size() + 1);
    put(0, std::uint32_t(0xba55ed50));
    put(6, std::uint16_t(16));
    put(8, std::uint64_t(image_.size() - 16));
    put(16, std::uint16_t(1));
    put(20, std::uint32_t(64));
    put(24, std::uint64_t(text.size() + 1));
    put(44, std::int32_t(90));
    std::memcpy(&image_[80], text.c_str(), text.size() + 1);
    wrapper_.image = image_.data();
    __cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper_), &host_, nullptr, "k", -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
  }
  const void *kernel() const { return &host_; }

private:
  struct {
    int magic = 0x466243b1, version = 1;
    const char *image;
    void *file = nullptr;
  } wrapper_;
  std::vector<char> image_;
  char host_ = 0;
};

/// Adds one to each of the words at p0.
const Binary &add_one()
{
  static const Binary binary(
      ptx::module_text(ptx::registers + "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p0]; mul.wide.s32 %rd2, %r1, 4;\n"
                                        "add.s64 %rd1, %rd1, %rd2; ld.global.u32 %r2, [%rd1]; add.s32 %r2, %r2, 1;\n"
                                        "st.global.u32 [%rd1], %r2; ret;",
                       1));
  return binary;
}

cudaError_t launch(int *words, unsigned n, cudaStream_t stream = nullptr, std::size_t shared = 0)
{
  void *arguments[] = {&words};
  return cudaLaunchKernel(add_one().kernel(), dim3(1), dim3(n), arguments, shared, stream);
}

class RunTimeTest : public testing::Test
{
protected:
  void SetUp() override
  {
    ptx::run_time().settings.devices = 2;
    ptx::forget_findings();
    ptx::print_findings(false);
    cudaSetDevice(0);
    cudaMalloc(reinterpret_cast<void **>(&device), sizeof values);
    cudaHostAlloc(reinterpret_cast<void **>(&pinned), sizeof values, cudaHostAllocDefault);
    std::memset(pinned, 0, sizeof values);
    std::iota(std::begin(values), std::end(values), 10);
    cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  }
  void TearDown() override
  {
    cudaDeviceSynchronize();
    ptx::run_time().broken.clear(); // as a new process
    cudaGetLastError();
    cudaFree(device);
    cudaFreeHost(pinned);
    ptx::forget_findings();
    ptx::print_findings(true);
  }
  void expect_only(ptx::Fault fault)
  {
    const auto all = ptx::findings();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].fault, fault) << all[0].where;
    ptx::forget_findings();
  }

  int *device = nullptr, *pinned = nullptr;
  int values[32];
};

} // namespace

TEST_F(RunTimeTest, CopiesAndLaunches)
{
  EXPECT_EQ(launch(device, 32), cudaSuccess);
  int back[32];
  EXPECT_EQ(cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < 32; i++) EXPECT_EQ(back[i], i + 11);
  EXPECT_TRUE(ptx::findings().empty());
}

TEST_F(RunTimeTest, ManagedMemoryIsTheHostsToo)
{
  int *shared = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&shared), sizeof values, cudaMemAttachGlobal), cudaSuccess);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, shared), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  EXPECT_EQ(attributes.devicePointer, shared);
  std::memcpy(shared, values, sizeof values);
  EXPECT_EQ(launch(shared, 32), cudaSuccess);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++) EXPECT_EQ(shared[i], i + 11);
  EXPECT_EQ(cudaFreeHost(shared), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(shared), cudaSuccess);
  EXPECT_TRUE(ptx::findings().empty());
}

TEST_F(RunTimeTest, ADeviceOfTooLittleCapabilityRunsNoKernel)
{
  ptx::run_time().settings.capability = 70;
  EXPECT_EQ(launch(device, 32), cudaErrorNoKernelImageForDevice);
  ptx::run_time().settings.capability = 90;
  EXPECT_EQ(launch(device, 32), cudaSuccess);
}

TEST_F(RunTimeTest, AStreamThatIsNotWaitedFor)
{
  EXPECT_EQ(cudaMemcpyAsync(pinned, device, sizeof values, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  const volatile int *seen = pinned;
  EXPECT_EQ(seen[3], 0); // what was there before
  expect_only(ptx::Fault::host_early);
  cudaStreamSynchronize(nullptr);
  EXPECT_EQ(seen[3], 13);
  EXPECT_TRUE(ptx::findings().empty());
}

TEST_F(RunTimeTest, TheHostWritesWhatACopyStillReads)
{
  cudaMemcpyAsync(device, pinned, sizeof values, cudaMemcpyHostToDevice, nullptr);
  const volatile int *seen = pinned;
  EXPECT_EQ(seen[0], 0); // reading is allowed
  EXPECT_TRUE(ptx::findings().empty());
  pinned[1] = 1;
  expect_only(ptx::Fault::host_early);
}

TEST_F(RunTimeTest, ACopyInTheWrongDirection)
{
  EXPECT_EQ(cudaMemcpy(values, device, sizeof values, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_only(ptx::Fault::copy);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(RunTimeTest, ACopyTooLong)
{
  EXPECT_EQ(cudaMemcpy(device, values, sizeof values + 4, cudaMemcpyDefault), cudaErrorInvalidValue);
  expect_only(ptx::Fault::copy);
}

TEST_F(RunTimeTest, AFaultEndsTheContext)
{
  EXPECT_EQ(launch(device + 8, 32), cudaSuccess); // asynchronous
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress); // it stays
  EXPECT_EQ(launch(device, 32), cudaErrorIllegalAddress);
  expect_only(ptx::Fault::out_of_bounds);
  cudaSetDevice(1); // the other device goes on
  int *there = nullptr;
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void **>(&there), 128), cudaSuccess);
  EXPECT_EQ(cudaFree(there), cudaSuccess);
}

TEST_F(RunTimeTest, TheOtherDevicesMemory)
{
  cudaSetDevice(1);
  launch(device, 32);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  expect_only(ptx::Fault::other_device);
}

TEST_F(RunTimeTest, SharedMemoryHasToBeAskedFor)
{
  const int before = ptx::run_time().settings.capability;
  EXPECT_EQ(launch(device, 32, nullptr, 48 * 1024 + 4), cudaErrorInvalidValue);
  ptx::run_time().settings.capability = 80;
  const auto ask = [](int kilobytes) {
    return cudaFuncSetAttribute(add_one().kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, kilobytes * 1024);
  };
  EXPECT_EQ(ask(227), cudaErrorInvalidValue);
  EXPECT_EQ(ask(163), cudaSuccess);
  ptx::run_time().settings.capability = before;
  EXPECT_EQ(ask(227), cudaSuccess);
  EXPECT_EQ(launch(device, 32, nullptr, 200 * 1024), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(RunTimeTest, LaunchesThatCannotBe)
{
  EXPECT_EQ(launch(device, 1025), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(device, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
}

/// As many registers as a multiprocessor has, and no thread more.
TEST_F(RunTimeTest, BlocksOfTooManyRegisters)
{
  struct Row {
    int registers, threads;
  };
  for (const Row &row : {Row {255, 256}, {168, 384}, {80, 768}, {72, 896}, {64, 1024}, {12, 1024}}) {
    ptx::set_registers("k", row.registers);
    cudaFuncAttributes attributes;
    EXPECT_EQ(cudaFuncGetAttributes(&attributes, add_one().kernel()), cudaSuccess);
    EXPECT_EQ(attributes.numRegs, row.registers);
    EXPECT_EQ(attributes.maxThreadsPerBlock, row.threads) << row.registers << " registers";
    const cudaError_t larger = row.threads < 1024 ? cudaErrorLaunchOutOfResources : cudaErrorInvalidConfiguration;
    EXPECT_EQ(launch(device, row.threads + 1), larger) << row.registers << " registers";
  }
  EXPECT_EQ(launch(device, 32), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(RunTimeTest, ADeviceAddressOnTheHost)
{
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  ptx::print_findings(true);
  EXPECT_DEATH(
      {
        volatile int x = *device;
        static_cast<void>(x);
      },
      "host access to device memory");
}

TEST(StreamsTest, OrderIsShuffledWithinTheRules)
{
  std::set<std::vector<int>> orders;
  for (unsigned seed = 0; seed < 50; seed++) {
    ptx::Streams streams(seed);
    ptx::Stream &a = streams.make(0, true), &b = streams.make(0, true);
    std::vector<int> order;
    const auto put = [&](ptx::Stream &s, int n, std::vector<ptx::TaskPointer> after = {}) {
      return streams.submit(
          s, [&order, n] { order.push_back(n); }, std::move(after));
    };
    put(a, 1);
    const ptx::TaskPointer event = put(a, 2);
    put(b, 3);
    put(b, 4, {event});
    put(streams.legacy(0), 5); // waits for both
    put(a, 6);                 // and both for it
    put(b, 7);
    streams.wait_for_device(0);
    ASSERT_EQ(order.size(), 7U);
    const auto at = [&](int n) { return std::find(order.begin(), order.end(), n) - order.begin(); };
    EXPECT_LT(at(1), at(2));
    EXPECT_LT(at(3), at(4));
    EXPECT_LT(at(2), at(4));
    EXPECT_EQ(at(5), 4);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 6U); // 3 stands in one of three places, 6 and 7 in any order
}

TEST(StreamsTest, WaitingForOneLeavesTheOthers)
{
  ptx::Streams streams(1);
  ptx::Stream &a = streams.make(0, false), &b = streams.make(0, false);
  bool done_b = false;
  streams.submit(b, [&] { done_b = true; });
  const ptx::TaskPointer blocked = streams.submit(b, [] {});
  streams.wait(a);
  EXPECT_FALSE(done_b);
  streams.wait(b);
  EXPECT_TRUE(done_b && blocked->done);
}
