#include "gauge_file.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "gauge_file_parse.h"

namespace quda_files
{

const char *name(Format format)
{
  switch (format) {
  case Format::milc_v5:
    return "MILC v5";
  case Format::ildg:
    return "ILDG";
  case Format::scidac:
    return "SciDAC";
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
  }
  return "unknown";
}

void refuse(const std::string &path, const char *format, ...)
{
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  throw FileError(path + ": " + text);
}

Bytes::Bytes(const std::string &path)
    : path_(path)
    , stream_(path, std::ios::binary)
{
  if (!stream_) refuse(path, "cannot be opened");
  stream_.seekg(0, std::ios::end);
  const auto end = stream_.tellg();
  // A directory opens, but has no end to speak of.
  if (!stream_ || end < 0 || static_cast<std::uint64_t>(end) >= std::uint64_t(1) << 62)
    refuse(path, "its size cannot be found; is it a regular file?");
  size_ = static_cast<std::uint64_t>(end);
}

void Bytes::read(std::uint64_t offset, void *into, std::uint64_t n)
{
  if (offset > size_ || n > size_ - offset)
    refuse(path_, "truncated at byte %" PRIu64 ": %" PRIu64 " bytes wanted at byte %" PRIu64, size_, n, offset);
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(static_cast<char *>(into), static_cast<std::streamsize>(n));
  if (!stream_) refuse(path_, "reading %" PRIu64 " bytes at byte %" PRIu64 " failed", n, offset);
}

std::uint64_t link_bytes(const std::string &path, const std::int64_t dims[4], int precision, std::uint64_t available)
{
  const std::uint64_t site = reals_per_site * static_cast<std::uint64_t>(precision);
  const std::uint64_t most = available / site;
  std::uint64_t volume = 1;
  for (int d = 0; d < 4; d++) {
    if (dims[d] < 1 || dims[d] > INT32_MAX)
      refuse(path, "lattice %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 ": the extent in %c is not a possible one",
             dims[0], dims[1], dims[2], dims[3], "xyzt"[d]);
    const auto extent = static_cast<std::uint64_t>(dims[d]);
    if (volume > most / extent)
      refuse(path,
             "truncated or wrong: %" PRIu64 " bytes of links are there, less than the lattice %" PRId64 " %" PRId64
             " %" PRId64 " %" PRId64 " needs at %" PRIu64 " a site",
             available, dims[0], dims[1], dims[2], dims[3], site);
    volume *= extent;
  }
  return volume * site;
}

std::uint32_t load_u32(const unsigned char *b, bool big_endian)
{
  const std::uint32_t big = std::uint32_t(b[0]) << 24 | std::uint32_t(b[1]) << 16 | std::uint32_t(b[2]) << 8 | b[3];
  return big_endian ? big : __builtin_bswap32(big);
}

std::uint64_t load_u64(const unsigned char *b, bool big_endian)
{
  const std::uint64_t big = std::uint64_t(load_u32(b, true)) << 32 | load_u32(b + 4, true);
  return big_endian ? big : __builtin_bswap64(big);
}

namespace
{
  GaugeFile inspect_here(const std::string &path)
  {
    Bytes bytes(path);
    unsigned char head[12] = {};
    if (bytes.size() < 4) refuse(path, "truncated at byte %" PRIu64 ": too short for any format", bytes.size());
    bytes.read(0, head, std::min<std::uint64_t>(bytes.size(), sizeof(head)));
    if (load_u32(head, true) == lime_magic) return parse_lime(bytes);
    if (load_u32(head, true) == milc_v5_magic || load_u32(head, false) == milc_v5_magic) return parse_milc(bytes);
    if (std::memcmp(head, "BEGIN_HEADER", 12) == 0) refuse(path, "NERSC archive files are not read");
    refuse(path,
           "bad magic number: begins with the bytes %02x %02x %02x %02x, neither LIME (45 67 89 ab) nor MILC v5 (00 00 "
           "4e 87 or "
           "87 4e 00 00)",
           head[0], head[1], head[2], head[3]);
  }

  // Runs something that may fail on some ranks only and makes it fail on all of them: every rank gets here.
  template <class Work> void agree(const std::string &path, const Combine &combine, Work work)
  {
    std::exception_ptr mine;
    try {
      work();
    } catch (...) {
      mine = std::current_exception();
    }
    std::uint64_t failed = mine ? 1 : 0;
    if (combine.add) combine.add(&failed, 1);
    if (mine) std::rethrow_exception(mine);
    if (failed != 0) refuse(path, "%" PRIu64 " other ranks could not read it; their messages say why", failed);
  }

