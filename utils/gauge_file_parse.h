/// The parts of the gauge-file reader that the public header does not show: one parser a format, and what they share.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <fstream>
#include <string>

#include "gauge_file.h"

namespace quda_files
{

constexpr std::uint64_t reals_per_site = 4 * 18;

/// Throws FileError, its text from a printf format and preceded by the path.
[[noreturn]] void refuse(const std::string &path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// An open file of known size, read at byte positions. Every read is checked against the size first.
class Bytes
{
public:
  explicit Bytes(const std::string &path);
  std::uint64_t size() const { return size_; }
  const std::string &path() const { return path_; }
  void read(std::uint64_t offset, void *into, std::uint64_t n);

private:
  std::string path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
};

/// The number of bytes that links on a lattice of these extents take, or a refusal where an extent is not positive or
/// the links would need more than `available` bytes; cannot overflow.
std::uint64_t link_bytes(const std::string &path, const std::int64_t dims[4], int precision, std::uint64_t available);

std::uint32_t load_u32(const unsigned char *bytes, bool big_endian);
std::uint64_t load_u64(const unsigned char *bytes, bool big_endian);

constexpr std::uint32_t lime_magic = 0x456789ab;
constexpr std::uint32_t milc_v5_magic = 20103;

GaugeFile parse_milc(Bytes &bytes);
GaugeFile parse_lime(Bytes &bytes);

} // namespace quda_files
