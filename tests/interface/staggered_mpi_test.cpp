/// Staggered operators and their linear systems through the C interface, on ways to cut a small lattice: as the plain
/// reference, and as on one rank to the bit.

#include "quark_links.h"

#include "files/gauge_file.h"
#include "reference/dirac/staggered.h"
#include "reference/test_data.h"

#include <filesystem>
#include <functional>

namespace
{

using namespace test;
using reference::ColorVectors;

constexpr double mass = 0.4;

/// Those that leave three sites in each direction.
std::vector<Coords> grids_for(const reference::Lattice &lattice)
{
  std::vector<Coords> some;
  for (const Coords &grid : grids()) {
    bool enough = true;
    for (int d = 0; d < 4; d++) enough = enough && (grid[d] == 1 || lattice.X[d] >= 4 * grid[d]);
    if (enough) some.push_back(grid);
  }
  return some;
}

struct Form {
  QudaPrecision precision = QUDA_DOUBLE_PRECISION, sloppy = QUDA_DOUBLE_PRECISION;
  QudaGaugeFieldOrder order = QUDA_QDP_GAUGE_ORDER;
};

/// Links as MILC hands them over: with phases, long ones by 13 numbers, their copies by 9.
QudaGaugeParam links_param(const Here &here, QudaLinkType type, const Form &form)
{
  Storage storage;
  storage.precision = form.precision;
  storage.order = form.order;
  QudaGaugeParam param = gauge_param(here.part.local.X, storage);
  param.type = type;
  param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  param.staggered_phase_applied = 1;
  param.cuda_prec_sloppy = form.sloppy;
  param.reconstruct_sloppy = QUDA_RECONSTRUCT_NO;
  if (type == QUDA_ASQTAD_FAT_LINKS) return param;
  const bool of_long = type == QUDA_ASQTAD_LONG_LINKS;
  param.reconstruct = of_long ? QUDA_RECONSTRUCT_13 : QUDA_RECONSTRUCT_12;
  param.reconstruct_sloppy = of_long ? QUDA_RECONSTRUCT_9 : QUDA_RECONSTRUCT_8;
  param.scale = -1.0 / 24;
  param.tadpole_coeff = 1;
  return param;
}

struct Links {
  reference::GaugeField one, fat, of_long;

  /// Of one link SU(3) matrices; fat ones larger, long ones smaller.
  explicit Links(const reference::Lattice &lattice)
      : one(reference::random_gauge(lattice, 61))
      , fat(reference::random_gauge(lattice, 62))
      , of_long(reference::random_unitary_long_links(lattice, 63))
  {
    for (auto &direction : fat.U)
      for (reference::Link &u : direction) u *= 1.2;
  }
  reference::Staggered plain(bool improved) const
  {
    return improved ? reference::Staggered {fat, &of_long} : reference::Staggered {one};
  }
  void load(Here &here, const Form &form) const
  {
    here.load(one, links_param(here, QUDA_WILSON_LINKS, form));
    here.load(fat, links_param(here, QUDA_ASQTAD_FAT_LINKS, form));
    here.load(of_long, links_param(here, QUDA_ASQTAD_LONG_LINKS, form));
  }
};

QudaInvertParam staggered_param(bool improved, QudaPrecision precision = QUDA_DOUBLE_PRECISION)
{
  QudaInvertParam param = wilson_param();
  param.kappa = newQudaInvertParam().kappa; // has no meaning
  param.gamma_basis = QUDA_INVALID_GAMMA_BASIS;
  param.dslash_type = improved ? QUDA_ASQTAD_DSLASH : QUDA_STAGGERED_DSLASH;
  param.mass = mass;
  param.mass_normalization = QUDA_MASS_NORMALIZATION;
  param.cuda_prec = precision;
  return param;
}

class Staggered : public testing::Test
{
protected:
  template <class Body> void on_all_grids(const reference::Lattice &whole, const Body &body)
  {
    for (const Coords &grid : grids_for(whole)) {
      SCOPED_TRACE(support::named(grid));
      Here here(whole, grid, Here::place(grid));
      body(here);
    }
  }

