/// Forces of Wilson-type fermions through the C interface: against differences of actions by the library's solves, what
/// symmetry asks of them, and what happens to momenta.

#include "force/quark_actions.h"

#include "quda_milc_interface.h"

#include "core/environment_support.h"
#include "reference/force/quark.h"
#include "reference/gauge/transform.h"
#include "support/scratch_folder.h"

namespace
{

using namespace force_test;
using test::Handler;

const reference::Coords lattices[] = {{4, 4, 4, 8}, {6, 4, 2, 8}};

void expect_force_of(const Fermions &of, const reference::Coords &extents)
{
  SCOPED_TRACE(of.name());
  const reference::GaugeField links = links_on(extents, 301);
  Pseudofermion quarks(of, links.lattice, reference::Part(links.lattice), 302);
  quarks.action(links);
  const HostMomenta<double> force = quarks.force();
  expect_derivative(force, links, [&](const reference::GaugeField &u) { return quarks.action(u); });
}

} // namespace

TEST(CloverForce, IsTheDerivativeOfTheAction)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  for (const auto &extents : lattices)
    for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN_ASYMMETRIC, QUDA_MATPC_ODD_ODD_ASYMMETRIC})
      for (const bool dagger : {false, true})
        for (const int fields : {1, 3, 10}) {
          Fermions of;
          of.matpc = matpc;
          of.dagger = dagger;
          of.fields = fields;
          of.multiplicity = fields == 3 ? 0 : 0.8;
          expect_force_of(of, extents);
        }
}

/// Without a clover term, with one of no weight, with a twist on the sites of x.
TEST(CloverForce, OfOtherOperators)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  std::vector<Fermions> all;
  const auto add = [&](Fermions &of) {
    of.fields = all.size() % 3 == 0 ? 1 : all.size() % 3 == 1 ? 3 : 10;
    all.push_back(of);
  };
  for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN_ASYMMETRIC, QUDA_MATPC_ODD_ODD_ASYMMETRIC})
    for (const bool dagger : {true, false}) {
      Fermions of;
      of.matpc = matpc;
      of.multiplicity = 1.1;
      of.dagger = dagger;
      of.type = QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH;
      of.mu = 0.3;
      add(of);
      of.type = QUDA_TWISTED_MASS_DSLASH;
      add(of);
      of.type = QUDA_TWISTED_CLOVER_DSLASH;
      of.rho = 0.2;
      add(of);
      of.epsilon = 0.15;
      add(of);
      of.type = QUDA_WILSON_DSLASH;
      of.mu = of.epsilon = of.rho = 0;
      of.matpc = static_cast<QudaMatPCType>(of.parity()); // both are one
      add(of);
    }
  for (const Fermions &of : all) expect_force_of(of, lattices[of.dagger == (of.parity() == 0)]);
}

using TwistedCloverForce = test::Untuned;

/// Steps and signs of tmLQCD: minus twice the force of the action of -mu and -tm_rho.
TEST_F(TwistedCloverForce, IsTheDerivativeOfTheAction)
{
  for (const bool clover : {true, false})
    for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN_ASYMMETRIC, QUDA_MATPC_ODD_ODD_ASYMMETRIC})
      for (const double epsilon : {0.0, 0.14})
        for (const int fields : {1, 10}) {
          Fermions of;
          of.type = clover ? QUDA_TWISTED_CLOVER_DSLASH : QUDA_TWISTED_MASS_DSLASH;
          of.matpc = matpc;
          of.mu = 0.25;
          of.epsilon = epsilon;
          of.rho = epsilon != 0 ? 0 : 0.1;
          of.fields = fields;
          of.multiplicity = clover ? 2 : 0; // of half the logarithm
          SCOPED_TRACE(of.name());
          const reference::GaugeField links = links_on(lattices[fields == 1], 311);
          Pseudofermion quarks(of, links.lattice, reference::Part(links.lattice), 312);
          const auto action = [&](const reference::GaugeField &u) { return quarks.action(u, -of.mu, -of.rho); };
          action(links);
          quarks.load(links, of.mu);
          expect_derivative(quarks.twisted_force(), links, action, -2);
        }
}

