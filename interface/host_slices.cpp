#include "interface/host_slices.h"

#include "targets/target.h"

namespace quda
{

void to_two_slices(void *two, const void *one, std::size_t bytes)
{
  const std::size_t block = bytes / 4;
  const char *const from = static_cast<const char *>(one);
  for (std::size_t i = 0; i < 4; i++)
    target().copy(static_cast<char *>(two) + i * block, from + (i == 1 || i == 2 ? block : 0), block);
}

void to_one_slice(void *one, const void *two, std::size_t bytes)
{
  const std::size_t block = bytes / 4;
  const char *const from = static_cast<const char *>(two);
  target().copy(one, from, block);
  target().copy(static_cast<char *>(one) + block, from + 2 * block, block);
}

} // namespace quda
