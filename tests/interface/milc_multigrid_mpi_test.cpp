/// MILC's solves by multigrid (c_milc_multigrid.c) with a file of its parameters: residuals by the plain reference, links
/// and masses that change on the way, and the bits of one process on any ranks.

#include "c_milc_multigrid.h"
#include "quark_links.h"

#include "reference/dirac/staggered.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/links/fat_links.h"
#include "support/scratch_folder.h"

namespace
{

using namespace test;
using reference::ColorVectors;
using reference::GaugeField;
using Numbers = std::vector<double>;

const reference::Lattice global({4, 8, 4, 16});

/// Fat and long links of HISQ.
struct Hisq {
  GaugeField w, fat, straight;
  explicit Hisq(unsigned seed)
      : w(reference::unitary_links(
            reference::fat_links(reference::staggered(reference::random_gauge(global, seed, reference::Kind::weak),
                                                      reference::StaggeredPhases::milc, -1),
                                 reference::phased(reference::fat7_weights))))
      , fat(reference::fat_links(w, reference::phased(reference::hisq_weights)))
      , straight(reference::long_links(w, reference::hisq_weights))
  {
  }
  /// Other ones.
  Hisq scaled(double factor) const
  {
    Hisq all = *this;
    for (GaugeField *links : {&all.fat, &all.straight})
      for (auto &of_direction : links->U)
        for (reference::Link &link : of_direction) link *= factor;
    return all;
  }
};

const char *const parameters = "# as MILC's users write them\n"
                               "mg_levels 3\n"
                               "verify_results true\n"
                               "preconditioner_precision\thalf\n"
                               "optimized_kd  drop\n"
                               "use_mma true\n"
                               "allow_truncation false\n"
                               "dagger_approximation false\n"
                               "\n"
                               "nvec 1 12\n"
                               "geo_block_size 1 2 2 2 4\n"
                               "setup_inv 1 cgnr\n"
                               "setup_tol 1 1e-5\n"
                               "setup_maxiter 1 25\n"
                               "coarse_solve_type 2 direct-pc\n"
                               "coarse_solver 1 gcr\n"
                               "coarse_solver_tol 1 5e-2\n"
                               "coarse_solver_maxiter 1 8\n"
                               "coarse_solver 2 ca-gcr\n"
                               "coarse_solver_tol 2 0.25\n"
                               "coarse_solver_maxiter 2 16\n"
                               "nvec 2 0\n"
                               "smoother_type 0 ca-gcr\n"
                               "nu_pre 0 0\n"
                               "nu_post 0 4\n"
                               "smoother_type 1 ca-gcr\n"
                               "nu_pre 1 0\n"
                               "nu_post 1 2\n"
                               "mg_verbosity 0 silent\n"
                               "mg_verbosity 1 silent\n"
                               "mg_verbosity 2 false\n";

} // namespace

TEST(MilcMultigrid, SolvesOneSystemAfterAnother)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const ScratchFolder folder; // of this rank; the first one's is read
  folder.write("multigrid", parameters);
  const std::string file = folder.file("multigrid");
  const Hisq first_ones(61);
  const Hisq configurations[] = {first_ones, first_ones.scaled(0.9)};
  const ColorVectors psi = reference::spins_of<1>(reference::random_spinors(global, 63));
  const std::vector<Coords> grids = ranks() == 1   ? std::vector<Coords> {{1, 1, 1, 1}}
                                    : ranks() == 2 ? std::vector<Coords> {{1, 1, 1, 2}, {1, 2, 1, 1}}
                                                   : std::vector<Coords> {{1, 2, 1, 2}};
  std::vector<Numbers> solutions;
  for (const Coords &grid : grids) {
    SCOPED_TRACE(support::named(grid));
    const reference::Part part(global, grid, Here::place(grid, true));
    milc_multigrid run {
        .latsize = {}, .machsize = {}, .max_iter = 500, .mixed = 1, .tol = 1e-9, .thin = 0, .file = file.c_str()};
    for (int d = 0; d < 4; d++) run.latsize[d] = global.X[d], run.machsize[d] = grid[d];
    c_milc_multigrid_begin(&run);
    Numbers fat = reference::to_milc<double>(configurations[0].fat, part),
            straight = reference::to_milc<double>(configurations[0].straight, part),
            b = reference::to_host<double, 1>(psi, global, part), x(b.size());
    milc_multigrid_solve solve {.mass = 0.1,
                                .fat = fat.data(),
                                .straight = straight.data(),
                                .fresh = 1,
                                .source = b.data(),
                                .solution = x.data(),
                                .residual = 0,
                                .iterations = 0};
    const auto expect_solved = [&](int configuration, const char *what) {
      SCOPED_TRACE(what);
      c_milc_multigrid_solve(&run, &solve);
      const Hisq &on = configurations[configuration];
      const reference::Staggered plain {on.fat, &on.straight};
      const ColorVectors found = gathered<1>(x, global, part);
      const double residual =
          norm<1>(reference::combined<1>(1, psi, -1, plain.matrix(found, solve.mass, true))) / norm<1>(psi);
      EXPECT_LT(residual, run.tol);
      EXPECT_NEAR(solve.residual, residual, 1e-3 * residual);
      EXPECT_LT(solve.iterations, 30);
      solve.fresh = 0;
      return solve.iterations;
    };
    const int first = expect_solved(0, "new links");
    EXPECT_GT(first, 3);
    solutions.push_back(x);
    EXPECT_LE(expect_solved(0, "the solution for a guess"), 2);
    solve.mass = 0.2;
    x.assign(x.size(), 0);
    EXPECT_LT(expect_solved(0, "another mass"), first);
    run.thin = 1;
    solve.mass = 0.1;
    x.assign(x.size(), 0);
    expect_solved(0, "another mass on the finest level alone");
    run.thin = 0;
    fat = reference::to_milc<double>(configurations[1].fat, part);
    straight = reference::to_milc<double>(configurations[1].straight, part);
    solve.fat = fat.data(), solve.straight = straight.data(), solve.fresh = 1;
    x.assign(x.size(), 0);
    expect_solved(1, "other links");
    const char *const fault = c_milc_multigrid_end();
    ASSERT_EQ(fault, nullptr) << fault;
    // that of the first grid of this number of ranks
    EXPECT_TRUE(gathered<1>(solutions.back(), global, part) ==
                gathered<1>(solutions.front(), global, reference::Part(global, grids[0], Here::place(grids[0], true))));
  }
}
