#include "programs/common/options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "programs/common/process.h"
#include "quda_ext.h"

namespace program
{

namespace
{
  const Names<QudaPrecision> precisions = {
      {"double", QUDA_DOUBLE_PRECISION}, {"single", QUDA_SINGLE_PRECISION}, {"half", QUDA_HALF_PRECISION}};
  const Names<QudaReconstructType> reconstructs = {{"18", QUDA_RECONSTRUCT_NO},
                                                   {"13", QUDA_RECONSTRUCT_13},
                                                   {"12", QUDA_RECONSTRUCT_12},
                                                   {"9", QUDA_RECONSTRUCT_9},
                                                   {"8", QUDA_RECONSTRUCT_8}};
  const Names<QudaVerbosity> verbosities = {
      {"silent", QUDA_SILENT}, {"summarize", QUDA_SUMMARIZE}, {"verbose", QUDA_VERBOSE}, {"debug", QUDA_DEBUG_VERBOSE}};
  const Names<RankOrder> rank_orders = {{"col", RankOrder::col}, {"row", RankOrder::row}};
  const Names<QudaTboundary> boundaries = {{"periodic", QUDA_PERIODIC_T}, {"anti-periodic", QUDA_ANTI_PERIODIC_T}};
  const Names<QudaMassNormalization> normalizations = {{"kappa", QUDA_KAPPA_NORMALIZATION},
                                                       {"mass", QUDA_MASS_NORMALIZATION},
                                                       {"asym-mass", QUDA_ASYMMETRIC_MASS_NORMALIZATION}};
  const Names<QudaMatPCType> matpcs = {{"even-even", QUDA_MATPC_EVEN_EVEN},
                                       {"odd-odd", QUDA_MATPC_ODD_ODD},
                                       {"even-even-asym", QUDA_MATPC_EVEN_EVEN_ASYMMETRIC},
                                       {"odd-odd-asym", QUDA_MATPC_ODD_ODD_ASYMMETRIC}};
  const Names<DslashTest> tests = {
      {"Dslash", DslashTest::dslash}, {"MatPC", DslashTest::mat_pc}, {"Mat", DslashTest::mat}};
  const Names<QudaDslashType> dslash_types = {{"wilson", QUDA_WILSON_DSLASH},
                                              {"clover", QUDA_CLOVER_WILSON_DSLASH},
                                              {"clover-hasenbusch-twist", QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH},
                                              {"twisted-mass", QUDA_TWISTED_MASS_DSLASH},
                                              {"twisted-clover", QUDA_TWISTED_CLOVER_DSLASH},
                                              {"domain-wall", QUDA_DOMAIN_WALL_DSLASH},
                                              {"domain-wall-4d", QUDA_DOMAIN_WALL_4D_DSLASH},
                                              {"mobius", QUDA_MOBIUS_DWF_DSLASH},
                                              {"mobius-eofa", QUDA_MOBIUS_DWF_EOFA_DSLASH}};
  const Names<QudaTwistFlavorType> flavors = {{"singlet", QUDA_TWIST_SINGLET},
                                              {"nondeg-doublet", QUDA_TWIST_NONDEG_DOUBLET}};
  const Names<QudaDslashType> staggered_types = {{"staggered", QUDA_STAGGERED_DSLASH}, {"asqtad", QUDA_ASQTAD_DSLASH}};
  const Names<QudaInverterType> inverters = {{"cg", QUDA_CG_INVERTER},
                                             {"cgne", QUDA_CGNE_INVERTER},
                                             {"cgnr", QUDA_CGNR_INVERTER},
                                             {"bicgstab", QUDA_BICGSTAB_INVERTER},
                                             {"bicgstab-l", QUDA_BICGSTABL_INVERTER},
                                             {"gcr", QUDA_GCR_INVERTER},
                                             {"pcg", QUDA_PCG_INVERTER},
                                             {"mr", QUDA_MR_INVERTER},
                                             {"sd", QUDA_SD_INVERTER},
                                             {"cg3", QUDA_CG3_INVERTER},
                                             {"cg3ne", QUDA_CG3NE_INVERTER},
                                             {"cg3nr", QUDA_CG3NR_INVERTER},
                                             {"ca-cg", QUDA_CA_CG_INVERTER},
                                             {"ca-cgne", QUDA_CA_CGNE_INVERTER},
                                             {"ca-cgnr", QUDA_CA_CGNR_INVERTER},
                                             {"ca-gcr", QUDA_CA_GCR_INVERTER},
                                             {"eigcg", QUDA_EIGCG_INVERTER},
                                             {"inc-eigcg", QUDA_INC_EIGCG_INVERTER},
                                             {"gmresdr-proj", QUDA_GMRESDR_PROJ_INVERTER},
                                             {"pipelined-cg", QudaInverterType(QUDA_PIPELINED_CG_INVERTER)}};
  const Names<QudaCABasis> bases = {{"power", QUDA_POWER_BASIS}, {"chebyshev", QUDA_CHEBYSHEV_BASIS}};
  const Names<QudaSolveType> solves = {{"direct", QUDA_DIRECT_SOLVE},   {"direct-pc", QUDA_DIRECT_PC_SOLVE},
                                       {"normop", QUDA_NORMOP_SOLVE},   {"normop-pc", QUDA_NORMOP_PC_SOLVE},
                                       {"normerr", QUDA_NORMERR_SOLVE}, {"normerr-pc", QUDA_NORMERR_PC_SOLVE}};
  const Names<QudaSolutionType> solutions = {{"mat", QUDA_MAT_SOLUTION},
                                             {"mat-dag-mat", QUDA_MATDAG_MAT_SOLUTION},
                                             {"mat-pc", QUDA_MATPC_SOLUTION},
                                             {"mat-pc-dag-mat-pc", QUDA_MATPCDAG_MATPC_SOLUTION}};
  const Names<Source> sources = {{"random", Source::random}, {"point", Source::point}};

