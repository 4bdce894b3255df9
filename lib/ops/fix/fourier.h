#pragma once
/// The Fourier filter of gauge fixing: a field of complex numbers becomes
///   F^-1 [ 4 / S(k) F[field] ],   S(k) = sum over d < directions of sin^2(pi k_d / X_d),   0 where S vanishes,
/// F over those directions of the global lattice; on any grid of ranks, with lines redistributed for each direction.
/// Transforms by FFTW, in double, each line separately: the bits do not depend on the grid.
/// Errors: not_built if the library was built without FFTW.

#include <complex>
#include <memory>
#include <vector>

#include "fields/lattice.h"

namespace quda
{

/// Refuses, naming `function`, if FFTW was left out of the build. Collective: no.
void check_fourier(const char *function);

class FourierFilter
{
public:
  FourierFilter(std::shared_ptr<const Lattice> lattice, int directions, int components);
  ~FourierFilter();

  /// data: (parity, x_cb, component) of the rank's sites, on the host. Collective.
  void apply(std::complex<double> *data);

private:
  struct Lines;

  std::shared_ptr<const Lattice> lattice_;
  int directions_, components_;
  std::vector<std::unique_ptr<Lines>> lines_; // of each direction
};

} // namespace quda
