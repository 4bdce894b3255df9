#include "gauge_file_parse.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cmath>
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
    explicit Header(Bytes &bytes)
        : path_(bytes.path())
    {
      std::string text(std::min(bytes.size(), largest_header), '\0');
      bytes.read(0, text.data(), text.size());
      const std::string end_line = "\nEND_HEADER\n";
      const auto end = text.find(end_line);
      if (end == std::string::npos)
        refuse(path_, "truncated at byte %" PRIu64 " or wrong: no line END_HEADER in the first %zu bytes", bytes.size(),
               text.size());
      size_ = end + end_line.size();
      text.resize(end + 1);
      int number = 1;
      for (std::size_t at = 0; at < text.size(); number++) {
        const auto stop = text.find('\n', at);
        take_line(text.substr(at, stop - at), number);
        at = stop + 1;
      }
    }

    std::uint64_t size() const { return size_; }

    const std::string *find(const std::string &key) const
    {
      const auto found = values_.find(key);
      return found == values_.end() ? nullptr : &found->second;
    }

    const std::string &get(const std::string &key) const
    {
      const std::string *value = find(key);
      if (!value) refuse(path_, "the NERSC header has no %s", key.c_str());
      return *value;
    }

    std::int64_t integer(const std::string &key) const { return number<std::int64_t>(key, 10); }

    std::uint32_t hexadecimal(const std::string &key) const { return number<std::uint32_t>(key, 16); }

    double real(const std::string &key) const
    {
      const double value = number<double>(key, std::chars_format::general);
      if (!std::isfinite(value)) wrong(key, "a finite number");
      return value;
    }

    [[noreturn]] void wrong(const std::string &key, const char *expected) const
    {
      refuse(path_, "the NERSC header has %s = '%s', expected %s", key.c_str(), printable(get(key)).c_str(), expected);
    }

  private:
    template <class T, class How> T number(const std::string &key, How how) const
    {
      const std::string &value = get(key);
      T result = {};
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result, how);
      if (error != std::errc() || end != value.data() + value.size()) wrong(key, "a number");
      return result;
    }

    static std::string trimmed(const std::string &text)
    {
      const char *blank = " \t\r";
      const auto first = text.find_first_not_of(blank);
      return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blank) - first + 1);
    }

    void take_line(const std::string &line, int number)
    {
      if (number == 1) {
        if (trimmed(line) != nersc_begin) refuse(path_, "the first line is not %s", nersc_begin);
        return;
      }
      if (trimmed(line).empty()) return;
      const auto equals = line.find('=');
      if (equals == std::string::npos)
        refuse(path_, "line %d of the NERSC header, '%s', is not KEY = VALUE", number, printable(line).c_str());
      const std::string key = trimmed(line.substr(0, equals));
      if (!values_.emplace(key, trimmed(line.substr(equals + 1))).second)
        refuse(path_, "line %d of the NERSC header has %s once more", number, printable(key).c_str());
    }

    const std::string path_;
    std::uint64_t size_ = 0;
    std::map<std::string, std::string> values_;
  };

  void read_types(const Header &header, GaugeFile &file)
  {
    const std::string &type = header.get("DATATYPE");
    if (type != "4D_SU3_GAUGE" && type != "4D_SU3_GAUGE_3x3")
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
      if (header.get("FLOATING_POINT") == n.name) {
        file.precision = n.precision;
        file.big_endian = n.big_endian;
        file.order_known = n.order_known;
      }
    if (file.precision == 0) header.wrong("FLOATING_POINT", "IEEE32 or IEEE64, alone or with BIG or LITTLE");
  }
} // namespace

GaugeFile parse_nersc(Bytes &bytes)
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
  const std::uint64_t available = bytes.size() - header.size();
  set_lattice(file, dims, available);
  if (file.data_bytes != available)
    refuse(file.path, "%" PRIu64 " bytes follow the header, but its lattice %d %d %d %d needs %" PRIu64, available,
           file.dims[0], file.dims[1], file.dims[2], file.dims[3], file.data_bytes);

  file.checksum = ChecksumKind::nersc;
  file.stored = {header.hexadecimal("CHECKSUM"), 0};
  file.plaquette = header.real("PLAQUETTE");
  file.link_trace = header.real("LINK_TRACE");
  if (const std::string *date = header.find("CREATION_DATE")) file.stamp = printable(*date);
  return file;
}

} // namespace quda_files
