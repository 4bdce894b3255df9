#include "gauge_file.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

#include "gauge_file_part.h"

namespace quda_files
{

const char *name(Format format)
{
  switch (format) {
  case Format::milc_v5:
    return "MILC v5";
  case Format::milc_v1:
    return "MILC v1";
  case Format::milc_1996:
    return "MILC of 1996";
  case Format::ildg:
    return "ILDG";
  case Format::scidac:
    return "SciDAC";
  case Format::nersc:
    return "NERSC";
  }
  return "unknown";
}

const char *name(ChecksumKind kind)
{
  switch (kind) {
  case ChecksumKind::none:
    return "none";
  case ChecksumKind::milc:
    return "sum29 sum31";
  case ChecksumKind::scidac:
    return "suma sumb";
  case ChecksumKind::nersc:
    return "sum";
  }
  return "unknown";
}

namespace
{
  GaugeFile inspect_here(const std::string &path)
  {
    InputFile bytes(path);
    unsigned char head[12] = {};
    if (bytes.size() < 4) refuse(path, "truncated at byte %" PRIu64 ": too short for any format", bytes.size());
    bytes.read(0, head, std::min<std::uint64_t>(bytes.size(), sizeof(head)));
    if (load_u32(head, true) == lime_magic) return parse_lime(bytes);
    for (bool big_endian : {true, false})
      for (const auto &[magic, format] : milc_magics)
        if (load_u32(head, big_endian) == magic) return parse_milc(bytes, format, big_endian);
    if (std::memcmp(head, nersc_begin, 12) == 0) return parse_nersc(bytes);
    refuse(path,
           "bad magic number: begins with the bytes %02x %02x %02x %02x, neither LIME (45 67 89 ab) nor MILC (00 00 "
           "and 4e 87, e7 da or d1 2a, or backwards) nor NERSC (BEGIN_HEADER)",
           head[0], head[1], head[2], head[3]);
  }

  void refuse_or_tell(const GaugeFile &file, const WrongChecksum &tell, const std::string &text)
  {
    if (!tell) refuse(file.path, "%s", text.c_str());
    tell(file.path + ": " + text);
  }

  // In the wrong byte order numbers have random sizes.
  void settle_byte_order_by_links(GaugeFile &file)
  {
    InputFile bytes(file.path);
    std::vector<unsigned char> first(site_bytes(file));
    bytes.read(file.data_offset, first.data(), first.size());
    for (bool big_endian : {true, false}) {
      file.big_endian = big_endian;
      double site[72], squares = 0;
      load_site(file, first.data(), site);
      for (double number : site) squares += number * number;
      if (std::abs(squares - 12) < 0.1) return; // of a unitary link, 3
    }
    refuse(file.path, "in neither byte order are the links of the first site unitary");
  }

  // NERSC's "IEEE32" and "IEEE64" do not say in which order bytes stand: the order whose checksum is right is the
  // order. A checksum that is right in neither is not asked again.
  void settle_byte_order(GaugeFile &file, const Part &part, const Combine &combine, const WrongChecksum &wrong_checksum)
  {
    if (file.checksum != ChecksumKind::none) {
      GaugeFile big = file, little = file;
      big.big_endian = true;
      little.big_endian = false;
      Checksum sums[2] = {Checksum(big), Checksum(little)};
      agree(file.path, "read", combine, [&] {
        each_site(file, part, [&](std::uint64_t site, const int *, const unsigned char *bytes) {
          for (Checksum &sum : sums) sum.add_site(site, bytes);
        });
      });
      for (Checksum &sum : sums) sum.combine(combine);
      file.big_endian = sums[0].sums() == file.stored;
      if (file.big_endian || sums[1].sums() == file.stored) return;
      refuse_or_tell(file, wrong_checksum,
                     "big-endian " + sums[0].compared() + "; little-endian " + sums[1].compared());
      file.checksum = ChecksumKind::none;
    }
    agree(file.path, "read", combine, [&] { settle_byte_order_by_links(file); });
  }