/// What a host asks for whose rational function is split into several terms: the determinant once.
TEST_F(TwistedCloverForce, OfADoubletWithoutTheDeterminant)
{
  Fermions of;
  of.type = QUDA_TWISTED_CLOVER_DSLASH;
  of.matpc = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
  of.mu = 0.25;
  of.epsilon = 0.14;
  of.fields = 2;
  const reference::GaugeField links = links_on({4, 4, 2, 4}, 313);
  Pseudofermion quarks(of, links.lattice, reference::Part(links.lattice), 314);
  const auto action = [&](const reference::GaugeField &u) { return quarks.action(u, -of.mu, 0); };
  action(links);
  quarks.load(links, of.mu);
  expect_derivative(quarks.twisted_force(true), links, action, -2);
}

/// |M^-dag M_2^dag phi|^2 of operators that differ in a twist on the sites of x, by both calls.
TEST(CloverForce, OfRatios)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  for (const QudaDslashType type : {QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH, QUDA_TWISTED_CLOVER_DSLASH})
    for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN_ASYMMETRIC, QUDA_MATPC_ODD_ODD_ASYMMETRIC})
      for (const bool dagger : {false, true}) {
        Fermions of, heavier;
        of.type = type;
        of.matpc = matpc;
        of.dagger = dagger;
        of.mu = 0.12;
        heavier = of;
        if (type == QUDA_TWISTED_CLOVER_DSLASH)
          heavier.rho = 0.4;
        else
          heavier.mu = 0.5;
        SCOPED_TRACE(of.name());
        const reference::GaugeField links = links_on(lattices[dagger], 321);
        Pseudofermion quarks(of, links.lattice, reference::Part(links.lattice), 322);
        const auto action = [&](const reference::GaugeField &u) { return quarks.action_of_ratio(u, heavier, 1); };
        action(links);
        expect_derivative(quarks.force_of_ratio(), links, action);
        if (type != QUDA_TWISTED_CLOVER_DSLASH) continue;
        const auto twisted = [&](const reference::GaugeField &u) { return quarks.action_of_ratio(u, heavier, -1); };
        twisted(links);
        quarks.load(links, of.mu);
        expect_derivative(quarks.twisted_force(true), links, twisted, -2);
      }
}

// ---- what symmetry asks of a force ----

namespace
{

/// Fields of a host that no solve has made.
struct Given {
  Fermions of;
  reference::GaugeField links;
  reference::Part whole;
  reference::Spinors x[2];

  Given(const Fermions &fermions, reference::GaugeField gauge, std::uint64_t seed)
      : of(fermions)
      , links(std::move(gauge))
      , whole(links.lattice)
      , x {reference::random_spinors(links.lattice, seed), reference::random_spinors(links.lattice, seed + 1)}
  {
    of.fields = 2;
  }

  /// What a host holds of it.
  Pseudofermion quarks() const
  {
    Pseudofermion made(of, links.lattice, whole, 1);
    for (std::size_t i = 0; i < 2; i++)
      made.x()[i] = reference::to_host<double>(x[i], links.lattice, whole, of.parity());
    return made;
  }

  /// term: of the host, in place of that of the links, and of no weight.
  HostMomenta<double> force(std::vector<double> *term = nullptr) const
  {
    Pseudofermion made = quarks();
    made.point_to_x();
    made.load(links, of.mu);
    if (!term) return made.force();
    QudaInvertParam param = of.param();
    param.compute_clover = 0;
    loadCloverQuda(term->data(), nullptr, &param);
    return made.force(0);
  }
};

reference::GaugeField matrices_of(const HostMomenta<double> &momenta, const reference::Lattice &lattice)
{
  reference::GaugeField a(lattice);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) a.U[mu][slot] = momenta.matrix(mu, slot);
  return a;
}

} // namespace

