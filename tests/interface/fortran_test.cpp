/// The Fortran names of updates and momenta do what the C functions do.

#include "quda_fortran.h"
#include "quda_milc_interface.h"
#include "session.h"

#include <gtest/gtest.h>

#include <vector>

namespace
{

const reference::Lattice lattice({4, 6, 4, 4});

QudaGaugeParam milc()
{
  QudaGaugeParam param = test::gauge_param(lattice.X);
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  return param;
}

std::vector<double> random_numbers(long long n, std::uint64_t seed)
{
  reference::SiteRandom random(seed, 0, 0);
  std::vector<double> numbers(static_cast<std::size_t>(n));
  for (double &x : numbers) x = 2 * random.uniform() - 1;
  return numbers;
}

TEST(FortranNames, MomentumAndUpdate)
{
  test::Session session;
  QudaGaugeParam param = milc();
  std::vector<double> momenta = random_numbers(40 * lattice.volume(), 5);
  double kinetic = 0;
  kinetic_quda_(&kinetic, momenta.data(), &param);
  EXPECT_NE(kinetic, 0);
  EXPECT_EQ(kinetic, momActionQuda(momenta.data(), &param));

  const std::vector<double> links = random_numbers(72 * lattice.volume(), 6);
  const double steps[] = {0.1, -0.3};
  std::vector<std::vector<double>> all;
  for (double step : steps)
    for (bool conjugate : {false, true})
      for (bool exact : {false, true}) {
        std::vector<double> fortran = links, c = links;
        update_gauge_field_quda_(fortran.data(), momenta.data(), &step, &conjugate, &exact, &param);
        updateGaugeFieldQuda(c.data(), momenta.data(), step, conjugate, exact, &param);
        EXPECT_EQ(fortran, c) << "dt = " << step << ", conj_mom = " << conjugate << ", exact = " << exact;
        for (const auto &other : all) EXPECT_NE(other, c) << "an argument without effect";
        all.push_back(c);
      }
}

TEST(FortranNames, GaugeForce)
{
  const int ranks[4] = {1, 1, 1, 1};
  test::Session session;
  test::Handler handler;
  qudaSetLayout({lattice.X.data(), ranks, -1});
  QudaGaugeParam param = milc();
  param.reconstruct = QUDA_RECONSTRUCT_12; // as MILC's call has it
  std::vector<double> links = random_numbers(72 * lattice.volume(), 6);
  const std::vector<double> momenta = random_numbers(40 * lattice.volume(), 5);
  double weights[3] = {1, -0.3, 0.2}, step = 0.1;
  for (int types : {1, 2, 3}) {
    std::vector<double> fortran = momenta, c = momenta;
    compute_gauge_force_quda_(fortran.data(), links.data(), &types, weights, &step, &param);
    QudaMILCSiteArg_t arg {};
    arg.link = links.data();
    arg.mom = c.data();
    qudaGaugeForcePhased(2, types, weights, step, &arg, 0);
    EXPECT_NE(fortran, momenta);
    EXPECT_EQ(fortran, c) << types << " types of loops";
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  int four = 4;
  compute_gauge_force_quda_(links.data(), links.data(), &four, weights, &step, &param);
  EXPECT_TRUE(handler.says("compute_gauge_force_quda_") && handler.says("num_loop_types = 4")) << handler.text();
}

/// Shifted systems as a Fortran host calls them: solutions behind each other in one array.
TEST(FortranNames, Solves)
{
  test::Session session;
  test::Handler handler;
  const reference::GaugeField gauge = reference::random_gauge(lattice, 7);
  test::HostLinks<double> links(gauge, reference::Part(lattice), QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam gauge_param = test::gauge_param(lattice.X), fresh_gauge;
  new_quda_gauge_param_(&fresh_gauge);
  EXPECT_EQ(fresh_gauge.struct_size, newQudaGaugeParam().struct_size);
  load_gauge_quda_(links.pointer(), &gauge_param);

  QudaInvertParam fresh;
  new_quda_invert_param_(&fresh);
  EXPECT_EQ(fresh.struct_size, newQudaInvertParam().struct_size);
  const auto run = [&](bool staggered, QudaSolutionType solution, QudaSolveType solve) {
    SCOPED_TRACE(testing::Message() << "staggered " << staggered << ", solution " << solution);
    QudaInvertParam param = test::wilson_param(QUDA_DOUBLE_PRECISION, 0.12);
    param.cpu_prec = QUDA_DOUBLE_PRECISION;
    if (staggered) {
      param.dslash_type = QUDA_STAGGERED_DSLASH;
      param.mass = 0.1;
    }
    param.inv_type = QUDA_CG_INVERTER;
    param.solution_type = solution;
    param.solve_type = solve;
    param.matpc_type = QUDA_MATPC_EVEN_EVEN;
    param.mass_normalization = staggered ? QUDA_MASS_NORMALIZATION : QUDA_KAPPA_NORMALIZATION;
    param.tol = 1e-10;
    param.maxiter = 1000;
    param.reliable_delta = 0.1;
    param.num_offset = 3;
    for (int k = 0; k < 3; k++) {
      param.offset[k] = 0.1 * (k + 1);
      param.tol_offset[k] = 1e-10;
    }
    const bool parity = solution != QUDA_MATDAG_MAT_SOLUTION;
    const std::size_t reals = (staggered ? 6 : 24) * lattice.volume() / (parity ? 2 : 1);
    std::vector<double> b = random_numbers(static_cast<long long>(reals), 8), all(3 * reals, 7), c(all);
    void *x[3] = {c.data(), &c[reals], &c[2 * reals]};
    invert_multishift_quda_(all.data(), b.data(), &param);
    EXPECT_GT(param.iter, 3);
    invertMultiShiftQuda(x, b.data(), &param);
    EXPECT_EQ(all, c);
    EXPECT_NE(all[reals], all[0]);

    std::vector<double> one(reals, 7), same(one);
    invert_quda_(one.data(), b.data(), &param);
    invertQuda(same.data(), b.data(), &param);
    EXPECT_EQ(one, same);
    EXPECT_NE(one[0], 7);
    EXPECT_EQ(handler.calls(), 0) << handler.text();

    const std::vector<double> before = all;
    invert_multishift_quda_(nullptr, b.data(), &param);
    EXPECT_TRUE(handler.says("invert_multishift_quda_: h_x = null")) << handler.text();
    handler.forget();
    param.num_offset = 40;
    invert_multishift_quda_(all.data(), b.data(), &param);
    EXPECT_TRUE(handler.says("QudaInvertParam.num_offset = 40")) << handler.text();
    handler.forget();
    invert_multishift_quda_(all.data(), b.data(), nullptr);
    EXPECT_TRUE(handler.says("invert_multishift_quda_")) << handler.text();
    handler.forget();
    EXPECT_EQ(all, before);
  };
  run(false, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  run(false, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE);
  run(true, QUDA_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  free_gauge_quda_();
}

} // namespace
