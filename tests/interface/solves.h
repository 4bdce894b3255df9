#pragma once
/// What the tests of linear systems through the C interface share: links in the library and in the plain reference,
/// systems by their parameters, sources, and residuals by the reference.

#include "session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace test
{

using reference::Spinors;

constexpr double kappa = 0.13, tol = 1e-10;

struct Case {
  reference::GaugeField links;
  const reference::Lattice &lattice = links.lattice;
  reference::Part part; // what this rank holds
  reference::Wilson wilson;

  explicit Case(reference::GaugeField gauge, const reference::Coords &grid = {1, 1, 1, 1},
                const reference::Coords &coord = {0, 0, 0, 0})
      : links(std::move(gauge))
      , part(lattice, grid, coord)
      , wilson(links)
  {
    reference::set_up_links(links, 1, -1);
    load();
  }
  Case()
      : Case(reference::random_gauge(reference::Lattice({4, 4, 4, 6}), 41))
  {
  }
  Case(const Case &) = delete;

  void load() const
  {
    HostLinks<double> host(links, part, QUDA_QDP_GAUGE_ORDER);
    Storage storage {QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO, QUDA_QDP_GAUGE_ORDER, 1, -1};
    QudaGaugeParam param = gauge_param(part.local.X, storage);
    param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    param.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
    loadGaugeQuda(host.pointer(), &param);
  }

  std::vector<double> host(const Spinors &psi, int parity = -1) const
  {
    return reference::to_host<double>(psi, lattice, part, parity);
  }

  /// What the types of solution make of x; parity: -1 for both.
  Spinors applied(const Spinors &x, const QudaInvertParam &param) const
  {
    const bool dagger = param.dagger == QUDA_DAG_YES;
    const auto matrix = [&](const Spinors &in, bool adjoint) {
      return x.size() == lattice.volume() ? wilson.matrix(in, param.kappa, adjoint)
                                          : wilson.matrix_pc(param.matpc_type % 2, in, param.kappa, adjoint);
    };
    const bool normal =
        param.solution_type == QUDA_MATDAG_MAT_SOLUTION || param.solution_type == QUDA_MATPCDAG_MATPC_SOLUTION;
    const Spinors once = matrix(x, dagger);
    return normal ? matrix(once, !dagger) : once;
  }
};

inline QudaInvertParam solve_param(QudaInverterType inverter, QudaSolutionType solution, QudaSolveType solve,
                                   QudaPrecision sloppy = QUDA_SINGLE_PRECISION)
{
  QudaInvertParam param = wilson_param(QUDA_DOUBLE_PRECISION, kappa);
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec_sloppy = sloppy;
  param.inv_type = inverter;
  param.solution_type = solution;
  param.solve_type = solve;
  param.matpc_type = QUDA_MATPC_EVEN_EVEN;
  param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param.tol = tol;
  param.maxiter = 1000;
  param.reliable_delta = 0.1;
  param.gcrNkrylov = 16;
  param.verbosity = QUDA_SILENT;
  return param;
}

inline double norm(const Spinors &psi)
{
  double sum = 0;
  for (const reference::Spinor &s : psi) sum += s.squaredNorm();
  return std::sqrt(sum);
}

/// |b - A x| / |b| by the reference; norms of 1e150 and 1e-150 are as good as 1.
inline double residual(const Case &on, const Spinors &x, const Spinors &b, const QudaInvertParam &param)
{
  double largest = 0;
  for (const reference::Spinor &s : b) largest = std::max(largest, s.cwiseAbs().maxCoeff());
  Spinors r = on.applied(x, param), scaled = b;
  for (std::size_t i = 0; i < r.size(); i++) {
    scaled[i] = b[i] / largest;
    r[i] = (b[i] - r[i]) / largest;
  }
  return norm(r) / norm(scaled);
}

inline Spinors source_for(const Case &on, const QudaInvertParam &param, unsigned seed)
{
  const Spinors full = reference::random_spinors(on.lattice, seed);
  const bool pc = param.solution_type == QUDA_MATPC_SOLUTION || param.solution_type == QUDA_MATPCDAG_MATPC_SOLUTION;
  return pc ? reference::half_of(full, param.matpc_type % 2) : full;
}

/// What invertQuda makes of b, on all sites of this rank or on one parity.
inline std::vector<double> solved_here(const Case &on, const Spinors &b, QudaInvertParam &param,
                                       const Spinors *guess = nullptr)
{
  const bool full = b.size() == on.lattice.volume();
  const int parity = full ? -1 : param.matpc_type % 2;
  Spinors whole = b;
  if (!full) {
    whole.assign(on.lattice.volume(), reference::Spinor::Zero());
    std::copy(b.begin(), b.end(), whole.begin() + static_cast<std::ptrdiff_t>(parity * on.lattice.half()));
  }
  std::vector<double> in = on.host(whole, parity);
  const std::vector<double> before = in;
  std::vector<double> out(in.size(), std::numeric_limits<double>::quiet_NaN());
  if (guess) out = on.host(*guess, parity);
  invertQuda(out.data(), in.data(), &param);
  EXPECT_TRUE(same_bits(in, before)) << "the source was changed";
  return out;
}

inline Spinors solved(const Case &on, const Spinors &b, QudaInvertParam &param, const Spinors *guess = nullptr)
{
  return reference::from_host<double>(solved_here(on, b, param, guess), b.size() == on.lattice.volume());
}

} // namespace test