  const Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  Handler handler_;
};

const reference::Lattice wide({4, 8, 6, 8});

const struct {
  Form form;
  QudaPrecision precision;
  double bar;
} storages[] = {{{}, QUDA_DOUBLE_PRECISION, 1e-12},
                {{.order = QUDA_MILC_GAUGE_ORDER}, QUDA_DOUBLE_PRECISION, 1e-12},
                {{.precision = QUDA_SINGLE_PRECISION, .sloppy = QUDA_SINGLE_PRECISION}, QUDA_SINGLE_PRECISION, 5e-6},
                {{}, QUDA_HALF_PRECISION, 1e-3},
                {{.precision = QUDA_HALF_PRECISION, .sloppy = QUDA_HALF_PRECISION}, QUDA_HALF_PRECISION, 1e-3}};

} // namespace

TEST_F(Staggered, OperatorsAsTheReference)
{
  const Links links(wide);
  on_all_grids(wide, [&](Here &here) {
    const ColorVectors psi = reference::spins_of<1>(here.psi);
    for (const auto &storage : storages) {
      links.load(here, storage.form);
      for (const bool improved : {false, true}) {
        const reference::Staggered plain = links.plain(improved);
        const ColorVectors D = plain.hop(psi), square = plain.square(psi, mass);
        for (const bool dagger : {false, true}) {
          QudaInvertParam param = staggered_param(improved, storage.precision);
          param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
          const auto matrix = [&](double *out, double *in) { MatQuda(out, in, &param); };
          const auto twice = [&](double *out, double *in) { MatDagMatQuda(out, in, &param); };
          EXPECT_LE(here.error_of<1>(matrix, plain.matrix(psi, mass, dagger)), storage.bar);
          EXPECT_LE(here.error_of<1>(twice, square), storage.bar);
          for (const int parity : {0, 1}) {
            const auto hop = [&](double *out, double *in) {
              dslashQuda(out, in, &param, parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY);
            };
            EXPECT_LE(here.error_of<1>(hop, reference::combined<1>(dagger ? -1 : 1, D, 0, D), 1 - parity, parity),
                      storage.bar);
            EXPECT_GT(param.gflops, 0);
            param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
            EXPECT_LE(here.error_of<1>(hop, reference::combined<1>((dagger ? -1 : 1) / (2 * mass), D, 0, D), 1 - parity,
                                       parity),
                      storage.bar);
            param.mass_normalization = QUDA_MASS_NORMALIZATION;
            param.matpc_type = parity ? QUDA_MATPC_ODD_ODD : QUDA_MATPC_EVEN_EVEN;
            param.solution_type = QUDA_MATPC_SOLUTION;
            EXPECT_LE(here.error_of<1>(matrix, square, parity, parity), storage.bar);
            param.solution_type = QUDA_MAT_SOLUTION;
          }
        }
        // several at once, the same bits
        QudaInvertParam param = staggered_param(improved, storage.precision);
        std::vector<std::vector<double>> in(3, here.source<1>(1)), out = in;
        for (double &number : in[1]) number *= -0.5;
        void *pin[3], *pout[3];
        for (int n = 0; n < 3; n++) pin[n] = in[n].data(), pout[n] = out[n].data();
        param.num_src = 3;
        dslashMultiSrcQuda(pout, pin, &param, QUDA_EVEN_PARITY);
        for (int n = 0; n < 3; n++) {
          std::vector<double> alone(out[n].size());
          dslashQuda(alone.data(), in[n].data(), &param, QUDA_EVEN_PARITY);
          EXPECT_TRUE(same_bits(out[n], alone)) << n;
        }
      }
    }
  });
}

