/// SU(3) gauge configurations in files: MILC's own format, SciDAC / ILDG in LIME records, and the NERSC archive's.
///
/// Reading: the format is recognised from the content, never from the name. Checksums are verified where the file has
/// them, also NERSC's plaquette and link trace, and a damaged file is refused with the reason: nothing in a file is
/// trusted before it was checked against the file's size.
///
/// Writing: into a temporary file next to the target, which takes the target's name when every rank has written its
/// part to disk. Until then the target stays unchanged, even if the disk is full or the job is killed. MILC's formats
/// before version 5 can only be read.
///
/// On N ranks every rank opens the file and reads or writes only its own part; agreement among ranks (checksums,
/// failures) goes through the two functions of Combine, so that nothing here needs MPI. With MPI, `gauge_file_mpi.h`
/// makes a Combine from a communicator.
///
/// Links stand in memory in QUDA's QDP order in double precision: four arrays, each (parity 2, x_cb, row 3, column 3,
/// re/im), with parity and x_cb counted in the local lattice. They are the file's numbers: nothing is scaled, no
/// boundary sign is put in or taken out, and single-precision links are not made unitary. A third row that a file does
/// not store is computed from the other two, the complex conjugate of their vector product, in double precision.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "files/bytes.h"

namespace quda_files
{

/// milc_v1: versions 1 to 4.
enum class Format { milc_v5, milc_v1, milc_1996, ildg, scidac, nersc };
const char *name(Format format);

enum class ChecksumKind { none, milc, scidac, nersc };
const char *name(ChecksumKind kind);

/// Description of a file from its head, checked against the file's size.
struct GaugeFile {
  std::string path;
  Format format = Format::milc_v5;
  std::array<int, 4> dims = {};               // global extents x y z t
  int precision = 0;                          // bytes of one real number: 4 or 8
  int rows = 3;                               // stored rows of a link: 3, or 2 (NERSC)
  bool big_endian = true;                     // byte order of the links
  bool order_known = true;                    // false: NERSC's "IEEE32", "IEEE64": checksum or links tell the order
  std::uint64_t file_bytes = 0;               //
  std::uint64_t data_offset = 0;              // where the links begin
  std::uint64_t data_bytes = 0;               //
  ChecksumKind checksum = ChecksumKind::none; //
  std::array<std::uint32_t, 2> stored = {};   // milc: sum29, sum31; scidac: suma, sumb; nersc: the sum and 0
  std::optional<double> plaquette;            // nersc: mean of Re tr / 3 over sites and planes
  std::optional<double> link_trace;           // nersc: mean of Re tr / 3 over sites and directions
  std::string stamp;                          // the writer's date, as far as it is printable
};

/// One line for users: format, extents, precision, checksums.
std::string describe(const GaugeFile &file);

/// Combination of 64-bit words over the ranks that read or write one file, in place, with the result on every rank.
/// Empty functions mean a single process.
struct Combine {
  std::function<void(std::uint64_t *words, std::size_t n)> exclusive_or;
  std::function<void(std::uint64_t *words, std::size_t n)> add;
};

/// Reaction to a wrong checksum: without a function the file is refused; a function gets the refusal's text, with both
/// checksums, on every rank, and the links are read as they are.
using WrongChecksum = std::function<void(const std::string &text)>;

/// Reads and checks the head of a file. Throws FileError. Collective over the ranks of `combine`: all return or all
/// throw.
GaugeFile inspect(const std::string &path, const Combine &combine = {});

/// Reads the links of the rank at `coord` in the process grid `grid`, which holds the sites coord[d] * local[d] up to
/// (coord[d] + 1) * local[d] - 1, into four arrays of 18 * (local volume) numbers each, and verifies checksums over all
/// ranks. Local extents must be even and local * grid must be the file's extents. Throws FileError and then leaves the
/// arrays with undefined content. Collective over the ranks of `combine`: all return or all throw.
void read_gauge(const GaugeFile &file, const int local[4], const int grid[4], const int coord[4],
                double *const links[4], const Combine &combine = {}, const WrongChecksum &wrong_checksum = {});

/// The same into new arrays.
std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file, const int local[4], const int grid[4],
                                              const int coord[4], const Combine &combine = {},
                                              const WrongChecksum &wrong_checksum = {});

/// The same for one process and the whole lattice.
std::array<std::vector<double>, 4> read_gauge(const GaugeFile &file, const WrongChecksum &wrong_checksum = {});

/// Properties of a new file.
struct WriteOptions {
  Format format = Format::ildg;
  int precision = 8; // bytes of a real number: 4 or 8; MILC v5 knows 4 only
  int rows = 3;      // stored rows of a link: 3, or 2 with NERSC, for links in SU(3)
  std::string label; // free text of one line (LIME: the title in the user's XML; NERSC: ENSEMBLE_LABEL; MILC: none)
  std::string date;  // of one line; empty: the time now
};

/// Writes a configuration on the lattice local * grid, each rank the sites that read_gauge would read there. The bytes
/// do not depend on the process grid: ILDG, SciDAC and NERSC are big-endian, MILC v5 little-endian. In single precision
/// the numbers are rounded to the nearest. NERSC's plaquette and link trace are those of the stored numbers (which
/// takes memory for one more copy of the local links).
///
/// Every rank must pass the same path and options, and all ranks must see one file system. The target is replaced in
/// one step at the end; until then the new file stands beside it, its name that of the target and a tail ending in
/// ".part", which only a killed job leaves behind. A symbolic link of the target's name is replaced, not followed.
/// Throws FileError, with the target as it was and the temporary file removed, for what cannot be written (numbers that
/// are infinite or too large for the precision; links outside SU(3) by more than 1e-5 where the third row is left out)
/// and for whatever goes wrong on any rank. Collective over the ranks of `combine`: all return or all throw.
void write_gauge(const std::string &path, const WriteOptions &options, const int local[4], const int grid[4],
                 const int coord[4], const double *const links[4], const Combine &combine = {});

/// The same for one process and the whole lattice.
void write_gauge(const std::string &path, const WriteOptions &options, const int dims[4], const double *const links[4]);

} // namespace quda_files
