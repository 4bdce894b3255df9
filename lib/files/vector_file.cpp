#include "files/vector_file.h"

#include <cinttypes>
#include <cstdio>

#include "files/lime.h"

namespace quda_files
{

namespace
{
  constexpr char note_type[] = "libquda-eigenvectors";
  constexpr std::uint64_t largest_note = 1 << 22;
  constexpr std::int64_t most_fields = 1 << 20;

  // The elements of XML as QIO and we write it: without attributes, and none of one name within another.
  class Elements
  {
  public:
    Elements(const std::string &path, const Record &record, std::string text)
        : path_(path)
        , record_(record.type)
        , text_(std::move(text))
    {
    }

    // The content of the next element of this name from `at` on, which then is its end.
    std::optional<std::string> next(const std::string &tag, std::size_t &at) const
    {
      const std::string open = "<" + tag + ">", close = "</" + tag + ">";
      const std::size_t begin = text_.find(open, at);
      if (begin == std::string::npos) return std::nullopt;
      const std::size_t end = text_.find(close, begin);
      if (end == std::string::npos)
        refuse(path_, "LIME record '%s' has an element <%s> that does not end", record_.c_str(), tag.c_str());
      at = end + close.size();
      const std::size_t from = begin + open.size();
      return std::string(trimmed(std::string_view(text_).substr(from, end - from)));
    }
    std::optional<std::string> find(const std::string &tag) const
    {
      std::size_t at = 0;
      return next(tag, at);
    }
    std::string get(const std::string &tag) const
    {
      const auto value = find(tag);
      if (!value) refuse(path_, "LIME record '%s' has no element <%s>", record_.c_str(), tag.c_str());
      return *value;
    }
    template <class T, class How> T number(const std::string &tag, std::string_view word, How how) const
    {
      const auto value = to_number<T>(word, how);
      if (!value) wrong(tag, std::string(word));
      return *value;
    }
    std::int64_t positive(const std::string &tag, std::int64_t most) const
    {
      const std::string word = get(tag);
      const auto value = number<std::int64_t>(tag, word, 10);
      if (value < 1 || value > most) wrong(tag, word);
      return value;
    }
    [[noreturn]] void wrong(const std::string &tag, const std::string &value) const
    {
      refuse(path_, "LIME record '%s' has <%s> '%s', which no file of quark fields has", record_.c_str(), tag.c_str(),
             printable(value).c_str());
    }

  private:
    const std::string &path_;
    const std::string record_, text_;
  };

  // Words divided by blanks.
  std::vector<std::string> words_of(std::string_view text)
  {
    std::vector<std::string> words;
    for (std::string_view rest = trimmed(text); !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
      words.emplace_back(word);
      rest = trimmed(rest.substr(word.size()));
    }
    return words;
  }

  void read_lattice(const Elements &xml, VectorFile &file)
  {
    if (xml.find("spacetime").value_or("4") != "4") xml.wrong("spacetime", *xml.find("spacetime"));
    if (xml.find("volfmt").value_or("0") != "0") // 0: all in one file
      refuse(file.path, "is one part of several (QIO's volfmt %s); a file of the whole lattice can be read",
             printable(*xml.find("volfmt")).c_str());
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
    if (xml.find("colors").value_or("3") != "3") xml.wrong("colors", *xml.find("colors"));
    const std::string precision = xml.get("precision");
    if (precision != "F" && precision != "D") xml.wrong("precision", precision);
    file.precision = precision == "F" ? 4 : 8;
    file.count = static_cast<int>(xml.positive("datacount", most_fields));
    const std::int64_t size = xml.positive("typesize", 1 << 20), one = 6 * file.precision;
    if (size != one && size != 4 * one)
      refuse(file.path,
             "not a file of quark fields: each of a site's %d things has %" PRId64 " bytes; 4 spins or one, of 3 "
             "colors, have %" PRId64 " or %" PRId64 " in this precision (%s)",
             file.count, size, 4 * one, one, precision.c_str());
    file.spins = size == one ? 1 : 4;
    if (const auto spins = xml.find("spins"); spins && *spins != std::to_string(file.spins)) xml.wrong("spins", *spins);
  }

  std::string unescaped(std::string text)
  {
    for (const auto &[entity, c] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&amp;", "&")})
      for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; at++)
        text.replace(at, std::string_view(entity).size(), c);
    return printable(text, 2000);
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
} // namespace

VectorFile inspect_vectors(const std::string &path)
{
  InputFile bytes(path);
  VectorFile file;
  file.path = path;
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
      return Elements(path, record, text.substr(0, text.find('\0')));
    };
    if (record.type == "scidac-private-file-xml") {
      once(lattice, record);
      read_lattice(xml(), file);
    } else if (record.type == "scidac-private-record-xml") {
      once(described, record);
      read_description(xml(), file);
    } else if (record.type == "scidac-binary-data") {
      once(data, record);
      if (!lattice || !described)
        refuse(path, "record 'scidac-binary-data' is not preceded by 'scidac-private-file-xml' and "
                     "'scidac-private-record-xml'");
      file.data_offset = record.data;
      const auto [x, y, z, t] = file.dims;
      if (record.length % file.site_bytes() != 0 || record.length / file.site_bytes() != file.sites())
        refuse(path,
               "record 'scidac-binary-data' holds %" PRIu64 " bytes; the lattice %d %d %d %d needs %" PRIu64
               " a site, for %d fields of %d spins in %s precision",
               record.length, x, y, z, t, file.site_bytes(), file.count, file.spins,
               file.precision == 4 ? "single" : "double");
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

std::string head_of(const VectorFile &file, const std::string &date)
{
  const char letter = file.precision == 4 ? 'F' : 'D';
  const std::string title = std::string(xml_prologue) + "<title>eigenvectors of libquda</title>";
  const std::string type = std::string("QUDA_") + letter + "3_" + (file.spins == 1 ? "ColorVector" : "DiracFermion");
  const ScidacRecord record {date, type, file.precision, file.spins, 6 * file.spins * file.precision, file.count};
  return xml_record("scidac-private-file-xml", begins, scidac_file_xml(file.dims)) +
         xml_record("scidac-file-xml", ends, title) +
         xml_record("scidac-private-record-xml", begins, scidac_record_xml(record)) +
         xml_record("scidac-record-xml", middle, title) + record_head("scidac-binary-data", middle, file.data_bytes());
}

std::string tail_of(const VectorFile &file)
{
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
