/// LIME: records of a 144-byte big-endian header (magic, version, flags, 64-bit length, 128 characters of type), the
/// data, and zeros up to a multiple of 8 bytes. Flag 0x8000 begins a message, 0x4000 ends one; some programs set
/// neither. SciDAC's checksums of a record's data are here too.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "files/bytes.h"

namespace quda_files
{

constexpr std::uint32_t lime_magic = 0x456789ab;

struct Record {
  std::string type;
  std::uint64_t offset; // of the header
  std::uint64_t data;   // of the data
  std::uint64_t length; // of the data
  bool begins_message, ends_message;
};

/// The record whose header begins at this byte, checked against the file's size.
Record read_record(InputFile &bytes, std::uint64_t offset);
/// First byte after this record; the last record's padding may be missing.
std::uint64_t end_of(const InputFile &bytes, const Record &record);
/// A record's data of at most `most` bytes.
std::string read_text(InputFile &bytes, const Record &record, std::uint64_t most = 1 << 16);

constexpr char xml_prologue[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
enum Flags { middle = 0, ends = 0x4000, begins = 0x8000, alone = begins | ends };

std::string record_head(const std::string &type, int flags, std::uint64_t length);
std::string padding(std::uint64_t length);
/// A record of XML: the prologue, the content and a closing zero.
std::string xml_record(const std::string &type, int flags, const std::string &content);
/// A text escaped for XML.
std::string escaped(const std::string &text);

/// QIO's records before the data of a lattice of these extents; the second one states date, numbers a
/// site ("precision" F or D), spins if any, bytes and count of a site.
std::string scidac_file_xml(const std::array<int, 4> &dims, const std::string &volfmt = "0");
struct ScidacRecord {
  std::string date, datatype;
  int precision; // bytes of a number
  int spins;     // 0: not stated
  long long typesize, datacount;
  int colors = 3;
};
std::string scidac_record_xml(const ScidacRecord &record);
std::string scidac_checksum_xml(const std::array<std::uint32_t, 2> &sums);

std::uint32_t crc32(const unsigned char *bytes, std::size_t n);

/// Exclusive or of words, each rotated by its index modulo 29 and 31 bits; SciDAC's are the CRC-32 of a site's bytes.
struct RotatedSums {
  std::array<std::uint32_t, 2> sums = {0, 0};
  void add(std::uint64_t index, std::uint32_t word);
};

} // namespace quda_files
