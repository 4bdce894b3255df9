#include "files/lime.h"

#include <cinttypes>
#include <cstdio>

namespace quda_files
{

namespace
{
  constexpr std::uint64_t header_bytes = 144;

  constexpr std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table = {};
    for (std::uint32_t i = 0; i < 256; i++) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      table[i] = c;
    }
    return table;
  }();

  std::uint32_t rotated_left(std::uint32_t word, unsigned by)
  {
    return by == 0 ? word : word << by | word >> (32 - by);
  }
} // namespace

Record read_record(InputFile &bytes, std::uint64_t offset)
{
  const std::string &path = bytes.path();
  const std::uint64_t left = bytes.size() - offset;
  if (left < header_bytes)
    refuse(path, "truncated at byte %" PRIu64 ": the LIME record at byte %" PRIu64 " has a header of %" PRIu64 " bytes",
           bytes.size(), offset, header_bytes);
  unsigned char head[header_bytes];
  bytes.read(offset, head, header_bytes);
  if (const std::uint32_t magic = load_u32(head, true); magic != lime_magic)
    refuse(path, "bad LIME magic number 0x%08" PRIx32 " at byte %" PRIu64 ", expected 0x%08" PRIx32, magic, offset,
           lime_magic);
  if (const unsigned version = head[4] * 256u + head[5]; version != 1)
    refuse(path, "LIME version %u at byte %" PRIu64 ", expected 1", version, offset + 4);

  Record record;
  record.offset = offset;
  record.data = offset + header_bytes;
  record.length = load_u64(head + 8, true);
  record.begins_message = head[6] & 0x80;
  record.ends_message = head[6] & 0x40;
  // Types are printed in messages, so only printable characters are accepted.
  for (int i = 16; i < 144 && head[i] != 0; i++) {
    if (head[i] < 32 || head[i] > 126)
      refuse(path, "the type of the LIME record at byte %" PRIu64 " has the unprintable byte 0x%02x", offset, head[i]);
    record.type += static_cast<char>(head[i]);
  }
  if (record.length > left - header_bytes)
    refuse(path,
           "truncated at byte %" PRIu64 ": LIME record '%s' at byte %" PRIu64 " says that it holds %" PRIu64
           " bytes, which would end %" PRIu64 " bytes later",
           bytes.size(), record.type.c_str(), offset, record.length, record.length - (left - header_bytes));
  return record;
}

std::uint64_t end_of(const InputFile &bytes, const Record &record)
{
  const std::uint64_t end = record.data + record.length;
  const std::uint64_t padding = (8 - record.length % 8) % 8;
  return bytes.size() - end < padding ? bytes.size() : end + padding;
}

std::string read_text(InputFile &bytes, const Record &record, std::uint64_t most)
{
  if (record.length > most)
    refuse(bytes.path(),
           "LIME record '%s' at byte %" PRIu64 " holds %" PRIu64 " bytes, but at most %" PRIu64 " are read",
           record.type.c_str(), record.offset, record.length, most);
  std::string text(record.length, '\0');
  bytes.read(record.data, text.data(), record.length);
  return text;
}

std::string record_head(const std::string &type, int flags, std::uint64_t length)
{
  std::string out;
  append_number(out, lime_magic, 4, true);
  append_number(out, 1, 2, true);
  append_number(out, static_cast<std::uint64_t>(flags), 2, true);
  append_number(out, length, 8, true);
  out += type;
  out.resize(144, '\0');
  return out;
}

std::string padding(std::uint64_t length) { return std::string((8 - length % 8) % 8, '\0'); }

// Other readers expect the text's closing zero as part of the data.
std::string xml_record(const std::string &type, int flags, const std::string &content)
{
  const std::uint64_t length = content.size() + 1;
  return record_head(type, flags, length) + content + '\0' + padding(length);
}

std::string escaped(const std::string &label)
{
  std::string out;
  for (char c : label) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string scidac_file_xml(const std::array<int, 4> &dims, const std::string &volfmt)
{
  std::string words;
  for (int extent : dims) words += std::to_string(extent) + " ";
  return std::string(xml_prologue) + "<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>" + words +
         "</dims><volfmt>" + volfmt + "</volfmt></scidacFile>";
}

std::string scidac_record_xml(const ScidacRecord &record)
{
  std::string xml = xml_prologue;
  xml += "<scidacRecord><version>1.1</version><date>" + escaped(record.date) + "</date><recordtype>0</recordtype>";
  xml += "<datatype>" + record.datatype + "</datatype><precision>" + (record.precision == 4 ? "F" : "D");
  xml += "</precision><colors>" + std::to_string(record.colors) + "</colors>";
  if (record.spins > 0) xml += "<spins>" + std::to_string(record.spins) + "</spins>";
  return xml + "<typesize>" + std::to_string(record.typesize) + "</typesize><datacount>" +
         std::to_string(record.datacount) + "</datacount></scidacRecord>";
}

std::string scidac_checksum_xml(const std::array<std::uint32_t, 2> &sums)
{
  char text[160];
  std::snprintf(text, sizeof(text),
                "%s<scidacChecksum><version>1.0</version><suma>%08" PRIx32 "</suma><sumb>%08" PRIx32
                "</sumb></scidacChecksum>",
                xml_prologue, sums[0], sums[1]);
  return text;
}

std::uint32_t crc32(const unsigned char *bytes, std::size_t n)
{
  std::uint32_t c = 0xffffffffu;
  for (std::size_t i = 0; i < n; i++) c = crc_table[(c ^ bytes[i]) & 255] ^ (c >> 8);
  return ~c;
}

void RotatedSums::add(std::uint64_t index, std::uint32_t word)
{
  sums[0] ^= rotated_left(word, static_cast<unsigned>(index % 29));
  sums[1] ^= rotated_left(word, static_cast<unsigned>(index % 31));
}

} // namespace quda_files
