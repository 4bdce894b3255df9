/// What is told of a solution holds for the host's own links and terms: links that fewer numbers do not hold, inverses
/// that are none, products of two solves, calls that failed.

#include "solves.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "core/environment_support.h"
#include "reference/dirac/clover.h"

namespace
{

using namespace test;

/// Links as a host may have them, and what it says of them.
struct Links {
  const char *name;
  bool held; // by twelve numbers
  std::function<void(reference::GaugeField &)> change;
  int t_boundary = 1;
  double anisotropy = 1;
};

void each_link(reference::GaugeField &links, const std::function<void(int, std::size_t, reference::Link &)> &work)
{
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < links.lattice.volume(); slot++) work(mu, slot, links.U[mu][slot]);
}

std::function<void(reference::GaugeField &)> times_phases(double strength)
{
  return [=](reference::GaugeField &links) {
    reference::SiteRandom random(77, 0, 0);
    each_link(links, [&](int, std::size_t, reference::Link &u) {
      u *= std::polar(1.0, strength * (2 * random.uniform() - 1));
    });
  };
}

std::function<void(reference::GaugeField &)> with_noise(double size)
{
  return [=](reference::GaugeField &links) {
    reference::SiteRandom random(78, 0, 0);
    each_link(links, [&](int, std::size_t, reference::Link &u) {
      for (int i = 0; i < 9; i++)
        u(i / 3, i % 3) += size * std::complex(random.uniform() - 0.5, random.uniform() - 0.5);
    });
  };
}

void rounded(reference::GaugeField &links)
{
  each_link(links, [](int, std::size_t, reference::Link &u) {
    for (int i = 0; i < 9; i++) u(i / 3, i % 3) = std::complex<double>(std::complex<float>(u(i / 3, i % 3)));
  });
}

const Links kinds[] = {
    {"of SU(3)", true, [](reference::GaugeField &) {}},
    {"antiperiodic, and said so", true, [](reference::GaugeField &u) { reference::set_up_links(u, 1, -1); }, -1},
    {"anisotropic, and said so", true, [](reference::GaugeField &u) { reference::set_up_links(u, 1.7, 1); }, 1, 1.7},
    {"antiperiodic, and not said so", false, [](reference::GaugeField &u) { reference::set_up_links(u, 1, -1); }},
    {"said to be antiperiodic", false, [](reference::GaugeField &) {}, -1},
    {"anisotropic, and not said so", false, [](reference::GaugeField &u) { reference::set_up_links(u, 1.7, 1); }},
    {"times a phase of a boundary", false,
     [](reference::GaugeField &u) {
       each_link(u, [](int mu, std::size_t, reference::Link &link) {
         if (mu == 3) link *= std::polar(1.0, std::numbers::pi / 6);
       });
     }},
    {"times phases", false, times_phases(0.15)},
    {"times small phases", false, times_phases(1e-9)},
    {"with noise of 1e-3", false, with_noise(1e-3)},
    {"with noise of 1e-6", false, with_noise(1e-6)},
    {"with noise of 1e-9", false, with_noise(1e-9)},
    {"with noise of 1e-14", true, with_noise(1e-14)},
    {"with noise of 1e-16", true, with_noise(1e-16)},
    {"of single precision", false, rounded},
    {"half as large", false,
     [](reference::GaugeField &u) { each_link(u, [](int, std::size_t, reference::Link &link) { link *= 0.5; }); }},
    {"one of them with a wrong row", false, [](reference::GaugeField &u) { u.U[2][17](2, 1) += 1e-7; }},
};

/// Links asked for by twelve numbers, a solution on them, and what comes back of them.
struct Told {
  bool whole; // with a word
  double residual, own, saved;

  Told(const reference::GaugeField &links, int t_boundary, double anisotropy)
  {
    const Output output(QUDA_SUMMARIZE);
    HostLinks<double> host(links, reference::Part(links.lattice), QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam gauge =
        gauge_param(links.lattice.X, {QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_12,
                                      QUDA_QDP_GAUGE_ORDER, anisotropy, t_boundary});
    gauge.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    gauge.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
    loadGaugeQuda(host.pointer(), &gauge);
    whole = output.says("stored whole");
    QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
    param.kappa = 0.1;
    param.tol = 1e-12;
    const Spinors b = reference::random_spinors(links.lattice, 5);
    auto in = reference::to_host<double>(b, links.lattice, reference::Part(links.lattice));
    std::vector<double> out(in.size());
    invertQuda(out.data(), in.data(), &param);
    Spinors r = reference::Wilson(links).matrix(reference::from_host<double>(out, true), param.kappa, false);
    for (std::size_t i = 0; i < r.size(); i++) r[i] -= b[i];
    own = norm(r) / norm(b);
    residual = param.true_res[0];
    const std::vector<double> given = host.all();
    host.fill(0);
    saveGaugeQuda(host.pointer(), &gauge);
    saved = largest_difference(host.all(), given);
  }
};

} // namespace

using ToldResiduals = test::Untuned;

