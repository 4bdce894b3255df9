#include "gauge_file_xml.h"

#include <cinttypes>
#include <optional>

// LIME: records of a 144-byte big-endian header (magic, version, flags, 64-bit length, 128 characters of type), the
// data, and zeros up to a multiple of 8 bytes. Flag 0x8000 begins a message, 0x4000 ends one; some programs set neither.
// A configuration is one message whose records describe the data in XML, hold it, and give its checksum; SciDAC puts
// the lattice in a message of its own before it.

namespace quda_files
{

namespace
{
  constexpr std::uint64_t header_bytes = 144;
  constexpr std::uint64_t largest_xml = 1 << 16;

  struct Record {
    std::string type;
    std::uint64_t offset; // of the header
    std::uint64_t data;   // of the data
    std::uint64_t length; // of the data
    bool begins_message, ends_message;
  };

  Record read_record(Bytes &bytes, std::uint64_t offset)
  {
    const std::string &path = bytes.path();
    const std::uint64_t left = bytes.size() - offset;
    if (left < header_bytes)
      refuse(path,
             "truncated at byte %" PRIu64 ": the LIME record at byte %" PRIu64 " has a header of %" PRIu64 " bytes",
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
    // Types are printed in messages, so nothing but printable characters gets in.
    for (int i = 16; i < 144 && head[i] != 0; i++) {
      if (head[i] < 32 || head[i] > 126)
        refuse(path, "the type of the LIME record at byte %" PRIu64 " has the unprintable byte 0x%02x", offset,
               head[i]);
      record.type += static_cast<char>(head[i]);
    }
    if (record.length > left - header_bytes)
      refuse(path,
             "truncated at byte %" PRIu64 ": LIME record '%s' at byte %" PRIu64 " says that it holds %" PRIu64
             " bytes, which would end %" PRIu64 " bytes later",
             bytes.size(), record.type.c_str(), offset, record.length, record.length - (left - header_bytes));
    return record;
  }

  // Where the record after this one begins; the last record's padding may be missing.
  std::uint64_t end_of(const Bytes &bytes, const Record &record)
  {
    const std::uint64_t end = record.data + record.length;
    const std::uint64_t padding = (8 - record.length % 8) % 8;
    return bytes.size() - end < padding ? bytes.size() : end + padding;
  }

  std::string read_text(Bytes &bytes, const Record &record)
  {
    if (record.length > largest_xml)
      refuse(bytes.path(),
             "LIME record '%s' at byte %" PRIu64 " holds %" PRIu64 " bytes, but at most %" PRIu64 " are read",
             record.type.c_str(), record.offset, record.length, largest_xml);
    std::string text(record.length, '\0');
    bytes.read(record.data, text.data(), record.length);
    return text;
  }

  // What the records before the data say, each of it at most once.
  struct Description {
    std::optional<std::array<std::int64_t, 4>> scidac_dims, ildg_dims;
    std::optional<int> scidac_precision, ildg_precision;
    std::string date;
  };

  void read_file_xml(const Xml &xml, Description &found)
  {
    if (auto n = xml.find_number("spacetime").value_or(4); n != 4) xml.wrong("spacetime", std::to_string(n));
    if (auto n = xml.find_number("volfmt").value_or(0); n != 0) xml.wrong("volfmt", std::to_string(n));
    found.scidac_dims = xml.four_numbers("dims");
  }

  void read_record_xml(const std::string &path, const Xml &xml, Description &found)
  {
    const std::string precision = xml.get("precision");
    if (precision != "F" && precision != "D") xml.wrong("precision", precision);
    found.scidac_precision = precision == "F" ? 4 : 8;
    found.date = xml.find("date").value_or("");
    const std::int64_t size = xml.number("typesize"), count = xml.number("datacount");
    const std::int64_t link = 18 * *found.scidac_precision;
    // a site is four links, to some programs one thing
    if ((size != link || count != 4) && (size != 4 * link || count != 1))
      refuse(path,
             "not a gauge field: a site has %" PRId64 " times %" PRId64
             " bytes, a gauge field of this precision has 4 times %" PRId64,
             count, size, link);
  }

  void read_ildg_format(const Xml &xml, Description &found)
  {
    if (auto field = xml.find("field").value_or("su3gauge"); field != "su3gauge") xml.wrong("field", field);
    const std::int64_t bits = xml.number("precision");
    if (bits != 32 && bits != 64) xml.wrong("precision", std::to_string(bits));
    found.ildg_precision = static_cast<int>(bits / 8);
    found.ildg_dims = {xml.number("lx"), xml.number("ly"), xml.number("lz"), xml.number("lt")};
  }

  bool holds_data(const Record &record)
  {
    return record.type == "ildg-binary-data" || record.type == "scidac-binary-data";
  }

  void describe_data(const Record &data, const Description &found, GaugeFile &file)
  {
    const std::string &path = file.path;
    const bool ildg = data.type == "ildg-binary-data";
    const auto &dims = ildg ? found.ildg_dims : found.scidac_dims;
    const auto &precision = ildg ? found.ildg_precision : found.scidac_precision;
    const char *described_by = ildg ? "ildg-format" : "scidac-private-file-xml and scidac-private-record-xml";
    if (!dims || !precision) refuse(path, "record '%s' is not preceded by %s", data.type.c_str(), described_by);
    if (found.scidac_dims && found.ildg_dims && *found.scidac_dims != *found.ildg_dims)
      refuse(path, "scidac-private-file-xml and ildg-format give different lattices");
    if (found.scidac_precision && found.ildg_precision && *found.scidac_precision != *found.ildg_precision)
      refuse(path, "scidac-private-record-xml and ildg-format give different precisions");

    file.format = ildg ? Format::ildg : Format::scidac;
    file.precision = *precision;
    file.data_offset = data.data;
    set_lattice(file, dims->data(), data.length);
    if (file.data_bytes != data.length)
      refuse(path, "record '%s' holds %" PRIu64 " bytes, but the lattice %d %d %d %d needs %" PRIu64, data.type.c_str(),
             data.length, file.dims[0], file.dims[1], file.dims[2], file.dims[3], file.data_bytes);
    for (char c : found.date)
      if (c >= 32 && c < 127) file.stamp += c;
  }

  // A checksum may stand in a message of its own, so it is searched for up to the next data, or their description.
  bool begins_other_data(const Record &record)
  {
    return holds_data(record) || record.type == "scidac-private-file-xml" ||
           record.type == "scidac-private-record-xml" || record.type == "ildg-format";
  }
} // namespace

GaugeFile parse_lime(Bytes &bytes)
{
  GaugeFile file;
  file.path = bytes.path();
  file.big_endian = true;
  file.file_bytes = bytes.size();

  Description found;
  bool have_data = false, flagged = false, finished = false;
  for (std::uint64_t offset = 0; offset < bytes.size();) {
    const Record record = read_record(bytes, offset);
    offset = end_of(bytes, record);
    auto xml = [&] { return Xml(file.path, record.type, read_text(bytes, record)); };

    if (!have_data) {
      if (record.type == "scidac-private-file-xml") read_file_xml(xml(), found);
      if (record.type == "scidac-private-record-xml") read_record_xml(file.path, xml(), found);
      if (record.type == "ildg-format") read_ildg_format(xml(), found);
      if (holds_data(record)) {
        describe_data(record, found, file);
        have_data = true;
      }
    } else if (record.type == "scidac-checksum") {
      const Xml sums = xml();
      file.checksum = ChecksumKind::scidac;
      file.stored = {sums.hexadecimal("suma"), sums.hexadecimal("sumb")};
      return file;
    } else if (begins_other_data(record)) {
      return file;
    }
    flagged = flagged || record.begins_message || record.ends_message;
    finished = record.ends_message;
  }

  if (have_data && (finished || !flagged)) return file;
  if (have_data)
    refuse(file.path,
           "truncated at byte %" PRIu64
           ": the message with the links has neither a checksum record nor a record that ends it",
           bytes.size());
  refuse(file.path,
         "truncated at byte %" PRIu64 " or not a configuration: no record ildg-binary-data or scidac-binary-data%s",
         bytes.size(), finished || !flagged ? "" : ", and the last message is not ended");
}

} // namespace quda_files
