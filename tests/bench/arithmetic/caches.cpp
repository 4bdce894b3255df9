#include "bench/arithmetic/caches.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace quda::bench
{

namespace
{

  std::string word_of(const std::string &path)
  {
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
  }

  /// "32768K"
  std::size_t bytes_of_size(const std::string &size)
  {
    std::size_t n = 0, k = 0;
    for (; k < size.size() && size[k] >= '0' && size[k] <= '9'; k++)
      n = 10 * n + static_cast<std::size_t>(size[k] - '0');
    return n << (k == size.size() ? 0 : size[k] == 'K' ? 10 : size[k] == 'M' ? 20 : size[k] == 'G' ? 30 : 0);
  }

  /// Of all caches of a level that so many threads have.
  std::size_t together(const std::vector<Cache> &caches, int level, int threads)
  {
    std::size_t bytes = 0;
    int used = 0;
    for (const Cache &cache : caches)
      if (cache.level == level && used < threads) bytes += cache.bytes, used++;
    return bytes;
  }

} // namespace

std::vector<Cache> read_caches(const std::string &folder, int processors)
{
  constexpr int most_caches = 8; // of a processor
  std::vector<Cache> all;
  for (int p = 0; p < processors; p++)
    for (int index = 0; index < most_caches; index++) {
      const std::string at = folder + "/cpu" + std::to_string(p) + "/cache/index" + std::to_string(index) + "/";
      const std::string type = word_of(at + "type"), level = word_of(at + "level");
      if (level.size() != 1 || (type != "Data" && type != "Unified")) continue;
      const Cache cache {level[0] - '0', bytes_of_size(word_of(at + "size")), word_of(at + "shared_cpu_list")};
      const bool known = std::any_of(all.begin(), all.end(), [&](const Cache &c) {
        return c.level == cache.level && c.processors == cache.processors;
      });
      if (cache.bytes > 0 && !known) all.push_back(cache);
    }
  return all;
}

CacheSizes cache_sizes(const std::vector<Cache> &caches, int threads, std::size_t last)
{
  int level = 0;
  for (const Cache &cache : caches) level = std::max(level, cache.level);
  if (level == 0) return {0, last};
  return {together(caches, level - 1, threads), std::max(last, together(caches, level, threads))};
}

Roof roof_of(double working_set, const CacheSizes &sizes)
{
  if (working_set > 2.0 * static_cast<double>(sizes.last)) return Roof::memory;
  return working_set > static_cast<double>(sizes.near) ? Roof::last : Roof::near;
}

std::size_t standard_set(double working_set)
{
  return static_cast<std::size_t>(std::exp2(std::round(8 * std::log2(std::max(working_set, 1.0))) / 8));
}

} // namespace quda::bench