TEST(CloverForce, IsGaugeCovariant)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  for (const QudaDslashType type : {QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH, QUDA_TWISTED_CLOVER_DSLASH}) {
    Fermions of;
    of.type = type;
    of.mu = 0.3;
    of.multiplicity = 0.7;
    const Given here(of, links_on({2, 4, 6, 4}, 341), 342);
    const reference::Rotation g = reference::random_rotation(here.links.lattice, 344);
    Given there(of, reference::transformed(here.links, g), 342);
    for (auto &x : there.x) x = reference::transformed(x, g);
    reference::GaugeField expected = matrices_of(here.force(), here.links.lattice); // A_mu(x) turns with the site x
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < here.links.lattice.volume(); slot++)
        expected.U[mu][slot] = (g[slot] * expected.U[mu][slot] * g[slot].adjoint()).eval();
    EXPECT_LT(deviation(there.force(), there.whole, expected), 1e-11);
  }
}

/// A clover term of no weight is no term; constant fields on unit links have no force.
TEST(CloverForce, OfWilsonFermionsAndOfConstantFields)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  Fermions wilson, clover;
  wilson.type = QUDA_WILSON_DSLASH;
  const Given of_wilson(wilson, links_on({4, 2, 4, 6}, 351), 352);
  const Given of_clover(clover, of_wilson.links, 352);
  std::vector<double> one(72 * of_wilson.links.lattice.volume());
  for (std::size_t i = 0; i < one.size(); i++) one[i] = i % 36 < 6;
  const reference::GaugeField expected = matrices_of(of_wilson.force(), of_wilson.links.lattice);
  EXPECT_LT(deviation(of_clover.force(&one), of_wilson.whole, expected), 1e-13);

  for (const QudaDslashType type : {QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH}) {
    Fermions of;
    of.type = type;
    Given constant(of, reference::GaugeField(reference::Lattice({4, 2, 4, 6})), 361);
    for (auto &x : constant.x)
      for (auto &s : x) s = x[0];
    HostMomenta<double> force = constant.force();
    for (const double a : force.all()) EXPECT_NEAR(a, 0, 1e-12);
  }
}

// ---- momenta and solutions ----

TEST(CloverForce, OntoMomentaAsTheFlagsSay)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const ScratchFolder folder;
  const Variable path("QUDA_RESOURCE_PATH", folder.path()), monitor("QUDA_ENABLE_FORCE_MONITOR", "1");
  {
    const test::Session session;
    const Given given(Fermions {}, links_on({4, 4, 2, 4}, 371), 372);
    const reference::Lattice &lattice = given.links.lattice;
    const reference::GaugeField force = matrices_of(given.force(), lattice),
                                old = reference::random_momentum(lattice, 373);
    Pseudofermion quarks = given.quarks();
    quarks.point_to_x();
    for (int flags = 0; flags < 16; flags++) {
      const bool resident = flags & 1, kept = flags & 2, returned = flags & 4, overwrite = flags & 8;
      SCOPED_TRACE(testing::Message() << "use_resident_mom " << resident << ", make_resident_mom " << kept
                                      << ", return_result_mom " << returned << ", overwrite_mom " << overwrite);
      QudaGaugeParam param = quarks.gauge_param(), keep = param;
      param.gauge_order = keep.gauge_order = QUDA_MILC_GAUGE_ORDER;
      HostMomenta<double> momenta(old, given.whole, QUDA_MILC_GAUGE_ORDER);
      if (resident) {
        keep.make_resident_mom = 1;
        keep.return_result_mom = 0;
        momResidentQuda(momenta.pointer(), &keep);
      }
      if (resident || overwrite) momenta.fill(7); // not read
      const std::vector<double> before = momenta.all();
      param.use_resident_mom = resident;
      param.make_resident_mom = kept;
      param.return_result_mom = returned;
      param.overwrite_mom = overwrite;
      QudaInvertParam invert = quarks.force_param();
      computeCloverForceQuda(momenta.pointer(), 1, quarks.pointers().data(), nullptr, quarks.coeff().data(),
                             -given.of.kappa * given.of.kappa, -given.of.kappa * given.of.csw / 8, 2, 0, nullptr,
                             &param, &invert);
      const reference::GaugeField expected = overwrite ? force : reference::sum_of(old, force);
      if (returned)
        EXPECT_LT(deviation(momenta, given.whole, expected), 1e-13);
      else
        EXPECT_TRUE(momenta.all() == before);
      if (!kept) continue;
      keep.use_resident_mom = 1;
      keep.make_resident_mom = 0;
      keep.return_result_mom = 1;
      momResidentQuda(momenta.pointer(), &keep);
      EXPECT_LT(deviation(momenta, given.whole, expected), 1e-13);
    }
  }
  EXPECT_NE(folder.read("force.tsv").find("clover\t"), std::string::npos);
}

