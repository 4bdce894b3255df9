/// Multigrid through the C interface on several ranks: with the same aggregates hierarchy and solution have the same bits
/// on any grid of ranks; what ranks ask for must be alike.

#include "agreement.h"
#include "c_multigrid.h"
#include "solves.h"

#include "support/scratch_folder.h"

#include <array>

namespace
{

using namespace test;
using reference::Coords;

constexpr int blocks[1][4] = {{2, 2, 2, 2}};
const host_operator fermions {0.12, 0, 0};

host_multigrid small_hierarchy()
{
  host_multigrid host;
  c_pyquda(&host, &fermions, 2, blocks);
  host.hierarchy.n_vec[0] = 8;
  host.hierarchy.setup_maxiter[0] = 20;
  host.hierarchy.setup_maxiter_refresh[0] = 5;
  host.inner.verbosity = QUDA_SILENT;
  return host;
}

/// many: sites enough for a coarse grid on all ranks; else it is gathered.
void expect_same_bits(bool many)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const reference::Lattice lattice({4, 4, many ? 8 : 4, many ? 8 : 4});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 41, reference::Kind::weak);
  const Spinors b = reference::random_spinors(lattice, 17);
  const reference::GaugeField other = reference::random_gauge(lattice, 42, reference::Kind::weak);
  std::vector<double> alone;
  std::vector<int> iterations;
  double gflops = 0;
  MPI_Comm self = MPI_COMM_SELF;
  for (const bool one : {true, false}) {
    Handler handler;
    setMPICommHandleQuda(one ? &self : nullptr);
    const Coords grid = grid_of(one);
    Session session(grid.data());
    const Case on(gauge, grid, place_in(grid));
    host_multigrid host = small_hierarchy();
    host.hierarchy.invert_param = &host.inner;
    host.outer.preconditioner = newMultigridQuda(&host.hierarchy);
    for (const bool updated : {false, true}) {
      if (updated) updateMultigridQuda(host.outer.preconditioner, &host.hierarchy);
      const std::vector<double> x = solved_here(on, b, host.outer);
      EXPECT_LT(host.outer.iter, host.outer.maxiter);
      if (one) {
        iterations.push_back(host.outer.iter);
        if (updated) alone = x;
        gflops = host.outer.gflops;
        continue;
      }
      EXPECT_EQ(host.outer.iter, iterations[updated]);
      if (updated) {
        EXPECT_NEAR(host.outer.gflops, gflops, 1e-9 * gflops);
      }
      if (updated) {
        EXPECT_TRUE(
            same_bits(x, reference::to_host<double>(reference::from_host<double>(alone, true), lattice, on.part)));
      }
    }
    {
      const Case on_others(other, grid, place_in(grid));
      solved_here(on_others, b, host.outer);
      EXPECT_TRUE(handler.calls() == 1 && handler.says("stale")) << handler.text();
      handler.forget();
      updateMultigridQuda(host.outer.preconditioner, &host.hierarchy);
      solved_here(on_others, b, host.outer);
      EXPECT_LT(host.outer.iter, host.outer.maxiter);
    }
    destroyMultigridQuda(host.outer.preconditioner);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  }
}

TEST(MultigridRanks, SameBits) { expect_same_bits(true); }
TEST(MultigridRanks, SameBitsOfAGatheredGrid) { expect_same_bits(false); }

TEST_F(Agreement, Multigrid)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const host_multigrid good = small_hierarchy();
  const auto make = [](QudaMultigridParam param) {
    destroyMultigridQuda(newMultigridQuda(&param));
    qudaSetMultigridFilter(0, 0, 0); // which a row changes
  };
  QudaMultigridParam param = good.hierarchy;
  QudaInvertParam inner = good.inner;
  param.invert_param = &inner;
  using P = QudaMultigridParam;
  expect<P>("newMultigridQuda", param, make,
            {{"QudaMultigridParam.geo_block_size", [](P &p) { p.geo_block_size[0][0] = 1; }},
             {"QudaMultigridParam.n_vec[0]", [](P &p) { p.n_vec[0] = 7; }},
             {"QudaMultigridParam.n_vec_batch[0]", [](P &p) { p.n_vec_batch[0] = 2; }},
             {"QudaMultigridParam.precision_null[0]", [](P &p) { p.precision_null[0] = QUDA_SINGLE_PRECISION; }},
             {"QudaMultigridParam.setup_maxiter[0]", [](P &p) { p.setup_maxiter[0] = 3; }},
             {"QudaMultigridParam.setup_tol[0]", [](P &p) { p.setup_tol[0] = 3e-3; }},
             {"qudaSetMultigridFilter", [](P &) { qudaSetMultigridFilter(10, 2, 1); }},
             {"QudaMultigridParam.coarse_solver[1]", [](P &p) { p.coarse_solver[1] = QUDA_GCR_INVERTER; }},
             {"QudaMultigridParam.coarse_solver_tol[1]", [](P &p) { p.coarse_solver_tol[1] = 0.3; }},
             {"QudaMultigridParam.coarse_solver_ca_basis_size[1]", [](P &p) { p.coarse_solver_ca_basis_size[1] = 3; }},
             {"QudaMultigridParam.nu_post[0]", [](P &p) { p.nu_post[0] = 3; }},
             {"QudaMultigridParam.cycle_type[0]", [](P &p) { p.cycle_type[0] = QUDA_MG_CYCLE_VCYCLE; }},
             {"QudaMultigridParam.run_verify", [](P &p) { p.run_verify = QUDA_BOOLEAN_FALSE; }},
             {"QudaMultigridParam.preserve_deflation", [](P &p) { p.preserve_deflation = QUDA_BOOLEAN_TRUE; }}});
  param.setup_maxiter[0] = 2;
  expect_together<P>("newMultigridQuda", param, make);
  void *const handle = newMultigridQuda(&param);
  const auto update = [&](QudaMultigridParam other) { updateMultigridQuda(handle, &other); };
  expect<P>("updateMultigridQuda", param, update,
            {{"QudaMultigridParam.thin_update_only", [](P &p) { p.thin_update_only = QUDA_BOOLEAN_TRUE; }},
             {"QudaMultigridParam.setup_maxiter_refresh[0]", [](P &p) { p.setup_maxiter_refresh[0] = 1; }}});
  destroyMultigridQuda(handle);
  using S = QudaMultigridTuneParam;
  const auto tune = [&](S how) {
    QudaInvertParam solve = good.outer;
    QudaMultigridParam from = param;
    tuneMultigridQuda(&from, &solve, &how);
  };
  expect<S>("tuneMultigridQuda", newQudaMultigridTuneParam(), tune,
            {{"QudaMultigridTuneParam.by_flops", [](S &s) { s.by_flops = 1; }},
             {"QudaMultigridTuneParam.n_src", [](S &s) { s.n_src = 2; }},
             {"QudaMultigridTuneParam.max_seconds", [](S &s) { s.max_seconds = 3; }}});
}

