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
enum class Source { random, point };

struct Options {
  std::array<int, 4> dim = {0, 0, 0, 0}; // local extents; zeros: 8 8 8 8, or the file's over the process grid
  std::array<int, 4> grid = {1, 1, 1, 1};
  std::array<int, 4> partition = {1, 1, 1, 1}; // sub-grids that share the sources
  RankOrder rank_order = RankOrder::col;
  int device = -1;

  QudaPrecision prec = QUDA_DOUBLE_PRECISION;
  QudaPrecision prec_sloppy = QUDA_INVALID_PRECISION; // invalid: as prec
  QudaReconstructType recon = QUDA_RECONSTRUCT_NO;
  QudaReconstructType recon_sloppy = QUDA_RECONSTRUCT_INVALID; // invalid: as recon

  std::string load_gauge;
  bool ignore_checksum = false;
  std::string save_gauge; // empty: not saved
  SaveFormat save_format = SaveFormat::ildg;
  bool unit_gauge = false;
  unsigned long seed = 1234;
  double anisotropy = 1;
  QudaTboundary t_boundary = QUDA_PERIODIC_T;

  int niter = 10; // timed calls, or the most iterations of a solver
  bool verify = true;
  bool tune = true;
  QudaVerbosity verbosity = QUDA_SUMMARIZE;

  // the Dirac operator's
  QudaDslashType dslash_type = QUDA_WILSON_DSLASH;
  bool dagger = false;
  double kappa = -1; // negative: from mass
  double mass = 0.1;
  QudaMassNormalization normalization = QUDA_KAPPA_NORMALIZATION;
  QudaMatPCType matpc = QUDA_MATPC_EVEN_EVEN;
  double tadpole = 1; // of improved staggered operators: long links are -(1 + naik_epsilon) / (24 tadpole^2) U U U
  double naik_epsilon = 0;
  double clover_csw = 1;
  double clover_coeff = 0; // 0: kappa * clover_csw
  bool compute_clover = true;
  QudaTwistFlavorType flavor = QUDA_TWIST_SINGLET;
  double mu = 0.1; // of twisted operators, in units of 1 / (2 kappa); of the Hasenbusch twist as it stands
  double epsilon = 0.01, tm_rho = 0;
  int Ls = 16;      // of domain-wall operators, whose mass is `mass`
  double m5 = -1.5; // with its sign
  double b5 = 1.5, c5 = 0.5;
  bool eofa_plus = true; // the chirality of the one-flavour term
  double eofa_shift = -1.2345, eofa_mq1 = 1, eofa_mq2 = 0.085, eofa_mq3 = 1;
  DslashTest test = DslashTest::dslash;

  // a solve's
  QudaInverterType inv_type = QUDA_BICGSTAB_INVERTER;
  QudaSolveType solve_type = QUDA_DIRECT_PC_SOLVE;
  QudaSolutionType solution_type = QUDA_MAT_SOLUTION;
  Source source = Source::random;
  int nsrc = 1;
  int nsrc_tile = 0;  // 0: nsrc
  int multishift = 1; // 1: no shifts
  double tol = -1;    // negative: what the precision is good for
  double tol_hq = 0;
  double reliable_delta = 0.1;
  int gcr_nkrylov = 16;
  QudaInverterType precon = QUDA_INVALID_INVERTER; // method whose steps precondition pcg and gcr
  QudaPrecision precon_prec = QUDA_INVALID_PRECISION;
  QudaSchwarzType precon_schwarz = QUDA_INVALID_SCHWARZ;
  int precon_steps = 10;
  std::array<int, 4> precon_block {}; // none: a process's lattice
  double omega = 1;
  QudaCABasis ca_basis = QUDA_POWER_BASIS;
  double ca_lambda_min = 0;
  double ca_lambda_max = -1; // not positive: estimated
};

/// Options that every program has. niter: what it counts.
void add_common_options(CommandLine &line, Options &options, const std::string &niter = "Number of timed calls");

/// Option of programs with several sources: --grid-partition, else QUDA_TEST_GRID_PARTITION.
void add_partition_option(CommandLine &line, Options &options);
inline int sub_grids(const Options &o) { return o.partition[0] * o.partition[1] * o.partition[2] * o.partition[3]; }

/// Options of programs whose result is a gauge field.
void add_save_options(CommandLine &line, Options &options);

/// Whether the operator is a staggered one: its fields have one spin, its links MILC's phases, its mass no kappa.
inline bool staggered(const Options &options)
{
  return options.dslash_type == QUDA_STAGGERED_DSLASH || options.dslash_type == QUDA_ASQTAD_DSLASH;
}
/// Spins of its fields.
inline std::size_t spins(const Options &options) { return staggered(options) ? 1 : 4; }
inline bool twisted(const Options &options)
{
  return options.dslash_type == QUDA_TWISTED_MASS_DSLASH || options.dslash_type == QUDA_TWISTED_CLOVER_DSLASH;
}
inline bool has_clover_term(const Options &options)
{
  return options.dslash_type == QUDA_CLOVER_WILSON_DSLASH || options.dslash_type == QUDA_TWISTED_CLOVER_DSLASH ||
         options.dslash_type == QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH;
}
inline bool domain_wall(const Options &options)
{
  return options.dslash_type == QUDA_DOMAIN_WALL_DSLASH || options.dslash_type == QUDA_DOMAIN_WALL_4D_DSLASH ||
         options.dslash_type == QUDA_MOBIUS_DWF_DSLASH || options.dslash_type == QUDA_MOBIUS_DWF_EOFA_DSLASH;
}
/// Whether it has b5 and c5; else they are 1 and 0.
inline bool moebius(const Options &options)
{
  return options.dslash_type == QUDA_MOBIUS_DWF_DSLASH || options.dslash_type == QUDA_MOBIUS_DWF_EOFA_DSLASH;
}
/// Flavours of its fields, or slices of the fifth dimension: the slowest index of a parity.
inline std::size_t flavours(const Options &options)
{
  if (domain_wall(options)) return static_cast<std::size_t>(options.Ls);
  return twisted(options) && options.flavor == QUDA_TWIST_NONDEG_DOUBLET ? 2 : 1;
}

/// Options of programs that apply Dirac operators, of the kind of the one that is set.
void add_dirac_options(CommandLine &line, Options &options);
void add_dslash_options(CommandLine &line, Options &options);
void add_solve_options(CommandLine &line, Options &options);

/// kappa from the mass, or the mass from kappa where that was given; the clover coefficient.
void complete_operator(Options &options);

/// The solvers that --inv-type names.
const Names<QudaInverterType> &inverter_names();
extern const Names<QudaSchwarzType> schwarz_types;

/// As the options spell them.
const char *name(QudaPrecision prec);
const char *name(QudaDslashType type);
const char *name(QudaInverterType type);
const char *name(QudaSolveType type);
const char *name(QudaSolutionType type);
/// kappa or mass, and what else tells one operator of a type from another.
std::string operator_text(const Options &options);

} // namespace program
