/// Shifts, Laplace's operator and the smearing of quark fields through the C interface, on every way to cut a small
/// lattice: as the plain reference, and as on one rank to the bit.

#include "interface/resident.h"
#include "quark_links.h"

#include <functional>

namespace
{

using namespace test;

const struct {
  QudaPrecision precision;
  QudaReconstructType reconstruct;
  double bar;
} storages[] = {{QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO, 1e-13},
                {QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_12, 1e-13},
                {QUDA_SINGLE_PRECISION, QUDA_RECONSTRUCT_12, 5e-6},
                {QUDA_HALF_PRECISION, QUDA_RECONSTRUCT_NO, 1e-3}};

} // namespace

TEST_F(QuarkLinks, ShiftsAsTheReference)
{
  on_all_grids([](Here &here) {
    const auto psi = reference::spins_of<4>(here.psi);
    const auto color = reference::spins_of<1>(here.psi);
    for (const auto &storage : storages) {
      const bool half = storage.precision == QUDA_HALF_PRECISION;
      here.load(half ? QUDA_DOUBLE_PRECISION : storage.precision, storage.reconstruct);
      for (int dir = 0; dir < 8; dir++) {
        const int d = dir % 4, sense = dir < 4 ? 1 : -1;
        const auto expected = reference::carried<4>(here.links, psi, d, sense);
        QudaInvertParam param = spinors(QUDA_COVDEV_DSLASH);
        param.cuda_prec = storage.precision;
        param.covdev_mu = dir;
        EXPECT_LE(here.error_of<4>([&](double *out, double *in) { MatQuda(out, in, &param); }, expected), storage.bar)
            << dir;
        if (storage.precision != QUDA_DOUBLE_PRECISION) continue;
        for (const int parity : {0, 1})
          EXPECT_LE(here.error_of<4>(
                        [&](double *out, double *in) {
                          dslashQuda(out, in, &param, parity ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY);
                        },
                        expected, 1 - parity, parity),
                    storage.bar);
        const std::vector<double> whole = here.out;
        param = spinors(QUDA_STAGGERED_DSLASH);
        param.cuda_prec = storage.precision;
        EXPECT_LE(here.error_of<1>([&](double *out, double *in) { covDevQuda(out, in, dir, &param); },
                                   reference::carried<1>(here.links, color, d, sense)),
                  storage.bar)
            << dir;
      }
    }
    QudaInvertParam param = spinors();
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
    for (int d = 0; d < 4; d++)
      for (const int sym : {1, 2, 3}) {
        const auto ahead = reference::carried<4>(here.links, psi, d, 1);
        const auto behind = reference::carried<4>(here.links, psi, d, -1);
        const auto expected = reference::combined<4>(sym == 1   ? 1
                                                     : sym == 2 ? 0
                                                                : 0.5,
                                                     ahead,
                                                     sym == 2   ? 1
                                                     : sym == 1 ? 0
                                                                : 0.5,
                                                     behind);
        EXPECT_LE(here.error_of<4>([&](double *out, double *in) { shiftQuda(out, in, d, sym, &param); }, expected),
                  1e-13)
            << d << " sym " << sym;
      }
  });
}

TEST_F(QuarkLinks, LaplaceAsTheReference)
{
  on_all_grids([](Here &here) {
    const auto psi = reference::spins_of<1>(here.psi);
    const double kappa = 0.13;
    for (const auto &storage : storages) {
      here.load(storage.precision, storage.reconstruct);
      for (const int omitted : {0, 3, 4}) {
        QudaInvertParam param = spinors(QUDA_LAPLACE_DSLASH);
        param.cuda_prec = storage.precision;
        param.laplace3D = omitted;
        param.kappa = kappa;
        param.gamma_basis = QUDA_INVALID_GAMMA_BASIS; // has no meaning for colour vectors
        const auto hops = reference::neighbours<1>(here.links, psi, omitted);
        const auto apply = [&](double *out, double *in) { MatQuda(out, in, &param); };
        EXPECT_LE(here.error_of<1>(apply, reference::combined<1>(1, psi, -kappa, hops)), storage.bar) << omitted;
        EXPECT_GT(param.gflops, 0);
        if (omitted != 4) continue;
        param.solution_type = QUDA_MATPC_SOLUTION;
        param.matpc_type = QUDA_MATPC_ODD_ODD;
        const auto twice = reference::neighbours<1>(here.links, hops, omitted);
        EXPECT_LE(here.error_of<1>(apply, reference::combined<1>(1, psi, -kappa * kappa, twice), 1, 1), storage.bar);
      }
    }
  });
}