namespace
{

struct System {
  bool improved;
  QudaSolutionType solution;
  QudaSolveType solve;
  QudaInverterType inverter = QUDA_CG_INVERTER;
  QudaMatPCType matpc = QUDA_MATPC_EVEN_EVEN;
  QudaPrecision sloppy = QUDA_SINGLE_PRECISION;
  QudaMassNormalization normalization = QUDA_MASS_NORMALIZATION;
  bool dagger = false;
};

QudaInvertParam param_of(const System &system)
{
  QudaInvertParam param = staggered_param(system.improved);
  param.solution_type = system.solution;
  param.solve_type = system.solve;
  param.inv_type = system.inverter;
  param.matpc_type = system.matpc;
  param.cuda_prec_sloppy = system.sloppy;
  param.mass_normalization = system.normalization;
  param.dagger = system.dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
  param.tol = 1e-10;
  param.maxiter = 2000;
  param.reliable_delta = 0.1;
  param.gcrNkrylov = system.inverter == QUDA_GCR_INVERTER ? 16 : 4;
  param.verbosity = QUDA_SILENT;
  return param;
}

constexpr QudaSolutionType MAT = QUDA_MAT_SOLUTION, MATPC = QUDA_MATPC_SOLUTION, MATDAG_MAT = QUDA_MATDAG_MAT_SOLUTION;
constexpr QudaSolveType DIRECT = QUDA_DIRECT_SOLVE, DIRECT_PC = QUDA_DIRECT_PC_SOLVE, NORMOP = QUDA_NORMOP_SOLVE;
constexpr auto CG = QUDA_CG_INVERTER, BICGSTAB = QUDA_BICGSTAB_INVERTER, CGNR = QUDA_CGNR_INVERTER,
               GCR = QUDA_GCR_INVERTER, PIPELINED_CG = static_cast<QudaInverterType>(QUDA_PIPELINED_CG_INVERTER);
constexpr auto EVEN = QUDA_MATPC_EVEN_EVEN, ODD = QUDA_MATPC_ODD_ODD;
constexpr auto DOUBLE = QUDA_DOUBLE_PRECISION, SINGLE = QUDA_SINGLE_PRECISION, HALF = QUDA_HALF_PRECISION;

const System systems[] = {{true, MAT, DIRECT_PC},
                          {true, MAT, DIRECT_PC, CG, ODD, HALF, QUDA_KAPPA_NORMALIZATION, true},
                          {true, MATPC, DIRECT_PC, CG, EVEN, DOUBLE},
                          {true, MATPC, DIRECT_PC, CG, ODD, HALF},
                          {true, MATPC, DIRECT_PC, CG, ODD, SINGLE, QUDA_KAPPA_NORMALIZATION},
                          {true, MAT, NORMOP, CG, EVEN, SINGLE, QUDA_ASYMMETRIC_MASS_NORMALIZATION},
                          {true, MATDAG_MAT, NORMOP, CG, EVEN, HALF, QUDA_KAPPA_NORMALIZATION},
                          {true, MAT, DIRECT, GCR},
                          {true, MATPC, DIRECT_PC, BICGSTAB, ODD},
                          {false, MAT, DIRECT_PC, CG, ODD, HALF},
                          {false, MATPC, DIRECT_PC, CG, EVEN, SINGLE},
                          {true, MATPC, DIRECT_PC, QUDA_CA_CG_INVERTER, EVEN, SINGLE},
                          {true, MATPC, DIRECT_PC, QUDA_CG3_INVERTER, ODD, HALF},
                          {false, MATPC, DIRECT_PC, PIPELINED_CG, EVEN, HALF},
                          {false, MATPC, DIRECT_PC, QUDA_MR_INVERTER, EVEN, HALF},
                          {false, MAT, DIRECT, CGNR}};

/// b of the library's system, of the reference's operator.
ColorVectors applied(const reference::Staggered &plain, const ColorVectors &x, const QudaInvertParam &param)
{
  const bool square = param.solution_type != MAT;
  const ColorVectors b = square ? plain.square(x, mass) : plain.matrix(x, mass, param.dagger == QUDA_DAG_YES);
  double n = 1;
  if (param.mass_normalization == QUDA_KAPPA_NORMALIZATION)
    n = param.solution_type == MATDAG_MAT ? 4 * mass * mass : 2 * mass;
  return reference::combined<1>(1 / n, b, 0, b);
}

} // namespace

