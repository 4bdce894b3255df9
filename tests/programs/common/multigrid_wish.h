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
  int filter_order = 0, filter_step = 25, filter_sources = 4;
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
  struct Eigen { // low modes of a level
    Levels<bool> wanted = each_level(false), poly = each_level(true);
    Levels<int> n_ev = each_level(16), n_kr = each_level(64), n_conv = each_level(-1), restarts = each_level(100),
                degree = each_level(20);
    Levels<double> tol = each_level(1e-4), least = each_level(0.0), most = each_level(-1.0);
    bool preserve = false;
    Levels<QudaEigParam> params {}; // of the structure that multigrid_param() fills
  };
  Eigen eigen {};
  Levels<std::string> load {}, save {};
  Levels<bool> parts = each_level(false);
  Levels<QudaVerbosity> verbosity = each_level(QUDA_SILENT);
  bool all_levels = true;
  bool verify = true;                                       // identities of the hierarchy, after the set-up
  QudaTransferType hypercubes = QUDA_TRANSFER_OPTIMIZED_KD; // of staggered fermions
  bool allow_truncation = false, dagger_approximation = false;
};

void add_multigrid_options(CommandLine &line, MultigridWish &wish);
/// What users of staggered fermions know beside them, and their standard for level 0.
void add_staggered_multigrid_options(CommandLine &line, MultigridWish &wish);

/// The hierarchy for a solve of `outer`; inner, its operator, is filled and must outlive it, as must `wish`. Errors:
/// UsageError.
QudaMultigridParam multigrid_param(MultigridWish &wish, const QudaInvertParam &outer, QudaInvertParam &inner);

/// A solve by GCR with a hierarchy, whose handle is left to be set.
QudaInvertParam multigrid_solve(const Options &options);

} // namespace program
