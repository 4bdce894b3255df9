// Distillation from links to correlators: Laplace eigenvectors on smeared links, perambulators and their file,
// elementals, and what pions, rhos and two pions are made of them. On a small lattice everything is compared with the
// plain reference: with all vectors of a time slice correlators are those of the whole propagator.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include <quda_ext.h>

#include "files/perambulator_file.h"
#include "programs/common/correlators.h"
#include "programs/common/distillation.h"
#include "programs/common/plain_operator.h"
#include "programs/common/quarks.h"
#include "reference/contract/distillation.h"
#include "reference/smear/stout.h"

namespace
{

using namespace program;
using quda_files::Perambulators;
using reference::Complex;
using Vectors = std::vector<reference::SpinVectors<1>>; // of the whole lattice

constexpr std::size_t largest_dense = 1600; // rows of a matrix on the whole lattice
const std::vector<std::vector<int>> paths = {{}, {QUDA_DISPLACEMENT_DERIVATIVE_Z}};
const std::vector<std::array<int, 3>> modes = {{0, 0, 0}, {0, 0, 1}};

/// All that a run computes.
struct Distilled {
  LaplaceModes low;
  Perambulated tau;
  std::vector<Complex> elementals; // (path, mode, t, i, j)
};

// ---- from vectors ----

Matrix elemental(const Distilled &found, std::size_t path, std::size_t mode, int t)
{
  const Perambulators &tau = found.tau.all;
  const auto n = static_cast<std::size_t>(tau.n_vectors), T = static_cast<std::size_t>(tau.lattice[3]);
  using Rows = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(
      &found.elementals[((path * modes.size() + mode) * T + static_cast<std::size_t>(t)) * n * n], tau.n_vectors,
      tau.n_vectors);
}

SliceMatrices slice_of(const Distilled &found, int t)
{
  return {elemental(found, 0, 0, t), elemental(found, 0, 1, t), elemental(found, 1, 0, t)};
}

/// From source slice number t0 to t.
Matrix perambulator(const Perambulators &tau, std::size_t t0, int t)
{
  const int n = tau.n_vectors;
  Matrix all(4 * n, 4 * n);
  for (int s = 0; s < 4; s++)
    for (int i = 0; i < n; i++)
      for (int r = 0; r < 4; r++)
        for (int j = 0; j < n; j++) all(s * n + i, r * n + j) = tau.at(t0, j, r, i, t, s);
  return all;
}

// ---- from the whole lattice, by the plain reference ----

/// Sites of a slice, x fastest.
class Slices
{
public:
  explicit Slices(const reference::Lattice &lattice)
      : lattice_(lattice)
      , sites_(lattice.volume() / static_cast<std::size_t>(lattice.X[3]))
  {
  }
  std::size_t states() const { return 3 * sites_; }
  std::size_t slot(std::size_t site, int t) const
  {
    const auto x = static_cast<int>(site), X = lattice_.X[0], Y = lattice_.X[1];
    return lattice_.slot({x % X, x / X % Y, x / X / Y, t});
  }

private:
  const reference::Lattice &lattice_;
  std::size_t sites_;
};

class WholeLattice
{
public:
  WholeLattice(const HostGauge &gauge, const Options &options, const DistillationWish &wish)
      : lattice_(gauge.global())
      , slices_(lattice_)
      , smeared_(gauge.reference_field())
      , plain_(gauge, options)
  {
    for (int i = 0; i < wish.smear_steps; i++)
      smeared_ = reference::stout(smeared_, reference::stout_weights(wish.rho), {true, true, true, false});
    if (!small()) return;
    const std::size_t rows = 12 * lattice_.volume();
    Matrix M(rows, rows);
    for (std::size_t column = 0; column < rows; column++) {
      reference::Spinors one(lattice_.volume(), reference::Spinor::Zero());
      one[column / 12].data()[column % 12] = 1;
      const reference::Spinors image = plain_.apply(false, one);
      for (std::size_t row = 0; row < rows; row++)
        M(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = image[row / 12].data()[row % 12];
    }
    inverse_ = (plain_.normalisation(false) * M).partialPivLu().inverse();
  }

  bool small() const { return 12 * lattice_.volume() <= largest_dense; }
  const reference::GaugeField &smeared() const { return smeared_; }

  /// Between all states of two slices.
  Matrix propagator(int t0, int t) const
  {
    const std::size_t n = slices_.states();
    Matrix all(4 * n, 4 * n);
    for (std::size_t row = 0; row < 4 * n; row++)
      for (std::size_t column = 0; column < 4 * n; column++)
        all(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
            inverse_(number(row, t), number(column, t0));
    return all;
  }

  SliceMatrices slice_of(int t) const
  {
    const auto n = static_cast<Eigen::Index>(slices_.states());
    SliceMatrices all {Matrix::Identity(n, n), Matrix::Zero(n, n), Matrix::Zero(n, n)};
    for (Eigen::Index column = 0; column < n; column++) {
      reference::SpinVectors<1> v(lattice_.volume(), reference::SpinVector<1>::Zero());
      const std::size_t slot = slices_.slot(static_cast<std::size_t>(column / 3), t);
      v[slot](0, column % 3) = 1;
      all.wave(column, column) = std::polar(1.0, -2 * M_PI * lattice_.coords(slot)[2] / lattice_.X[2]);
      const reference::SpinVectors<1> carried = derivative(v);
      for (Eigen::Index row = 0; row < n; row++)
        all.derivative(row, column) = carried[slices_.slot(static_cast<std::size_t>(row / 3), t)](0, row % 3);
    }
    return all;
  }

  reference::SpinVectors<1> derivative(const reference::SpinVectors<1> &v) const
  {
    return reference::combined<1>(0.5, reference::carried<1>(smeared_, v, 2, 1), -0.5,
                                  reference::carried<1>(smeared_, v, 2, -1));
  }

  /// Vectors of a slice as columns.
  Matrix columns(const Vectors &vectors, int t) const
  {
    const auto n = static_cast<Eigen::Index>(slices_.states());
    Matrix all(n, static_cast<Eigen::Index>(vectors.size()));
    for (Eigen::Index i = 0; i < all.cols(); i++)
      for (Eigen::Index row = 0; row < n; row++)
        all(row, i) =
            vectors[static_cast<std::size_t>(i)][slices_.slot(static_cast<std::size_t>(row / 3), t)](0, row % 3);
    return all;
  }

private:
  /// Row of the whole matrix of (spin, site, colour) of a slice.
  Eigen::Index number(std::size_t row, int t) const
  {
    const std::size_t n = slices_.states(), spin = row / n, site = row % n / 3, colour = row % 3;
    return static_cast<Eigen::Index>(12 * slices_.slot(site, t) + 3 * spin + colour);
  }

  const reference::Lattice &lattice_;
  Slices slices_;
  reference::GaugeField smeared_;
  PlainOperator plain_;
  Matrix inverse_;
};

Vectors whole(const Process &process, const HostGauge &gauge, const ColorShares &shares)
{
  Vectors all;
  for (const std::vector<double> &share : shares) {
    std::vector<double> four(4 * share.size(), 0);
    for (std::size_t i = 0; i < share.size(); i++) four[24 * (i / 6) + i % 6] = share[i];
    all.push_back(reference::spins_of<1>(gathered(process, gauge, four)));
  }
  return all;
}

// ---- comparison ----

/// The largest difference in units of the root mean square.
class Deviation
{
public:
  void add(Complex found, Complex right)
  {
    const double here = std::abs(found - right);
    if (!(here <= largest_)) largest_ = here;
    squares_ += std::norm(right);
    count_++;
  }
  void add(const Matrix &found, const Matrix &right)
  {
    for (Eigen::Index i = 0; i < right.size(); i++) add(found.data()[i], right.data()[i]);
  }
  double relative() const { return count_ > 0 ? largest_ / std::sqrt(squares_ / static_cast<double>(count_)) : NAN; }

private:
  double largest_ = 0, squares_ = 0;
  std::size_t count_ = 0;
};

class Verdict
{
public:
  explicit Verdict(const Process &process)
      : process_(process)
  {
  }
  void judge(const char *what, double found, double allowed)
  {
    found = process_.max(found);
    const bool fits = found <= allowed;
    say(process_, "%s: %s: %.2e, allowed %.0e\n", fits ? "good" : "FAILED", what, found, allowed);
    good_ = good_ && fits;
  }
  bool good() const { return good_; }

private:
  const Process &process_;
  bool good_ = true;
};

bool same(const Perambulators &a, const Perambulators &b)
{
  return a.lattice == b.lattice && a.boundary == b.boundary && a.matrix == b.matrix && a.vectors == b.vectors &&
         a.vector_sums == b.vector_sums && a.n_vectors == b.n_vectors && a.residual == b.residual &&
         a.sources == b.sources && a.numbers.size() == b.numbers.size() &&
         std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(Complex)) == 0;
}

void verify(const Process &process, const HostGauge &gauge, const Options &options, const DistillationWish &wish,
            const Distilled &found, Verdict &verdict)
{
  const bool wide = options.prec == QUDA_DOUBLE_PRECISION;
  const double rounding = wide ? 1e-12 : 1e-4, solved = 1000 * options.tol;
  const Perambulators &tau = found.tau.all;
  const int T = tau.lattice[3], n = tau.n_vectors;
  const WholeLattice right(gauge, options, wish);
  const Vectors vectors = whole(process, gauge, found.low.vectors);
  {
    Vectors derivatives;
    for (const auto &v : vectors) derivatives.push_back(right.derivative(v));
    Deviation all;
    for (const Vectors *const of_path : {&vectors, static_cast<const Vectors *>(&derivatives)}) {
      const auto expected = reference::elementals(vectors, *of_path, modes, gauge.global());
      const std::size_t at = of_path == &vectors ? 0 : expected.size();
      for (std::size_t i = 0; i < expected.size(); i++) all.add(found.elementals[at + i], expected[i]);
    }
    verdict.judge("elementals against the plain reference", all.relative(), rounding);
  }
  Deviation unit;
  for (int t = 0; t < T; t++) unit.add(elemental(found, 0, 0, t), Matrix::Identity(n, n));
  verdict.judge("products of vectors of a time slice", unit.relative(), 100 * wish.tol);
  if (!right.small()) return say(process, "perambulators are not compared: the lattice is too large\n");

  const bool complete = static_cast<std::size_t>(n) * static_cast<std::size_t>(T) == 3 * gauge.global().volume();
  Deviation projected, pion;
  std::array<Deviation, channels.size()> of_channel;
  for (std::size_t k = 0; k < tau.sources.size(); k++) {
    const int t0 = tau.sources[k];
    const Matrix V0 = right.columns(vectors, t0);
    for (int t = 0; t < T; t++) {
      const Matrix S = right.propagator(t0, t), V = right.columns(vectors, t), from = perambulator(tau, k, t);
      Matrix between(4 * n, 4 * n);
      const Eigen::Index states = V.rows();
      for (Eigen::Index s = 0; s < 4; s++)
        for (Eigen::Index r = 0; r < 4; r++)
          between.block(s * n, r * n, n, n) = V.adjoint() * S.block(s * states, r * states, states, states) * V0;
      projected.add(from, between);
      if (!complete) continue;
      const auto distilled = correlators(from, slice_of(found, t), slice_of(found, t0)),
                 direct = correlators(S, right.slice_of(t), right.slice_of(t0));
      for (std::size_t c = 0; c < channels.size(); c++) of_channel[c].add(distilled[c], direct[c]);
      pion.add(distilled[0], S.squaredNorm());
    }
  }
  verdict.judge("perambulators against the plain reference", projected.relative(), solved);
  if (!complete) return;
  for (std::size_t c = 0; c < channels.size(); c++)
    verdict.judge((channels[c] + ", against the whole propagator").c_str(), of_channel[c].relative(), solved);
  verdict.judge("pion, against the sum of |S|^2", pion.relative(), solved);
}

// ---- the run ----

double seconds_since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run(const Process &process, Options &options, const DistillationWish &wish, const std::string &file)
{
  if (options.dslash_type != QUDA_WILSON_DSLASH && options.dslash_type != QUDA_CLOVER_WILSON_DSLASH)
    throw UsageError("--dslash-type: wilson and clover, whose adjoint is gamma5 M gamma5");
  if (options.dagger) throw UsageError("--dagger: perambulators are those of M");
  if (options.tol < 0) options.tol = options.prec == QUDA_DOUBLE_PRECISION ? 1e-12 : 1e-6;
  complete_operator(options);
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  if (wish.sources > X[3]) throw UsageError("--time-sources: the lattice has " + std::to_string(X[3]) + " slices");
  say(process, "perambulator_test: %s, %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision\n",
      name(options.dslash_type), X[0], X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2],
      options.grid[3], name(options.prec));
  say(process, "links: %s\n%s\n%s\n", gauge.source(), operator_text(options).c_str(), modes_text(wish).c_str());
  start_library(options);
  gauge.load();
  load_clover(gauge, options);

