/// Reading SU(3) gauge configurations from files: MILC version 5, and SciDAC / ILDG in LIME records.
///
/// The format is recognised from the content, never from the name. Checksums are verified where the file has them, and
/// a damaged file is refused with what is wrong: nothing of a file is believed before it was checked against the file's
/// size.
///
/// At N ranks every rank opens the file and reads its own part only; what has to agree among ranks (checksums, whether
/// anyone failed) goes through the two functions of Combine, so that this reader needs no MPI. With MPI,
/// `gauge_file_mpi.h` makes a Combine from a communicator.
///
/// Links come out as QUDA's QDP order in double precision: four arrays, each (parity 2, x_cb, row 3, column 3, re/im),
/// with parity and x_cb counted in the local lattice. They are the file's numbers: nothing is scaled, no boundary sign
/// is put in, and single-precision links are not made unitary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace quda_files
{

/// Whatever keeps a file from being read; what() names the file and says what was found and what was expected.
class FileError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

enum class Format { milc_v5, ildg, scidac };
const char *name(Format format);

enum class ChecksumKind { none, milc, scidac };
const char *name(ChecksumKind kind);

/// What the head of a file says, checked against the file's size.
struct GaugeFile {
  std::string path;
  Format format = Format::milc_v5;
  std::array<int, 4> dims = {};               // global extents x y z t
  int precision = 0;                          // bytes of one real number: 4 or 8
  bool big_endian = true;                     // byte order of the links
  std::uint64_t file_bytes = 0;               //
  std::uint64_t data_offset = 0;              // where the links begin
  std::uint64_t data_bytes = 0;               //
  ChecksumKind checksum = ChecksumKind::none; //
  std::array<std::uint32_t, 2> stored = {};   // milc: sum29, sum31; scidac: suma, sumb
  std::string stamp;                          // the writer's date, as far as it is printable
};

/// One line for a person: format, extents, precision, checksums.
std::string describe(const GaugeFile &file);

/// How the ranks that read one file together combine 64-bit words, in place, the result on every rank. Empty functions
/// mean a single process.
struct Combine {
  std::function<void(std::uint64_t *words, std::size_t n)> exclusive_or;
  std::function<void(std::uint64_t *words, std::size_t n)> add;
};

/// Reads and checks the head of a file. Throws FileError. Collective over the ranks of `combine`: all return or all
/// throw.
GaugeFile inspect(const std::string &path, const Combine &combine = {});

/// Reads the links of the rank at `coord` in the process grid `grid`, which holds the sites coord[d] * local[d] up to
/// (coord[d] + 1) * local[d] - 1, into four arrays of 18 * (local volume) numbers each, and verifies checksums over all
/// ranks. Local extents must be even and local * grid must be the file's extents. Throws FileError and then leaves the
/// arrays with undefined content. Collective over the ranks of `combine`: all return or all throw.
void read_gauge(const GaugeFile &file, const int local[4], const int grid[4], const int coord[4],
                double *const links[4], const Combine &combine = {});

/// The same into arrays made here.
std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file, const int local[4], const int grid[4],
                                              const int coord[4], const Combine &combine = {});

/// The same for one process and the whole lattice.
std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file);

} // namespace quda_files
