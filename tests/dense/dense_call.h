#pragma once
/// What the tests of small dense matrices share: arrays of any type of number, and runs of this program with another
/// number of threads.

#include "interface/session.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace dense_test
{

template <class T> constexpr QudaBLASDataType type_of = std::is_same_v<T, float>                 ? QUDA_BLAS_DATATYPE_S
                                                        : std::is_same_v<T, double>              ? QUDA_BLAS_DATATYPE_D
                                                        : std::is_same_v<T, std::complex<float>> ? QUDA_BLAS_DATATYPE_C
                                                                                                 : QUDA_BLAS_DATATYPE_Z;
template <class T> constexpr bool is_complex = !std::is_floating_point_v<T>;
template <class T> constexpr double epsilon =
    std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>> ? 0x1p-23 : 0x1p-52;

template <class T> T number_of(std::complex<double> z)
{
  if constexpr (is_complex<T>)
    return T(z);
  else
    return static_cast<T>(z.real());
}

/// Numbers in (-1, 1), and their imaginary parts.
template <class T> std::vector<T> random_numbers(std::size_t count, int seed)
{
  std::vector<T> all(count);
  reference::SiteRandom random(seed, 0, 0);
  for (T &x : all) {
    const double re = 2 * random.uniform() - 1;
    x = number_of<T>({re, 2 * random.uniform() - 1});
  }
  return all;
}

template <class T> std::vector<std::complex<double>> widened(const std::vector<T> &all)
{
  return std::vector<std::complex<double>>(all.begin(), all.end());
}

inline void set(double _Complex &to, std::complex<double> z) { std::memcpy(&to, &z, sizeof z); }

/// f(T()) for each type of number.
template <class F> void for_each_type(const F &f)
{
  f(float());
  f(double());
  f(std::complex<float>());
  f(std::complex<double>());
}

/// FNV-1a of bytes.
template <class T> std::uint64_t hash(const std::vector<T> &all, std::uint64_t so_far)
{
  const auto *const bytes = reinterpret_cast<const unsigned char *>(all.data());
  for (std::size_t i = 0; i < all.size() * sizeof(T); i++) so_far = (so_far ^ bytes[i]) * 0x100000001b3u;
  return so_far;
}

/// What this program prints after "hash ", run for one test with so many threads.
inline std::string hash_with_threads(int threads, const std::string &test)
{
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  // one test, whatever shard this program is of
  const std::string command =
      "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX OMP_NUM_THREADS=" + std::to_string(threads) + " '" + self +
      "' --gtest_also_run_disabled_tests --gtest_color=no --gtest_filter=" + test + " 2>&1";
  std::string output;
  std::FILE *pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  const int status = pclose(pipe);
  const std::size_t at = output.find("hash ");
  EXPECT_TRUE(status == 0 && at != std::string::npos) << output;
  return at == std::string::npos ? "" : output.substr(at, output.find('\n', at) - at);
}

} // namespace dense_test
