#pragma once
/// Hard cases of linear systems: what is asked for, and how it must end.

#include "gauge_file.h"
#include "reference/test_data.h"
#include "solves.h"

#include <functional>
#include <optional>
#include <string>

namespace test
{

struct Problem {
  QudaInvertParam param;
  reference::GaugeField links;
  Spinors b;
  std::optional<Spinors> guess {};
};

enum class Ending {
  converged,
  not_converged, // the call returns, iter is no less than maxiter
  either,        // and iter tells which
  load_refused,  // by loadGaugeQuda
  refused        // by invertQuda
};

struct HardSolve {
  const char *name;
  std::function<void(Problem &)> change; // from a system that converges
  Ending ending;
  const char *words; // the line, or the error, says so
};

inline void multiply(Spinors &psi, double factor)
{
  for (reference::Spinor &s : psi) s *= factor;
}

/// 4 4 4 8 at beta 6.0, where kappa is critical near 0.157.
inline reference::GaugeField quenched_links()
{
  const quda_files::GaugeFile file = quda_files::inspect(reference::own_data("beta6_4448.ildg"));
  return reference::from_qdp<double>(reference::Lattice(file.dims), quda_files::read_gauge(file));
}

inline Problem ordinary_problem()
{
  const reference::Lattice lattice({4, 4, 4, 8});
  return {solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE),
          reference::random_gauge(lattice, 41), reference::random_spinors(lattice, 17)};
}

inline std::vector<HardSolve> hard_solves()
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto beyond = [](QudaInverterType inverter, QudaSolveType solve) {
    return [=](Problem &p) {
      p.links = quenched_links();
      p.param = solve_param(inverter, QUDA_MAT_SOLUTION, solve);
      p.param.kappa = 0.165;
      p.param.maxiter = 150;
    };
  };
  return {
      {"nothing hard", [](Problem &) {}, Ending::converged, "1 of 1 right-hand sides converged"},
      {"zero source", [](Problem &p) { multiply(p.b, 0); }, Ending::converged, "source 0 is zero"},
      {"norm 1e150", [](Problem &p) { multiply(p.b, 1e149); }, Ending::converged, "1 of 1"},
      {"norm 1e-150", [](Problem &p) { multiply(p.b, 1e-151); }, Ending::converged, "1 of 1"},
      {"subnormal source", [](Problem &p) { multiply(p.b, 1e-310); }, Ending::converged, "1 of 1"},
      {"on odd sites only", [](Problem &p) { std::fill_n(p.b.begin(), p.b.size() / 2, reference::Spinor::Zero()); },
       Ending::converged, "1 of 1"},
      {"on even sites only",
       [](Problem &p) { std::fill_n(p.b.begin() + p.b.size() / 2, p.b.size() / 2, reference::Spinor::Zero()); },
       Ending::converged, "1 of 1"},
      {"one number",
       [](Problem &p) {
         multiply(p.b, 0);
         p.b[5](2, 1) = 1;
       },
       Ending::converged, "1 of 1"},
      {"beyond the critical kappa, BiCGstab", beyond(QUDA_BICGSTAB_INVERTER, QUDA_DIRECT_PC_SOLVE), Ending::either, ""},
      {"beyond the critical kappa, CG", beyond(QUDA_CG_INVERTER, QUDA_NORMOP_PC_SOLVE), Ending::either, ""},
      {"beyond the critical kappa, GCR", beyond(QUDA_GCR_INVERTER, QUDA_DIRECT_PC_SOLVE), Ending::either, ""},
      {"maxiter 1", [](Problem &p) { p.param.maxiter = 1; }, Ending::not_converged, "the limit of iterations"},
      {"maxiter 0", [](Problem &p) { p.param.maxiter = 0; }, Ending::not_converged, "the limit of iterations"},
      {"tolerance 1e-16", [](Problem &p) { p.param.tol = 1e-16; }, Ending::not_converged,
       "below what this precision can reach"},
      {"tolerance 0", [](Problem &p) { p.param.tol = 0; }, Ending::not_converged,
       "below what this precision can reach"},
      {"a guess of 1e10",
       [](Problem &p) {
         p.param.use_init_guess = QUDA_USE_INIT_GUESS_YES;
         p.guess = p.b;
         multiply(*p.guess, 1e10);
       },
       Ending::converged, "1 of 1"},
      {"NaN in the guess",
       [nan](Problem &p) {
         p.param.use_init_guess = QUDA_USE_INIT_GUESS_YES;
         p.guess = p.b;
         p.guess->back()(0, 0) = nan; // of the last rank alone
       },
       Ending::refused, "h_x"},
      {"NaN in the source", [nan](Problem &p) { p.b.back()(3, 2) = nan; }, Ending::refused, "h_b"},
      {"infinity in the source", [](Problem &p) { p.b.back()(3, 2) = std::numeric_limits<double>::infinity(); },
       Ending::refused, "h_b"},
      {"NaN in a link", [nan](Problem &p) { p.links.U[2].back()(1, 1) = nan; }, Ending::load_refused, "h_gauge"},
  };
}

} // namespace test
