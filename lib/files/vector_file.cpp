#include "files/vector_file.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <optional>

#include "files/lime.h"
#include "files/xml_elements.h"

namespace quda_files
{

namespace
{
  constexpr char note_type[] = "libquda-eigenvectors";
  constexpr std::uint64_t largest_note = 1 << 22;
  constexpr std::int64_t most_fields = 1 << 20, most_colors = 1 << 14;

  constexpr char list_type[] = "scidac-sitelist", data_type[] = "scidac-binary-data";
  constexpr char in_one_file[] = "0", in_parts[] = "2"; // volfmt

  void read_lattice(const Elements &xml, VectorFile &file)
  {
    if (xml.find("spacetime").value_or("4") != "4") xml.wrong("spacetime", *xml.find("spacetime"));
    const std::string volume = xml.find("volfmt").value_or(in_one_file);
    if (file.part && volume != in_parts)
      refuse(file.path, "is no part of several (QIO's volfmt %s); partfile asks for a file a rank",
             printable(volume).c_str());
    if (!file.part && volume != in_one_file)
      refuse(file.path,
             "is one part of several (QIO's volfmt %s); a file of the whole lattice can be read, or with "
             "partfile those of all ranks",
             printable(volume).c_str());
    const std::string dims = xml.get("dims");
    const std::vector<std::string> words = words_of(dims);
    if (words.size() != 4) xml.wrong("dims", dims);
    for (int d = 0; d < 4; d++) {
      file.dims[d] = xml.number<int>("dims", words[static_cast<std::size_t>(d)], 10);
      if (file.dims[d] < 1 || file.dims[d] > 1 << 15) xml.wrong("dims", dims);
    }
  }

  void read_description(const Elements &xml, VectorFile &file)
  {
    if (xml.find("recordtype").value_or("0") != "0") xml.wrong("recordtype", *xml.find("recordtype"));
    file.colors = xml.find("colors") ? static_cast<int>(xml.positive("colors", most_colors)) : 3;
    const std::string precision = xml.get("precision");
    if (precision != "F" && precision != "D") xml.wrong("precision", precision);
    file.precision = precision == "F" ? 4 : 8;
    file.count = static_cast<int>(xml.positive("datacount", most_fields));
    const std::int64_t size = xml.positive("typesize", 1 << 20), one = 2 * file.colors * file.precision;
    if (file.colors != 3 || xml.find("spins").value_or("") == "2") {
      file.spins = 2;
      if (size != 2 * one || xml.find("spins").value_or("2") != "2")
        refuse(file.path,
               "not a file of a coarse grid's fields: each of a site's %d things has %" PRId64 " bytes; 2 spins of %d "
               "colors have %" PRId64 " in this precision (%s)",
               file.count, size, file.colors, 2 * one, precision.c_str());
      return;
    }
    if (size != one && size != 4 * one)
      refuse(file.path,
             "not a file of quark fields: each of a site's %d things has %" PRId64 " bytes; 4 spins or one, of 3 "
             "colors, have %" PRId64 " or %" PRId64 " in this precision (%s)",
             file.count, size, 4 * one, one, precision.c_str());
    file.spins = size == one ? 1 : 4;
    if (const auto spins = xml.find("spins"); spins && *spins != std::to_string(file.spins)) xml.wrong("spins", *spins);
  }