  const std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table = {};
    for (std::uint32_t i = 0; i < 256; i++) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      table[i] = c;
    }
    return table;
  }();

  std::uint32_t crc32(const unsigned char *bytes, std::size_t n)
  {
    std::uint32_t c = 0xffffffffu;
    for (std::size_t i = 0; i < n; i++) c = crc_table[(c ^ bytes[i]) & 255] ^ (c >> 8);
    return ~c;
  }

  std::uint32_t rotated_left(std::uint32_t word, unsigned by)
  {
    return by == 0 ? word : word << by | word >> (32 - by);
  }

  // Both checksums are the exclusive or of rotated 32-bit words, by (index mod 29) and (index mod 31) bits: MILC's
  // words are those of the file, SciDAC's the CRC-32 of each site's bytes. So every rank sums its own sites.
  class Checksum
  {
  public:
    explicit Checksum(const GaugeFile &file)
        : file_(file)
    {
    }

    void add_site(std::uint64_t site, const unsigned char *bytes)
    {
      if (file_.checksum == ChecksumKind::scidac)
        add_word(site, crc32(bytes, reals_per_site * static_cast<std::size_t>(file_.precision)));
      if (file_.checksum == ChecksumKind::milc)
        for (std::uint64_t i = 0; i < reals_per_site; i++)
          add_word(site * reals_per_site + i, load_u32(bytes + 4 * i, file_.big_endian));
    }

    std::uint64_t sums[2] = {0, 0};

  private:
    void add_word(std::uint64_t index, std::uint32_t word)
    {
      sums[0] ^= rotated_left(word, static_cast<unsigned>(index % 29));
      sums[1] ^= rotated_left(word, static_cast<unsigned>(index % 31));
    }

    const GaugeFile &file_;
  };

  struct Part {
    const int *local;
    const int *origin;
  };

  // The first number of a rank that is infinite or not a number.
  struct Fault {
    std::array<int, 4> site; // global coordinates
    int k;                   // which of the site's 72 reals
    double value;
  };

  [[noreturn]] void refuse_link(const GaugeFile &file, const Fault &f)
  {
    refuse(file.path, "the link at site %d %d %d %d, direction %c, row %d, column %d holds %g", f.site[0], f.site[1],
           f.site[2], f.site[3], "xyzt"[f.k / 18], f.k % 18 / 6, f.k % 6 / 2, f.value);
  }

  void store_site(const GaugeFile &file, const Part &part, const int x[4], const unsigned char *bytes,
                  double *const links[4], std::optional<Fault> &fault)
  {
    const int *X = part.local;
    const std::uint64_t lex =
        ((std::uint64_t(x[3]) * X[2] + static_cast<unsigned>(x[2])) * X[1] + static_cast<unsigned>(x[1])) * X[0] +
        static_cast<unsigned>(x[0]);
    const std::uint64_t half = std::uint64_t(X[0]) * X[1] * X[2] * X[3] / 2;
    const int parity = (x[0] + x[1] + x[2] + x[3]) & 1;
    const std::uint64_t slot = parity * half + lex / 2;

    for (int k = 0; k < static_cast<int>(reals_per_site); k++) {
      double value;
      if (file.precision == 4) {
        const std::uint32_t bits = load_u32(bytes + 4 * k, file.big_endian);
        float single;
        std::memcpy(&single, &bits, sizeof(single));
        value = single;
      } else {
        const std::uint64_t bits = load_u64(bytes + 8 * k, file.big_endian);
        std::memcpy(&value, &bits, sizeof(value));
      }
      if (!std::isfinite(value) && !fault)
        fault = Fault {
            {x[0] + part.origin[0], x[1] + part.origin[1], x[2] + part.origin[2], x[3] + part.origin[3]}, k, value};
      links[k / 18][slot * 18 + k % 18] = value;
    }
  }

  void read_part(const GaugeFile &file, const Part &part, double *const links[4], Checksum &checksum,
                 std::optional<Fault> &fault)
  {
    Bytes bytes(file.path);
    if (bytes.size() != file.file_bytes)
      refuse(file.path, "has %" PRIu64 " bytes, but had %" PRIu64 " when its head was read", bytes.size(),
             file.file_bytes);

    const int *X = part.local, *o = part.origin;
    const std::uint64_t site_bytes = reals_per_site * static_cast<std::uint64_t>(file.precision);
    // Uncut in x, the rows of a plane lie one behind the other.
    const int rows = X[0] == file.dims[0] ? X[1] : 1;
    std::vector<unsigned char> buffer(site_bytes * static_cast<std::uint64_t>(X[0]) * static_cast<std::uint64_t>(rows));
    int x[4];
    for (x[3] = 0; x[3] < X[3]; x[3]++)
      for (x[2] = 0; x[2] < X[2]; x[2]++)
        for (int y = 0; y < X[1]; y += rows) {
          const std::uint64_t first =
              ((std::uint64_t(x[3] + o[3]) * file.dims[2] + static_cast<unsigned>(x[2] + o[2])) * file.dims[1] +
               static_cast<unsigned>(y + o[1])) *
                  file.dims[0] +
              static_cast<unsigned>(o[0]);
          bytes.read(file.data_offset + first * site_bytes, buffer.data(), buffer.size());
          for (int i = 0; i < rows * X[0]; i++) {
            x[0] = i % X[0];
            x[1] = y + i / X[0];
            const unsigned char *site = buffer.data() + site_bytes * static_cast<std::uint64_t>(i);
            checksum.add_site(first + static_cast<unsigned>(i), site);
            store_site(file, part, x, site, links, fault);
          }
        }
  }

  void check_part(const GaugeFile &file, const int local[4], const int grid[4], const int coord[4])
  {
    for (int d = 0; d < 4; d++) {
      const char dir = "xyzt"[d];
      if (grid[d] < 1) refuse(file.path, "process grid %d in %c must be positive", grid[d], dir);
      if (coord[d] < 0 || coord[d] >= grid[d])
        refuse(file.path, "process coordinate %d in %c is outside a grid of %d", coord[d], dir, grid[d]);
      if (file.dims[d] % grid[d] != 0)
        refuse(file.path, "lattice extent %d in %c is not divisible by the process grid's %d", file.dims[d], dir,
               grid[d]);
      if (local[d] != file.dims[d] / grid[d])
        refuse(file.path, "local extent %d in %c times process grid %d is not the file's %d", local[d], dir, grid[d],
               file.dims[d]);
      if (local[d] % 2 != 0) refuse(file.path, "local extent %d in %c must be even", local[d], dir);
    }
  }
} // namespace