  // NERSC headers are rounded, some to six digits, and some were computed in single precision.
  void verify_mean(const GaugeFile &file, const char *what, double computed, const std::optional<double> &stored)
  {
    const double allowed = 1e-5 * std::max(1.0, std::abs(computed));
    if (stored && !(std::abs(computed - *stored) <= allowed))
      refuse(file.path, "%s of the links is %.10g, the header says %.10g (%.0e allowed)", what, computed, *stored,
             allowed);
  }
} // namespace

std::string describe(const GaugeFile &file)
{
  char text[256];
  std::snprintf(text, sizeof(text), "%s%s, %d x %d x %d x %d, %s precision, %s", name(file.format),
                file.rows == 2 ? " 3x2" : "", file.dims[0], file.dims[1], file.dims[2], file.dims[3],
                file.precision == 4 ? "single" : "double",
                file.order_known                      ? file.big_endian ? "big-endian" : "little-endian"
                : file.checksum == ChecksumKind::none ? "byte order by the links"
                                                      : "byte order by checksum");
  std::string line = text;
  auto add = [&](const char *format, auto... values) {
    std::snprintf(text, sizeof(text), format, values...);
    line += text;
  };
  if (file.checksum == ChecksumKind::none)
    line += ", no checksums";
  else if (file.checksum == ChecksumKind::nersc)
    add(", checksum %08" PRIx32, file.stored[0]);
  else
    add(", checksums %s %08" PRIx32 " %08" PRIx32, name(file.checksum), file.stored[0], file.stored[1]);
  if (file.plaquette) add(", plaquette %.10g", *file.plaquette);
  if (file.link_trace) add(", link trace %.10g", *file.link_trace);
  return line;
}

GaugeFile inspect(const std::string &path, const Combine &combine)
{
  GaugeFile file;
  agree(path, "read", combine, [&] { file = inspect_here(path); });
  return file;
}

void read_gauge(const GaugeFile &head, const int local[4], const int grid[4], const int coord[4],
                double *const links[4], const Combine &combine, const WrongChecksum &wrong_checksum)
{
  GaugeFile file = head;
  Part part;
  agree(file.path, "read", combine, [&] { part = part_of(file, local, grid, coord); });
  if (!file.order_known) settle_byte_order(file, part, combine, wrong_checksum);

  Checksum checksum(file);
  std::optional<Fault> fault;
  agree(file.path, "read", combine, [&] { read_part(file, part, links, checksum, fault); });
  checksum.combine(combine);
  if (file.checksum != ChecksumKind::none && checksum.sums() != file.stored)
    refuse_or_tell(file, wrong_checksum, checksum.compared());

  // Last, because a checksum says more about damaged bytes.
  agree(file.path, "read", combine, [&] {
    if (fault) refuse_link(file, *fault);
  });
  if (!file.plaquette && !file.link_trace) return;
  const Means means = means_of(file, part, links, combine);
  verify_mean(file, "the plaquette", means.plaquette, file.plaquette);
  verify_mean(file, "the trace", means.link_trace, file.link_trace);
}

std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file, const int local[4], const int grid[4],
                                              const int coord[4], const Combine &combine,
                                              const WrongChecksum &wrong_checksum)
{
  std::array<std::vector<double>, 4> links;
  double *pointers[4];
  agree(file.path, "read", combine, [&] {
    part_of(file, local, grid, coord);
    for (int d = 0; d < 4; d++) {
      links[d].resize(std::size_t(18) * local[0] * local[1] * local[2] * local[3]);
      pointers[d] = links[d].data();
    }
  });
  read_gauge(file, local, grid, coord, pointers, combine, wrong_checksum);
  return links;
}

std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file, const WrongChecksum &wrong_checksum)
{
  const int one[4] = {1, 1, 1, 1}, zero[4] = {0, 0, 0, 0};
  return read_gauge(file, file.dims.data(), one, zero, {}, wrong_checksum);
}

} // namespace quda_files
