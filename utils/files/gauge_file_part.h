/// One rank's part of a gauge file: the place of its sites, their checksum, and agreement among ranks.
#pragma once

#include <array>
#include <cinttypes>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "gauge_file_parse.h"

namespace quda_files
{

/// Sites origin[d] ... origin[d] + extents[d] - 1. The lattice's edge is not wrapped around.
struct Part {
  std::array<int, 4> extents;
  std::array<int, 4> origin;

  std::uint64_t volume() const
  {
    return std::uint64_t(extents[0]) * static_cast<unsigned>(extents[1]) * static_cast<unsigned>(extents[2]) *
           static_cast<unsigned>(extents[3]);
  }
  std::array<int, 4> global(const int x[4]) const
  {
    return {x[0] + origin[0], x[1] + origin[1], x[2] + origin[2], x[3] + origin[3]};
  }
};

/// The part of the rank at `coord`; refuses grids that do not fit.
Part part_of(const GaugeFile &file, const int local[4], const int grid[4], const int coord[4]);

/// Index of a site's links in the arrays in memory: even sites first.
std::uint64_t slot_of(const std::array<int, 4> &extents, const int x[4]);

/// Calls work(first, x, sites) for sites that are contiguous in the file: the index of the first one in the whole
/// lattice and its coordinates in the part; further sites run along x, then y.
template <class Work> void each_run(const std::array<int, 4> &dims, const Part &part, Work work)
{
  const auto &X = part.extents, &o = part.origin;
  // uncut in x, the rows of a plane are contiguous
  const int rows = X[0] == dims[0] ? X[1] : 1;
  int x[4] = {0, 0, 0, 0};
  for (x[3] = 0; x[3] < X[3]; x[3]++)
    for (x[2] = 0; x[2] < X[2]; x[2]++)
      for (x[1] = 0; x[1] < X[1]; x[1] += rows) {
        std::uint64_t first = 0;
        for (int d = 3; d >= 0; d--)
          first = first * static_cast<std::uint64_t>(dims[d]) + static_cast<std::uint64_t>(x[d] + o[d]);
        work(first, x, rows * X[0]);
      }
}

/// The checksum of a file's links, each rank that of its own sites. MILC and SciDAC: the exclusive or of rotated 32-bit
/// words, by (index mod 29) and (index mod 31) bits: MILC's words are those of the file, SciDAC's the CRC-32 of each
/// site's bytes. NERSC: the sum of the file's words.
class Checksum
{
public:
  explicit Checksum(const GaugeFile &file)
      : file_(file)
  {
  }
  void add_site(std::uint64_t site, const unsigned char *bytes);
  /// Combines it over all ranks.
  void combine(const Combine &combine);
  const std::array<std::uint32_t, 2> &sums() const { return sums_.sums; }
  /// "computed .., stored .."; the caller compares with the file.
  std::string compared() const;

private:
  const GaugeFile &file_;
  RotatedSums sums_;
};

/// The first number of a rank that is infinite or not a number.
struct Fault {
  std::array<int, 4> site; // global coordinates
  int k;                   // index among the site's 72 reals
  double value;
};
[[noreturn]] void refuse_link(const GaugeFile &file, const Fault &fault);

/// Reads a part and hands over each site: its index in the whole lattice, its coordinates in the part, its bytes.
using TakeSite = std::function<void(std::uint64_t index, const int x[4], const unsigned char *bytes)>;
void each_site(const GaugeFile &file, const Part &part, const TakeSite &take);

/// The numbers of a site, (mu, row, column, re/im), third rows rebuilt where the file has none.
void load_site(const GaugeFile &file, const unsigned char *bytes, double site[72]);

/// Reads a part into arrays in memory, and adds its sites to the checksum.
void read_part(const GaugeFile &file, const Part &part, double *const links[4], Checksum &checksum,
               std::optional<Fault> &fault);

/// The third row of a link from the other two: conjugate of the vector product.
void rebuild_third_row(double link[18]);

/// The means that NERSC files carry, of the whole lattice. Every rank has read its own part; links of the sites after
/// its edges are read from the file. The sums are exact, so that they do not depend on the process grid. Collective.
struct Means {
  double plaquette, link_trace;
};
Means means_of(const GaugeFile &file, const Part &part, const double *const links[4], const Combine &combine);

/// Runs work that may fail on some ranks and makes it fail on all: every rank must call it.
template <class Work> void agree(const std::string &path, const char *purpose, const Combine &combine, Work work)
{
  std::exception_ptr mine;
  try {
    try {
      work();
    } catch (const FileError &) {
      throw;
    } catch (const std::exception &error) { // mostly memory
      refuse(path, "%s", error.what());
    }
  } catch (...) {
    mine = std::current_exception();
  }
  std::uint64_t failed = mine ? 1 : 0;
  if (combine.add) combine.add(&failed, 1);
  if (mine) std::rethrow_exception(mine);
  if (failed != 0) refuse(path, "%" PRIu64 " other ranks could not %s it; their messages say why", failed, purpose);
}

} // namespace quda_files
