/// Schwarz preconditioners: with the same tolerance GCR takes fewer steps; solutions are those of the plain solve; with
/// blocks as domains the bits do not depend on the grid of ranks.

#include "files/gauge_file.h"
#include "reference/test_data.h"
#include "on_grids.h"
#include "solves.h"

#include <filesystem>

namespace
{

using namespace test;
using reference::Coords;

struct Blocks {
  explicit Blocks(const int *extents) { qudaSetSchwarzBlock(extents); }
  ~Blocks() { qudaSetSchwarzBlock(nullptr); }
};

QudaInvertParam preconditioned(QudaInverterType inverter, QudaInverterType inner, QudaSchwarzType schwarz)
{
  const bool positive = inverter == QUDA_PCG_INVERTER;
  QudaInvertParam param =
      solve_param(inverter, QUDA_MAT_SOLUTION, positive ? QUDA_NORMOP_PC_SOLVE : QUDA_DIRECT_PC_SOLVE);
  param.inv_type_precondition = inner;
  param.schwarz_type = schwarz;
  param.maxiter_precondition = 6;
  param.cuda_prec_precondition = QUDA_SINGLE_PRECISION;
  return param;
}

/// GCR on 8 8 8 8, Wilson and clover: iterations without a preconditioner, with domains of ranks and of 4^4 sites.
TEST(Schwarz, TakesFewerSteps)
{
  const std::string path = reference::test_data("lat.sample.l8888");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << " (QUDA_TEST_DATA)";
  const Coords grid = grid_of(false);
  Session session(grid.data());
  const quda_files::GaugeFile file = quda_files::inspect(path);
  const Case on(reference::from_qdp<double>(reference::Lattice(file.dims), quda_files::read_gauge(file)), grid,
                place_in(grid));
  const int block[4] = {4, 4, 4, 4};
  for (const bool clover : {false, true}) {
    const auto iterations = [&](QudaSchwarzType schwarz, const int *extents) {
      const bool plain = schwarz == QUDA_INVALID_SCHWARZ;
      QudaInvertParam param =
          preconditioned(QUDA_GCR_INVERTER, plain ? QUDA_INVALID_INVERTER : QUDA_GCR_INVERTER, schwarz);
      param.kappa = clover ? 0.13 : 0.1515;
      if (clover) {
        param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
        param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
        param.clover_order = QUDA_PACKED_CLOVER_ORDER;
        param.clover_coeff = param.kappa;
        param.compute_clover = param.compute_clover_inverse = 1;
        loadCloverQuda(nullptr, nullptr, &param);
      }
      const Blocks blocks(extents);
      solved_here(on, reference::random_spinors(on.lattice, 5), param);
      EXPECT_LT(param.iter, param.maxiter);
      EXPECT_LT(param.true_res[0], param.tol);
      return param.iter;
    };
    const int plain = iterations(QUDA_INVALID_SCHWARZ, nullptr);
    const int additive = iterations(QUDA_ADDITIVE_SCHWARZ, nullptr),
              multiplicative = iterations(QUDA_MULTIPLICATIVE_SCHWARZ, nullptr),
              additive_blocks = iterations(QUDA_ADDITIVE_SCHWARZ, block),
              multiplicative_blocks = iterations(QUDA_MULTIPLICATIVE_SCHWARZ, block);
    if (rank() == 0)
      std::printf("  %s, %d ranks: GCR %d iterations; domains of ranks, additive %d, multiplicative %d; of 4^4 sites, "
                  "additive %d, multiplicative %d\n",
                  clover ? "clover" : "Wilson", ranks(), plain, additive, multiplicative, additive_blocks,
                  multiplicative_blocks);
    EXPECT_LT(additive, plain);
    EXPECT_LE(multiplicative, additive);
    EXPECT_LT(additive_blocks, plain);
    EXPECT_LT(multiplicative_blocks, additive_blocks);
    if (clover) freeCloverQuda();
  }
}

/// Any method outside and inside, one cycle and two: the solution is the one of the system.
TEST(Schwarz, SolvesWhatWasAsked)
{
  const Coords grid = grid_of(false);
  Session session(grid.data());
  const Case on(reference::random_gauge(reference::Lattice({4, 4, 4, 8}), 41), grid, place_in(grid));
  const Spinors b = reference::random_spinors(on.lattice, 17);
  const int block[4] = {2, 4, 2, 2};
  constexpr auto gcr = QUDA_GCR_INVERTER, pcg = QUDA_PCG_INVERTER, none = QUDA_INVALID_INVERTER;
  constexpr auto whole = QUDA_INVALID_SCHWARZ, additive = QUDA_ADDITIVE_SCHWARZ,
                 multiplicative = QUDA_MULTIPLICATIVE_SCHWARZ;
  constexpr auto doubles = QUDA_DOUBLE_PRECISION, singles = QUDA_SINGLE_PRECISION, halves = QUDA_HALF_PRECISION;
  const struct {
    QudaInverterType inverter, inner;
    QudaSchwarzType schwarz;
    QudaPrecision precision;
    int cycles;
    const int *extents;
    QudaCABasis basis = QUDA_POWER_BASIS;
  } cases[] = {{gcr, gcr, whole, doubles, 2, nullptr},
               {gcr, QUDA_MR_INVERTER, additive, halves, 1, block},
               {gcr, QUDA_BICGSTAB_INVERTER, multiplicative, halves, 2, nullptr},
               {gcr, QUDA_CGNR_INVERTER, additive, singles, 1, nullptr},
               {gcr, QUDA_CGNE_INVERTER, multiplicative, halves, 1, block},
               {gcr, QUDA_CA_GCR_INVERTER, additive, singles, 1, nullptr},
               {gcr, QUDA_CA_GCR_INVERTER, additive, halves, 1, nullptr, QUDA_CHEBYSHEV_BASIS},
               {gcr, QUDA_CA_GCR_INVERTER, multiplicative, singles, 1, block, QUDA_CHEBYSHEV_BASIS},
               {pcg, QUDA_CA_CG_INVERTER, whole, singles, 1, nullptr, QUDA_CHEBYSHEV_BASIS},
               {pcg, none, whole, singles, 1, nullptr},
               {pcg, QUDA_CG_INVERTER, additive, singles, 1, nullptr},
               {pcg, QUDA_CG_INVERTER, additive, halves, 1, block},
               {pcg, QUDA_CG_INVERTER, whole, doubles, 1, nullptr}};
  std::vector<double> first;
  for (const auto &one : cases) {
    SCOPED_TRACE(testing::Message() << "inv_type " << one.inverter << ", inner " << one.inner << ", Schwarz "
                                    << one.schwarz << (one.extents ? ", blocks" : "") << ", precision "
                                    << one.precision);
    QudaInvertParam param = preconditioned(one.inverter, one.inner, one.schwarz);
    param.cuda_prec_precondition = one.precision;
    param.precondition_cycle = one.cycles;
    param.ca_basis_precondition = one.basis;
    const Blocks blocks(one.extents);
    const std::vector<double> x = solved_here(on, b, param);
    EXPECT_LT(param.iter, param.maxiter) << param.true_res[0];
    EXPECT_LT(param.true_res[0], tol);
    if (first.empty()) first = x;
    double difference = 0, norm2 = 0;
    for (std::size_t i = 0; i < x.size(); i++) {
      difference += (x[i] - first[i]) * (x[i] - first[i]);
      norm2 += x[i] * x[i];
    }
    EXPECT_LT(std::sqrt(difference / norm2), 1e-8);
    if (one.basis == QUDA_POWER_BASIS) continue;
    param.ca_basis_precondition = QUDA_POWER_BASIS; // the same space, another rounding
    EXPECT_NE(solved_here(on, b, param), x);
  }
}

/// Domains of blocks: iterations and bits of one rank.
TEST(Schwarz, BlocksGiveTheBitsOfOneRank)
{
  const reference::Lattice lattice({4, 4, 4, 8});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 41);
  const Spinors b = reference::random_spinors(lattice, 17);
  const int block[4] = {2, 4, 2, 2};
  for (const QudaSchwarzType schwarz : {QUDA_ADDITIVE_SCHWARZ, QUDA_MULTIPLICATIVE_SCHWARZ}) {
    std::vector<double> alone;
    int iterations = 0;
    MPI_Comm self = MPI_COMM_SELF;
    for (const bool one : {true, false}) {
      setMPICommHandleQuda(one ? &self : nullptr);
      const Coords grid = grid_of(one);
      Session session(grid.data());
      const Blocks blocks(block); // end with the session
      const Case on(gauge, grid, place_in(grid));
      QudaInvertParam param = preconditioned(QUDA_GCR_INVERTER, QUDA_BICGSTAB_INVERTER, schwarz);
      const std::vector<double> x = solved_here(on, b, param);
      if (one) {
        alone = x;
        iterations = param.iter;
        continue;
      }
      EXPECT_EQ(param.iter, iterations);
      EXPECT_TRUE(
          same_bits(x, reference::to_host<double>(reference::from_host<double>(alone, true), lattice, on.part)));
    }
  }
}