TEST_F(QuarkLinks, SmearingAsTheReference)
{
  on_all_grids([](Here &here) {
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_12);
    const int n = 3;
    const double alpha = 0.2, omega = 1.5, w = omega * omega / (4 * n);
    auto psi = reference::spins_of<4>(here.psi), other = psi;
    for (int k = 0; k < n; k++) {
      psi = reference::combined<4>(1 / (1 + 6 * alpha), psi, alpha / (1 + 6 * alpha),
                                   reference::neighbours<4>(here.links, psi, 3));
      other = reference::combined<4>(1 - 6 * w, other, w, reference::neighbours<4>(here.links, other, 3));
    }
    QudaInvertParam param = spinors();
    EXPECT_LE(here.error_of<4>([&](double *out, double *in) { performWuppertalnStep(out, in, &param, n, alpha); }, psi),
              1e-13);
    const std::vector<double> wuppertal = here.out;
    EXPECT_LE(
        here.error_of<4>([&](double *out, double *in) { performGaussianSmearNStep(out, in, &param, n, omega); }, other),
        1e-13);
    const std::vector<double> gaussian = here.out;
    performFermionSmearQuda(here.out.data(), here.out.data(), &param, 0, alpha, QUDA_FERMION_SMEAR_TYPE_WUPPERTAL);
    EXPECT_TRUE(test::same_bits(here.out, gaussian)) << "no step changes nothing";
    const auto chosen = [&](QudaFermionSmearType type, double coeff) {
      return [&here, &param, type, coeff](double *out, double *in) {
        performFermionSmearQuda(out, in, &param, n, coeff, type);
      };
    };
    here.error_of<4>(chosen(QUDA_FERMION_SMEAR_TYPE_WUPPERTAL, alpha), psi);
    EXPECT_TRUE(test::same_bits(here.out, wuppertal));
    here.error_of<4>(chosen(QUDA_FERMION_SMEAR_TYPE_GAUSSIAN, omega), other);
    EXPECT_TRUE(test::same_bits(here.out, gaussian));

    // smeared links, where there are any
    QudaGaugeSmearParam smear = newQudaGaugeSmearParam();
    smear.smear_type = QUDA_GAUGE_SMEAR_STOUT;
    smear.n_steps = smear.meas_interval = 1;
    smear.rho = 0.1;
    QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
    performGaugeSmearQuda(&smear, observed);
    here.error_of<4>(chosen(QUDA_FERMION_SMEAR_TYPE_WUPPERTAL, alpha), psi);
    EXPECT_GT(test::largest_difference(here.out, wuppertal), 1e-3);
    freeGaugeSmearedQuda();
  });
}

/// What is made of rotated links and a rotated field is rotated.
TEST_F(QuarkLinks, ShiftsAndSmearingAreCovariant)
{
  on_all_grids([](Here &here) {
    const auto rotation = reference::random_rotation(lattice, 54);
    const reference::GaugeField rotated = reference::transformed(here.links, rotation);
    const auto psi = reference::transformed(here.psi, rotation);
    const QudaGaugeParam gauge = test::gauge_param(here.part.local.X);
    QudaInvertParam param = spinors(), carried = spinors(QUDA_COVDEV_DSLASH), laplace = spinors(QUDA_LAPLACE_DSLASH);
    carried.covdev_mu = 5;
    laplace.laplace3D = 4;
    QudaQuarkSmearParam two_link {};
    QudaInvertParam staggered = spinors(QUDA_ASQTAD_DSLASH);
    staggered.laplace3D = 3;
    two_link.inv_param = &staggered;
    two_link.n_steps = 2;
    two_link.width = 1.7;
    two_link.t0 = -1;
    two_link.delete_2link = 1;
    using Call = std::function<void(double *, double *)>;
    const auto is_covariant = [&]<int n>(const char *name, const Call &call) {
      std::vector<double> plain(6 * n * here.part.local.volume()), in = here.source<n>(), turned = plain;
      here.load(here.links, gauge);
      call(plain.data(), in.data());
      in = reference::to_host<double, n>(reference::spins_of<n>(psi), lattice, here.part, -1);
      here.load(rotated, gauge);
      call(turned.data(), in.data());
      EXPECT_LE(here.distance_from_rotated<n>(turned, plain, rotation), 1e-12) << name;
    };
    const auto of_spinors = [&](const char *name, const Call &call) { is_covariant.operator()<4>(name, call); };
    const auto of_colors = [&](const char *name, const Call &call) { is_covariant.operator()<1>(name, call); };
    of_spinors("covDevQuda", [&](double *out, double *in) { covDevQuda(out, in, 2, &param); });
    of_spinors("shiftQuda", [&](double *out, double *in) { shiftQuda(out, in, 3, 3, &param); });
    of_spinors("MatQuda, COVDEV", [&](double *out, double *in) { MatQuda(out, in, &carried); });
    of_colors("MatQuda, LAPLACE", [&](double *out, double *in) { MatQuda(out, in, &laplace); });
    of_spinors("performWuppertalnStep",
               [&](double *out, double *in) { performWuppertalnStep(out, in, &param, 2, 0.2); });
    of_spinors("performGaussianSmearNStep",
               [&](double *out, double *in) { performGaussianSmearNStep(out, in, &param, 2, 1.5); });
    of_spinors("performFermionSmearQuda", [&](double *out, double *in) {
      performFermionSmearQuda(out, in, &param, 2, 0.2, QUDA_FERMION_SMEAR_TYPE_WUPPERTAL);
    });
    of_colors("performTwoLinkGaussianSmearNStep", [&](double *out, double *in) {
      std::copy(in, in + 6 * here.part.local.volume(), out);
      performTwoLinkGaussianSmearNStep(out, &two_link);
    });
  });
}