/// b = M x of a known x is solved for x.
TEST_F(Staggered, SolvesSystems)
{
  const Links links(wide);
  on_all_grids(wide, [&](Here &here) {
    const ColorVectors psi = reference::spins_of<1>(here.psi);
    links.load(here, {.sloppy = QUDA_HALF_PRECISION});
    for (const System &system : systems) {
      QudaInvertParam param = param_of(system);
      SCOPED_TRACE(testing::Message() << "improved " << system.improved << " solution " << system.solution << " solve "
                                      << system.solve << " by " << system.inverter << " sloppy " << system.sloppy);
      const int parity = system.solution == MATPC ? system.matpc % 2 : -1;
      std::vector<double> b =
          reference::to_host<double, 1>(applied(links.plain(system.improved), psi, param), wide, here.part, parity);
      here.out.assign(b.size(), NAN);
      invertQuda(here.out.data(), b.data(), &param);
      EXPECT_LE(here.error_of<1>(psi, parity), 1e-8);
      EXPECT_LE(param.true_res[0], 1.001e-10);
      EXPECT_LT(param.iter, param.maxiter);
      if (system.solve != DIRECT_PC || system.inverter != CG) continue;
      // several at once
      std::vector<std::vector<double>> sources(2, b), solutions(2, std::vector<double>(b.size(), NAN));
      for (double &number : sources[1]) number *= -3;
      void *pb[] = {sources[0].data(), sources[1].data()}, *px[] = {solutions[0].data(), solutions[1].data()};
      param.num_src = 2;
      invertMultiSrcQuda(px, pb, &param);
      EXPECT_LE(largest_difference(solutions[0], here.out), 1e-8);
      for (double &number : solutions[1]) number /= -3;
      EXPECT_LE(largest_difference(solutions[1], here.out), 1e-8);
    }
  });
}

namespace
{

/// A configuration's links times MILC's phases, antiperiodic in time; their products of three times -1/24.
Links improved_of(const std::string &path)
{
  const quda_files::GaugeFile file = quda_files::inspect(path);
  const reference::Lattice global({file.dims[0], file.dims[1], file.dims[2], file.dims[3]});
  auto arrays = quda_files::read_gauge(file);
  reference::QdpLinks<double> qdp;
  for (int mu = 0; mu < 4; mu++) qdp[mu] = std::move(arrays[mu]);
  Links links(global);
  links.one = reference::from_qdp<double>(global, qdp);
  for (std::size_t slot = 0; slot < global.volume(); slot++) {
    const Coords x = global.coords(slot);
    const int sum[4] = {x[3], x[3] + x[0], x[3] + x[0] + x[1], x[3] == global.X[3] - 1 ? 1 : 0};
    for (int mu = 0; mu < 4; mu++)
      if (sum[mu] % 2) links.one.U[mu][slot] = -links.one.U[mu][slot];
  }
  links.fat = links.one;
  for (std::size_t slot = 0; slot < global.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      const Coords x = global.coords(slot);
      links.of_long.U[mu][slot] = links.one.at(mu, x) * links.one.at(mu, global.shifted(x, mu, 1)) *
                                  links.one.at(mu, global.shifted(x, mu, 2)) / -24.0;
    }
  return links;
}

} // namespace

