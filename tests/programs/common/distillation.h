/// Distillation by the library: Laplace eigenvectors of each time slice, perambulators between them, elementals.
#pragma once

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "files/perambulator_file.h"
#include "programs/common/host_gauge.h"
#include "programs/common/process.h"

namespace program
{

/// What is asked for beside the operator and its solves.
struct DistillationWish {
  int vectors = 8;      // of a slice
  int space = 0;        // vectors of the Krylov space; 0: chosen
  double tol = 1e-10;   // of eigenvalues
  int restarts = 1000;  //
  int smear_steps = 2;  // stout, in space
  double rho = 0.1;     //
  int sources = 1;      // time slices with sources, evenly spaced
  int first_source = 0; // of them
};

/// Colour vectors of this process, (parity, x_cb, color, re/im), each slice of unit norm.
using ColorShares = std::vector<std::vector<double>>;

/// Low modes of Laplace's operator on the smeared links, which become resident; where all of a slice are wanted, half of
/// them from each end of the spectrum. values: (t, vector), of minus the operator. Collective.
struct LaplaceModes {
  ColorShares vectors;
  std::vector<double> values;
};
LaplaceModes laplace_modes(const HostGauge &gauge, const Options &options, const DistillationWish &wish);

/// What the vectors are, in words.
std::string modes_text(const DistillationWish &wish);

/// SciDAC's checksums of vectors, the same for any process grid. Collective.
std::array<std::uint32_t, 2> checksums(const Process &process, const HostGauge &gauge, const ColorShares &vectors);

/// Perambulators from the slices of the wish to all, a slice's columns solved at once. param: operator, solver,
/// tolerance. Collective.
struct Perambulated {
  quda_files::Perambulators all;
  double solve_seconds = 0, project_seconds = 0;
  int iterations = 0;
  bool converged = true;
};
Perambulated perambulators(const Process &process, const HostGauge &gauge, const Options &options,
                           const DistillationWish &wish, const ColorShares &vectors, const QudaInvertParam &param);

/// (path, mode, t, i, j) of laphElementalsQuda(), displacements along the links that modes were made on. Collective.
std::vector<std::complex<double>> elementals(const HostGauge &gauge, const Options &options,
                                             const DistillationWish &wish, const ColorShares &vectors,
                                             const std::vector<std::vector<int>> &paths,
                                             const std::vector<std::array<int, 3>> &modes);

} // namespace program
