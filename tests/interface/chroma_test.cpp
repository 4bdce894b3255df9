/// Chroma's propagators on a smooth field (shared/data/README.md), all columns, through invertQuda; its Moebius quarks as it
/// asks for them, by a C program.

#include "c_chroma.h"
#include "session.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/environment_support.h"
#include "files/gauge_file.h"
#include "reference/dirac/domain_wall.h"
#include "reference/propagator.h"
#include "reference/test_data.h"

namespace
{

using reference::Spinors;

/// What Chroma was told.
struct Action {
  const char *file;
  double kappa, xi, nu;
  double c_r, c_t; // clover coefficients in space and time; 0: Wilson
  bool smeared;    // source
  std::vector<double> correlator;
};

const Action actions[] = {
    {"chroma/pt_prop_0",
     0.125,
     2.464,
     0.95,
     0,
     0,
     false,
     {2.575007871921, 0.3931553888709, 0.1450843010403, 0.08126053679102}},
    {"chroma/pt_prop_1",
     0.115,
     2.464,
     0.95,
     0.91,
     1.07,
     false,
     {2.008280488863, 0.2072701099229, 0.05093881593279, 0.01786879452249}},
    {"chroma/pt_prop_3",
     0.115,
     1,
     1,
     1.17,
     1.17,
     false,
     {0.7699151346885, 0.05145815429566, 0.0158686726168, 0.008732142103096}},
    {"chroma/pt_prop_4", 0.115, 2.464, 0.95, 0.91, 1.07, true, {0.5887343582836, 0.04400546172726, 0.01549342408622}},
};

void load(const reference::GaugeField &gauge, int t_boundary)
{
  test::HostLinks<double> host(gauge, reference::Part(gauge.lattice), QUDA_QDP_GAUGE_ORDER);
  test::Storage storage;
  storage.t_boundary = t_boundary;
  QudaGaugeParam param = test::gauge_param(gauge.lattice.X, storage);
  param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
  param.reconstruct_sloppy = QUDA_RECONSTRUCT_NO;
  loadGaugeQuda(host.pointer(), &param);
}

/// A point at the origin, or five steps psi <- psi + 0.2 (sum over the six neighbours in space - 6 psi).
Spinors source_of(const reference::GaugeField &gauge, int column, bool smeared)
{
  const reference::Lattice &lattice = gauge.lattice;
  Spinors psi(lattice.volume(), reference::Spinor::Zero());
  psi[lattice.slot({0, 0, 0, 0})](column / 3, column % 3) = 1;
  for (int step = 0; smeared && step < 5; step++) {
    Spinors next = psi;
    for (std::size_t slot = 0; slot < psi.size(); slot++) {
      const reference::Coords x = lattice.coords(slot);
      for (int mu = 0; mu < 3; mu++) {
        const reference::Coords back = lattice.shifted(x, mu, -1);
        next[slot] += 0.2 * (psi[lattice.slot(lattice.shifted(x, mu, 1))] * gauge.at(mu, x).transpose() +
                             psi[lattice.slot(back)] * gauge.at(mu, back).conjugate() - 2 * psi[slot]);
      }
    }
    psi = next;
  }
  return psi;
}

} // namespace

