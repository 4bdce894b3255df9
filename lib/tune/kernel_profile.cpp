#include "tune/kernel_profile.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <exception>
#include <map>

#include "core/environment.h"
#include "core/error.h"
#include "core/log.h"
#include "tune/atomic_file.h"
#include "tune/tune_cache.h"
#include "tune/tune_file.h"

namespace quda
{

namespace
{

  std::map<TuneKey, KernelTime> &entries()
  {
    static auto *const all = new std::map<TuneKey, KernelTime>;
    return *all;
  }

  int files_written = 0;

  bool starts_with(const KernelTime &time, const char *start)
  {
    return std::strncmp(time.key.aux, start, std::strlen(start)) == 0;
  }

  // Launches chosen among several ways to do one thing, communication included.
  bool is_policy(const KernelTime &time) { return starts_with(time, "policy") && !starts_with(time, "policy_kernel"); }

  std::string profile_text(const std::vector<const KernelTime *> &times, const char *footer)
  {
    double total = 0, sum = 0;
    for (const KernelTime *time : times) total += time->seconds;
    std::string content = file_heading("profile", build_hash(), std::time(nullptr));
    content += text("\n%12s\t%12s\t%12s\t%12s\t%12s\t%16s\tname\taux\tcomment\n", "total time", "percent",
                    "cum. percent", "calls", "time / call", "volume");
    for (const KernelTime *time : times) {
      if (starts_with(*time, "nested")) continue;
      sum += time->seconds;
      const double percent = total > 0 ? 100 / total : 0, rate = time->seconds > 0 ? 1e-9 / time->seconds : 0;
      content += text("%12g\t%12g\t%12g\t%12lld\t%12g\t%16s\t%s\t%s\t# %.2f Gflop/s, %.2f GB/s\n", time->seconds,
                      percent * time->seconds, percent * sum, time->calls, time->seconds / time->calls,
                      time->key.volume, time->key.name, time->key.aux, rate * time->flops, rate * time->bytes);
    }
    content += text("\n# Total time spent in %s = %g seconds\n", footer, total);
    return content;
  }

  void write(const std::string &path, const std::string &content)
  {
    std::string why;
    if (!write_whole_file(path, content, why)) warn("profile %s cannot be written: %s", path.c_str(), why.c_str());
  }

} // namespace

KernelTime &kernel_time(const TuneKey &key)
{
  const auto found = entries().find(key);
  if (found != entries().end()) return found->second;
  KernelTime &time = entries()[key];
  time.key = key;
  return time;
}

std::vector<const KernelTime *> kernel_times()
{
  std::vector<const KernelTime *> times;
  for (const auto &[key, time] : entries())
    if (time.calls > 0) times.push_back(&time);
  std::stable_sort(times.begin(), times.end(),
                   [](const KernelTime *a, const KernelTime *b) { return a->seconds > b->seconds; });
  return times;
}

void reset_kernel_times()
{
  for (auto &[key, time] : entries()) {
    time.calls = time.flops = time.bytes = 0;
    time.seconds = 0;
  }
}

void save_kernel_profile() noexcept
{
  try {
    const std::string &folder = resource_path();
    const std::string base = env_string("QUDA_PROFILE_OUTPUT_BASE").value_or("");
    if (folder.empty()) {
      if (!base.empty())
        warn("QUDA_PROFILE_OUTPUT_BASE = %s: no profile is stored, QUDA_RESOURCE_PATH names no folder", base.c_str());
      return;
    }
    const std::string number = std::to_string(files_written++),
                      front = folder + "/" + (base.empty() ? "profile" : base);
    std::vector<const KernelTime *> kernels, policies;
    for (const KernelTime *time : kernel_times()) (is_policy(*time) ? policies : kernels).push_back(time);
    write(front + "_" + number + ".tsv", profile_text(kernels, "kernels"));
    write(base.empty() ? front + "_async_" + number + ".tsv" : front + "_" + number + "_async.tsv",
          profile_text(policies, "asynchronous execution"));
  } catch (const std::exception &error) {
    print_always("WARNING: profile not written: %s\n", error.what());
  }
}

} // namespace quda
