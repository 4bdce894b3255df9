#include "gauge_file_parse.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <iterator>
#include <map>

namespace quda_files
{

// The archive's header: lines KEY = VALUE between BEGIN_HEADER and END_HEADER, then the links, site (x fastest),
// direction, row, column, re/im; of each link three rows, or two.

namespace
{
  constexpr std::uint64_t largest_header = 1 << 16;

  class Header
  {
  public:
    explicit Header(InputFile &bytes)
        : path_(bytes.path())
    {
      std::string text(std::min(bytes.size(), largest_header), '\0');
      bytes.read(0, text.data(), text.size());
      std::size_t at = 0;
      for (int number = 1;; number++) {
        const auto stop = text.find('\n', at);
        if (stop == std::string::npos)
          refuse(path_, "truncated at byte %" PRIu64 " or wrong: no line END_HEADER in the first %zu bytes",
                 bytes.size(), text.size());
        const std::string_view line = trimmed(std::string_view(text).substr(at, stop - at));
        at = stop + 1;
        if (number == 1 && line != nersc_begin) refuse(path_, "the first line is not %s", nersc_begin);
        if (line == "END_HEADER") break;
        take_line(line);
      }
      size_ = at;
    }

    std::uint64_t size() const { return size_; }

    // Null if the key is absent; several lines must agree.
    const std::string *find(const std::string &key) const
    {
      const auto [begin, end] = values_.equal_range(key);
      for (auto line = begin; line != end; ++line)
        if (line->second != begin->second)
          refuse(path_, "the NERSC header has %s = '%s' and '%s'", key.c_str(), printable(begin->second).c_str(),
                 printable(line->second).c_str());
      return begin == end ? nullptr : &begin->second;
    }

    const std::string &get(const std::string &key) const
    {
      const std::string *value = find(key);
      if (!value) refuse(path_, "the NERSC header has no %s", key.c_str());
      return *value;
    }

    // Free text of the last line, or none.
    std::string text(const std::string &key) const
    {
      const auto [begin, end] = values_.equal_range(key);
      return begin == end ? "" : std::prev(end)->second;
    }

    // A name in capitals.
    std::string capitals(const std::string &key) const
    {
      std::string value = get(key);
      for (char &c : value)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      return value;
    }

    std::int64_t integer(const std::string &key) const
    {
      const auto number = to_number<std::int64_t>(get(key), 10);
      if (!number) wrong(key, "a number");
      return *number;
    }

    // Empty if a program left the line out, or wrote words in place of a number.
    std::optional<std::uint32_t> hexadecimal(const std::string &key) const
    {
      const std::string *value = find(key);
      const auto number = value ? to_hexadecimal(*value) : std::nullopt;
      if (!number && !is_words(value)) wrong(key, "a number");
      return number;
    }

    std::optional<double> real(const std::string &key) const
    {
      const std::string *value = find(key);
      const auto number = value ? to_number<double>(*value, std::chars_format::general) : std::nullopt;
      if (number ? !std::isfinite(*number) : !is_words(value)) wrong(key, "a finite number");
      return number;
    }

    [[noreturn]] void wrong(const std::string &key, const char *expected) const
    {
      refuse(path_, "the NERSC header has %s = '%s', expected %s", key.c_str(), printable(get(key)).c_str(), expected);
    }

  private:
    static bool is_words(const std::string *value)
    {
      return !value || value->find_first_of("0123456789") == std::string::npos;
    }

    // Lines without an equals sign are comments.
    void take_line(std::string_view line)
    {
      const auto equals = line.find('=');
      if (equals == std::string_view::npos) return;
      values_.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }

    const std::string path_;
    std::uint64_t size_ = 0;
    std::multimap<std::string, std::string> values_;
  };

  void read_types(const Header &header, GaugeFile &file)
  {
    const std::string type = header.capitals("DATATYPE"), format = header.capitals("FLOATING_POINT");
    if (type != "4D_SU3_GAUGE" && type != "4D_SU3_GAUGE_3X3")
      header.wrong("DATATYPE", "4D_SU3_GAUGE or 4D_SU3_GAUGE_3x3");
    file.rows = type == "4D_SU3_GAUGE" ? 2 : 3;

    struct Name {
      const char *name;
      int precision;
      bool big_endian, order_known;
    };
    const Name names[] = {{"IEEE32", 4, true, false}, {"IEEE32BIG", 4, true, true}, {"IEEE32LITTLE", 4, false, true},
                          {"IEEE64", 8, true, false}, {"IEEE64BIG", 8, true, true}, {"IEEE64LITTLE", 8, false, true}};
    for (const Name &n : names)
      if (format == n.name) {
        file.precision = n.precision;
        file.big_endian = n.big_endian;
        file.order_known = n.order_known;
      }
    if (file.precision == 0) header.wrong("FLOATING_POINT", "IEEE32 or IEEE64, alone or with BIG or LITTLE");
  }
} // namespace

GaugeFile parse_nersc(InputFile &bytes)
{
  const Header header(bytes);
  GaugeFile file;
  file.path = bytes.path();
  file.format = Format::nersc;
  file.file_bytes = bytes.size();
  file.data_offset = header.size();
  read_types(header, file);

  std::int64_t dims[4];
  // BOUNDARY_d is not read: some programs write the quarks' boundary conditions there, the links being periodic
  for (int d = 0; d < 4; d++) dims[d] = header.integer("DIMENSION_" + std::to_string(d + 1));
  set_whole_lattice(file, dims);

  if (const auto sum = header.hexadecimal("CHECKSUM")) {
    file.checksum = ChecksumKind::nersc;
    file.stored = {*sum, 0};
  }
  file.plaquette = header.real("PLAQUETTE");
  file.link_trace = header.real("LINK_TRACE");
  file.stamp = printable(header.text("CREATION_DATE"));
  return file;
}

} // namespace quda_files