TEST(Chroma, PropagatorsColumnByColumn)
{
  for (const char *name : {"weak_field.lime", actions[0].file, actions[1].file, actions[2].file, actions[3].file})
    if (!std::filesystem::exists(reference::test_data(name))) GTEST_SKIP() << "no file " << reference::test_data(name);
  const quda_files::GaugeFile file = quda_files::inspect(reference::test_data("weak_field.lime"));
  const reference::Lattice lattice(file.dims);
  const reference::GaugeField gauge = reference::from_qdp(lattice, quda_files::read_gauge(file));
  test::Session session;
  for (const Action &action : actions) {
    const double f = action.nu / action.xi, diagonal = 1 / (2 * action.kappa) - 4 + 1 + 3 * f;
    QudaInvertParam param = test::wilson_param(QUDA_DOUBLE_PRECISION, 0.5 / diagonal);
    param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
    param.inv_type = QUDA_BICGSTAB_INVERTER;
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    param.mass_normalization = QUDA_MASS_NORMALIZATION; // Chroma's M is ours divided by 2 kappa
    param.tol = 1e-13;
    param.maxiter = 1000;
    param.reliable_delta = 0.1;
    param.verbosity = QUDA_SILENT;
    if (action.c_t != 0) {
      // planes in space take the fourth power of what space links carry, those in time the second
      const double s2 = action.c_r / (action.xi * action.c_t);
      reference::GaugeField scaled = gauge;
      for (int mu = 0; mu < 3; mu++)
        for (reference::Link &u : scaled.U[mu]) u *= std::sqrt(s2);
      load(scaled, 1);
      param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
      param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
      param.clover_coeff = param.kappa * action.c_t / s2;
      param.clover_csw = action.xi; // not read
      param.compute_clover = param.compute_clover_inverse = 1;
      loadCloverQuda(nullptr, nullptr, &param);
    }
    reference::GaugeField links = gauge;
    reference::set_up_links(links, 1 / f, -1);
    load(links, -1);

    const reference::Propagator expected = reference::read_propagator(reference::test_data(action.file), lattice);
    reference::Propagator found;
    double largest = 0, worst = 0;
    for (int column = 0; column < 12; column++) {
      const Spinors source = source_of(gauge, column, action.smeared);
      auto b = reference::to_host<double>(source, lattice, reference::Part(lattice));
      std::vector<double> x(b.size(), NAN);
      invertQuda(x.data(), b.data(), &param);
      EXPECT_LT(param.true_res[0], param.tol);
      found[column] = reference::from_host<double>(x, true);
      for (std::size_t i = 0; i < lattice.volume(); i++) {
        largest = std::max(largest, expected[column][i].cwiseAbs().maxCoeff());
        worst = std::max(worst, (found[column][i] - expected[column][i]).cwiseAbs().maxCoeff());
      }
    }
    std::printf("  %s: %.1e of the largest element\n", action.file, worst / largest);
    EXPECT_LT(worst, 1e-11 * largest) << action.file;
    const std::vector<double> correlator = reference::correlator(found, lattice);
    for (std::size_t t = 0; t < action.correlator.size(); t++)
      EXPECT_NEAR(correlator[t], action.correlator[t], 1e-11 * action.correlator[0]) << action.file << " " << t;
  }
}

/// Its sample of Moebius quarks, both precisions, and systems by both normal equations.
TEST(Chroma, MoebiusQuarks)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  const reference::Lattice lattice({4, 4, 4, 8});
  reference::GaugeField links = reference::random_gauge(lattice, 11, reference::Kind::weak);
  reference::set_up_links(links, 1, -1);
  test::HostLinks<double> host(links, reference::Part(lattice), QUDA_QDP_GAUGE_ORDER);
  for (const int half : {0, 1})
    for (const int normal : {0, 1}) {
      const chroma_quarks quarks {{4, 4, 4, 8}, 4, 0.4, 1.2, half ? 1.2 : 1, half ? 0.8 : 0., 1e-7, half, normal};
      const reference::DomainWall M(links, quarks.mass, -quarks.over_mass,
                                    std::vector<reference::Complex>(4, quarks.b5),
                                    std::vector<reference::Complex>(4, quarks.c5));
      reference::Slices b, x;
      std::vector<double> in, out;
      for (std::uint64_t s = 0; s < 4; s++) {
        const Spinors source = reference::random_spinors(lattice, 5 + s);
        b.push_back(reference::half_of(source, 1));
        const std::vector<double> slice = reference::to_host<double>(source, lattice, reference::Part(lattice), 1);
        in.insert(in.end(), slice.begin(), slice.end());
      }
      out.assign(in.size(), 0);
      c_chroma_moebius(&quarks, host.pointer(), out.data(), in.data());
      for (auto from = out.begin(); from != out.end(); from += static_cast<std::ptrdiff_t>(out.size() / 4))
        x.push_back(reference::from_host<double>({from, from + static_cast<std::ptrdiff_t>(out.size() / 4)}, false));
      const reference::Slices r = reference::sum(1, M.matrix_pc(1, false, x, false), -1, b);
      double error = 0, size = 0;
      for (std::size_t s = 0; s < 4; s++) {
        error += reference::norm2(r[s]);
        size += reference::norm2(b[s]);
      }
      // the normal equations' residual is bounded, that of the system itself lies near
      EXPECT_LT(std::sqrt(error / size), normal ? 1e-6 : 1.01e-7) << half << normal;
    }
}
