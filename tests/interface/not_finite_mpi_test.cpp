/// A number that is not finite in one source, or one first guess, of several, on one rank: every kind of solve refuses
/// it on all ranks, by the name of the host's array and no other.

#include "c_multigrid.h"
#include "eigen_param.h"
#include "hard_solves.h"
#include "on_grids.h"

#include "core/environment_support.h"

namespace
{

using namespace test;
using P = QudaInvertParam;

constexpr int sources = 3, bad = 1;

/// The host's arrays of all sources and solutions.
struct Arrays {
  std::vector<std::vector<double>> in, out;
  std::vector<void *> ins, outs;

  Arrays(std::size_t reals, int shifts)
      : in(sources, std::vector<double>(reals))
      , out(static_cast<std::size_t>(sources * shifts), std::vector<double>(reals, 0.5))
  {
    for (auto &one : in) {
      for (std::size_t i = 0; i < reals; i++) one[i] = 1.0 + static_cast<double>(i % 7);
      ins.push_back(one.data());
    }
    for (auto &one : out) outs.push_back(one.data());
  }
};

class NotFinite : public testing::Test
{
protected:
  NotFinite() { on_.emplace(reference::random_gauge(reference::Lattice({4, 4, 4, 8}), 41), grid_, place_in(grid_)); }

  static P param(QudaInverterType inverter, QudaSolutionType solution, QudaSolveType solve)
  {
    P param = solve_param(inverter, solution, solve);
    param.maxiter = 8;
    param.num_src = sources;
    param.max_search_dim = 20;
    param.gcrNkrylov = 4;
    return param;
  }

  /// The last number of either parity of an array is spoiled on the last rank; guesses also where the source is zero.
  void expect_refused(const char *name, P param, bool guesses = true)
  {
    const bool half = param.solution_type == QUDA_MATPC_SOLUTION || param.solution_type == QUDA_MATPCDAG_MATPC_SOLUTION;
    const int shifts = std::max(param.num_offset, 1);
    std::size_t reals = (param.dslash_type == QUDA_STAGGERED_DSLASH ? 6 : 24) * on_->part.local.volume();
    if (half) reals /= 2;
    enum Place { in_source, in_guess, in_guess_of_zero };
    for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity()})
      for (const Place place : {in_source, in_guess, in_guess_of_zero})
        for (const int parity : {0, 1}) {
          const bool guess = place != in_source;
          if ((guess && !guesses) || (half && parity == 1)) continue;
          SCOPED_TRACE(testing::Message() << name << ", place " << place << ", part " << parity << ", " << wrong);
          Arrays host(reals, shifts);
          if (place == in_guess_of_zero) std::fill(host.in[bad].begin(), host.in[bad].end(), 0);
          if (rank() == ranks() - 1)
            (guess ? host.out : host.in)[bad][half || parity == 1 ? reals - 1 : reals / 2 - 1] = wrong;
          const auto before = host.out;
          param.use_init_guess = guess ? QUDA_USE_INIT_GUESS_YES : QUDA_USE_INIT_GUESS_NO;
          handler_.forget();
          const std::string function = param.num_offset > 0 ? "invertMultiSrcMultiShiftQuda" : "invertMultiSrcQuda",
                            array = guess ? "_hp_x[1]" : "_hp_b[1]";
          if (param.num_offset > 0)
            invertMultiSrcMultiShiftQuda(host.outs.data(), host.ins.data(), &param);
          else
            invertMultiSrcQuda(host.outs.data(), host.ins.data(), &param);
          EXPECT_EQ(handler_.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
          EXPECT_TRUE(handler_.says(function + ": " + array + " holds a number that is NaN, infinite"))
              << handler_.text();
          EXPECT_TRUE(handler_.says("allowed: finite numbers")) << handler_.text();
          for (std::size_t i = 0; i < before.size(); i++)
            EXPECT_TRUE(same_bits(host.out[i], before[i])) << "solution " << i << " was written";
        }
  }

  const reference::Coords grid_ = grid_of(false);
  Handler handler_;
  const Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  const Session session_ {grid_.data()};
  std::optional<Case> on_;
};

} // namespace

TEST_F(NotFinite, SystemsOfEveryKind)
{
  const struct {
    const char *name;
    QudaInverterType inverter;
    QudaSolutionType solution;
    QudaSolveType solve;
  } kinds[] = {
      {"even-odd", QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE},
      {"all sites", QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_SOLVE},
      {"one parity", QUDA_BICGSTAB_INVERTER, QUDA_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE},
      {"two solves", QUDA_BICGSTAB_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_DIRECT_SOLVE},
      {"normal, even-odd", QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE},
      {"normal, all sites", QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_SOLVE},
      {"normal system", QUDA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE},
      {"normal error", QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMERR_PC_SOLVE},
      {"steps of MR", QUDA_MR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE},
      {"CGNR", QUDA_CGNR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE},
      {"GMRES-DR", QUDA_GMRESDR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE},
      {"all together", static_cast<QudaInverterType>(QUDA_BLOCK_CG_INVERTER), QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE}};
  for (const auto &kind : kinds) {
    P one = param(kind.inverter, kind.solution, kind.solve);
    expect_refused(kind.name, one);
    one.mass_normalization = QUDA_MASS_NORMALIZATION;
    one.dagger = QUDA_DAG_YES;
    one.matpc_type = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
    expect_refused(kind.name, one);
  }
}

