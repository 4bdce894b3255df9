/// Files of quark fields as QIO writes them: one SciDAC record, whose site holds all fields one behind the other, each of
/// spins x colors complex numbers (of coarse grids two chiralities and any number of colors), big-endian; sites in lexicographic order, x fastest; SciDAC's checksums. A message of
/// our own follows, which other readers do not ask for: a record "libquda-eigenvectors" that says what the fields are.
/// Fields on the sites of one parity stand on a lattice of half the extent in x (site x / 2), or, inflated, on all
/// sites, the others zero.
/// In parts (QIO's volfmt 2) each rank has a file NAME.volNNNN of its own sites alone, their numbers in a record
/// "scidac-sitelist"; the first rank's has all other records, and the checksums of all parts together.
/// Errors: FileError. What a file says is checked against its size before anything is believed. Collective: no.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "files/bytes.h"

namespace quda_files
{

/// What is said about vectors beside their numbers.
struct VectorNote {
  std::array<int, 4> lattice = {};    // whose sites vectors are on, or half of them
  std::string boundary, sites, basis; // fermions' in t; "all", "even" or "odd"; of spins
  std::string matrix;                 // whose eigenvectors they are
  std::vector<std::complex<double>> values;
};

struct VectorFile {
  std::string path;
  std::array<int, 4> dims = {}; // of the record
  int precision = 8;            // bytes of a number
  int spins = 4, colors = 3;
  int count = 0; // of fields
  std::uint64_t data_offset = 0;
  bool part = false;                        // of several
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
  /// Sites in the file, and the number of one of them.
  std::uint64_t sites_here() const { return part ? part_sites.size() : sites(); }
  std::uint64_t site(std::uint64_t i) const { return part ? part_sites[i] : i; }
  std::uint64_t data_bytes() const { return sites_here() * site_bytes(); }
};

/// The name of a rank's part.
std::string name_of_part(const std::string &name, int rank);

/// The head of a file and what follows its numbers; of the first part, where it is one.
VectorFile inspect_vectors(const std::string &path, bool part = false);
/// Sites and place of the numbers of another part, of which path, lattice and what a site has are known.
void inspect_part(VectorFile &file);

/// What stands before and after the numbers of a new file. first: it is the whole, or the first part.
std::string head_of(const VectorFile &file, const std::string &date, bool first = true);
std::string tail_of(const VectorFile &file, bool first = true);

} // namespace quda_files