  Distilled found;
  auto start = std::chrono::steady_clock::now();
  found.low = laplace_modes(gauge, options, wish);
  say(process, "vectors: %.4g s; eigenvalues of slice 0 from %.10g to %.10g\n", seconds_since(start),
      found.low.values[0], found.low.values[static_cast<std::size_t>(wish.vectors - 1)]);
  QudaInvertParam solve = invert_param(options);
  solve.solution_type = QUDA_MAT_SOLUTION;
  solve.solve_type = options.solve_type;
  solve.tol = options.tol;
  solve.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  solve.maxiter = options.niter;
  solve.reliable_delta = options.reliable_delta;
  solve.gcrNkrylov = options.gcr_nkrylov;
  solve.omega = options.omega;
  found.tau = perambulators(process, gauge, options, wish, found.low.vectors, solve);
  const Perambulators &tau = found.tau.all;
  say(process, "perambulators: %zu columns, %d iterations, %.4g s; sinks %.4g s; residuals up to %.3g\n", tau.columns(),
      found.tau.iterations, found.tau.solve_seconds, found.tau.project_seconds, tau.residual);
  start = std::chrono::steady_clock::now();
  found.elementals = elementals(gauge, options, wish, found.low.vectors, paths, modes);
  say(process, "elementals: %zu displacements, %zu momenta, %.4g s\n", paths.size(), modes.size(),
      seconds_since(start));
  freeCloverQuda();
  freeGaugeQuda();
  endQuda();