  void read_note(const Elements &xml, VectorFile &file)
  {
    if (xml.get("version") != "1") xml.wrong("version", xml.get("version"));
    VectorNote &note = file.note;
    note.boundary = unescaped(xml.get("t_boundary"));
    note.sites = unescaped(xml.get("sites"));
    note.basis = unescaped(xml.get("basis"));
    note.matrix = unescaped(xml.get("matrix"));
    std::size_t at = 0;
    while (const auto value = xml.next("eigenvalue", at)) {
      const std::vector<std::string> words = words_of(*value);
      if (words.size() != 2) xml.wrong("eigenvalue", *value);
      const auto real = [&](int i) {
        return xml.number<double>("eigenvalue", words[static_cast<std::size_t>(i)], std::chars_format::general);
      };
      note.values.emplace_back(real(0), real(1));
    }
    file.noted = true;
  }
  /// The numbers of a part's sites, of four or eight bytes each; n: their count.
  void read_sites(InputFile &bytes, const Record &list, std::uint64_t n, VectorFile &file)
  {
    const std::uint64_t width = n > 0 && list.length == 4 * n ? 4 : 8;
    if (n == 0 || list.length != width * n)
      refuse(file.path, "record '%s' holds %" PRIu64 " bytes; %" PRIu64 " sites have numbers of 4 or 8 bytes",
             list_type, list.length, n);
    std::vector<unsigned char> all(list.length);
    bytes.read(list.data, all.data(), all.size());
    file.part_sites.clear();
    for (std::uint64_t i = 0; i < n; i++) {
      const unsigned char *const one = &all[width * i];
      const std::uint64_t site = width == 4 ? load_u32(one, true) : load_u64(one, true);
      if (site >= file.sites())
        refuse(file.path, "record '%s' has site %" PRIu64 " of a lattice of %" PRIu64, list_type, site, file.sites());
      file.part_sites.push_back(site);
    }
  }

  /// Place of the data, which must have the right number of sites. list: of a part.
  void place_data(InputFile &bytes, const Record &data, const std::optional<Record> &list, VectorFile &file)
  {
    file.data_offset = data.data;
    if (file.part) {
      if (!list) refuse(file.path, "record '%s' is not preceded by '%s'", data_type, list_type);
      if (data.length % file.site_bytes() != 0)
        refuse(file.path, "record '%s' holds %" PRIu64 " bytes, a site has %" PRIu64, data_type, data.length,
               file.site_bytes());
      read_sites(bytes, *list, data.length / file.site_bytes(), file);
      return;
    }
    const auto [x, y, z, t] = file.dims;
    if (data.length % file.site_bytes() != 0 || data.length / file.site_bytes() != file.sites())
      refuse(file.path,
             "record 'scidac-binary-data' holds %" PRIu64 " bytes; the lattice %d %d %d %d needs %" PRIu64
             " a site, for %d fields of %d spins in %s precision",
             data.length, x, y, z, t, file.site_bytes(), file.count, file.spins,
             file.precision == 4 ? "single" : "double");
  }