std::string describe(const GaugeFile &file)
{
  char text[256];
  const int n = std::snprintf(text, sizeof(text), "%s, %d x %d x %d x %d, %s precision, %s-endian", name(file.format),
                              file.dims[0], file.dims[1], file.dims[2], file.dims[3],
                              file.precision == 4 ? "single" : "double", file.big_endian ? "big" : "little");
  if (file.checksum != ChecksumKind::none)
    std::snprintf(text + n, sizeof(text) - static_cast<std::size_t>(n), ", checksums %s %08" PRIx32 " %08" PRIx32,
                  name(file.checksum), file.stored[0], file.stored[1]);
  else
    std::snprintf(text + n, sizeof(text) - static_cast<std::size_t>(n), ", no checksums");
  return text;
}

GaugeFile inspect(const std::string &path, const Combine &combine)
{
  GaugeFile file;
  agree(path, combine, [&] { file = inspect_here(path); });
  return file;
}

void read_gauge(const GaugeFile &file, const int local[4], const int grid[4], const int coord[4],
                double *const links[4], const Combine &combine)
{
  Checksum checksum(file);
  std::optional<Fault> fault;
  agree(file.path, combine, [&] {
    check_part(file, local, grid, coord);
    const int origin[4] = {coord[0] * local[0], coord[1] * local[1], coord[2] * local[2], coord[3] * local[3]};
    read_part(file, {local, origin}, links, checksum, fault);
  });

  if (combine.exclusive_or) combine.exclusive_or(checksum.sums, 2);
  if (file.checksum != ChecksumKind::none && (checksum.sums[0] != file.stored[0] || checksum.sums[1] != file.stored[1]))
    refuse(file.path, "checksums (%s) computed %08" PRIx64 " %08" PRIx64 ", stored %08" PRIx32 " %08" PRIx32,
           name(file.checksum), checksum.sums[0], checksum.sums[1], file.stored[0], file.stored[1]);

  // Only now, because a checksum says more about damaged bytes.
  agree(file.path, combine, [&] {
    if (fault) refuse_link(file, *fault);
  });
}

std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file, const int local[4], const int grid[4],
                                              const int coord[4], const Combine &combine)
{
  std::array<std::vector<double>, 4> links;
  double *pointers[4];
  agree(file.path, combine, [&] {
    check_part(file, local, grid, coord);
    for (int d = 0; d < 4; d++) {
      links[d].resize(std::size_t(18) * local[0] * local[1] * local[2] * local[3]);
      pointers[d] = links[d].data();
    }
  });
  read_gauge(file, local, grid, coord, pointers, combine);
  return links;
}

std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file)
{
  const int one[4] = {1, 1, 1, 1}, zero[4] = {0, 0, 0, 0};
  return read_gauge(file, file.dims.data(), one, zero);
}

} // namespace quda_files
