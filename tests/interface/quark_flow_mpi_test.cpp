/// Flow of quark fields through the C interface, on every way to cut a small lattice.

#include "quark_links.h"

#include "reference/gauge/plaquette.h"
#include "reference/smear/quark_flow.h"

namespace
{

using namespace test;

const struct {
  QudaPrecision precision;
  QudaReconstructType reconstruct;
  double bar;
} storages[] = {{QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO, 1e-12},
                {QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_12, 1e-12},
                {QUDA_SINGLE_PRECISION, QUDA_RECONSTRUCT_12, 2e-5}};

QudaGaugeSmearParam flow_param(bool symanzik, int order)
{
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  param.smear_type = symanzik ? QUDA_GAUGE_SMEAR_SYMANZIK_FLOW : QUDA_GAUGE_SMEAR_WILSON_FLOW;
  param.n_steps = param.meas_interval = 2;
  param.epsilon = 0.04;
  param.rk_order = static_cast<unsigned>(order);
  return param;
}

} // namespace

/// Two fields at once; the measured plaquette and the smeared links are those of the links' own flow.
TEST_F(QuarkLinks, FlowAsTheReference)
{
  on_all_grids([](Here &here) {
    for (const bool symanzik : {false, true})
      for (const int order : {3, 4}) {
        if (symanzik && order == 4) continue;
        reference::GaugeField links = here.links;
        auto phi = reference::spins_of<4>(here.psi);
        auto color = reference::spins_of<1>(here.psi);
        for (int step = 0; step < 2; step++) {
          const auto stages = reference::flow_stages(links, 0.04, {symanzik}, order);
          phi = reference::quark_flow_step<4>(stages, phi, 0.04, order);
          color = reference::quark_flow_step<1>(stages, color, 0.04, order);
          links = stages.back();
        }
        const double plaquette = reference::plaquette(links)[0];
        for (const auto &storage : storages) {
          here.load(storage.precision, storage.reconstruct);
          for (const bool of_spinors : {true, false}) {
            QudaInvertParam param = spinors(of_spinors ? QUDA_WILSON_DSLASH : QUDA_STAGGERED_DSLASH);
            param.cuda_prec = storage.precision;
            QudaGaugeSmearParam flow = flow_param(symanzik, order);
            QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
            observed[1].compute_plaquette = QUDA_BOOLEAN_TRUE;
            std::vector<double> other;
            const auto call = [&](double *out, double *in) {
              other.assign((of_spinors ? 24 : 6) * here.part.local.volume(), NAN);
              void *outs[2] = {out, other.data()}, *ins[2] = {in, in};
              performGFlowQuda(outs, ins, &param, &flow, observed, 2);
            };
            const double error = of_spinors ? here.error_of<4>(call, phi) : here.error_of<1>(call, color);
            EXPECT_LE(error, storage.bar) << symanzik << order << of_spinors;
            EXPECT_TRUE(test::same_bits(here.out, other));
            EXPECT_NEAR(observed[1].plaquette[0], plaquette, storage.precision == QUDA_SINGLE_PRECISION ? 1e-6 : 1e-12);
            EXPECT_GT(param.gflops, 0);
          }
        }
      }
  });
}

/// A rotated field flows into the rotated field; two steps are one step and another one; none changes nothing.
TEST_F(QuarkLinks, FlowIsCovariantAndGoesOn)
{
  on_all_grids([](Here &here) {
    const auto rotation = reference::random_rotation(lattice, 53);
    const reference::GaugeField rotated = reference::transformed(here.links, rotation);
    const reference::Spinors rotated_psi = reference::transformed(here.psi, rotation);
    QudaInvertParam param = spinors();
    QudaGaugeObservableParam observed[3];
    for (auto &one : observed) one = newQudaGaugeObservableParam();
    const auto flow = [&](std::vector<double> in, QudaGaugeSmearParam smear) {
      std::vector<double> out(in.size(), NAN);
      void *outs[] = {out.data()}, *ins[] = {in.data()};
      performGFlowQuda(outs, ins, &param, &smear, observed, 1);
      return out;
    };
    const auto host = [&](const reference::Spinors &psi) {
      return reference::to_host<double, 4>(reference::spins_of<4>(psi), lattice, here.part, -1);
    };
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
    QudaGaugeSmearParam two = flow_param(true, 3), one = two, none = two;
    one.n_steps = 1;
    none.n_steps = 0;
    const auto whole = flow(host(here.psi), two);
    EXPECT_TRUE(test::same_bits(flow(host(here.psi), none), host(here.psi)));
    const auto middle = flow(host(here.psi), one);
    one.restart = QUDA_BOOLEAN_TRUE;
    EXPECT_TRUE(test::same_bits(flow(middle, one), whole));

    test::HostLinks<double> links(rotated, here.part, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam gauge = test::gauge_param(here.part.local.X);
    loadGaugeQuda(links.pointer(), &gauge);
    EXPECT_LE(here.distance_from_rotated<4>(flow(host(rotated_psi), two), whole, rotation), 1e-12);
    freeGaugeSmearedQuda();
  });
}
