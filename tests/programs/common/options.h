/// The command line of the programs, with the option names that users of QUDA's own programs know.
#pragma once

#include <array>
#include <string>

#include <quda.h>

#include "command_line.h"

namespace program
{

enum class RankOrder { col, row }; // which direction runs fastest over ranks: t (col) or x (row)
enum class DslashTest { dslash, mat_pc, mat };
enum class SaveFormat { ildg, nersc, nersc_3x2, milc };

struct Options {
  std::array<int, 4> dim = {0, 0, 0, 0}; // local extents; zeros: 8 8 8 8, or the file's over the process grid
  std::array<int, 4> grid = {1, 1, 1, 1};
  RankOrder rank_order = RankOrder::col;
  int device = -1;

  QudaPrecision prec = QUDA_DOUBLE_PRECISION;
  QudaPrecision prec_sloppy = QUDA_INVALID_PRECISION; // invalid: as prec
  QudaReconstructType recon = QUDA_RECONSTRUCT_NO;
  QudaReconstructType recon_sloppy = QUDA_RECONSTRUCT_INVALID; // invalid: as recon

  std::string load_gauge;
  std::string save_gauge; // empty: not saved
  SaveFormat save_format = SaveFormat::ildg;
  bool unit_gauge = false;
  unsigned long seed = 1234;
  double anisotropy = 1;
  QudaTboundary t_boundary = QUDA_PERIODIC_T;

  int niter = 10;
  bool verify = true;
  bool tune = true;
  QudaVerbosity verbosity = QUDA_SUMMARIZE;

  // the hop's
  QudaDslashType dslash_type = QUDA_WILSON_DSLASH;
  DslashTest test = DslashTest::dslash;
  bool dagger = false;
  double kappa = -1; // negative: from mass
  double mass = 0.1;
  QudaMassNormalization normalization = QUDA_KAPPA_NORMALIZATION;
  QudaMatPCType matpc = QUDA_MATPC_EVEN_EVEN;
};

/// Options that every program has.
void add_common_options(CommandLine &line, Options &options);

/// Options of programs whose result is a gauge field.
void add_save_options(CommandLine &line, Options &options);

/// Options of programs that apply Dirac operators.
void add_dslash_options(CommandLine &line, Options &options);

const char *name(QudaPrecision prec);

} // namespace program
