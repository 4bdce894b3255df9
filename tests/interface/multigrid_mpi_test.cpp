/// Multigrid through the C interface on several ranks: with the same aggregates hierarchy and solution have the same bits
/// on any grid of ranks; what ranks ask for must be alike.

#include "agreement.h"
#include "c_multigrid.h"
#include "solves.h"

namespace
{

using namespace test;
using reference::Coords;

constexpr int blocks[1][4] = {{2, 2, 2, 2}};
const host_operator fermions {0.12, 0, 0};

/// Of all ranks, or of one alone.
Coords grid_of(bool alone)
{
  const int ranks = alone ? 1 : world(true);
  return ranks == 4 ? Coords {1, 1, 2, 2} : Coords {1, 1, 1, ranks};
}

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

TEST(MultigridRanks, SameBits)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const reference::Lattice lattice({4, 4, 8, 8});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 41, reference::Kind::weak);
  const Spinors b = reference::random_spinors(lattice, 17);
  std::vector<double> alone;
  std::vector<int> iterations;
  MPI_Comm self = MPI_COMM_SELF;
  for (const bool one : {true, false}) {
    Handler handler;
    setMPICommHandleQuda(one ? &self : nullptr);
    const Coords grid = grid_of(one);
    Session session(grid.data());
    const int rank = one ? 0 : world(false);
    const Case on(gauge, grid, {0, 0, rank / grid[3], rank % grid[3]});
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
        continue;
      }
      EXPECT_EQ(host.outer.iter, iterations[updated]);
      if (updated) {
        EXPECT_TRUE(
            same_bits(x, reference::to_host<double>(reference::from_host<double>(alone, true), lattice, on.part)));
      }
    }
    destroyMultigridQuda(host.outer.preconditioner);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  }
}

TEST_F(Agreement, Multigrid)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const host_multigrid good = small_hierarchy();
  const auto make = [](QudaMultigridParam param) { destroyMultigridQuda(newMultigridQuda(&param)); };
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
             {"QudaMultigridParam.coarse_solver[1]", [](P &p) { p.coarse_solver[1] = QUDA_GCR_INVERTER; }},
             {"QudaMultigridParam.coarse_solver_tol[1]", [](P &p) { p.coarse_solver_tol[1] = 0.3; }},
             {"QudaMultigridParam.coarse_solver_ca_basis_size[1]", [](P &p) { p.coarse_solver_ca_basis_size[1] = 3; }},
             {"QudaMultigridParam.nu_post[0]", [](P &p) { p.nu_post[0] = 3; }},
             {"QudaMultigridParam.cycle_type[0]", [](P &p) { p.cycle_type[0] = QUDA_MG_CYCLE_VCYCLE; }},
             {"QudaMultigridParam.run_verify", [](P &p) { p.run_verify = QUDA_BOOLEAN_FALSE; }}});
  param.setup_maxiter[0] = 2;
  expect_together<P>("newMultigridQuda", param, make);
  void *const handle = newMultigridQuda(&param);
  const auto update = [&](QudaMultigridParam other) { updateMultigridQuda(handle, &other); };
  expect<P>("updateMultigridQuda", param, update,
            {{"QudaMultigridParam.thin_update_only", [](P &p) { p.thin_update_only = QUDA_BOOLEAN_TRUE; }},
             {"QudaMultigridParam.setup_maxiter_refresh[0]", [](P &p) { p.setup_maxiter_refresh[0] = 1; }}});
  destroyMultigridQuda(handle);
}

} // namespace