TEST_F(NotFinite, WhatStandsBeforeTheMethod)
{
  P one = param(QUDA_GCR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  one.inv_type_precondition = QUDA_MR_INVERTER;
  one.maxiter_precondition = 2;
  one.precondition_cycle = 1;
  one.schwarz_type = QUDA_ADDITIVE_SCHWARZ;
  expect_refused("Schwarz", one);

  one = param(QUDA_CA_GCR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_SOLVE);
  one.ca_basis = QUDA_CHEBYSHEV_BASIS; // the spectrum is estimated with the source
  expect_refused("polynomials", one);

  one = param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  one.distance_pc_alpha0 = 0.3;
  one.distance_pc_t0 = 1;
  expect_refused("weights", one);
  one = param(QUDA_CG_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE);
  one.distance_pc_alpha0 = 0.3;
  one.distance_pc_t0 = 1;
  expect_refused("weights afterwards", one);

  one = param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  one.chrono_make_resident = one.chrono_use_resident = 1;
  one.chrono_max_dim = 2;
  Arrays host(24 * on_->part.local.volume(), 1);
  for (int i = 0; i < 2; i++) invertMultiSrcQuda(host.outs.data(), host.ins.data(), &one);
  expect_refused("solutions of earlier systems", one, false);
}

TEST_F(NotFinite, LowModesThatAreGathered)
{
  for (const QudaInverterType type : {QUDA_EIGCG_INVERTER, QUDA_INC_EIGCG_INVERTER, QUDA_GMRESDR_PROJ_INVERTER}) {
    P one = param(type, QUDA_MAT_SOLUTION,
                  type == QUDA_GMRESDR_PROJ_INVERTER ? QUDA_DIRECT_PC_SOLVE : QUDA_NORMOP_PC_SOLVE);
    one.n_ev = 4;
    one.deflation_grid = 8;
    QudaEigParam eigen = newQudaEigParam();
    eigen.invert_param = &one;
    eigen.cuda_prec_ritz = QUDA_DOUBLE_PRECISION;
    one.deflation_op = newDeflationQuda(&eigen);
    one.verbosity = QUDA_SUMMARIZE;
    const Output output;
    expect_refused("gathered", one);
    EXPECT_FALSE(output.says("low modes after")) << "a source was solved before all were looked at";
    destroyDeflationQuda(one.deflation_op);
  }
}

TEST_F(NotFinite, LowModesThatAreSought)
{
  P one = param(QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  QudaEigParam eigen = smallest_pairs(1e-2, 100);
  eigen.invert_param = &one;
  eigen.preserve_deflation = QUDA_BOOLEAN_TRUE;
  one.eig_param = &eigen;
  expect_refused("deflated", one);
  EXPECT_EQ(eigen.preserve_deflation_space, nullptr) << "sought before sources were looked at";
}

TEST_F(NotFinite, Multigrid)
{
  const host_operator fermions {0.12, 0, 0};
  const int blocks[1][4] = {{2, 2, 2, 2}};
  host_multigrid host;
  c_pyquda(&host, &fermions, 2, blocks);
  host.hierarchy.n_vec[0] = 4;
  host.hierarchy.setup_maxiter[0] = 4;
  host.inner.verbosity = host.outer.verbosity = QUDA_SILENT;
  host.hierarchy.invert_param = &host.inner;
  host.outer.preconditioner = newMultigridQuda(&host.hierarchy);
  host.outer.num_src = sources;
  expect_refused("multigrid", host.outer);
  destroyMultigridQuda(host.outer.preconditioner);
}

TEST_F(NotFinite, StaggeredAndShifts)
{
  P one = param(QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  one.dslash_type = QUDA_STAGGERED_DSLASH;
  one.mass = 0.1;
  expect_refused("staggered", one);
  one.solution_type = QUDA_MATPC_SOLUTION;
  expect_refused("staggered, one parity", one);
  const auto with_shifts = [](P &param) {
    param.num_offset = 2;
    param.offset[1] = 0.1;
    param.tol_offset[0] = param.tol_offset[1] = 1e-5;
  };
  with_shifts(one);
  expect_refused("shifts, staggered", one, false);
  one = param(QUDA_CG_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE);
  with_shifts(one);
  expect_refused("shifts", one, false);
}
