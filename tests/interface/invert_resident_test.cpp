/// What stays in the library between solves: the last solution, guesses made from those of earlier systems, and how
/// solvers' copies of the links are stored.

#include "solves.h"

#include "interface/guard.h"
#include "interface/resident.h"

#include <complex>
#include <functional>

namespace
{

using namespace test;

/// Right-hand sides in the span of two.
Spinors mixture(const Case &on, const QudaInvertParam &param, double a)
{
  const Spinors one = source_for(on, param, 31), other = source_for(on, param, 32);
  Spinors sum = one;
  for (std::size_t i = 0; i < sum.size(); i++) sum[i] += a * other[i];
  return sum;
}

/// The links of before, a little further on.
reference::GaugeField moved(reference::GaugeField links, double step)
{
  for (auto &direction : links.U)
    for (std::size_t i = 0; i < direction.size(); i++) {
      const double angle = step * std::sin(1.0 + static_cast<double>(i));
      direction[i].col(0) *= std::polar(1.0, angle);
      direction[i].col(1) *= std::polar(1.0, -angle);
    }
  return links;
}

struct Kind {
  QudaInverterType inverter;
  QudaSolutionType solution;
  QudaSolveType solve;
};
constexpr Kind kinds[] = {{QUDA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE},
                          {QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE},
                          {QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE},
                          {QUDA_GCR_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_DIRECT_SOLVE}};

QudaInvertParam with_store(const Kind &kind, int most, int index = 0)
{
  QudaInvertParam param = solve_param(kind.inverter, kind.solution, kind.solve);
  param.chrono_use_resident = param.chrono_make_resident = 1;
  param.chrono_index = index;
  param.chrono_max_dim = most;
  return param;
}

using ResidentSolutions = test::Begun;

TEST_F(ResidentSolutions, SourcesInTheSpanOfEarlierOnes)
{
  const Case on;
  for (const Kind &kind : kinds) {
    flushChronoQuda(-1);
    QudaInvertParam plain = solve_param(kind.inverter, kind.solution, kind.solve);
    plain.verbosity = QUDA_SILENT;
    solved(on, mixture(on, plain, 3), plain);
    for (const double a : {1.0, 2.0, 3.0}) {
      QudaInvertParam param = with_store(kind, 4);
      param.use_init_guess = QUDA_USE_INIT_GUESS_YES; // ignored: the array is full of NaN
      param.tol = a == 3 ? 1e-9 : 1e-11;
      const Spinors b = mixture(on, param, a);
      const Spinors x = solved(on, b, param);
      EXPECT_LT(residual(on, x, b, param), 20 * param.tol);
      EXPECT_LT(param.true_res[0], param.tol);
      if (a == 3 && kind.solution != QUDA_MATDAG_MAT_SOLUTION) {
        EXPECT_EQ(param.iter, 1) << "two solutions span the third";
      } else if (a == 3) {
        EXPECT_LT(param.iter, 0.7 * plain.iter) << "the second of two solves is known";
      }
    }
  }
}

TEST_F(ResidentSolutions, LinksThatMove)
{
  reference::GaugeField links = reference::random_gauge(reference::Lattice({4, 4, 4, 6}), 41);
  for (const Kind &kind : {kinds[0], kinds[2]}) {
    flushChronoQuda(3);
    int with = 0, without = 0;
    for (int step = 0; step < 5; step++) {
      const Case on(moved(links, 0.01 * step));
      QudaInvertParam param = with_store(kind, 3, 3), plain = solve_param(kind.inverter, kind.solution, kind.solve);
      param.chrono_precision = QUDA_SINGLE_PRECISION;
      const Spinors b = source_for(on, param, 31);
      const Spinors x = solved(on, b, param), y = solved(on, b, plain);
      EXPECT_LT(residual(on, x, b, param), 20 * tol);
      EXPECT_LE(reference::deviation(x, y), 1e-8);
      if (step < 3) continue;
      with += param.iter;
      without += plain.iter;
    }
    EXPECT_LT(with, 0.75 * without);
  }
}

TEST_F(ResidentSolutions, WhatIsKeptAndForgotten)
{
  const Case on;
  const Kind &kind = kinds[2];
  const auto steps = [&](double a, const std::function<void(QudaInvertParam &)> &change) {
    QudaInvertParam param = with_store(kind, 2, 5);
    change(param);
    solved(on, mixture(on, param, a), param);
    EXPECT_LT(param.true_res[0], param.tol);
    return param.iter;
  };
  const auto only_look = [](QudaInvertParam &param) {
    param.chrono_make_resident = 0;
    param.tol = 1e-9;
  };
  const auto accurately = [](QudaInvertParam &param) { param.tol = 1e-11; };
  flushChronoQuda(5); // nothing is there
  const int alone = steps(0, accurately);
  EXPECT_EQ(steps(0, only_look), 1);
  EXPECT_GT(steps(0, [](QudaInvertParam &param) { param.chrono_index = 4; }), 3) << "another store";
  flushChronoQuda(4);
  steps(5, [](QudaInvertParam &param) {
    param.tol = 1e-11;
    param.chrono_replace_last = 1;
  });
  EXPECT_EQ(steps(5, only_look), 1);
  EXPECT_GT(steps(0, only_look), 3) << "the newest was to be replaced";
  steps(0, accurately);
  EXPECT_EQ(steps(-2, only_look), 1) << "two span a plane";
  steps(-1, [](QudaInvertParam &param) { // reached in one step from the two, and pushes out the older one
    param.tol = 1e-11;
  });
  flushChronoQuda(4);
  EXPECT_EQ(steps(0, only_look), 1) << "another store was forgotten";
  flushChronoQuda(5);
  EXPECT_NEAR(steps(0, only_look), alone, 0.4 * alone);
}

TEST_F(ResidentSolutions, EachRightHandSideHasItsOwn)
{
  const Case on;
  std::vector<std::vector<double>> in(2), out(2);
  for (const double a : {1.0, 2.0, 3.0}) {
    QudaInvertParam param = with_store(kinds[2], 4);
    param.num_src = param.num_src_per_sub_partition = 2;
    param.tol = a == 3 ? 1e-9 : 1e-11;
    void *b[2], *x[2];
    for (int j = 0; j < 2; j++) {
      in[j] = on.host(mixture(on, param, j == 0 ? a : -a * a));
      if (j == 1)
        for (double &number : in[j]) number *= 1e-9;
      out[j].resize(in[j].size());
      b[j] = in[j].data(), x[j] = out[j].data();
    }
    invertMultiSrcQuda(x, b, &param);
    EXPECT_LT(std::max(param.true_res[0], param.true_res[1]), param.tol);
    EXPECT_EQ(param.iter == 1, a == 3);
  }
}

TEST_F(ResidentSolutions, RefusedByName)
{
  const Case on;
  const Kind &pc = kinds[0], &full = kinds[3];
  QudaInvertParam param = with_store(pc, 2);
  for (const double a : {1.0, 2.0}) {
    param = with_store(pc, 2);
    solved(on, mixture(on, param, a), param);
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  const auto refused = [&](QudaInvertParam bad, const char *words) {
    handler.forget();
    solved(on, source_for(on, bad, 3), bad);
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
  };
  refused(with_store(pc, 2, 12), "chrono_index");
  refused(with_store(pc, 0, 1), "chrono_max_dim");
  refused(with_store(pc, 1), "2 solutions");
  refused(with_store(full, 2), "on the even sites");
  param = with_store(pc, 2);
  param.matpc_type = QUDA_MATPC_ODD_ODD;
  refused(param, "this system has 1 right-hand side on the odd sites");
  param = solve_param(pc.inverter, pc.solution, pc.solve);
  param.use_resident_solution = 1;
  refused(param, "no solution is resident");
  handler.forget();
  flushChronoQuda(12);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("index = 12"));
}

/// Solutions end with their session: the next one has none to give, and begins its solves with nothing.
TEST(Sessions, KeepNoSolutions)
{
  Handler handler;
  for (int time = 0; time < 2; time++) {
    SCOPED_TRACE(time);
    const Session session;
    const Case on;
    QudaInvertParam param = with_store(kinds[2], 4),
                    resident = solve_param(kinds[2].inverter, kinds[2].solution, kinds[2].solve);
    const Spinors b = source_for(on, param, 31);
    resident.use_resident_solution = 1;
    solved(on, b, resident);
    EXPECT_TRUE(handler.says("no solution is resident")) << handler.text();
    handler.forget();
    solved(on, b, param);
    EXPECT_GT(param.iter, 1);
    param.tol = 1e-9;
    solved(on, b, param);
    EXPECT_EQ(param.iter, 1);
    resident.use_resident_solution = 0;
    resident.make_resident_solution = 1;
    solved(on, b, resident);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  }
}

TEST_F(ResidentSolutions, TheLastOne)
{
  const Case on;
  QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  const Spinors b = source_for(on, param, 9);
  std::vector<double> in = on.host(b), out(in.size(), 7.0);
  param.make_resident_solution = 1;
  invertQuda(out.data(), in.data(), &param);
  EXPECT_LT(param.true_res[0], tol);
  EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](double x) { return x == 7; })) << "the host's array is left alone";
  param.make_resident_solution = 0;
  param.use_resident_solution = 1;
  param.tol = 1e-9;
  const Spinors x = solved(on, b, param);
  EXPECT_EQ(param.iter, 1);
  EXPECT_LT(residual(on, x, b, param), 1e-9);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  solved(on, b, param);
  EXPECT_TRUE(handler.says("no solution is resident")) << "a call that keeps none frees it";
}