TEST(CloverForce, OfResidentSolutionsAndCompressedLinks)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  Fermions of;
  of.fields = 18; // more than are handed over at once
  of.multiplicity = 1;
  of.matpc = QUDA_MATPC_ODD_ODD_ASYMMETRIC;
  const reference::GaugeField links = links_on({4, 4, 2, 6}, 381);
  Pseudofermion quarks(of, links.lattice, reference::Part(links.lattice), 382);
  quarks.action(links);
  HostMomenta<double> expected = quarks.force();
  quarks.solve_into_residents(links);
  QudaGaugeParam gauge = quarks.gauge_param();
  gauge.overwrite_mom = gauge.return_result_mom = 1;
  QudaInvertParam param = quarks.force_param();
  param.use_resident_solution = 1;
  HostMomenta<double> momenta(reference::GaugeField(links.lattice), reference::Part(links.lattice),
                              QUDA_QDP_GAUGE_ORDER);
  momenta.fill(7);
  const auto force = [&] {
    computeCloverForceQuda(momenta.pointer(), 1, nullptr, nullptr, quarks.coeff().data(), -of.kappa * of.kappa,
                           -of.kappa * of.csw / 8, of.fields, of.multiplicity, nullptr, &gauge, &param);
  };
  force();
  EXPECT_TRUE(test::same_bits(momenta.all(), expected.all()));
  test::HostLinks<double> host(links, reference::Part(links.lattice), QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam compressed = quarks.gauge_param();
  compressed.reconstruct = QUDA_RECONSTRUCT_12;
  loadGaugeQuda(host.pointer(), &compressed);
  force();
  EXPECT_LT(test::largest_difference(momenta.all(), expected.all()), 1e-12);
}

/// qudaCloverForce() is computeCloverForceQuda() of M M^dag on even sites, onto the momenta of the call.
TEST(CloverForce, ByMilcsCall)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  Handler handler;
  Fermions of;
  of.dagger = true;
  of.multiplicity = 1;
  const reference::GaugeField links = links_on({4, 2, 4, 6}, 391);
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  const int grid[4] = {1, 1, 1, 1};
  qudaInit({QUDA_SILENT, {links.lattice.X.data(), grid, -1}});
  const Given given(of, links, 392);
  const reference::GaugeField force = matrices_of(given.force(), links.lattice),
                              old = reference::random_momentum(links.lattice, 393);
  Pseudofermion quarks = given.quarks();
  quarks.point_to_x();
  HostMomenta<double> momenta(old, given.whole, QUDA_MILC_GAUGE_ORDER);
  QudaInvertArgs_t args {};
  const auto call = [&](void *mom) {
    qudaCloverForce(mom, 1, quarks.pointers().data(), nullptr, quarks.coeff().data(), of.kappa, -of.kappa * of.csw / 8,
                    2, of.multiplicity, nullptr, 2, args);
  };
  call(momenta.pointer());
  const reference::GaugeField expected = reference::sum_of(old, force);
  EXPECT_LT(deviation(momenta, given.whole, expected), 1e-13);
  QudaMILCSiteArg_t arg {};
  HostMomenta<double> again(old, given.whole, QUDA_MILC_GAUGE_ORDER);
  arg.mom = again.pointer();
  qudaMomLoad(2, &arg);
  call(nullptr);
  qudaMomSave(2, &arg);
  EXPECT_TRUE(test::same_bits(again.all(), momenta.all()));
  qudaFinalize();
}
