/// Files of quark fields in QIO's format: one SciDAC record, whose sites hold all fields one after the other, each of
/// spins x colors complex numbers (on coarse grids two chiralities and any number of colors), big-endian; sites in
/// lexicographic order, x fastest; SciDAC's checksums. A further message, "libquda-eigenvectors", describes the fields.
/// Fields on the sites of one parity stand on a lattice of half the extent in x (site x / 2), or, inflated, on all
/// sites, the others zero.
/// In parts (QIO's volfmt 2) each rank has a file NAME.volNNNN of its own sites only, their numbers in a record
/// "scidac-sitelist"; the first rank's has all other records, and the checksums of all parts together.
/// Errors: FileError. All numbers of a file are checked against its size before use. Collective: no.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "files/bytes.h"

namespace quda_files
{

/// Description of the vectors in the file.
struct VectorNote {
  std::array<int, 4> lattice = {};    // the vectors live on its sites, or on half of them
  std::string boundary, sites, basis; // of the fermions in t; "all", "even" or "odd"; of the spins
  std::string matrix;                 // whose eigenvectors they are
  std::vector<std::complex<double>> values;
};

struct VectorFile {
  std::string path;
  std::array<int, 4> dims = {}; // of the record
  int precision = 8;            // bytes of a number
  int spins = 4, colors = 3;
  int count = 0; // of the fields
  std::uint64_t data_offset = 0;
  bool part = false;                        // one of several
  std::vector<std::uint64_t> part_sites {}; // of the record's lattice, in the part's order
  std::array<std::uint32_t, 2> sums = {};
  bool noted = false; // whether there is a note
  VectorNote note {};

  std::uint64_t sites() const
  {
    std::uint64_t all = 1;
    for (int extent : dims) all *= static_cast<std::uint64_t>(extent);
    return all;
  }
  std::uint64_t site_bytes() const
  {
    return 2 * static_cast<std::uint64_t>(spins) * static_cast<std::uint64_t>(colors) *
           static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(precision);
  }
  /// Sites in the file, and the lattice number of the i-th.
  std::uint64_t sites_here() const { return part ? part_sites.size() : sites(); }
  std::uint64_t site(std::uint64_t i) const { return part ? part_sites[i] : i; }
  std::uint64_t data_bytes() const { return sites_here() * site_bytes(); }
};

/// The name of a rank's part.
std::string name_of_part(const std::string &name, int rank);

/// The head of a file and the records after its numbers; from the first part, if there are parts.
VectorFile inspect_vectors(const std::string &path, bool part = false);
/// Sites and place of the numbers of another part, whose path, lattice and record format are known.
void inspect_part(VectorFile &file);

/// The bytes before and after the numbers of a new file. first: it is the whole file, or the first part.
std::string head_of(const VectorFile &file, const std::string &date, bool first = true);
std::string tail_of(const VectorFile &file, bool first = true);

} // namespace quda_files
