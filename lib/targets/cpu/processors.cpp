#include "targets/cpu/processors.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

// Functions of the host's OpenMP, if it has one: nothing of it is linked.
extern "C" {
[[gnu::weak]] int omp_get_max_threads();
[[gnu::weak]] int omp_get_num_procs();
[[gnu::weak]] int omp_get_num_places();
[[gnu::weak]] int omp_get_place_num_procs(int place);
[[gnu::weak]] void omp_get_place_proc_ids(int place, int *numbers);
}

namespace quda::cpu
{

namespace
{

  /// Numbers of the processors that the calling thread may run on, in order.
  std::vector<int> allowed_here()
  {
    std::vector<int> numbers;
    for (int most = CPU_SETSIZE; most <= 1 << 20 && numbers.empty(); most *= 2) { // too small a set is refused
      cpu_set_t *const set = CPU_ALLOC(most);
      const std::size_t bytes = CPU_ALLOC_SIZE(most);
      if (set && sched_getaffinity(0, bytes, set) == 0)
        for (int n = 0; n < most; n++)
          if (CPU_ISSET_S(n, bytes, set)) numbers.push_back(n);
      CPU_FREE(set);
    }
    return numbers;
  }

  std::vector<int> places_of_host()
  {
    std::vector<int> numbers;
    if (!omp_get_num_places || !omp_get_place_num_procs || !omp_get_place_proc_ids) return numbers;
    for (int place = 0; place < omp_get_num_places(); place++) {
      std::vector<int> some(static_cast<std::size_t>(std::max(omp_get_place_num_procs(place), 0)));
      if (!some.empty()) omp_get_place_proc_ids(place, some.data());
      numbers.insert(numbers.end(), some.begin(), some.end());
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

  /// Number of processors of the same core before this one.
  int place_on_core(int processor)
  {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list");
    int before = 0, first = 0;
    for (char mark = ','; mark == ',' && file >> first;) { // "0,64" or "0-1"
      int last = first;
      if (file.get(mark) && mark == '-' && file >> last && !file.get(mark)) mark = 0;
      for (int n = first; n <= last; n++) before += n < processor;
    }
    return before;
  }

  template <class T> bool read_numbers(const std::string &path, T &a, T &b)
  {
    std::ifstream file(path);
    return static_cast<bool>(file >> a >> b);
  }

  /// Processors that one control group allows; 0: no limit, or no such folder.
  double quota_of_group(const std::string &folder)
  {
    double quota = 0, period = 0;
    if (read_numbers(folder + "/cpu.max", quota, period)) return quota > 0 && period > 0 ? quota / period : 0;
    std::ifstream quota_file(folder + "/cpu.cfs_quota_us"), period_file(folder + "/cpu.cfs_period_us");
    if (quota_file >> quota && period_file >> period && quota > 0 && period > 0) return quota / period;
    return 0;
  }

  int number_in_environment(const char *name)
  {
    const char *const value = std::getenv(name); // "4", or "4,2" for nested regions
    return value ? static_cast<int>(std::clamp(std::strtol(value, nullptr, 10), 0L, 4096L)) : 0;
  }

} // namespace

std::vector<int> usable_processors()
{
  std::vector<int> numbers = allowed_here();
  if (omp_get_num_procs && omp_get_num_procs() > static_cast<int>(numbers.size()))
    if (const std::vector<int> places = places_of_host(); places.size() > numbers.size()) numbers = places;
  std::vector<std::pair<int, int>> order;
  for (const int n : numbers) order.emplace_back(place_on_core(n), n);
  std::sort(order.begin(), order.end());
  std::transform(order.begin(), order.end(), numbers.begin(), [](const auto &entry) { return entry.second; });
  return numbers;
}

double processor_quota(const std::string &root)
{
  double least = 0;
  std::ifstream groups(root + "/proc/self/cgroup"); // "0::/a/b" of version 2, "3:cpu,cpuacct:/a/b" of version 1
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string kind(1, ',');
    kind.append(line, first + 1, second - first - 1).push_back(',');
    std::string group = line.substr(second + 1);
    if (kind != ",," && kind.find(",cpu,") == std::string::npos) continue;
    for (bool more = true; more;) { // within a container the group may carry the host's name: then its root counts
      if (group == "/") group.clear();
      for (const char *const mounted : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/unified"})
        if (const double quota = quota_of_group(root + mounted + group); quota > 0)
          least = least > 0 ? std::min(least, quota) : quota;
      more = !group.empty();
      if (more) group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
  return least;
}

int threads_to_use()
{
  int asked = number_in_environment("OMP_NUM_THREADS");
  if (omp_get_max_threads && omp_get_num_procs && (asked > 0 || omp_get_max_threads() != omp_get_num_procs()))
    asked = omp_get_max_threads(); // the variable's number, or a later one set by the host
  if (asked > 0) return asked;
  const int processors = std::max(1, static_cast<int>(usable_processors().size()));
  const double quota = processor_quota();
  return quota > 0 ? std::clamp(static_cast<int>(std::ceil(quota)), 1, processors) : processors;
}

bool threads_are_bound()
{
  const char *const value = std::getenv("OMP_PROC_BIND");
  if (!value || !*value) return false;
  const std::string word(value);
  return word != "false" && word != "FALSE" && word != "disabled";
}

} // namespace quda::cpu