/// Vectors of both levels of three in files, one of all ranks or one a rank, make the hierarchy that they come from; low
/// modes of the last level, and what a search by operations begins with, are the same on any ranks.
TEST(MultigridRanks, FilesLowModesAndSearches)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const reference::Lattice lattice({4, 4, 4, 8}); // two ranks gather level 2, four level 1, too
  const reference::GaugeField gauge = reference::random_gauge(lattice, 41, reference::Kind::weak);
  const Spinors b = reference::random_spinors(lattice, 17);
  const int levels[2][4] = {{2, 2, 2, 2}, {1, 1, 1, 2}};
  std::vector<double> alone;
  QudaMultigridTuneParam search_alone {};
  MPI_Comm self = MPI_COMM_SELF;
  const ScratchFolder folder;
  std::array<char, 200> stem {}; // of the first rank's folder
  std::snprintf(stem.data(), stem.size(), "%s", folder.file("vectors").c_str());
  MPI_Bcast(stem.data(), static_cast<int>(stem.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  for (const bool one : {true, false}) {
    setMPICommHandleQuda(one ? &self : nullptr);
    const Coords grid = grid_of(one);
    Session session(grid.data());
    const Case on(gauge, grid, place_in(grid));
    host_multigrid host;
    c_pyquda(&host, &fermions, 3, levels);
    host.inner.verbosity = QUDA_SILENT;
    QudaMultigridParam &param = host.hierarchy;
    param.invert_param = &host.inner;
    param.n_vec[0] = 6;
    param.n_vec[1] = 5;
    param.setup_maxiter[0] = param.setup_maxiter[1] = 20;
    QudaEigParam modes = newQudaEigParam();
    c_tmlqcd_low_modes(&host, &modes, 4);
    modes.n_kr = 16;
    modes.use_poly_acc = QUDA_BOOLEAN_FALSE;
    modes.max_restarts = 100;
    param.use_eig_solver[2] = QUDA_BOOLEAN_TRUE;
    host.outer.preconditioner = newMultigridQuda(&param);
    const std::vector<double> x = solved_here(on, b, host.outer);
    EXPECT_LT(host.outer.iter, host.outer.maxiter);
    const int iterations = host.outer.iter;
    if (one)
      alone = x;
    else
      EXPECT_TRUE(
          same_bits(x, reference::to_host<double>(reference::from_host<double>(alone, true), lattice, on.part)));
    for (const bool parts : {false, true}) {
      if (one) break;
      for (int level = 0; level < 2; level++) {
        std::snprintf(param.vec_outfile[level], sizeof param.vec_outfile[level], "%s%d", stem.data(), parts);
        std::snprintf(param.vec_infile[level], sizeof param.vec_infile[level], "%s%d", stem.data(), parts);
        param.mg_vec_partfile[level] = parts ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
      }
      dumpMultigridQuda(host.outer.preconditioner, &param);
      QudaMultigridParam read = param;
      read.vec_load[0] = read.vec_load[1] = QUDA_BOOLEAN_TRUE;
      read.setup_maxiter[0] = read.setup_maxiter[1] = 1;
      QudaInvertParam again = host.outer;
      again.preconditioner = newMultigridQuda(&read);
      EXPECT_TRUE(same_bits(solved_here(on, b, again), x)) << "parts " << parts;
      EXPECT_EQ(again.iter, iterations);
      destroyMultigridQuda(again.preconditioner);
    }
    destroyMultigridQuda(host.outer.preconditioner);
    QudaMultigridTuneParam how = newQudaMultigridTuneParam();
    how.by_flops = 1;
    how.max_seconds = 1;
    QudaMultigridParam found = param;
    for (int level = 0; level < 2; level++) found.vec_outfile[level][0] = found.vec_infile[level][0] = 0;
    tuneMultigridQuda(&found, &host.outer, &how);
    // other aggregates fit on smaller extents, so that ends may differ
    if (one) search_alone = how;
    EXPECT_EQ(how.iterations[0], search_alone.iterations[0]);
    EXPECT_NEAR(how.gflop[0], search_alone.gflop[0], 1e-9 * search_alone.gflop[0]);
    EXPECT_LE(how.gflop[1], how.gflop[0]);
  }
}

} // namespace
