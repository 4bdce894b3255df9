#pragma once
/// Solves that hierarchies precondition, and what is true of their ends.

#include <optional>

#include "dirac/dirac_checks.h"
#include "multigrid/multigrid.h"
#include "solvers/dirac_solver.h"

namespace hierarchy_solves
{

/// GCR in single within double precision.
inline quda::DiracSolve gcr(quda::Multigrid *multigrid = nullptr,
                            std::optional<quda::MatPC> prepared = quda::MatPC::even_even, double tolerance = 1e-10)
{
  quda::DiracSolve how;
  how.prepared = prepared;
  how.method = quda::Method::gcr;
  how.options.krylov = 16;
  how.sloppy = quda::LinkStorage {quda::Precision::single, quda::Reconstruct::none};
  how.tolerance.relative = tolerance;
  how.limits = {.iterations = 1000, .reliable_delta = 1e-4};
  how.preconditioner = multigrid;
  return how;
}

/// |b - M x| / |b|, by the operator itself.
inline double residual(const quda::Dirac &dirac, const quda::ColorSpinorField &x, const quda::ColorSpinorField &b)
{
  quda::ColorSpinorField Mx(b.param());
  (*dirac.full())(Mx, x);
  return dirac_test::deviation(Mx, b);
}

/// A solution that meets its tolerance.
inline quda::SolveReport solved(const quda::Dirac &dirac, const quda::DiracSolve &how, quda::ColorSpinorField &x,
                                const quda::ColorSpinorField &b)
{
  const quda::SolveReport report = solve(dirac, how, x, b);
  EXPECT_TRUE(report.converged());
  return report;
}

} // namespace hierarchy_solves