/// What does not go together is refused by name, on all ranks.
TEST(Schwarz, BadCalls)
{
  const Coords grid = grid_of(false);
  Session session(grid.data());
  const Case on(reference::random_gauge(reference::Lattice({4, 4, 4, 8}), 41), grid, place_in(grid));
  const Spinors b = reference::random_spinors(on.lattice, 17);
  const int uneven[4] = {3, 4, 4, 4}, large[4] = {4, 8, 4, 4}, last[4] = {4, 4, 4, 16}, none[4] = {4, 0, 4, 4};
  const struct {
    QudaInverterType inverter, inner;
    int steps;
    const int *extents;
    QudaErrorKind kind;
    const char *words;
    void (*change)(QudaInvertParam &) = [](QudaInvertParam &) {};
  } cases[] = {
      {QUDA_GCR_INVERTER, QUDA_MG_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "QudaInvertParam.preconditioner"},
      {QUDA_GCR_INVERTER, QUDA_CG_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "not Hermitian"},
      {QUDA_BICGSTAB_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "QUDA_PCG_INVERTER alone"},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 0, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "maxiter_precondition = 0"},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, uneven, QUDA_ERROR_KIND_BAD_ARGUMENT, "blocks of 3 x 4 x 4 x 4"},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, large, QUDA_ERROR_KIND_BAD_ARGUMENT, "blocks of 4 x 8 x 4 x 4"},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, last, QUDA_ERROR_KIND_BAD_ARGUMENT, "blocks of 4 x 4 x 4 x 16"},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, -1, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "maxiter_precondition = -1"},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "precondition_cycle = -1",
       [](QudaInvertParam &p) { p.precondition_cycle = -1; }},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "schwarz_type = 7",
       [](QudaInvertParam &p) { p.schwarz_type = static_cast<QudaSchwarzType>(7); }},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "cuda_prec_precondition = 3",
       [](QudaInvertParam &p) { p.cuda_prec_precondition = static_cast<QudaPrecision>(3); }},
      {QUDA_GCR_INVERTER, QUDA_MR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "omega",
       [](QudaInvertParam &p) { p.omega = std::nan(""); }},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "gcrNkrylov = 0",
       [](QudaInvertParam &p) { p.gcrNkrylov = 0; }},
      {QUDA_GCR_INVERTER, static_cast<QudaInverterType>(77), 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT,
       "inv_type_precondition = 77"},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_UNSUPPORTED, "QudaInvertParam.overlap = -1",
       [](QudaInvertParam &p) { p.overlap = -1; }},
      {QUDA_GCR_INVERTER, QUDA_CA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "ca_basis_precondition",
       [](QudaInvertParam &p) { p.ca_basis_precondition = QUDA_INVALID_BASIS; }},
      {QUDA_GCR_INVERTER, QUDA_CA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT,
       "ca_lambda_min_precondition = 2 with ca_lambda_max_precondition = 1",
       [](QudaInvertParam &p) {
         p.ca_basis_precondition = QUDA_CHEBYSHEV_BASIS;
         p.ca_lambda_min_precondition = 2;
         p.ca_lambda_max_precondition = 1;
       }},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_UNSUPPORTED, "accelerator_type_precondition",
       [](QudaInvertParam &p) { p.accelerator_type_precondition = QUDA_MADWF_ACCELERATOR; }},
      {QUDA_GCR_INVERTER, QUDA_GCR_INVERTER, 5, nullptr, QUDA_ERROR_KIND_UNSUPPORTED, "QudaInvertParam.overlap = 1",
       [](QudaInvertParam &p) { p.overlap = 1; }},
  };
  for (const auto &one : cases) {
    Handler handler;
    QudaInvertParam param = preconditioned(one.inverter, one.inner, QUDA_ADDITIVE_SCHWARZ);
    param.maxiter_precondition = one.steps;
    one.change(param);
    const Blocks blocks(one.extents);
    solved_here(on, b, param);
    EXPECT_EQ(handler.kind(), one.kind) << one.words;
    EXPECT_TRUE(handler.says("invertQuda") && handler.says(one.words)) << handler.text();
  }
  Handler handler;
  qudaSetSchwarzBlock(none);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("qudaSetSchwarzBlock") && handler.says("extents[1] = 0")) << handler.text();
}

} // namespace
