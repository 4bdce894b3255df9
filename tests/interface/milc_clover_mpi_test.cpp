/// MILC's systems of clover fermions, called as MILC calls them, against the plain reference: residuals as asked and as
/// reported, by either solver and in all precisions; several shifts; links and term that are passed, or were loaded.

#include "interface/resident.h"
#include "quark_links.h"
#include "solvers/incremental.h"

#include "reference/dirac/clover.h"

namespace
{

using namespace test;
using reference::Spinors;
using Numbers = std::vector<double>;

constexpr double kappa = 0.12, coefficient = 0.15, tol = 1e-10;

/// As MILC fills it: the other members hold anything.
QudaInvertArgs_t args_of(int mixed, QudaInverterType solver = QUDA_BICGSTAB_INVERTER)
{
  QudaInvertArgs_t args;
  std::memset(&args, 0x5a, sizeof args);
  args.max_iter = 1000;
  args.mixed_precision = mixed;
  args.solver_type = solver;
  std::fill_n(args.boundary_phase, 3, 0.0);
  args.boundary_phase[3] = 1;
  args.make_resident_solution = 0;
  return args;
}

/// The library on this rank's part, the operator by the reference.
struct Clover {
  explicit Clover(const Coords &grid)
      : here(grid, true)
      , antiperiodic(here.links)
      , plain((reference::set_up_links(antiperiodic, 1, -1), antiperiodic), coefficient)
      , links(antiperiodic, here.part, QUDA_MILC_GAUGE_ORDER)
      , term(reference::to_packed<double>(plain.A, lattice, here.part))
      , inverse(reference::to_packed<double>(plain.A_inverse, lattice, here.part))
      , source(here.source<4>())
      , solution(source.size())
  {
  }

  Spinors gather(const Numbers &host, int parity = -1) const { return gathered<4>(host, lattice, here.part, parity); }