/// Links are asked for by twelve numbers. Those that these do not hold are stored whole, with a word, and the residual
/// that is told is that of the host's links.
TEST_F(ToldResiduals, AreOfTheHostsLinks)
{
  for (const Links &kind : kinds) {
    SCOPED_TRACE(kind.name);
    reference::GaugeField links = reference::random_gauge(reference::Lattice({4, 2, 4, 6}), 41, reference::Kind::su3);
    kind.change(links);
    const Told told(links, kind.t_boundary, kind.anisotropy);
    EXPECT_EQ(told.whole, !kind.held);
    EXPECT_LT(told.own, 2e-12);
    EXPECT_LT(told.residual, 1e-12);
    // what comes back is what went in, to the bit where it is whole
    EXPECT_LE(told.saved, kind.held ? 1e-12 : 0);
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

/// Whatever was done to links, all of them or one, by how much: what is told is true, and links that are not held to
/// rounding are whole.
TEST_F(ToldResiduals, OfAHundredKindsOfLinks)
{
  int whole = 0;
  for (unsigned seed = 0; seed < 100; seed++) {
    reference::GaugeField links = reference::random_gauge(reference::Lattice({4, 4, 4, 4}), seed, reference::Kind::su3);
    reference::SiteRandom random(79, seed, 0);
    const double size = std::pow(10, -(1 + 15 * random.uniform())); // 1e-1 to 1e-16
    int t_boundary = 1;
    double anisotropy = 1;
    switch (seed % 5) {
    case 0:
      times_phases(size)(links);
      break;
    case 1:
      each_link(links, [&](int, std::size_t, reference::Link &u) { u *= 1 + size; });
      break;
    case 2:
      with_noise(size)(links);
      break;
    case 3: { // one link
      const auto n = static_cast<std::size_t>(1024 * random.uniform()),
                 k = static_cast<std::size_t>(9 * random.uniform());
      links.U[n / 256][n % 256].data()[k] += size;
      break;
    }
    default: // what is said of anisotropy and boundary, and what is so
      const auto maybe = [&] { return random.uniform() < 0.5; };
      const double by = 1 + size;
      reference::set_up_links(links, maybe() ? by : 1, maybe() ? -1 : 1);
      t_boundary = maybe() ? -1 : 1;
      anisotropy = maybe() ? by : 1;
    }
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << size);
    const Told told(links, t_boundary, anisotropy);
    whole += told.whole;
    EXPECT_LT(told.residual, 1e-12);
    EXPECT_LT(told.own, 2e-12);
    EXPECT_LE(told.saved, told.whole ? 0 : 1e-12);
  }
  EXPECT_GT(whole, 40);
  EXPECT_LT(whole, 90);
}

/// One element of 900,000 is found; one that is far off makes the call ask how the array lies.
TEST_F(ToldResiduals, OneLinkOfAHundredThousand)
{
  reference::GaugeField links = reference::random_gauge(reference::Lattice({8, 8, 8, 48}), 41, reference::Kind::su3);
  HostLinks<double> host(links, reference::Part(links.lattice), QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam gauge = gauge_param(links.lattice.X);
  gauge.reconstruct = QUDA_RECONSTRUCT_12;
  for (const double by : {0.0, 1e-10, 0.5}) {
    const Output output(QUDA_SUMMARIZE);
    const std::size_t slot = links.lattice.slot({5, 2, 7, 31});
    host.direction(1)[18 * slot + 15] += by;
    loadGaugeQuda(host.pointer(), &gauge);
    EXPECT_EQ(output.says("direction 1, site 5 2 7 31; they are stored whole"), by > 0) << output.text();
    EXPECT_EQ(output.says("those of the array?"), by > 0.1) << output.text();
  }
}

/// M = 1 is solved with a word.
TEST_F(ToldResiduals, WithoutAHop)
{
  const reference::GaugeField links = reference::random_gauge(reference::Lattice({4, 2, 2, 4}), 41);
  HostLinks<double> host(links, reference::Part(links.lattice), QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam gauge = gauge_param(links.lattice.X);
  loadGaugeQuda(host.pointer(), &gauge);
  QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  auto in = reference::to_host<double>(reference::random_spinors(links.lattice, 5), links.lattice,
                                       reference::Part(links.lattice));
  std::vector<double> out(in.size());
  for (const double kappa : {0.1, 0.0}) {
    const Output output(QUDA_SUMMARIZE);
    param.kappa = kappa;
    invertQuda(out.data(), in.data(), &param);
    EXPECT_EQ(output.says("kappa = 0: the operator has no hop"), kappa == 0) << output.text();
  }
}

/// The same of copies for iterations, whose precise links are whole: they cost iterations, not the solution.
TEST_F(ToldResiduals, CopiesThatTwelveNumbersDoNotHold)
{
  int iterations[2];
  for (const bool compressed : {false, true}) {
    reference::GaugeField links = reference::random_gauge(reference::Lattice({4, 4, 2, 6}), 41, reference::Kind::su3);
    times_phases(0.3)(links);
    const Output output(QUDA_SUMMARIZE);
    HostLinks<double> host(links, reference::Part(links.lattice), QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam gauge = gauge_param(links.lattice.X);
    gauge.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    gauge.reconstruct_sloppy = compressed ? QUDA_RECONSTRUCT_12 : QUDA_RECONSTRUCT_NO;
    loadGaugeQuda(host.pointer(), &gauge);
    QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
    param.verbosity = QUDA_SUMMARIZE;
    auto in = reference::to_host<double>(reference::random_spinors(links.lattice, 5), links.lattice,
                                         reference::Part(links.lattice));
    std::vector<double> out(in.size());
    invertQuda(out.data(), in.data(), &param);
    iterations[compressed] = param.iter;
    EXPECT_EQ(output.says("whole"), compressed) << output.text();
  }
  EXPECT_EQ(iterations[0], iterations[1]);
}

/// An inverse that is of another term, or has its parities exchanged, is refused by its name; a right one is taken.
TEST_F(ToldResiduals, InversesOfTheHostAreThoseOfTheTerm)
{
  const Case on(reference::random_gauge(reference::Lattice({4, 4, 2, 6}), 41, reference::Kind::su3));
  const auto packed = [&](const reference::SiteMatrices &A) {
    return reference::to_packed<double>(A, on.lattice, on.part);
  };
  const reference::SiteMatrices A = reference::clover_term(on.links, 0.12);
  std::vector<double> term = packed(A), inverse = packed(reference::inverse(A)),
                      other = packed(reference::inverse(reference::clover_term(on.links, 0.13))), exchanged = inverse;
  std::rotate(exchanged.begin(), exchanged.begin() + static_cast<std::ptrdiff_t>(exchanged.size() / 2),
              exchanged.end());
  QudaInvertParam param = wilson_param(QUDA_DOUBLE_PRECISION, 0.12);
  param.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
  param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
  param.clover_order = QUDA_PACKED_CLOVER_ORDER;
  param.clover_coeff = 0.12;
  for (std::vector<double> *wrong : {&other, &exchanged}) {
    loadCloverQuda(term.data(), wrong->data(), &param);
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
    EXPECT_TRUE(handler.says("h_clovinv is not the inverse of the term")) << handler.text();
    handler.forget();
  }
  loadCloverQuda(term.data(), inverse.data(), &param);
}

/// M^dag M x = b by two solves, and M x = b by a system on one parity: |b - A x| / |b| itself is what was asked for,
/// and what is told.
TEST_F(ToldResiduals, AreOfTheSystemThatWasAskedFor)
{
  const Case on;
  for (const double heavy : {0.12, 0.134})
    for (const QudaSolutionType solution : {QUDA_MATDAG_MAT_SOLUTION, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_MAT_SOLUTION})
      for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN, QUDA_MATPC_ODD_ODD})
        for (const bool dagger : {false, true}) {
          const bool full = solution == QUDA_MATDAG_MAT_SOLUTION;
          QudaInvertParam param =
              solve_param(QUDA_BICGSTAB_INVERTER, solution, full ? QUDA_DIRECT_SOLVE : QUDA_DIRECT_PC_SOLVE);
          param.kappa = heavy;
          param.matpc_type = matpc;
          param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
          param.tol = 1e-8;
          const Spinors b = source_for(on, param, 7);
          const Spinors x = solved(on, b, param);
          const double found = residual(on, x, b, param);
          EXPECT_LT(found, param.tol) << heavy << " " << solution << matpc << dagger;
          EXPECT_NEAR(param.true_res[0], found, 1e-3 * found) << heavy << " " << solution << matpc << dagger;
          if (solution != QUDA_MATDAG_MAT_SOLUTION) continue;
          // iter is that of both solves
          QudaInvertParam one = param;
          one.solution_type = QUDA_MAT_SOLUTION;
          one.dagger = dagger ? QUDA_DAG_NO : QUDA_DAG_YES;
          const Spinors y = solved(on, b, one);
          const int first = one.iter;
          one.dagger = param.dagger;
          solved(on, y, one);
          EXPECT_GE(param.iter, first + one.iter);
        }
}

/// No residual of the call before is left in the structure of a call that failed.
TEST_F(ToldResiduals, OfACallThatFailedAreNone)
{
  const Case on;
  QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  const Spinors b = source_for(on, param, 7);
  solved(on, b, param);
  EXPECT_LT(param.true_res[0], tol);
  auto in = on.host(b);
  std::vector<double> out(in.size());
  void *x = out.data(), *source = in.data();
  param.maxiter = -1;
  invertQuda(x, source, &param);
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_TRUE(std::isnan(param.true_res[0]) && std::isnan(param.true_res_hq[0]));
  param.true_res[0] = param.true_res_offset[0] = 1e-11;
  invertMultiSrcQuda(&x, &source, &param);
  EXPECT_TRUE(std::isnan(param.true_res[0]));
  param.true_res[0] = param.true_res_offset[0] = param.iter_res_offset[0] = 1e-11;
  invertMultiShiftQuda(&x, source, &param);
  EXPECT_TRUE(std::isnan(param.true_res_offset[0]) && std::isnan(param.iter_res_offset[0]));
  EXPECT_EQ(handler.calls(), 3);
}
