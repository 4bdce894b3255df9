#include "gauge_file_write.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <unistd.h>

#include "gauge_file_part.h"

namespace quda_files
{

namespace
{
  constexpr double su3_allowed = 1e-5;

  void check_text(const std::string &path, const char *what, const std::string &value, std::size_t most)
  {
    if (value.size() > most)
      refuse(path, "the %s to be written has %zu characters, at most %zu are allowed", what, value.size(), most);
    if (printable(value, most) != value)
      refuse(path, "the %s to be written, '%s', has characters that are not printable ASCII", what,
             printable(value).c_str());
  }

  void check_options(const std::string &path, const WriteOptions &o)
  {
    if (o.format == Format::milc_v1 || o.format == Format::milc_1996)
      refuse(path, "format %s is read, not written", name(o.format));
    if (o.precision != 4 && o.precision != 8)
      refuse(path, "precision %d cannot be written; 4 or 8 bytes a number can", o.precision);
    if (o.format == Format::milc_v5 && o.precision != 4)
      refuse(path, "MILC v5 holds single precision (4 bytes a number), not %d", o.precision);
    if (o.rows != 3 && (o.rows != 2 || o.format != Format::nersc))
      refuse(path, "%d rows of a link cannot be written in format %s; 3 can, in NERSC also 2", o.rows, name(o.format));
    check_text(path, "label", o.label, 200);
    check_text(path, "date", o.date, 60);
  }

  // Head of the new file, except its sums.
  GaugeFile described(const std::string &path, const WriteOptions &options, const int local[4], const int grid[4])
  {
    check_options(path, options);
    GaugeFile file;
    file.path = path;
    file.format = options.format;
    file.precision = options.precision;
    file.rows = options.rows;
    file.big_endian = options.format != Format::milc_v5;
    file.checksum = options.format == Format::milc_v5 ? ChecksumKind::milc
                    : options.format == Format::nersc ? ChecksumKind::nersc
                                                      : ChecksumKind::scidac;
    std::int64_t dims[4];
    for (int d = 0; d < 4; d++) dims[d] = std::int64_t(local[d]) * grid[d];
    set_lattice(file, dims, std::uint64_t(1) << 62);
    return file;
  }

  // The first rank's word, on every rank.
  std::uint64_t from_first(bool first, std::uint64_t word, const Combine &combine)
  {
    if (!first) word = 0;
    if (combine.add) combine.add(&word, 1);
    return word;
  }

  void store_real(const GaugeFile &file, double value, std::string &out)
  {
    std::uint64_t bits = 0;
    if (file.precision == 4) {
      const auto single = static_cast<float>(value);
      std::uint32_t word;
      std::memcpy(&word, &single, sizeof(word));
      bits = word;
    } else {
      std::memcpy(&bits, &value, sizeof(bits));
    }
    append_number(out, bits, file.precision, file.big_endian);
  }

  void check_third_row(const GaugeFile &file, const Part &part, const int x[4], int mu, const double u[18])
  {
    double rebuilt[18];
    std::copy_n(u, 12, rebuilt);
    rebuild_third_row(rebuilt);
    double worst = 0;
    for (int k = 12; k < 18; k++) worst = std::max(worst, std::abs(u[k] - rebuilt[k]));
    if (worst <= su3_allowed) return;
    const auto s = part.global(x);
    refuse(file.path,
           "the link at site %d %d %d %d, direction %c is not in SU(3): its third row is %.3g off what the other two "
           "make it (%.0e allowed), so it cannot be left out",
           s[0], s[1], s[2], s[3], "xyzt"[mu], worst, su3_allowed);
  }

  void store_site(const GaugeFile &file, const Part &part, const int x[4], const double *const links[4],
                  std::string &out)
  {
    const std::uint64_t slot = slot_of(part.extents, x);
    for (int mu = 0; mu < 4; mu++) {
      const double *u = links[mu] + 18 * slot;
      for (int k = 0; k < 18; k++)
        if (!std::isfinite(file.precision == 4 ? static_cast<float>(u[k]) : u[k]))
          refuse_link(file, {part.global(x), 18 * mu + k, u[k]});
      if (file.rows == 2) check_third_row(file, part, x, mu, u);
      for (int k = 0; k < 6 * file.rows; k++) store_real(file, u[k], out);
    }
  }