  template <class T> const char *name_of(const Names<T> &names, T value)
  {
    for (const auto &[key, named] : names)
      if (named == value) return key.c_str();
    return "?";
  }

  const Names<SaveFormat> save_formats = {{"ildg", SaveFormat::ildg},
                                          {"nersc", SaveFormat::nersc},
                                          {"nersc-3x2", SaveFormat::nersc_3x2},
                                          {"milc", SaveFormat::milc}};

  void add_four(CommandLine &line, const std::string &all, const std::string &suffix, std::array<int, 4> &values,
                const std::string &text, const std::string &standard)
  {
    auto take = [&values](const std::vector<int> &given) { std::copy(given.begin(), given.end(), values.begin()); };
    line.add_numbers(all, 4, take, "X Y Z T", text + ", x y z t [" + standard + "]", positive);
    for (int d = 0; d < 4; d++)
      line.add(std::string("--") + "xyzt"[d] + suffix, values[d], text + " in " + "xyzt"[d] + " [that of " + all + "]",
               positive);
  }
} // namespace

const char *name(QudaPrecision prec) { return name_of(precisions, prec); }
const char *name(QudaDslashType type)
{
  const bool staggered = type == QUDA_STAGGERED_DSLASH || type == QUDA_ASQTAD_DSLASH;
  return name_of(staggered ? staggered_types : dslash_types, type);
}
const Names<QudaSchwarzType> schwarz_types {
    {"invalid", QUDA_INVALID_SCHWARZ}, {"add", QUDA_ADDITIVE_SCHWARZ}, {"mul", QUDA_MULTIPLICATIVE_SCHWARZ}};

const Names<QudaInverterType> &inverter_names() { return inverters; }
const char *name(QudaInverterType type) { return name_of(inverters, type); }
const char *name(QudaSolveType type) { return name_of(solves, type); }
const char *name(QudaSolutionType type) { return name_of(solutions, type); }

void add_common_options(CommandLine &line, Options &o, const std::string &niter)
{
  add_four(line, "--dim", "dim", o.dim, "Extents of the lattice of one process", "the file's share, or 8 8 8 8");
  auto take_space = [&o](const std::vector<int> &given) { o.dim[0] = o.dim[1] = o.dim[2] = given[0]; };
  line.add_numbers("--sdim", 1, take_space, "N", "The three spatial extents of --dim [that of --dim]", positive);
  add_four(line, "--gridsize", "gridsize", o.grid, "Number of processes", "1 1 1 1");
  line.add_choice("--rank-order", o.rank_order, rank_orders,
                  "Direction that runs fastest over ranks: t (col) or x (row)");
  line.add("--device", o.device, "Device to use; -1: chosen by the library");
  line.add_choice("--prec", o.prec, precisions, "Precision of the library's fields");
  line.add_choice("--prec-sloppy", o.prec_sloppy, precisions,
                  "Precision of the sloppy copy of the links, and of a solver's iterations [--prec]");
  line.add_choice("--recon", o.recon, reconstructs, "Numbers stored for a link");
  line.add_choice("--recon-sloppy", o.recon_sloppy, reconstructs, "The same for the sloppy copy [--recon]");
  line.add("--load-gauge", o.load_gauge, "Gauge configuration: MILC, ILDG, SciDAC or NERSC [a random one]");
  line.add_flag("--ignore-checksum", o.ignore_checksum, "Read it with a warning where its checksum is wrong");
  line.add("--unit-gauge", o.unit_gauge, "Unit links in place of random ones (true or false)");
  line.add("--seed", o.seed, "Seed of random fields; they depend on it and the global site only");
  line.add("--anisotropy", o.anisotropy, "Spatial links are divided by this", positive);
  line.add_choice("--fermion-t-boundary", o.t_boundary, boundaries, "Boundary condition put into the links in t");
  line.add("--niter", o.niter, niter, positive);
  line.add("--verify", o.verify, "Compare with the plain reference (true or false)");
  line.add("--tune", o.tune, "Tune kernels (true or false)");
  line.add_choice("--verbosity", o.verbosity, verbosities, "How much the library prints");
}

void add_partition_option(CommandLine &line, Options &o)
{
  if (const char *const wish = std::getenv("QUDA_TEST_GRID_PARTITION")) {
    std::istringstream numbers(wish);
    for (int &parts : o.partition)
      if (!(numbers >> parts) || parts < 1)
        throw UsageError("QUDA_TEST_GRID_PARTITION = \"" + std::string(wish) + "\": four numbers above 0 are expected");
  }
  auto take = [&o](const std::vector<int> &given) { std::copy(given.begin(), given.end(), o.partition.begin()); };
  line.add_numbers("--grid-partition", 4, take, "X Y Z T",
                   "Sub-grids of processes, x y z t, that share the sources [QUDA_TEST_GRID_PARTITION, or 1 1 1 1]",
                   positive);
}

void add_save_options(CommandLine &line, Options &o)
{
  line.add("--save-gauge", o.save_gauge, "File that the resulting links are written to, in the precision of --prec");
  line.add_choice("--save-gauge-format", o.save_format, save_formats,
                  "Its format; milc is single precision, nersc-3x2 leaves out third rows");
}

void add_dirac_options(CommandLine &line, Options &o)
{
  line.add_choice("--dslash-type", o.dslash_type, staggered(o) ? staggered_types : dslash_types, "Dirac operator");
  line.add_flag("--dagger", o.dagger, "Its adjoint");
  line.add_choice("--mass-normalization", o.normalization, normalizations, "Normalisation of the matrix");
  line.add_choice("--matpc", o.matpc, matpcs, "Sites and form of the preconditioned matrix; sites of the hop's result");
  if (staggered(o)) {
    line.add("--mass", o.mass, "Quark mass", positive);
    line.add("--tadpole-coeff", o.tadpole, "Tadpole factor of long links", positive);
    line.add("--epsilon-naik", o.naik_epsilon, "Correction of their coefficient");
    return;
  }
  line.add("--kappa", o.kappa, "Hopping parameter [from --mass]", positive);
  line.add("--mass", o.mass, "Quark mass; kappa = 1 / (2 (1 + 3 / anisotropy + mass))");
  line.add("--clover-csw", o.clover_csw, "Sheikholeslami-Wohlert coefficient");
  line.add("--clover-coeff", o.clover_coeff, "Coefficient of the clover term; 0: kappa times --clover-csw");
  line.add("--compute-clover", o.compute_clover,
           "The library computes the clover term; false: the plain reference does, and hands it over");
  line.add_choice("--flavor", o.flavor, flavors, "Flavours of twisted operators");
  line.add("--mu", o.mu, "Twisted mass");
  line.add("--epsilon", o.epsilon, "Mass splitting of a twisted doublet");
  line.add("--Lsdim", o.Ls, "Slices of the fifth dimension of domain-wall operators, whose mass is --mass",
           {1, QUDA_MAX_DWF_LS});
  line.add("--m5", o.m5, "Their height with its sign: 4 + m5 is Wilson's diagonal");
  line.add("--b5", o.b5, "Moebius coefficient b");
  line.add("--c5", o.c5, "Moebius coefficient c");
  line.add("--eofa-pm", o.eofa_plus, "Chirality of the one-flavour term: plus (true) or minus (false)");
  line.add("--eofa-shift", o.eofa_shift, "Its shift");
  line.add("--eofa-mq1", o.eofa_mq1, "Its first mass");
  line.add("--eofa-mq2", o.eofa_mq2, "Its second mass");
  line.add("--eofa-mq3", o.eofa_mq3, "Its third mass");
  line.add("--tm-rho", o.tm_rho, "Added to the twisted mass in the diagonal of the asymmetric twisted-clover --matpc");
}

void add_dslash_options(CommandLine &line, Options &o)
{
  line.add_choice("--test", o.test, tests, "Hop, preconditioned matrix or matrix");
}

void add_solve_options(CommandLine &line, Options &o)
{
  line.add_choice("--inv-type", o.inv_type, inverters, "Solver");
  line.add_choice("--solve-type", o.solve_type, solves,
                  "System it sees: the matrix or its normal equations, on all sites or those of one parity (-pc)");
  line.add_choice("--solution-type", o.solution_type, solutions, "Matrix whose system is solved");
  line.add_choice("--source", o.source, sources,
                  "Sources: random, or a point, spin and colour running with their number");
  line.add("--nsrc", o.nsrc, "Number of sources", {1, 1000000});
  line.add("--nsrc-tile", o.nsrc_tile, "Sources solved at once [--nsrc, at most 128]", {1, QUDA_MAX_MULTI_SRC});
  line.add("--multishift", o.multishift, "Shifts of M^dag M solved at once by CG, 0.06 + 0.1 i^2; 1: none",
           {1, QUDA_MAX_MULTI_SHIFT});
  line.add("--tol", o.tol, "Wanted |residual| / |source|; 0: not asked [1e-10, with --prec single 1e-5]", not_negative);
  line.add("--tolhq", o.tol_hq, "Wanted heavy-quark residual; 0: not asked", not_negative);
  line.add("--reliable-delta", o.reliable_delta, "Fall of the residual after which it is computed in --prec",
           not_negative);
  line.add("--ngcrkrylov", o.gcr_nkrylov, "Directions that GCR keeps; steps at a time of ca solvers; l of bicgstab-l",
           positive);
  Names<QudaInverterType> steps = inverters;
  steps.emplace("none", QUDA_INVALID_INVERTER);
  line.add_choice("--precon-type", o.precon, steps, "Method whose steps precondition pcg and gcr");
  line.add("--precon-niter", o.precon_steps, "Its steps", positive);
  line.add_choice("--precon-schwarz-type", o.precon_schwarz, schwarz_types, "Steps inside of domains");
  auto take_block = [&o](const std::vector<int> &given) { std::copy_n(given.begin(), 4, o.precon_block.begin()); };
  line.add_numbers("--precon-block", 4, take_block, "X Y Z T", "Domains: blocks of sites [what a process holds]",
                   positive);
  line.add_choice("--prec-precondition", o.precon_prec, precisions, "Their precision [--prec-sloppy]");
  line.add("--omega", o.omega, "Relaxation factor of mr and sd", positive);
  line.add_choice("--ca-basis-type", o.ca_basis, bases, "Polynomials of ca solvers");
  line.add("--cheby-basis-eig-min", o.ca_lambda_min, "Lower end of the spectrum for Chebyshev polynomials",
           not_negative);
  line.add("--cheby-basis-eig-max", o.ca_lambda_max, "Upper end of it; 0 or less: estimated");
}

void complete_operator(Options &o)
{
  if (staggered(o) || domain_wall(o)) return;
  const double diagonal = 1 + 3 / o.anisotropy;
  if (o.kappa < 0)
    o.kappa = 1 / (2 * (diagonal + o.mass));
  else
    o.mass = 1 / (2 * o.kappa) - diagonal;
  if (o.clover_coeff == 0) o.clover_coeff = o.kappa * o.clover_csw;
}

std::string operator_text(const Options &o)
{
  std::string all;
  const auto add = [&](const char *of, double value) {
    char text[80];
    std::snprintf(text, sizeof(text), "%s%s: %.10g", all.empty() ? "" : ", ", of, value);
    all += text;
  };
  const bool massive = staggered(o) || domain_wall(o);
  add(massive ? "mass" : "kappa", massive ? o.mass : o.kappa);
  if (domain_wall(o)) add("m5", o.m5), add("Ls", o.Ls);
  if (moebius(o)) add("b5", o.b5), add("c5", o.c5);
  if (o.dslash_type == QUDA_MOBIUS_DWF_EOFA_DSLASH) add(o.eofa_plus ? "shift, plus" : "shift, minus", o.eofa_shift);
  if (has_clover_term(o)) add("clover coefficient", o.clover_coeff);
  if (twisted(o) || o.dslash_type == QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH) add("mu", o.mu);
  if (twisted(o) && flavours(o) == 2) add("epsilon", o.epsilon);
  return all;
}

} // namespace program
