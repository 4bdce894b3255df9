#include "programs/common/options.h"

#include <algorithm>

namespace program
{

namespace
{
  const Names<QudaPrecision> precisions = {{"double", QUDA_DOUBLE_PRECISION}, {"single", QUDA_SINGLE_PRECISION}};
  const Names<QudaReconstructType> reconstructs = {{"18", QUDA_RECONSTRUCT_NO}, {"12", QUDA_RECONSTRUCT_12}};
  const Names<QudaVerbosity> verbosities = {
      {"silent", QUDA_SILENT}, {"summarize", QUDA_SUMMARIZE}, {"verbose", QUDA_VERBOSE}, {"debug", QUDA_DEBUG_VERBOSE}};
  const Names<RankOrder> rank_orders = {{"col", RankOrder::col}, {"row", RankOrder::row}};
  const Names<QudaTboundary> boundaries = {{"periodic", QUDA_PERIODIC_T}, {"anti-periodic", QUDA_ANTI_PERIODIC_T}};
  const Names<QudaMassNormalization> normalizations = {{"kappa", QUDA_KAPPA_NORMALIZATION},
                                                       {"mass", QUDA_MASS_NORMALIZATION},
                                                       {"asym-mass", QUDA_ASYMMETRIC_MASS_NORMALIZATION}};
  const Names<QudaMatPCType> matpcs = {{"even-even", QUDA_MATPC_EVEN_EVEN}, {"odd-odd", QUDA_MATPC_ODD_ODD}};
  const Names<DslashTest> tests = {
      {"Dslash", DslashTest::dslash}, {"MatPC", DslashTest::mat_pc}, {"Mat", DslashTest::mat}};
  const Names<QudaDslashType> dslash_types = {{"wilson", QUDA_WILSON_DSLASH}};

  const Names<SaveFormat> save_formats = {{"ildg", SaveFormat::ildg},
                                          {"nersc", SaveFormat::nersc},
                                          {"nersc-3x2", SaveFormat::nersc_3x2},
                                          {"milc", SaveFormat::milc}};

  void add_four(CommandLine &line, const std::string &all, const std::string &suffix, std::array<int, 4> &values,
                const std::string &text)
  {
    auto take = [&values](const std::vector<int> &given) { std::copy(given.begin(), given.end(), values.begin()); };
    line.add_numbers(all, 4, take, "X Y Z T", text + ", x y z t", positive);
    for (int d = 0; d < 4; d++)
      line.add(std::string("--") + "xyzt"[d] + suffix, values[d], text + " in " + "xyzt"[d], positive);
  }
} // namespace

const char *name(QudaPrecision prec) { return prec == QUDA_DOUBLE_PRECISION ? "double" : "single"; }

void add_common_options(CommandLine &line, Options &o)
{
  add_four(line, "--dim", "dim", o.dim, "Extents of the lattice of one process");
  auto take_space = [&o](const std::vector<int> &given) { o.dim[0] = o.dim[1] = o.dim[2] = given[0]; };
  line.add_numbers("--sdim", 1, take_space, "N", "The three spatial extents of --dim", positive);
  add_four(line, "--gridsize", "gridsize", o.grid, "Number of processes");
  line.add_choice("--rank-order", o.rank_order, rank_orders,
                  "Direction that runs fastest over ranks: t (col) or x (row)");
  line.add("--device", o.device, "Device to use; -1: chosen by the library");
  line.add_choice("--prec", o.prec, precisions, "Precision of the library's fields");
  line.add_choice("--prec-sloppy", o.prec_sloppy, precisions, "Precision of the sloppy copy of the links");
  line.add_choice("--recon", o.recon, reconstructs, "Numbers stored for a link");
  line.add_choice("--recon-sloppy", o.recon_sloppy, reconstructs, "The same for the sloppy copy");
  line.add("--load-gauge", o.load_gauge, "Gauge configuration: MILC v5, ILDG, SciDAC or NERSC; default: a random one");
  line.add("--unit-gauge", o.unit_gauge, "Unit links in place of random ones (true or false)");
  line.add("--seed", o.seed, "Seed of random fields; they depend on it and the global site only");
  line.add("--anisotropy", o.anisotropy, "Spatial links are divided by this", positive);
  line.add_choice("--fermion-t-boundary", o.t_boundary, boundaries, "Boundary condition put into the links in t");
  line.add("--niter", o.niter, "Number of timed calls", positive);
  line.add("--verify", o.verify, "Compare with the plain reference (true or false)");
  line.add("--tune", o.tune, "Tune kernels (true or false)");
  line.add_choice("--verbosity", o.verbosity, verbosities, "How much the library prints");
}

void add_save_options(CommandLine &line, Options &o)
{
  line.add("--save-gauge", o.save_gauge, "File that the resulting links are written to, in the precision of --prec");
  line.add_choice("--save-gauge-format", o.save_format, save_formats,
                  "Its format; milc is single precision, nersc-3x2 leaves out third rows");
}

void add_dslash_options(CommandLine &line, Options &o)
{
  line.add_choice("--dslash-type", o.dslash_type, dslash_types, "Dirac operator");
  line.add_choice("--test", o.test, tests, "Hop, preconditioned matrix or matrix");
  line.add_flag("--dagger", o.dagger, "Apply the adjoint");
  line.add("--kappa", o.kappa, "Hopping parameter; default: from --mass");
  line.add("--mass", o.mass, "Quark mass; kappa = 1 / (2 (1 + 3 / anisotropy + mass))");
  line.add_choice("--mass-normalization", o.normalization, normalizations, "Normalisation of the matrix");
  line.add_choice("--matpc", o.matpc, matpcs, "Sites the preconditioned matrix, or the hop's result, lives on");
}

} // namespace program
