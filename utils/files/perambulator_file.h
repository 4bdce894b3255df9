/// Files of perambulators, V^dag(t) M^-1 V(t0) between colour vectors V, with spins of sinks and sources open: a message
/// of LIME records of our own,
///   libquda-perambulators      : XML; lattice, boundary of the links in t, operator, what the vectors are and their
///                                checksums, their number, time slices of the sources, residual of the solves
///   libquda-perambulator-data  : (t0, vector, spin of the source; vector, t, spin of the sink) complex numbers in
///                                double precision, big-endian, sources outermost; DeGrand-Rossi basis
///   scidac-checksum            : SciDAC's, of a source's bytes in place of a site's
/// Writing: next to the target, whose place the file takes when it is whole on the disk.
/// Errors: FileError. A file's head is checked against its size before it is trusted. Collective: no.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "files/bytes.h"

namespace quda_files
{

struct Perambulators {
  std::array<int, 4> lattice = {};
  std::string boundary;                          // of the links in t
  std::string matrix;                            // M
  std::string vectors;                           // description of V
  std::array<std::uint32_t, 2> vector_sums = {}; // SciDAC's checksums of them, a site's vectors one after the other
  int n_vectors = 0;
  double residual = 0;      // |b - M x| / |b| of the worst source
  std::vector<int> sources; // t0
  std::vector<std::complex<double>> numbers {};

  /// Size of one source's numbers, and number of sources.
  std::size_t of_source() const
  {
    return 4 * static_cast<std::size_t>(n_vectors) * static_cast<std::size_t>(lattice[3]);
  }
  std::size_t columns() const { return 4 * static_cast<std::size_t>(n_vectors) * sources.size(); }

  /// t0: index among the sources.
  const std::complex<double> &at(std::size_t t0, int source, int source_spin, int sink, int t, int sink_spin) const
  {
    const auto n = static_cast<std::size_t>(n_vectors), T = static_cast<std::size_t>(lattice[3]);
    const std::size_t column = (t0 * n + static_cast<std::size_t>(source)) * 4 + static_cast<std::size_t>(source_spin);
    return numbers[((column * n + static_cast<std::size_t>(sink)) * T + static_cast<std::size_t>(t)) * 4 +
                   static_cast<std::size_t>(sink_spin)];
  }
};

/// Adds a site of the whole lattice, by its lexicographic number, to SciDAC's checksums of the vectors; those of
/// several processes are combined by exclusive or.
void add_site(std::array<std::uint32_t, 2> &vector_sums, std::uint64_t site, const std::vector<double> &numbers);

void write_perambulators(const std::string &path, const Perambulators &all);
Perambulators read_perambulators(const std::string &path);

} // namespace quda_files
