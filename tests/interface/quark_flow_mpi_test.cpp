/// Flow of quark fields through the C interface and its adjoint, on every way to cut a small lattice.

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

using AdjointFlow = void (*)(void **, void **, QudaInvertParam *, QudaGaugeSmearParam *, size_t);

/// The resident links, or the smeared ones, here.
std::vector<double> resident_links(const Here &here, QudaLinkType type)
{
  HostLinks<double> links(reference::GaugeField {lattice}, here.part, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = gauge_param(here.part.local.X);
  param.type = type;
  saveGaugeQuda(links.pointer(), &param);
  return links.all();
}

std::complex<double> inner_product(const std::vector<double> &a, const std::vector<double> &b)
{
  double sum[2] = {0, 0};
  for (std::size_t i = 0; i < a.size(); i += 2) {
    sum[0] += a[i] * b[i] + a[i + 1] * b[i + 1];
    sum[1] += a[i] * b[i + 1] - a[i + 1] * b[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return {sum[0], sum[1]};
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

/// Both functions, two fields of which the second is -1/2 times the first; the links that they begin with are the
/// smeared ones afterwards.
TEST_F(QuarkLinks, AdjointFlowAsTheReference)
{
  on_all_grids([](Here &here) {
    for (const bool symanzik : {false, true})
      for (const int order : {3, 4}) {
        if (symanzik && order == 4) continue;
        const reference::Flow flow {symanzik, symanzik ? 1.3 : 1};
        std::vector<reference::FlowStages> steps;
        for (int i = 0; i < 3; i++)
          steps.push_back(reference::flow_stages(i == 0 ? here.links : steps.back().back(), 0.04, flow, order));
        auto xi = reference::spins_of<4>(here.psi);
        auto color = reference::spins_of<1>(here.psi);
        for (int i = 2; i >= 0; i--) {
          xi = reference::quark_flow_step_back<4>(steps[i], xi, 0.04, order);
          color = reference::quark_flow_step_back<1>(steps[i], color, 0.04, order);
        }
        for (const auto &storage : storages) {
          here.load(storage.precision, storage.reconstruct);
          for (const bool of_spinors : {true, false}) {
            std::vector<double> other, safe;
            for (const AdjointFlow function : {performAdjGFlowSafe, performAdjGFlowHier}) {
              QudaInvertParam param = spinors(of_spinors ? QUDA_WILSON_DSLASH : QUDA_STAGGERED_DSLASH);
              param.cuda_prec = storage.precision;
              QudaGaugeSmearParam smear = flow_param(symanzik, order);
              smear.n_steps = 3;
              smear.meas_interval = 0;
              smear.smear_anisotropy = flow.anisotropy;
              smear.adj_n_save = 1;
              const auto call = [&](double *out, double *in) {
                std::vector<double> second(in, in + (of_spinors ? 24 : 6) * here.part.local.volume());
                for (double &x : second) x *= -0.5;
                other.assign(second.size(), NAN);
                void *outs[2] = {out, other.data()}, *ins[2] = {in, second.data()};
                function(outs, ins, &param, &smear, 2);
                for (double &x : other) x *= -2;
              };
              const double error = of_spinors ? here.error_of<4>(call, xi) : here.error_of<1>(call, color);
              EXPECT_LE(error, storage.bar) << symanzik << order << of_spinors;
              EXPECT_TRUE(test::same_bits(here.out, other));
              EXPECT_GT(param.gflops, 0);
              if (function == performAdjGFlowSafe)
                safe = here.out;
              else
                EXPECT_TRUE(test::same_bits(here.out, safe)) << symanzik << order << of_spinors;
            }
          }
          EXPECT_TRUE(
              test::same_bits(resident_links(here, QUDA_SMEARED_LINKS), resident_links(here, QUDA_WILSON_LINKS)));
        }
      }
  });
}

/// <xi, K psi> = <K^dag xi, psi>, K the flow of the library; whatever is kept, the same bits.
TEST_F(QuarkLinks, AdjointFlowIsTheAdjointOfTheFlow)
{
  on_all_grids([](Here &here) {
    const auto host = [&](int seed) {
      return reference::to_host<double, 4>(reference::spins_of<4>(reference::random_spinors(lattice, seed)), lattice,
                                           here.part, -1);
    };
    const std::vector<double> psi = host(54), xi = host(55);
    for (const auto precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION}) {
      here.load(precision, QUDA_RECONSTRUCT_NO);
      QudaInvertParam param = spinors();
      param.cuda_prec = precision;
      for (const bool symanzik : {false, true})
        for (const int order : {3, 4})
          for (const double anisotropy : {1.0, 1.4}) {
            if (precision == QUDA_SINGLE_PRECISION && (order == 4 || anisotropy == 1)) continue;
            QudaGaugeSmearParam smear = flow_param(symanzik, order);
            smear.n_steps = 5;
            smear.meas_interval = 9;
            smear.smear_anisotropy = anisotropy;
            QudaGaugeObservableParam observed = newQudaGaugeObservableParam();
            const auto made = [&](const std::vector<double> &from, const auto &call) {
              std::vector<double> in = from, out(from.size(), NAN);
              void *outs[] = {out.data()}, *ins[] = {in.data()};
              call(outs, ins);
              return out;
            };
            const auto flowed =
                made(psi, [&](void **out, void **in) { performGFlowQuda(out, in, &param, &smear, &observed, 1); });
            const auto back = made(xi, [&](void **out, void **in) { performAdjGFlowSafe(out, in, &param, &smear, 1); });
            const std::complex<double> left = inner_product(xi, flowed), right = inner_product(back, psi);
            const double size = std::sqrt(std::abs(inner_product(xi, xi)) * std::abs(inner_product(psi, psi)));
            EXPECT_LE(std::abs(left - right), (precision == QUDA_DOUBLE_PRECISION ? 1e-15 : 1e-7) * size)
                << symanzik << order << anisotropy;
            EXPECT_GT(std::abs(left), 1e-5 * size);
            for (const unsigned kept : {0u, 1u, 2u, 9u})
              for (const unsigned undivided : {0u, 2u}) {
                if (symanzik && (kept != 2 || undivided != 0)) continue;
                smear.adj_n_save = kept;
                smear.hier_threshold = undivided;
                EXPECT_TRUE(test::same_bits(
                    made(xi, [&](void **out, void **in) { performAdjGFlowHier(out, in, &param, &smear, 1); }), back))
                    << kept << undivided;
              }
          }
    }
  });
}

/// Two steps back are one from the smeared links, which stay, and one from the resident ones; none changes nothing.
TEST_F(QuarkLinks, AdjointFlowGoesBackInPieces)
{
  on_all_grids([](Here &here) {
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
    QudaInvertParam param = spinors();
    for (const AdjointFlow function : {performAdjGFlowSafe, performAdjGFlowHier}) {
      const auto back = [&](std::vector<double> in, QudaGaugeSmearParam smear) {
        std::vector<double> out(in.size(), NAN);
        void *outs[] = {out.data()}, *ins[] = {in.data()};
        function(outs, ins, &param, &smear, 1);
        return out;
      };
      QudaGaugeSmearParam two = flow_param(true, 3), one = two, none = two;
      one.n_steps = one.meas_interval = 1;
      none.n_steps = 0;
      const auto xi = here.source<4>();
      EXPECT_TRUE(test::same_bits(back(xi, none), xi));
      const auto whole = back(xi, two);
      QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
      performWFlowQuda(&one, observed);
      const auto smeared = resident_links(here, QUDA_SMEARED_LINKS);
      one.restart = QUDA_BOOLEAN_TRUE;
      const auto middle = back(xi, one);
      EXPECT_TRUE(test::same_bits(resident_links(here, QUDA_SMEARED_LINKS), smeared));
      one.restart = QUDA_BOOLEAN_FALSE;
      EXPECT_TRUE(test::same_bits(back(middle, one), whole));
    }
    freeGaugeSmearedQuda();
  });
}
