/// staggeredPhaseQuda and what else knows of phases: forces, projection and observables take them off first. Fields
/// that the host holds by a handle; MILC's names for both.

#include "session.h"

#include "quda_milc_interface.h"

#include "force/force_calls.h"
#include "reference/gauge/polyakov.h"
#include "reference/gauge/project.h"
#include "reference/gauge/staggered_phase.h"

#include <gtest/gtest.h>

namespace
{

using reference::GaugeField;
using test::Handler;
using test::HostLinks;
using test::Session;

const reference::Lattice lattice({4, 4, 6, 8});
const reference::Part whole(lattice);

class Phases : public ::testing::Test
{
protected:
  Phases()
      : plain(reference::random_gauge(lattice, 91))
      , phased(reference::staggered(plain, reference::StaggeredPhases::chroma, -1))
      , links(phased, whole, QUDA_QDP_GAUGE_ORDER)
      , param(test::gauge_param(lattice.X))
  {
    param.t_boundary = QUDA_ANTI_PERIODIC_T;
    param.staggered_phase_type = QUDA_STAGGERED_PHASE_CHROMA;
    param.staggered_phase_applied = 1;
  }
  ~Phases() override { EXPECT_EQ(handler.calls(), 0) << handler.text(); }

  std::vector<double> numbers(const GaugeField &gauge) const
  {
    return HostLinks<double>(gauge, whole, QUDA_QDP_GAUGE_ORDER).all();
  }
  std::vector<double> saved()
  {
    links.fill(0);
    saveGaugeQuda(links.pointer(), &param);
    return links.all();
  }

