#include "gauge_file_xml.h"

#include <cinttypes>
#include <optional>

// A configuration is one message whose records describe the data in XML, hold it, and give its checksum; SciDAC puts the
// lattice in a message of its own before it.

namespace quda_files
{

namespace
{
  // Description from the records before the data, each of them at most once.
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
    // a site is four links, in some programs one object
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

GaugeFile parse_lime(InputFile &bytes)
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