/// Copies of links that become resident are stored as those of the links before, whoever made the links; freed, nothing
/// of that is left.
TEST_F(ResidentSolutions, LinksThatAreUpdatedKeepTheStorageOfTheirCopies)
{
  const Case on;
  const auto stored = [] { return quda::guarded::session().wilson.storage(quda::LinkCopy::sloppy).reconstruct; };
  QudaInvertParam param = solve_param(QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  const Spinors b = source_for(on, param, 12);
  HostLinks<double> links(on.links, on.part, QUDA_QDP_GAUGE_ORDER);
  std::vector<double> momenta(40 * on.part.local.volume());
  for (std::size_t i = 0; i < momenta.size(); i++) momenta[i] = std::sin(3.0 * static_cast<double>(i));
  void *arrays[4];
  for (int mu = 0; mu < 4; mu++) arrays[mu] = &momenta[10 * mu * on.part.local.volume()];
  QudaGaugeParam gauge = gauge_param(on.part.local.X, {QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION,
                                                       QUDA_RECONSTRUCT_NO, QUDA_QDP_GAUGE_ORDER, 1, -1});
  for (const bool resident : {true, false}) {
    on.load(); // copies by 12
    gauge.use_resident_gauge = resident;
    gauge.make_resident_gauge = 1;
    gauge.return_result_gauge = 0;
    updateGaugeFieldQuda(resident ? nullptr : links.pointer(), arrays, 0.1, 0, 1, &gauge);
    EXPECT_EQ(stored(), quda::Reconstruct::r12) << resident;
    const std::vector<double> updated = solved_here(on, b, param);

    HostLinks<double> moved(on.links, on.part, QUDA_QDP_GAUGE_ORDER);
    saveGaugeQuda(moved.pointer(), &gauge);
    gauge.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    gauge.use_resident_gauge = gauge.make_resident_gauge = 0;
    for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_12, QUDA_RECONSTRUCT_NO}) {
      gauge.reconstruct_sloppy = reconstruct;
      loadGaugeQuda(moved.pointer(), &gauge);
      EXPECT_EQ(same_bits(solved_here(on, b, param), updated), reconstruct == QUDA_RECONSTRUCT_12)
          << resident << " " << reconstruct;
    }
  }
  on.load();
  freeGaugeQuda();
  gauge.use_resident_gauge = 0;
  gauge.make_resident_gauge = 1;
  updateGaugeFieldQuda(links.pointer(), arrays, 0.1, 0, 1, &gauge);
  EXPECT_EQ(stored(), quda::Reconstruct::none);
}

} // namespace
