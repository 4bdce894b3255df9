/// What multigrid is asked for on the command line, with the names that users of QUDA's programs know.
#pragma once

#include <array>
#include <string>

#include <quda.h>

#include "command_line.h"
#include "programs/common/options.h"

namespace program
{

/// One of each level, 0 the finest.
template <class T> using Levels = std::array<T, QUDA_MAX_MG_LEVEL>;
template <class T> Levels<T> each_level(T value)
{
  Levels<T> all;
  all.fill(value);
  return all;
}

struct MultigridWish {
  bool wanted = false;
  int levels = 2;
  Levels<std::array<int, 4>> block = each_level(std::array<int, 4> {4, 4, 4, 4});
  Levels<int> vectors = each_level(24), batch = each_level(1);
  QudaPrecision null = QUDA_INVALID_PRECISION; // invalid: --prec-sloppy
  Levels<QudaInverterType> setup = each_level(QUDA_CGNR_INVERTER);
  Levels<int> setup_rounds = each_level(1), setup_steps = each_level(500), refresh_steps = each_level(100);
  Levels<double> setup_tol = each_level(5e-6);
  QudaSetupType setup_type = QUDA_NULL_VECTOR_SETUP;
  Levels<QudaInverterType> coarse = each_level(QUDA_GCR_INVERTER), smoother = each_level(QUDA_CA_GCR_INVERTER);
  Levels<double> coarse_tol = each_level(0.25), smoother_tol = each_level(0.25), mu_factor = each_level(1.0);
  Levels<int> coarse_steps = each_level(16), setup_basis_size = each_level(4), coarse_basis_size = each_level(4),
              nu_pre = each_level(0), nu_post = each_level(8);
  double omega = 0.85;
  Levels<QudaSchwarzType> schwarz = each_level(QUDA_INVALID_SCHWARZ);
  Levels<int> schwarz_cycles = each_level(1);
  struct Basis { // of CA methods
    Levels<QudaCABasis> kind = each_level(QUDA_POWER_BASIS);
    Levels<double> least = each_level(0.0), most = each_level(-1.0);
  };
  Basis setup_basis {}, coarse_basis {}, smoother_basis {};
  Levels<QudaVerbosity> verbosity = each_level(QUDA_SILENT);
  bool all_levels = true;
  bool verify = true; // identities of the hierarchy, after the set-up
};

void add_multigrid_options(CommandLine &line, MultigridWish &wish);

/// The hierarchy for a solve of `outer`; inner, its operator, is filled and must outlive it. Errors: UsageError.
QudaMultigridParam multigrid_param(const MultigridWish &wish, const QudaInvertParam &outer, QudaInvertParam &inner);

} // namespace program
