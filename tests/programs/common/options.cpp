#include "programs/common/options.h"

#include <map>
#include <sstream>

#include <CLI/CLI.hpp>

namespace program
{

namespace
{
  template <class T> using Names = std::map<std::string, T>;

  // An option whose value is one of these names; anything else is refused with the list.
  template <class T>
  void add_choice(CLI::App &app, const std::string &option, T &value, const Names<T> &names, const std::string &text)
  {
    std::vector<std::string> keys;
    std::string list;
    for (const auto &[key, unused] : names) {
      keys.push_back(key);
      list += (list.empty() ? "" : "|") + key;
    }
    // IsMember puts the name in the table's own spelling before the value is taken.
    auto take = [&value, &names](const std::string &given) { value = names.at(given); };
    app.add_option_function<std::string>(option, take, text)
        ->transform(CLI::IsMember(keys, CLI::ignore_case).description(""))
        ->type_name(list);
  }

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

  CLI::Validator positive()
  {
    return CLI::Validator(
        [](std::string &given) {
          double value = 0;
          return CLI::detail::lexical_cast(given, value) && value > 0 ? std::string() : given + " is not positive";
        },
        "");
  }

  void add_four(CLI::App &app, const std::string &all, const std::string &suffix, std::array<int, 4> &values,
                const std::string &text)
  {
    app.add_option(all, values, text + ", x y z t")->check(positive())->type_name("X Y Z T");
    for (int d = 0; d < 4; d++)
      app.add_option(std::string("--") + "xyzt"[d] + suffix, values[d], text + " in " + "xyzt"[d])
          ->check(positive())
          ->type_name("N");
  }
} // namespace

const char *name(QudaPrecision prec) { return prec == QUDA_DOUBLE_PRECISION ? "double" : "single"; }

void add_common_options(CLI::App &app, Options &o)
{
  add_four(app, "--dim", "dim", o.dim, "Extents of the lattice of one process");
  app.add_option_function<int>(
         "--sdim", [&o](const int &n) { o.dim[0] = o.dim[1] = o.dim[2] = n; }, "The three spatial extents of --dim")
      ->check(positive());
  add_four(app, "--gridsize", "gridsize", o.grid, "Number of processes");
  add_choice(app, "--rank-order", o.rank_order, rank_orders,
             "Direction that runs fastest over ranks: t (col) or x (row)");
  app.add_option("--device", o.device, "Device to use; -1: chosen by the library");
  add_choice(app, "--prec", o.prec, precisions, "Precision of the library's fields");
  add_choice(app, "--prec-sloppy", o.prec_sloppy, precisions, "Precision of the sloppy copy of the links");
  add_choice(app, "--recon", o.recon, reconstructs, "Numbers stored for a link");
  add_choice(app, "--recon-sloppy", o.recon_sloppy, reconstructs, "The same for the sloppy copy");
  app.add_option("--load-gauge", o.load_gauge,
                 "Gauge configuration: MILC v5, ILDG, SciDAC or NERSC; default: a random one");
  app.add_option("--unit-gauge", o.unit_gauge, "Unit links in place of random ones (true or false)");
  app.add_option("--seed", o.seed, "Seed of random fields; they depend on it and the global site only");
  app.add_option("--anisotropy", o.anisotropy, "Spatial links are divided by this")->check(positive());
  add_choice(app, "--fermion-t-boundary", o.t_boundary, boundaries, "Boundary condition put into the links in t");
  app.add_option("--niter", o.niter, "Number of timed calls")->check(positive());
  app.add_option("--verify", o.verify, "Compare with the plain reference (true or false)");
  app.add_option("--tune", o.tune, "Tune kernels (true or false)");
  add_choice(app, "--verbosity", o.verbosity, verbosities, "How much the library prints");
}

void add_save_options(CLI::App &app, Options &o)
{
  app.add_option("--save-gauge", o.save_gauge,
                 "File that the resulting links are written to, in the precision of --prec");
  add_choice(app, "--save-gauge-format", o.save_format, save_formats,
             "Its format; milc is single precision, nersc-3x2 leaves out third rows");
}

void add_dslash_options(CLI::App &app, Options &o)
{
  add_choice(app, "--dslash-type", o.dslash_type, dslash_types, "Dirac operator");
  add_choice(app, "--test", o.test, tests, "Hop, preconditioned matrix or matrix");
  app.add_flag("--dagger", o.dagger, "Apply the adjoint");
  app.add_option("--kappa", o.kappa, "Hopping parameter; default: from --mass");
  app.add_option("--mass", o.mass, "Quark mass; kappa = 1 / (2 (1 + 3 / anisotropy + mass))");
  add_choice(app, "--mass-normalization", o.normalization, normalizations, "Normalisation of the matrix");
  add_choice(app, "--matpc", o.matpc, matpcs, "Sites the preconditioned matrix, or the hop's result, lives on");
}

bool parse(CLI::App &app, int argc, char **argv, int rank, int &code)
{
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::ParseError &error) {
    std::ostringstream out, err;
    code = app.exit(error, out, err);
    if (rank == 0) {
      std::cout << out.str() << std::flush;
      std::cerr << err.str() << std::flush;
    }
    return false;
  }
}

} // namespace program