/// Iterations and bits of a solve in double precision are those of one rank; mixed precisions meet the residual.
TEST_F(Staggered, SolvesOnAConfiguration)
{
  const std::string path = reference::test_data("lat.sample.l8888");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path << "; QUDA_TEST_DATA names its folder";
  const Links links = improved_of(path);
  const reference::Lattice &global = links.one.lattice;
  for (const bool improved : {false, true}) {
    const reference::Staggered plain = links.plain(improved);
    std::vector<double> first;
    int iterations = 0;
    MPI_Comm self = MPI_COMM_SELF;
    for (const bool alone : {true, false}) {
      if (alone) setMPICommHandleQuda(&self);
      for (const Coords &grid : alone ? std::vector<Coords> {{1, 1, 1, 1}} : grids_for(global)) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << " improved "
                                        << improved);
        Here here(global, grid, alone ? Coords {} : Here::place(grid));
        links.load(here, {.sloppy = QUDA_HALF_PRECISION});
        for (const QudaPrecision sloppy : {DOUBLE, SINGLE, HALF}) {
          if (alone && sloppy != DOUBLE) continue;
          QudaInvertParam param = param_of({improved, MATPC, DIRECT_PC, CG, EVEN, sloppy});
          param.mass = 0.05;
          std::vector<double> b = here.source<1>(0);
          here.out.assign(b.size(), NAN);
          invertQuda(here.out.data(), b.data(), &param);
          EXPECT_LE(param.true_res[0], 1e-10);
          EXPECT_LT(param.iter, param.maxiter);
          if (rank() == 0 && (!alone || ranks() == 1))
            std::printf("  %s, sloppy %d bytes: %d iterations, residual %.2e\n", improved ? "improved" : "one link",
                        sloppy, param.iter, param.true_res[0]);
          if (sloppy != DOUBLE) continue;
          if (alone) {
            first = here.out;
            iterations = param.iter;
            // put into the plain operator
            ColorVectors x(global.volume(), reference::SpinVector<1>::Zero());
            for (std::size_t i = 0; i < global.half(); i++)
              for (int c = 0; c < 3; c++) x[i](0, c) = {here.out[6 * i + 2 * c], here.out[6 * i + 2 * c + 1]};
            const std::vector<double> Ax =
                reference::to_host<double, 1>(plain.square(x, param.mass), global, here.part, 0);
            double difference = 0, square = 0;
            for (std::size_t i = 0; i < b.size(); i++) {
              difference += (Ax[i] - b[i]) * (Ax[i] - b[i]);
              square += b[i] * b[i];
            }
            EXPECT_LE(std::sqrt(difference / square), 1.001e-10);
            continue;
          }
          EXPECT_EQ(param.iter, iterations);
          std::vector<double> mine;
          for (std::size_t slot = 0; slot < here.part.local.half(); slot++) {
            const std::size_t at = 6 * global.slot(here.part.global_coords(slot));
            mine.insert(mine.end(), first.begin() + at, first.begin() + at + 6);
          }
          EXPECT_TRUE(same_bits(here.out, mine));
        }
      }
      setMPICommHandleQuda(nullptr);
    }
  }
}

/// Hops of three links across a rank of two sites are refused by name, and end nobody.
TEST_F(Staggered, RefusesShortRanks)
{
  if (ranks() == 1) GTEST_SKIP() << "needs several ranks";
  const reference::Lattice short_one({4, 4, 4, 2 * ranks()});
  const Links links(short_one);
  const Coords grid {1, 1, 1, ranks()};
  Here here(short_one, grid, Here::place(grid));
  links.load(here, {});
  QudaInvertParam param = staggered_param(true);
  std::vector<double> in = here.source<1>(), out = in;
  MatQuda(out.data(), in.data(), &param);
  EXPECT_EQ(handler_.kind(), QUDA_ERROR_KIND_UNSUPPORTED);
  EXPECT_TRUE(handler_.says("MatQuda: QudaInvertParam.dslash_type = QUDA_ASQTAD_DSLASH with X[3] = 2"))
      << handler_.text();
  handler_.forget();
  param.dslash_type = QUDA_STAGGERED_DSLASH;
  EXPECT_LE(here.error_of<1>([&](double *to, double *from) { MatQuda(to, from, &param); },
                             links.plain(false).matrix(reference::spins_of<1>(here.psi), mass)),
            1e-12);
}
