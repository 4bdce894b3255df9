#include "interface/digest.h"

#include <cstring>

namespace quda
{

std::uint64_t digest(const void *data, std::size_t bytes)
{
  constexpr int chains = 8;
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t h[chains];
  for (int i = 0; i < chains; i++) h[i] = odd * static_cast<std::uint64_t>(i + 1);
  const char *at = static_cast<const char *>(data);
  for (std::size_t n = bytes / (8 * chains); n > 0; n--, at += 8 * chains)
    for (int i = 0; i < chains; i++) {
      std::uint64_t word;
      std::memcpy(&word, at + 8 * i, 8);
      h[i] = (h[i] ^ word) * odd;
      h[i] ^= h[i] >> 29;
    }
  std::uint64_t all = bytes;
  for (const std::uint64_t one : h) {
    all = (all ^ one) * odd;
    all ^= all >> 32;
  }
  return all;
}

} // namespace quda