  std::string sitelist(const VectorFile &file, int flags)
  {
    const bool wide = std::any_of(file.part_sites.begin(), file.part_sites.end(),
                                  [](std::uint64_t site) { return site > 0xffffffffu; });
    std::string numbers;
    for (const std::uint64_t site : file.part_sites) append_number(numbers, site, wide ? 8 : 4, true);
    return record_head(list_type, flags, numbers.size()) + numbers + padding(numbers.size());
  }
} // namespace

std::string name_of_part(const std::string &name, int rank)
{
  char tail[24];
  std::snprintf(tail, sizeof(tail), ".vol%04d", rank);
  return name + tail;
}

void inspect_part(VectorFile &file)
{
  InputFile bytes(file.path);
  std::optional<Record> list;
  for (std::uint64_t offset = 0; offset < bytes.size();) {
    const Record record = read_record(bytes, offset);
    offset = end_of(bytes, record);
    if (record.type == list_type) list = record;
    if (record.type == data_type) return place_data(bytes, record, list, file);
  }
  refuse(file.path, "truncated at byte %" PRIu64 " or no part of several: no record '%s'", bytes.size(), data_type);
}

VectorFile inspect_vectors(const std::string &path, bool part)
{
  InputFile bytes(path);
  VectorFile file;
  file.path = path;
  file.part = part;
  std::optional<Record> list;
  bool lattice = false, described = false, data = false, sums = false;
  const auto once = [&](bool &seen, const Record &record) {
    if (seen) refuse(path, "has a second record '%s'; files of one record of fields are read", record.type.c_str());
    seen = true;
  };
  for (std::uint64_t offset = 0; offset < bytes.size();) {
    const Record record = read_record(bytes, offset);
    offset = end_of(bytes, record);
    const auto xml = [&](std::uint64_t most = 1 << 16) {
      std::string text = read_text(bytes, record, most);
      return Elements(path, record, text.substr(0, text.find('\0')), "no file of quark fields has");
    };
    if (record.type == "scidac-private-file-xml") {
      once(lattice, record);
      read_lattice(xml(), file);
    } else if (record.type == "scidac-private-record-xml") {
      once(described, record);
      read_description(xml(), file);
    } else if (record.type == list_type) {
      list = record;
    } else if (record.type == data_type) {
      once(data, record);
      if (!lattice || !described)
        refuse(path, "record 'scidac-binary-data' is not preceded by 'scidac-private-file-xml' and "
                     "'scidac-private-record-xml'");
      place_data(bytes, record, list, file);
    } else if (record.type == "scidac-checksum") {
      once(sums, record);
      const Elements words = xml();
      for (int i = 0; i < 2; i++) {
        const std::string tag = i == 0 ? "suma" : "sumb", word = words.get(tag);
        const auto sum = to_hexadecimal(word);
        if (!sum) words.wrong(tag, word);
        file.sums[i] = *sum;
      }
    } else if (record.type == note_type) {
      once(file.noted, record);
      read_note(xml(largest_note), file);
    }
  }
  if (!data)
    refuse(path, "truncated at byte %" PRIu64 " or not a file of fields: no record 'scidac-binary-data'", bytes.size());
  if (!sums) refuse(path, "truncated at byte %" PRIu64 ": no record 'scidac-checksum'", bytes.size());
  return file;
}

std::string head_of(const VectorFile &file, const std::string &date, bool first)
{
  if (!first) return sitelist(file, alone) + record_head(data_type, alone, file.data_bytes());
  const char letter = file.precision == 4 ? 'F' : 'D';
  const std::string title = std::string(xml_prologue) + "<title>eigenvectors of libquda</title>";
  const std::string type = std::string("QUDA_") + letter + std::to_string(file.colors) + "_" +
                           (file.spins == 1   ? "ColorVector"
                            : file.spins == 2 ? "CoarseFermion"
                                              : "DiracFermion");
  const ScidacRecord record {
      date, type, file.precision, file.spins, 2 * file.colors * file.spins * file.precision, file.count, file.colors};
  return xml_record("scidac-private-file-xml", begins, scidac_file_xml(file.dims, file.part ? in_parts : in_one_file)) +
         (file.part ? sitelist(file, middle) : "") + xml_record("scidac-file-xml", ends, title) +
         xml_record("scidac-private-record-xml", begins, scidac_record_xml(record)) +
         xml_record("scidac-record-xml", middle, title) + record_head(data_type, middle, file.data_bytes());
}

std::string tail_of(const VectorFile &file, bool first)
{
  if (!first) return padding(file.data_bytes());
  const VectorNote &note = file.note;
  const auto [x, y, z, t] = note.lattice;
  const auto element = [](const char *tag, const std::string &text) {
    return std::string("<") + tag + ">" + escaped(text) + "</" + tag + ">";
  };
  char numbers[64];
  std::snprintf(numbers, sizeof(numbers), "%d %d %d %d", x, y, z, t);
  std::string xml = std::string(xml_prologue) + "<eigenvectors><version>1</version>" + element("lattice", numbers) +
                    element("sites", note.sites) + element("t_boundary", note.boundary) + element("basis", note.basis) +
                    element("matrix", note.matrix);
  for (const std::complex<double> &value : note.values) {
    std::snprintf(numbers, sizeof(numbers), "%.17g %.17g", value.real(), value.imag());
    xml += element("eigenvalue", numbers);
  }
  return padding(file.data_bytes()) + xml_record("scidac-checksum", ends, scidac_checksum_xml(file.sums)) +
         xml_record(note_type, alone, xml + "</eigenvectors>");
}

} // namespace quda_files