  Verdict verdict(process);
  if (!file.empty()) {
    if (process.rank() == 0) quda_files::write_perambulators(file, tau);
    process.barrier();
    verdict.judge("difference of what the file gives back", same(quda_files::read_perambulators(file), tau) ? 0 : 1, 0);
  }
  say(process, "source  t  ");
  for (const std::string &channel : channels) say(process, "  %-22s", channel.c_str());
  say(process, "\n");
  for (std::size_t k = 0; k < tau.sources.size(); k++)
    for (int t = 0; t < X[3]; t++) {
      const auto all = correlators(perambulator(tau, k, t), slice_of(found, t), slice_of(found, tau.sources[k]));
      say(process, "%6d %2d  ", tau.sources[k], (t - tau.sources[k] + X[3]) % X[3]);
      for (const Complex &one : all) say(process, "  %+.15e", one.real());
      say(process, "\n");
    }
  if (!found.tau.converged) say(process, "FAILED: not converged within --niter %d\n", options.niter);
  if (!options.verify) return found.tau.converged ? 0 : 1;
  verify(process, gauge, options, wish, found, verdict);
  say(process, "%s: distillation against the plain reference\n", verdict.good() ? "PASSED" : "FAILED");
  return verdict.good() && found.tau.converged ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Laplace eigenvectors, perambulators and elementals of distillation, and correlators of mesons");
    Options options;
    options.niter = 1000;
    add_common_options(line, options, "Most iterations of a solve");
    add_dirac_options(line, options);
    line.add("--tol", options.tol, "Wanted |residual| / |source| [1e-12, with --prec single 1e-6]", not_negative);
    line.add("--nsrc-tile", options.nsrc_tile, "Sources solved at once [all of a time slice, at most 128]",
             {1, QUDA_MAX_MULTI_SRC});
    DistillationWish wish;
    std::string file;
    line.add("--eig-n-conv", wish.vectors, "Vectors of a time slice", {1, 65536});
    line.add("--eig-n-kr", wish.space, "Vectors of the Krylov space [twice as many as are sought]", {2, 100000});
    line.add("--eig-tol", wish.tol, "Wanted residual of eigenvectors, over the eigenvalue", not_negative);
    line.add("--eig-max-restarts", wish.restarts, "Most restarts", {0, 1000000});
    line.add("--su3-smear-steps", wish.smear_steps, "Steps of stout smearing in space", not_negative);
    line.add("--su3-smear-rho,--su3-stout-rho", wish.rho, "Weight of the staples");
    line.add("--time-sources", wish.sources, "Time slices with sources, evenly spaced", {1, 32768});
    line.add("--first-source", wish.first_source, "The first of them", not_negative);
    line.add("--save-perambulators", file, "File that the perambulators are written to [none]");
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, options, wish, file) : code;
  });
}