  void write_part(const GaugeFile &file, const Part &part, const double *const links[4], OutputFile &output,
                  Checksum &checksum)
  {
    std::string buffer;
    each_run(file.dims, part, [&](std::uint64_t first, const int x[4], int sites) {
      buffer.clear();
      for (int i = 0; i < sites; i++) {
        const int here[4] = {x[0] + i % part.extents[0], x[1] + i / part.extents[0], x[2], x[3]};
        const std::size_t begin = buffer.size();
        store_site(file, part, here, links, buffer);
        checksum.add_site(first + static_cast<unsigned>(i),
                          reinterpret_cast<const unsigned char *>(buffer.data() + begin));
      }
      output.write(file.data_offset + first * site_bytes(file), buffer.data(), buffer.size());
    });
  }

  // Means of the rounded numbers, which are read back.
  Means means_as_written(const GaugeFile &file, const std::string &temporary, const Part &part, const Combine &combine)
  {
    GaugeFile written = file;
    written.file_bytes = file.data_offset + file.data_bytes;
    std::vector<double> links[4];
    const double *pointers[4];
    agree(file.path, "write", combine, [&] {
      written.path = temporary;
      double *targets[4];
      for (int mu = 0; mu < 4; mu++) {
        links[mu].resize(18 * part.volume());
        pointers[mu] = targets[mu] = links[mu].data();
      }
      Checksum again(written);
      std::optional<Fault> fault;
      read_part(written, part, targets, again, fault);
      if (fault) refuse_link(file, *fault);
    });
    return means_of(written, part, pointers, combine);
  }

  // One new file: made by the first rank, filled by all, renamed by the first.
  class NewFile
  {
  public:
    NewFile(const GaugeFile &file, const std::string &label, const Part &part, const Combine &combine)
        : file_(file)
        , label_(label)
        , part_(part)
        , combine_(combine)
        , first_(part.origin == std::array<int, 4> {0, 0, 0, 0})
    {
      using namespace std::chrono;
      if (file_.stamp.empty())
        file_.stamp = date_of(from_first(first_, static_cast<std::uint64_t>(std::time(nullptr)), combine_));
      const auto ticks = static_cast<std::uint64_t>(steady_clock::now().time_since_epoch().count());
      const std::uint64_t process = from_first(first_, static_cast<std::uint64_t>(getpid()), combine_);
      temporary_ = name_beside(file_.path, process, from_first(first_, ticks, combine_));
    }

    ~NewFile()
    {
      if (made_) unlink(temporary_.c_str());
    }

    void write(const double *const links[4])
    {
      together([&] {
        file_.data_offset = frame_of(file_, label_).head.size();
        if (!first_) return;
        OutputFile output(temporary_, file_.path, true);
        made_ = true;
      });
      Checksum checksum(file_);
      together([&] {
        OutputFile output(temporary_, file_.path, false);
        write_part(file_, part_, links, output, checksum);
        output.finish();
      });
      checksum.combine(combine_);
      file_.stored = checksum.sums();
      if (file_.format == Format::nersc) set_means();
      together([&] { finish(); });
    }

  private:
    template <class Work> void together(Work work) { agree(file_.path, "write", combine_, work); }

    void set_means()
    {
      try {
        const Means means = means_as_written(file_, temporary_, part_, combine_);
        file_.plaquette = means.plaquette;
        file_.link_trace = means.link_trace;
      } catch (const FileError &error) { // on all ranks
        refuse(file_.path, "%s", error.what());
      }
    }

    void finish()
    {
      if (!first_) return;
      const Frame frame = frame_of(file_, label_);
      if (frame.head.size() != file_.data_offset)
        refuse(file_.path, "the head has %zu bytes in place of %" PRIu64, frame.head.size(), file_.data_offset);
      OutputFile output(temporary_, file_.path, false);
      output.write(0, frame.head.data(), frame.head.size());
      output.write(file_.data_offset + file_.data_bytes, frame.tail.data(), frame.tail.size());
      output.finish();
      rename_durably(temporary_, file_.path);
      made_ = false;
    }

    GaugeFile file_;
    const std::string label_;
    const Part &part_;
    const Combine &combine_;
    const bool first_;
    std::string temporary_;
    bool made_ = false; // by this rank, and not yet renamed
  };
} // namespace

void write_gauge(const std::string &path, const WriteOptions &options, const int local[4], const int grid[4],
                 const int coord[4], const double *const links[4], const Combine &combine)
{
  GaugeFile file;
  Part part;
  agree(path, "write", combine, [&] {
    file = described(path, options, local, grid);
    file.stamp = options.date;
    part = part_of(file, local, grid, coord);
  });
  NewFile(file, options.label, part, combine).write(links);
}

void write_gauge(const std::string &path, const WriteOptions &options, const int dims[4], const double *const links[4])
{
  const int one[4] = {1, 1, 1, 1}, zero[4] = {0, 0, 0, 0};
  write_gauge(path, options, dims, one, zero, links);
}

} // namespace quda_files