  Here here;
  reference::GaugeField antiperiodic;
  const reference::CloverWilson plain;
  HostLinks<double> links;
  Numbers term, inverse, source, solution;
};

class MilcClover : public QuarkLinks
{
protected:
  template <class Body> void on_grids(const Body &body)
  {
    for (const Coords &grid : grids()) {
      SCOPED_TRACE(support::named(grid));
      Clover clover(grid);
      body(clover);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
};

TEST_F(MilcClover, Inversions)
{
  on_grids([&](Clover &on) {
    const auto solve = [&](const QudaInvertArgs_t &args, bool pass_links, bool pass_term, bool pass_inverse,
                           double fermilab_target = 0) {
      double relative = -1, fermilab = -1;
      int iterations = 0;
      on.solution.assign(on.source.size(), 7);
      qudaCloverInvert(2, 2, kappa, coefficient, args, fermilab_target > 0 ? 0 : tol, fermilab_target,
                       pass_links ? on.links.pointer() : nullptr, pass_term ? on.term.data() : nullptr,
                       pass_inverse ? on.inverse.data() : nullptr, on.source.data(), on.solution.data(), &relative,
                       &fermilab, &iterations);
      EXPECT_EQ(handler_.calls(), 0) << handler_.text();
      Spinors r = on.plain.matrix(on.gather(on.solution), kappa);
      for (std::size_t i = 0; i < r.size(); i++) r[i] = on.here.psi[i] - r[i];
      EXPECT_LT(norm<4>(r) / norm<4>(on.here.psi), 5 * tol); // of the system on odd sites it is what is asked
      if (fermilab_target > 0)
        EXPECT_LT(fermilab, fermilab_target);
      else
        EXPECT_LT(relative, tol);
      EXPECT_TRUE(iterations > 3 && iterations < 1000) << iterations;
    };
    for (const QudaInverterType solver : {QUDA_BICGSTAB_INVERTER, QUDA_CG_INVERTER})
      for (const int mixed : {0, 1, 2}) {
        SCOPED_TRACE(testing::Message() << "solver " << solver << ", mixed " << mixed);
        solve(args_of(mixed, solver), true, true, true);
      }
    solve(args_of(1), true, true, false);
    solve(args_of(0), true, true, true, 1e-11);
    double plaq[3];
    plaqQuda(plaq);
    EXPECT_TRUE(handler_.says("plaqQuda")) << "links have been freed";
    handler_.forget();
    // loaded before, the term computed from links
    qudaLoadGaugeField(2, 2, args_of(1), on.links.pointer());
    double trlog[2] = {7, 7};
    qudaLoadCloverField(2, 2, args_of(1), nullptr, nullptr, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, coefficient, 1,
                        trlog);
    for (const int parity : {0, 1})
      EXPECT_NEAR(trlog[parity], reference::log_determinant(on.plain.A, parity), 1e-10 * std::abs(trlog[parity]));
    solve(args_of(1), false, false, false);
    solve(args_of(1, QUDA_CG_INVERTER), false, true, true); // another term of this call, which goes with it
    double residual[2];
    int iterations = 0;
    qudaCloverInvert(2, 2, kappa, coefficient, args_of(1), tol, 0, nullptr, nullptr, nullptr, on.source.data(),
                     on.solution.data(), &residual[0], &residual[1], &iterations);
    EXPECT_TRUE(handler_.says("no clover term is resident")) << handler_.text();
    handler_.forget();
    qudaLoadCloverField(2, 2, args_of(1), on.term.data(), nullptr, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, 0, 0,
                        nullptr);
    solve(args_of(2), false, false, false);
    qudaFreeCloverField();
    qudaFreeGaugeField();
  });
}

/// Links and term are taken with the first source, and freed after the last.
TEST_F(MilcClover, SourcesInSequence)
{
  on_grids([&](Clover &on) {
    QudaEigArgs_t args;
    std::memset(&args, 0x5a, sizeof args);
    args.prec_ritz = QUDA_SINGLE_PRECISION;
    args.nev = 6;
    args.max_search_dim = 24;
    args.deflation_grid = 2;
    args.tol_restart = 1e-3;
    args.max_restart_num = 3;
    args.inc_tol = 1e-2;
    args.eigenval_tol = 0.5;
    args.vec_infile = args.vec_outfile = nullptr;
    for (int j = 0; j < 4; j++) {
      double relative = -1, fermilab = -1;
      int iterations = 0;
      const Spinors psi = reference::random_spinors(lattice, 180 + static_cast<unsigned>(j));
      Numbers source = reference::to_host<double, 4>(psi, lattice, on.here.part);
      qudaEigCGCloverInvert(2, 2, kappa, coefficient, args_of(2), tol, 0, on.links.pointer(), on.term.data(),
                            on.inverse.data(), source.data(), on.solution.data(), args, j, j == 3, &relative, &fermilab,
                            &iterations);
      EXPECT_EQ(handler_.calls(), 0) << handler_.text();
      EXPECT_LT(relative, tol);
      EXPECT_TRUE(iterations > 3 && iterations < 1000) << iterations;
      Spinors r = on.plain.matrix(on.gather(on.solution), kappa);
      for (std::size_t i = 0; i < r.size(); i++) r[i] = psi[i] - r[i];
      EXPECT_LT(norm<4>(r) / norm<4>(psi), 5 * tol);
      const quda::IncrementalSpace *const space =
          quda::guarded::session().spaces.find(quda::guarded::session().milc.space);
      ASSERT_EQ(space == nullptr, j == 3);
      if (space) {
        EXPECT_EQ(space->modes().size(), j == 0 ? 6 : 12);
      }
    }
    double plaq[3];
    plaqQuda(plaq);
    EXPECT_TRUE(handler_.says("plaqQuda")) << "links have been freed";
    handler_.forget();
  });
}

TEST_F(MilcClover, Shifts)
{
  on_grids([&](Clover &on) {
    qudaLoadGaugeField(2, 2, args_of(1), on.links.pointer());
    qudaLoadCloverField(2, 2, args_of(1), on.term.data(), on.inverse.data(), QUDA_MATPCDAG_MATPC_SOLUTION,
                        QUDA_NORMOP_PC_SOLVE, 0, 0, nullptr);
    const Spinors b = reference::half_of(on.here.psi, 0);
    const auto solve = [&](std::vector<double> offsets, int mixed) {
      const auto n = static_cast<int>(offsets.size());
      const std::vector<double> targets(offsets.size(), tol);
      std::vector<double> found(offsets.size(), 7);
      std::vector<Numbers> x(offsets.size(), Numbers(on.source.size() / 2));
      std::vector<void *> solutions;
      for (Numbers &one : x) solutions.push_back(one.data());
      int iterations = 0;
      qudaCloverMultishiftInvert(2, 2, n, offsets.data(), kappa, coefficient, args_of(mixed), targets.data(),
                                 on.source.data(), solutions.data(), found.data(), &iterations);
      EXPECT_EQ(handler_.calls(), 0) << handler_.text();
      for (int k = 0; k < n; k++) {
        x[k].resize(on.source.size());
        const Spinors even = reference::half_of(on.gather(x[k], 0), 0);
        Spinors r = on.plain.matrix_pc(0, false, on.plain.matrix_pc(0, false, even, kappa), kappa, true);
        for (std::size_t i = 0; i < r.size(); i++) r[i] = b[i] - r[i] - offsets[k] * even[i];
        const double is = norm<4>(r) / norm<4>(b);
        EXPECT_LT(is, tol) << k;
        EXPECT_NEAR(found[k], is, 1e-3 * is + 1e-14) << k;
      }
      return iterations;
    };
    EXPECT_GT(solve({0.01, 0.1, 1}, 0), 5);
    solve({0, 0.2}, 1);
    flushChronoQuda(-1);
    EXPECT_GT(solve({0}, 0), 5);
    EXPECT_LT(solve({0}, 0), 5) << "the same system again begins with its solution";
    flushChronoQuda(-1);
    qudaFreeCloverField();
    qudaFreeGaugeField();
  });
}

} // namespace
