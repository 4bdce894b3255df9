#include "gauge_file_part.h"

#include <cstdio>

namespace quda_files
{

void Checksum::add_site(std::uint64_t site, const unsigned char *bytes)
{
  const std::uint64_t words = site_bytes(file_) / 4;
  switch (file_.checksum) {
  case ChecksumKind::none:
    break;
  case ChecksumKind::scidac:
    sums_.add(site, crc32(bytes, site_bytes(file_)));
    break;
  case ChecksumKind::milc:
    for (std::uint64_t i = 0; i < words; i++) sums_.add(site * words + i, load_u32(bytes + 4 * i, file_.big_endian));
    break;
  case ChecksumKind::nersc:
    for (std::uint64_t i = 0; i < words; i++) sums_.sums[0] += load_u32(bytes + 4 * i, file_.big_endian);
    break;
  }
}

void Checksum::combine(const Combine &combine)
{
  std::uint64_t words[2] = {sums_.sums[0], sums_.sums[1]};
  const auto &together = file_.checksum == ChecksumKind::nersc ? combine.add : combine.exclusive_or;
  if (together) together(words, 2);
  sums_.sums = {static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[1])};
}

std::string Checksum::compared() const
{
  char text[128];
  if (file_.checksum == ChecksumKind::nersc)
    std::snprintf(text, sizeof(text), "checksum computed %08" PRIx32 ", stored %08" PRIx32, sums_.sums[0],
                  file_.stored[0]);
  else
    std::snprintf(text, sizeof(text),
                  "checksums (%s) computed %08" PRIx32 " %08" PRIx32 ", stored %08" PRIx32 " %08" PRIx32,
                  name(file_.checksum), sums_.sums[0], sums_.sums[1], file_.stored[0], file_.stored[1]);
  return text;
}

} // namespace quda_files