  Handler handler;
  Session session;
  const GaugeField plain, phased;
  HostLinks<double> links;
  QudaGaugeParam param;
};

TEST_F(Phases, AreTakenOffAndPutOnInTheHostsArray)
{
  staggeredPhaseQuda(links.pointer(), &param);
  EXPECT_EQ(links.all(), numbers(plain));
  param.staggered_phase_applied = 0;
  staggeredPhaseQuda(links.pointer(), &param);
  EXPECT_EQ(links.all(), numbers(phased));
  param.i_mu = 0.7;
  param.t_boundary = QUDA_PERIODIC_T;
  HostLinks<double> bare(plain, whole, QUDA_QDP_GAUGE_ORDER);
  staggeredPhaseQuda(bare.pointer(), &param);
  EXPECT_LT(test::largest_difference(bare.all(),
                                     numbers(reference::staggered(plain, reference::StaggeredPhases::chroma, 1, 0.7))),
            1e-15);
}

TEST_F(Phases, OfResidentLinksAreKnownFromTheLoad)
{
  loadGaugeQuda(links.pointer(), &param);
  EXPECT_EQ(saved(), numbers(phased));
  param.use_resident_gauge = 1;
  param.return_result_gauge = 0;
  param.staggered_phase_applied = 0; // not looked at
  staggeredPhaseQuda(nullptr, &param);
  EXPECT_EQ(saved(), numbers(plain));
  param.return_result_gauge = 1;
  links.fill(0);
  staggeredPhaseQuda(links.pointer(), &param);
  EXPECT_EQ(links.all(), numbers(phased));
  EXPECT_EQ(saved(), numbers(phased));
  param.use_resident_gauge = 0;
  param.make_resident_gauge = 1;
  param.staggered_phase_applied = 1;
  staggeredPhaseQuda(links.pointer(), &param);
  EXPECT_EQ(saved(), numbers(plain));
}

TEST_F(Phases, OfCopiesForSolversFollow)
{
  param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
  loadGaugeQuda(links.pointer(), &param);
  double with[3], without[3];
  plaqQuda(with); // as stored: planes of the CHROMA convention turn the sign
  param.use_resident_gauge = 1;
  param.return_result_gauge = 0;
  staggeredPhaseQuda(nullptr, &param);
  plaqQuda(without);
  // iterations know that twelve numbers do not hold those that have come since the load
  HostLinks<double> bare(plain, whole, QUDA_QDP_GAUGE_ORDER);
  param.use_resident_gauge = param.staggered_phase_applied = 0;
  param.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
  loadGaugeQuda(bare.pointer(), &param);
  param.use_resident_gauge = 1;
  staggeredPhaseQuda(nullptr, &param);
  QudaInvertParam solve = test::wilson_param();
  solve.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
  solve.inv_type = QUDA_BICGSTAB_INVERTER;
  solve.solve_type = QUDA_DIRECT_PC_SOLVE;
  solve.tol = 1e-10;
  solve.maxiter = 1000;
  solve.reliable_delta = 0.1;
  solve.verbosity = QUDA_SUMMARIZE;
  std::vector<double> b(24 * plain.lattice.volume(), 1), x(b.size());
  const test::Output output;
  invertQuda(x.data(), b.data(), &solve);
  EXPECT_LT(solve.true_res[0], solve.tol);
  EXPECT_FALSE(output.says("stores them whole")) << output.text();
  const auto right = reference::plaquette(plain);
  for (int i = 0; i < 3; i++) {
    EXPECT_NEAR(with[i], -right[i], 1e-14);
    EXPECT_NEAR(without[i], right[i], 1e-14);
  }
}

TEST_F(Phases, AreTakenOffForObservablesTracesForcesAndProjection)
{
  loadGaugeQuda(links.pointer(), &param);
  QudaGaugeObservableParam observed = newQudaGaugeObservableParam();
  observed.compute_plaquette = observed.compute_polyakov_loop = QUDA_BOOLEAN_TRUE;
  observed.remove_staggered_phase = QUDA_BOOLEAN_TRUE;
  const reference::Complex loop = reference::polyakov_loop(plain);
  for (const QudaBoolean project : {QUDA_BOOLEAN_FALSE, QUDA_BOOLEAN_TRUE}) {
    observed.su_project = project;
    gaugeObservablesQuda(&observed);
    EXPECT_NEAR(observed.plaquette[0], reference::plaquette(plain)[0], 1e-14);
    EXPECT_NEAR(observed.ploop[0], loop.real(), 1e-13);
    EXPECT_NEAR(observed.ploop[1], loop.imag(), 1e-13);
  }
  EXPECT_EQ(saved(), numbers(phased)); // what was measured was a copy
  EXPECT_NEAR(force_test::sum_of_traces({reference::plaquette_loop}, 1),
              reference::loop_trace(plain, reference::plaquette_loop).real(), 1e-10);

  force_test::CPaths paths(reference::force_paths(reference::images(reference::plaquette_loop), 1));
  const GaugeField old = reference::random_momentum(lattice, 92);
  const GaugeField right = force_test::new_momentum(plain, paths.terms(), 0.3, &old);
  for (const int resident : {0, 1}) {
    force_test::HostMomenta<double> mom(old, whole, QUDA_QDP_GAUGE_ORDER);
    param.use_resident_gauge = resident;
    param.make_resident_gauge = 1;
    HostLinks<double> host(phased, whole, QUDA_QDP_GAUGE_ORDER);
    computeGaugeForceQuda(mom.pointer(), resident ? nullptr : host.pointer(), paths.steps(), paths.length(),
                          paths.coefficient(), paths.n(), paths.longest(), 0.3, &param);
    EXPECT_LT(force_test::deviation(mom, whole, right), 1e-13);
    EXPECT_EQ(saved(), numbers(phased));
  }

  GaugeField wide = phased;
  for (auto &of_mu : wide.U)
    for (reference::Link &u : of_mu) u *= 1.01;
  HostLinks<double> host(wide, whole, QUDA_QDP_GAUGE_ORDER);
  param.use_resident_gauge = param.make_resident_gauge = 0;
  projectSU3Quda(host.pointer(), 1e-14, &param);
  EXPECT_LT(test::largest_difference(host.all(), numbers(phased)), 1e-14);
}

TEST_F(Phases, ByMilcsName)
{
  const int one[4] = {1, 1, 1, 1};
  qudaSetLayout({lattice.X.data(), one, -1});
  HostLinks<double> milc(plain, whole, QUDA_MILC_GAUGE_ORDER);
  const auto with = [&](double i_mu) {
    const GaugeField right = reference::staggered(plain, reference::StaggeredPhases::milc, -1, i_mu);
    return HostLinks<double>(right, whole, QUDA_MILC_GAUGE_ORDER).all();
  };
  qudaRephase(2, milc.pointer(), 1, 0);
  EXPECT_EQ(milc.all(), with(0));
  qudaRephase(2, milc.pointer(), 0, 0);
  EXPECT_EQ(milc.all(), HostLinks<double>(plain, whole, QUDA_MILC_GAUGE_ORDER).all());
  qudaRephase(2, milc.pointer(), 1, 0.25);
  EXPECT_LT(test::largest_difference(milc.all(), with(0.25)), 1e-15);
}

/// Links come back as they were given; zeros where none were; the resident ones.
TEST_F(Phases, FieldsByAHandle)
{
  const int one[4] = {1, 1, 1, 1};
  qudaSetLayout({lattice.X.data(), one, -1});
  HostLinks<double> milc(plain, whole, QUDA_MILC_GAUGE_ORDER);
  const std::vector<double> given = milc.all();
  void *field = qudaCreateGaugeField(milc.pointer(), 4, 2);
  milc.fill(0);
  qudaSaveGaugeField(milc.pointer(), field);
  EXPECT_EQ(milc.all(), given);
  qudaDestroyGaugeField(field);

  std::vector<double> matrices(18 * lattice.volume());
  for (std::size_t i = 0; i < matrices.size(); i++) matrices[i] = static_cast<double>(i);
  std::vector<double> back(matrices.size());
  param.gauge_order = QUDA_MILC_GAUGE_ORDER;
  field = createGaugeFieldQuda(matrices.data(), 1, &param);
  saveGaugeFieldQuda(back.data(), field, &param);
  EXPECT_EQ(back, matrices);
  destroyGaugeFieldQuda(field);
  field = createGaugeFieldQuda(nullptr, 1, &param);
  saveGaugeFieldQuda(back.data(), field, &param);
  EXPECT_EQ(back, std::vector<double>(back.size()));
  destroyGaugeFieldQuda(field);
  destroyGaugeFieldQuda(nullptr);

  param.gauge_order = QUDA_QDP_GAUGE_ORDER;
  loadGaugeQuda(links.pointer(), &param);
  field = qudaResidentExtendedGaugeField(nullptr, 4, 2);
  qudaSaveGaugeField(milc.pointer(), field);
  EXPECT_EQ(milc.all(), HostLinks<double>(phased, whole, QUDA_MILC_GAUGE_ORDER).all());
  // left to endQuda
}

TEST_F(Phases, LinksOfCloverFermions)
{
  const int one[4] = {1, 1, 1, 1};
  qudaSetLayout({lattice.X.data(), one, -1});
  HostLinks<double> milc(plain, whole, QUDA_MILC_GAUGE_ORDER);
  QudaInvertArgs_t args {};
  args.mixed_precision = 2;
  qudaLoadGaugeField(2, 2, args, milc.pointer());
  double plaq[3];
  plaqQuda(plaq);
  EXPECT_NEAR(plaq[0], reference::plaquette(plain)[0], 1e-14);
  qudaFreeGaugeField();
}

} // namespace
