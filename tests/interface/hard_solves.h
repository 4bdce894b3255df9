#pragma once
/// Hard cases of linear systems: what is asked for, and how it must end.

#include "solves.h"
#include "support/quenched_links.h"

#include <functional>
#include <optional>
#include <string>

namespace test
{

using support::quenched_links;

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
  std::string name;
  std::function<void(Problem &)> change; // from a system that converges
  Ending ending;
  const char *words; // the line, or the error, says so
};

inline void multiply(Spinors &psi, double factor)
{
  for (reference::Spinor &s : psi) s *= factor;
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
  std::vector<HardSolve> all = {
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
  const struct {
    const char *name;
    QudaInverterType inverter;
    QudaSolveType solve = QUDA_DIRECT_PC_SOLVE;
  } solvers[] = {{"BiCGstab", QUDA_BICGSTAB_INVERTER},
                 {"GCR", QUDA_GCR_INVERTER},
                 {"CG", QUDA_CG_INVERTER, QUDA_NORMOP_PC_SOLVE},
                 {"MR", QUDA_MR_INVERTER},
                 {"SD", QUDA_SD_INVERTER},
                 {"BiCGstab(l)", QUDA_BICGSTABL_INVERTER},
                 {"CG3", QUDA_CG3_INVERTER, QUDA_NORMOP_PC_SOLVE},
                 {"CG3NE", QUDA_CG3NE_INVERTER},
                 {"CG3NR", QUDA_CG3NR_INVERTER},
                 {"CA-CG", QUDA_CA_CG_INVERTER, QUDA_NORMOP_PC_SOLVE},
                 {"CA-CGNE", QUDA_CA_CGNE_INVERTER},
                 {"CA-CGNR", QUDA_CA_CGNR_INVERTER},
                 {"CA-GCR", QUDA_CA_GCR_INVERTER},
                 {"PCG", QUDA_PCG_INVERTER, QUDA_NORMOP_PC_SOLVE},
                 {"GMRES-DR", QUDA_GMRESDR_INVERTER},
                 {"block CG", static_cast<QudaInverterType>(QUDA_BLOCK_CG_INVERTER), QUDA_NORMOP_PC_SOLVE},
                 {"pipelined CG", static_cast<QudaInverterType>(QUDA_PIPELINED_CG_INVERTER), QUDA_NORMOP_PC_SOLVE}};
  for (const auto &[name, inverter, solve] : solvers) {
    const auto by = [&, inverter = inverter, solve = solve, name = name](const char *what, auto change, Ending ending,
                                                                         const char *words) {
      all.push_back({std::string(what) + ", " + name,
                     [=](Problem &p) {
                       p.param.inv_type = inverter;
                       p.param.solve_type = solve;
                       if (inverter != QUDA_GCR_INVERTER) p.param.gcrNkrylov = 4;
                       p.param.max_search_dim = 20;
                       if (inverter == QUDA_PCG_INVERTER) {
                         p.param.inv_type_precondition = QUDA_CG_INVERTER;
                         p.param.maxiter_precondition = 4;
                       }
                       change(p);
                     },
                     ending, words});
    };
    by(
        "beyond the critical kappa",
        [](Problem &p) {
          p.links = quenched_links();
          p.param.kappa = 0.165;
          p.param.maxiter = 150;
        },
        Ending::either, "");
    if (inverter == QUDA_BICGSTAB_INVERTER) continue; // the rest is above
    by(
        "zero source", [](Problem &p) { multiply(p.b, 0); }, Ending::converged, "source 0 is zero");
    by(
        "norm 1e-150", [](Problem &p) { multiply(p.b, 1e-151); }, Ending::converged, "1 of 1");
    by(
        "maxiter 1", [](Problem &p) { p.param.maxiter = 1; }, Ending::not_converged, "the limit of iterations");
    by(
        "tolerance 1e-16", [](Problem &p) { p.param.tol = 1e-16; }, Ending::not_converged,
        "below what this precision can reach");
    by(
        "NaN in the source", [nan](Problem &p) { p.b.back()(3, 2) = nan; }, Ending::refused, "h_b");
  }
  return all;
}

} // namespace test