TEST_F(QuarkLinks, TwoLinkSmearingAsTheReference)
{
  on_all_grids([](Here &here) {
    here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
    const reference::GaugeField products = reference::two_link(here.links);

    test::HostLinks<double> made(here.links, here.part, QUDA_MILC_GAUGE_ORDER),
        wanted(products, here.part, QUDA_MILC_GAUGE_ORDER), given(here.links, here.part, QUDA_MILC_GAUGE_ORDER);
    test::Storage storage;
    storage.order = QUDA_MILC_GAUGE_ORDER;
    QudaGaugeParam gauge = test::gauge_param(here.part.local.X, storage);
    for (void *links : {given.pointer(), static_cast<void *>(nullptr)}) {
      made.fill(NAN);
      computeTwoLinkQuda(made.pointer(), links, &gauge);
      EXPECT_LE(test::largest_difference(made.all(), wanted.all()), 1e-14);
    }

    for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION})
      for (const int dimensions : {3, 4})
        for (const int t0 : {-1, 5}) {
          if (dimensions == 4 && t0 >= 0) continue;
          QudaInvertParam invert = spinors(QUDA_ASQTAD_DSLASH);
          invert.cuda_prec = precision;
          invert.laplace3D = dimensions;
          QudaQuarkSmearParam param {};
          param.inv_param = &invert;
          param.n_steps = 3;
          param.width = 1.7;
          param.t0 = t0;
          param.delete_2link = dimensions == 4;
          const auto source = reference::spins_of<1>(here.psi);
          auto psi = source;
          const double w = param.width * param.width / (16 * param.n_steps);
          for (int k = 0; k < param.n_steps; k++)
            psi = reference::combined<1>(1 - 2 * dimensions * w, psi, w,
                                         reference::neighbours<1>(products, psi, dimensions, 2));
          for (std::size_t slot = 0; slot < psi.size(); slot++)
            if (t0 >= 0 && lattice.coords(slot)[3] != t0) psi[slot] = source[slot];
          const double error = here.error_of<1>(
              [&](double *out, double *in) {
                std::copy(in, in + 6 * here.part.local.volume(), out);
                performTwoLinkGaussianSmearNStep(out, &param);
              },
              psi);
          EXPECT_LE(error, precision == QUDA_DOUBLE_PRECISION ? 1e-13 : 5e-6) << dimensions << " " << t0;
          EXPECT_GT(param.secs, 0);
          EXPECT_EQ(quda::guarded::session().two_link.loaded(), !param.delete_2link);
        }

    // new links are never met by old products
    const reference::GaugeField unit(lattice);
    test::HostLinks<double> host(unit, here.part, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam again = test::gauge_param(here.part.local.X);
    QudaInvertParam invert = spinors(QUDA_LAPLACE_DSLASH);
    invert.laplace3D = 3;
    QudaQuarkSmearParam param {};
    param.inv_param = &invert;
    param.n_steps = 1;
    param.width = 1;
    param.t0 = -1;
    invert.dslash_type = QUDA_WILSON_DSLASH; // fields are of one spin whatever this says
    std::vector<double> ones(6 * here.part.local.volume(), 1.0);
    performTwoLinkGaussianSmearNStep(ones.data(), &param);
    loadGaugeQuda(host.pointer(), &again);
    ones.assign(ones.size(), 1.0);
    performTwoLinkGaussianSmearNStep(ones.data(), &param);
    EXPECT_LE(test::largest_difference(ones, std::vector<double>(ones.size(), 1.0)), 1e-14);
  });
}
