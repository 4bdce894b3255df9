#include "gauge_file_part.h"

#include <cstdio>

namespace quda_files
{

namespace
{
  const std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table = {};
    for (std::uint32_t i = 0; i < 256; i++) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      table[i] = c;
    }
    return table;
  }();

  std::uint32_t crc32(const unsigned char *bytes, std::size_t n)
  {
    std::uint32_t c = 0xffffffffu;
    for (std::size_t i = 0; i < n; i++) c = crc_table[(c ^ bytes[i]) & 255] ^ (c >> 8);
    return ~c;
  }

  std::uint32_t rotated_left(std::uint32_t word, unsigned by)
  {
    return by == 0 ? word : word << by | word >> (32 - by);
  }
} // namespace

void Checksum::add_word(std::uint64_t index, std::uint32_t word)
{
  sums_[0] ^= rotated_left(word, static_cast<unsigned>(index % 29));
  sums_[1] ^= rotated_left(word, static_cast<unsigned>(index % 31));
}

void Checksum::add_site(std::uint64_t site, const unsigned char *bytes)
{
  const std::uint64_t words = site_bytes(file_) / 4;
  switch (file_.checksum) {
  case ChecksumKind::none:
    break;
  case ChecksumKind::scidac:
    add_word(site, crc32(bytes, site_bytes(file_)));
    break;
  case ChecksumKind::milc:
    for (std::uint64_t i = 0; i < words; i++) add_word(site * words + i, load_u32(bytes + 4 * i, file_.big_endian));
    break;
  case ChecksumKind::nersc:
    for (std::uint64_t i = 0; i < words; i++) sums_[0] += load_u32(bytes + 4 * i, file_.big_endian);
    break;
  }
}

void Checksum::combine(const Combine &combine)
{
  std::uint64_t words[2] = {sums_[0], sums_[1]};
  const auto &together = file_.checksum == ChecksumKind::nersc ? combine.add : combine.exclusive_or;
  if (together) together(words, 2);
  sums_ = {static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[1])};
}

std::string Checksum::compared() const
{
  char text[128];
  if (file_.checksum == ChecksumKind::nersc)
    std::snprintf(text, sizeof(text), "checksum computed %08" PRIx32 ", stored %08" PRIx32, sums_[0], file_.stored[0]);
  else
    std::snprintf(text, sizeof(text),
                  "checksums (%s) computed %08" PRIx32 " %08" PRIx32 ", stored %08" PRIx32 " %08" PRIx32,
                  name(file_.checksum), sums_[0], sums_[1], file_.stored[0], file_.stored[1]);
  return text;
}

} // namespace quda_files
