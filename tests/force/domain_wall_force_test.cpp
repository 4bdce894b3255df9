/// Forces of domain-wall fermions through the C interface: against differences of actions by the library's solves, what
/// symmetry asks of them, and pairs of fields of all operators.

#include "force/domain_wall_actions.h"

#include "core/environment_support.h"
#include "reference/dirac/domain_wall.h"
#include "reference/force/quark.h"
#include "reference/gauge/transform.h"

namespace
{

using namespace force_test;
using test::Handler;

const reference::Coords lattices[] = {{4, 4, 4, 8}, {6, 4, 2, 8}};

void expect_force_of(const DomainWallFermions &of, const reference::Coords &extents)
{
  SCOPED_TRACE(of.name());
  const reference::GaugeField links = links_on(extents, 401);
  DomainWallPseudofermion quarks(of, links.lattice, reference::Part(links.lattice), 402);
  quarks.action(links);
  const HostMomenta<double> force = quarks.force();
  expect_slope(
      force, links, [&](const reference::GaugeField &u) { return quarks.action(u); }, 203);
}

} // namespace

using DomainWallForce = test::Untuned;

TEST_F(DomainWallForce, OfTwoFlavours)
{
  expect_force_of({}, lattices[0]);
  expect_force_of({.matpc = QUDA_MATPC_ODD_ODD, .dagger = true}, lattices[1]);
  expect_force_of({.type = QUDA_DOMAIN_WALL_4D_DSLASH, .Ls = 6, .matpc = QUDA_MATPC_ODD_ODD_ASYMMETRIC}, lattices[1]);
  expect_force_of({.type = QUDA_DOMAIN_WALL_DSLASH, .matpc = QUDA_MATPC_ODD_ODD}, lattices[1]);
  expect_force_of({.Ls = 5, .matpc = QUDA_MATPC_EVEN_EVEN, .complex = true}, lattices[1]);
}

TEST_F(DomainWallForce, OfRatiosWithPauliVillarsFields)
{
  expect_force_of({.Ls = 8, .matpc = QUDA_MATPC_EVEN_EVEN, .ratio = true}, lattices[0]);
  expect_force_of({.matpc = QUDA_MATPC_ODD_ODD_ASYMMETRIC, .ratio = true}, lattices[1]);
  expect_force_of({.type = QUDA_DOMAIN_WALL_DSLASH, .ratio = true}, lattices[1]);
  expect_force_of({.Ls = 5, .matpc = QUDA_MATPC_ODD_ODD, .dagger = true, .ratio = true, .complex = true}, lattices[1]);
}

TEST_F(DomainWallForce, OfOneFlavour)
{
  DomainWallFermions of {.type = QUDA_MOBIUS_DWF_EOFA_DSLASH, .Ls = 6};
  expect_force_of(of, lattices[0]);
  of.Ls = 4;
  of.plus = false;
  of.matpc = QUDA_MATPC_ODD_ODD;
  expect_force_of(of, lattices[1]);
  of.plus = true;
  of.b = 1;
  of.c = 0;
  expect_force_of(of, lattices[1]);
}

// ---- against the plain reference ----

namespace
{

using reference::Slices;
using reference::sum;
using reference::times;

std::optional<reference::OneFlavour> term_of(const DomainWallFermions &of, const QudaInvertParam &param)
{
  if (!of.one_flavour()) return {};
  return reference::OneFlavour {of.plus, param.eofa_shift, param.mq1, param.mq2, param.mq3};
}

/// TA(U dS/dU) of the pairs of the formulas, x given.
reference::GaugeField expected_force(const DomainWallFermions &of, const reference::GaugeField &links, const Slices &x)
{
  const QudaInvertParam param = of.param();
  std::vector<reference::Complex> b(x.size()), c(x.size());
  std::memcpy(b.data(), param.b_5, b.size() * sizeof b[0]);
  std::memcpy(c.data(), param.c_5, c.size() * sizeof c[0]);
  const reference::DomainWall M(links, of.mass, of.m5, b, c, term_of(of, param));
  const auto B = [&](const Slices &in) { return times(M.before_hop(), in); };
  Slices l, r;
  double weight = 2;
  if (of.one_flavour()) {
    r = x;
    const Slices chi = B(x);
    for (std::size_t s = 0; s < x.size(); s++) {
      l.push_back(chi[x.size() - 1 - s]);
      for (auto &psi : l.back()) psi = (reference::gamma5(reference::Basis::degrand_rossi) * psi).eval();
    }
    weight = 1;
  } else {
    const bool symmetric = of.matpc == QUDA_MATPC_EVEN_EVEN || of.matpc == QUDA_MATPC_ODD_ODD;
    r = M.whole(M.half(x, of.parity()), of.parity());
    l = M.whole(M.matrix_pc(of.parity(), symmetric, M.half(x, of.parity()), false), of.parity());
    if (symmetric) l = M.local(l, true, true);
    const Slices r_o = M.local(times(M.kappa_b(), M.hop(B(r), false)), false, true),
                 l_o =
                     M.local(times(M.before_hop().adjoint(), M.hop(times(M.kappa_b().adjoint(), l), true)), true, true);
    r = sum(1, r, 1, r_o);
    l = sum(1, l, 1, l_o);
  }
  const Slices left = times(M.kappa_b().adjoint(), l), right = B(r);
  std::vector<reference::QuarkPair> pairs;
  for (std::size_t s = 0; s < x.size(); s++) pairs.push_back({left[s], right[s], weight});
  reference::GaugeField force = reference::hop_gradient(links.lattice, pairs);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < links.lattice.volume(); slot++)
      force.U[mu][slot] =
          reference::traceless_anti_hermitian(reference::Link(links.U[mu][slot] * force.U[mu][slot].adjoint()));
  return force;
}

Slices random_slices(const reference::Lattice &lattice, int Ls, std::uint64_t seed)
{
  Slices x;
  for (int s = 0; s < Ls; s++) x.push_back(reference::random_spinors(lattice, seed + static_cast<std::uint64_t>(s)));
  return x;
}

std::vector<double> host_slices(const Slices &x, const reference::Lattice &lattice, int parity)
{
  std::vector<double> all;
  for (int p = 0; p < 2; p++)
    for (const auto &psi : x)
      if (parity < 0 || p == parity) {
        const auto one = reference::to_host<double>(psi, lattice, reference::Part(lattice), p);
        all.insert(all.end(), one.begin(), one.end());
      }
  return all;
}

/// The library's, x given.
HostMomenta<double> force_of(const DomainWallFermions &of, const reference::GaugeField &links, const Slices &x)
{
  DomainWallPseudofermion quarks(of, links.lattice, reference::Part(links.lattice), 1);
  quarks.load(links);
  quarks.x() = host_slices(x, links.lattice, of.one_flavour() ? -1 : of.parity());
  return quarks.force();
}

const DomainWallFermions all_kinds[] = {
    {.type = QUDA_DOMAIN_WALL_4D_DSLASH, .Ls = 6, .matpc = QUDA_MATPC_ODD_ODD_ASYMMETRIC, .b = 1, .c = 0},
    {.Ls = 5, .matpc = QUDA_MATPC_ODD_ODD},
    {.Ls = 4, .complex = true},
    {.type = QUDA_MOBIUS_DWF_EOFA_DSLASH, .Ls = 7, .plus = true},
    {.type = QUDA_MOBIUS_DWF_EOFA_DSLASH, .Ls = 4, .plus = false, .b = 1.2, .c = 0}};

} // namespace

TEST_F(DomainWallForce, AgreesWithTheReference)
{
  const reference::GaugeField links = links_on({2, 4, 6, 8}, 411);
  for (const DomainWallFermions &of : all_kinds) {
    SCOPED_TRACE(of.name());
    const Slices x = random_slices(links.lattice, of.Ls, 412);
    EXPECT_LT(deviation(force_of(of, links, x), reference::Part(links.lattice), expected_force(of, links, x)), 1e-12);
  }
}

TEST_F(DomainWallForce, IsGaugeCovariant)
{
  const reference::GaugeField links = links_on({2, 4, 6, 4}, 421);
  const reference::Lattice &lattice = links.lattice;
  const reference::Rotation g = reference::random_rotation(lattice, 422);
  for (const DomainWallFermions &of : {all_kinds[1], all_kinds[3]}) {
    const Slices x = random_slices(lattice, of.Ls, 423);
    Slices turned;
    for (const auto &psi : x) turned.push_back(reference::transformed(psi, g));
    const HostMomenta<double> here = force_of(of, links, x);
    reference::GaugeField expected(lattice);
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++)
        expected.U[mu][slot] = (g[slot] * here.matrix(mu, slot) * g[slot].adjoint()).eval();
    EXPECT_LT(deviation(force_of(of, reference::transformed(links, g), turned), reference::Part(lattice), expected),
              1e-11);
  }
}

// ---- pairs ----

namespace
{

/// 2 Re left^dag M right by MatQuda(), and its force.
struct FixedPair {
  QudaInvertParam param;
  reference::Lattice lattice;
  std::vector<double> left, right;

  FixedPair(const QudaInvertParam &of, const reference::Lattice &lattice, int layers)
      : param(of)
      , lattice(lattice)
  {
    const int parity = of.solution_type == QUDA_MAT_SOLUTION ? -1 : of.matpc_type % 2;
    left = host_slices(random_slices(lattice, layers, 431), lattice, parity);
    right = host_slices(random_slices(lattice, layers, 441), lattice, parity);
  }

  void load(const reference::GaugeField &links)
  {
    test::HostLinks<double> host(links, reference::Part(lattice), QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam gauge = test::gauge_param(lattice.X);
    loadGaugeQuda(host.pointer(), &gauge);
    if (param.dslash_type == QUDA_CLOVER_WILSON_DSLASH || param.dslash_type == QUDA_TWISTED_CLOVER_DSLASH)
      loadCloverQuda(nullptr, nullptr, &param);
  }
  double action(const reference::GaugeField &links)
  {
    load(links);
    std::vector<double> product(right.size());
    MatQuda(product.data(), right.data(), &param);
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); i++) sum += 2 * left[i] * product[i];
    return sum;
  }
  HostMomenta<double> force()
  {
    QudaGaugeParam gauge = test::gauge_param(lattice.X);
    gauge.overwrite_mom = gauge.return_result_mom = 1;
    const reference::Part whole(lattice);
    HostMomenta<double> momenta(reference::GaugeField(lattice), whole, QUDA_QDP_GAUGE_ORDER);
    void *l[] = {left.data()}, *r[] = {right.data()};
    double one = 1;
    computeQuarkPairForceQuda(momenta.pointer(), 1, l, r, &one, 1, &gauge, &param);
    return momenta;
  }
};

} // namespace

TEST(QuarkPairForce, IsTheDerivativeOfTheProduct)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const test::Session session;
  const reference::GaugeField links = links_on({4, 2, 4, 6}, 433);
  const auto check = [&](QudaInvertParam param, int layers, QudaMatPCType matpc) {
    for (const bool dagger : {false, true}) {
      param.solution_type = dagger == (matpc % 2 == 0) ? QUDA_MAT_SOLUTION : QUDA_MATPC_SOLUTION;
      param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
      param.matpc_type = matpc;
      SCOPED_TRACE(testing::Message() << "dslash_type " << param.dslash_type << ", matpc_type " << matpc << ", dagger "
                                      << dagger << ", solution_type " << param.solution_type);
      FixedPair pair(param, links.lattice, layers);
      pair.load(links);
      expect_slope(
          pair.force(), links, [&](const reference::GaugeField &u) { return pair.action(u); }, 434);
    }
  };
  for (const QudaDslashType type : {QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH, QUDA_TWISTED_CLOVER_DSLASH}) {
    Fermions of;
    of.type = type;
    if (type == QUDA_TWISTED_CLOVER_DSLASH) of.mu = 0.2, of.epsilon = 0.1;
    for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN_ASYMMETRIC, QUDA_MATPC_ODD_ODD_ASYMMETRIC})
      check(of.param(), of.doublet() ? 2 : 1,
            type == QUDA_WILSON_DSLASH ? static_cast<QudaMatPCType>(matpc % 2) : matpc);
  }
  for (const DomainWallFermions &of : all_kinds)
    for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN, QUDA_MATPC_ODD_ODD_ASYMMETRIC})
      check(of.param(), of.Ls, matpc);
}

/// More layers than a launch takes at once, solutions that are resident.
TEST_F(DomainWallForce, OfManyFieldsAndResidentSolutions)
{
  const reference::GaugeField links = links_on({4, 2, 2, 4}, 451);
  const reference::Part whole(links.lattice);
  const DomainWallFermions of {.Ls = 12};
  std::vector<Slices> x;
  reference::GaugeField expected(links.lattice);
  for (auto &of_direction : expected.U)
    for (auto &link : of_direction) link.setZero();
  for (std::uint64_t i = 0; i < 5; i++) {
    x.push_back(random_slices(links.lattice, of.Ls, 452 + 20 * i));
    const HostMomenta<double> one = force_of(of, links, x[i]);
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < links.lattice.volume(); slot++)
        expected.U[mu][slot] += (0.3 + static_cast<double>(i)) * one.matrix(mu, slot);
  }
  DomainWallPseudofermion quarks(of, links.lattice, whole, 1);
  QudaGaugeParam gauge = quarks.gauge_param();
  gauge.overwrite_mom = gauge.return_result_mom = 1;
  QudaInvertParam param = of.param();
  param.dagger = QUDA_DAG_YES;
  std::vector<std::vector<double>> arrays;
  std::vector<void *> pointers;
  std::vector<double> coeff;
  for (std::size_t i = 0; i < 5; i++) {
    arrays.push_back(host_slices(x[i], links.lattice, of.parity()));
    coeff.push_back(0.3 + static_cast<double>(i));
  }
  for (auto &array : arrays) pointers.push_back(array.data());
  HostMomenta<double> momenta(reference::GaugeField(links.lattice), whole, QUDA_QDP_GAUGE_ORDER);
  computeQuarkForceQuda(momenta.pointer(), 1, pointers.data(), nullptr, coeff.data(), 5, 0, &gauge, &param);
  EXPECT_LT(deviation(momenta, whole, expected), 1e-12);

  QudaInvertParam solve = of.param();
  solve.tol = 1e-8;
  std::vector<double> solution(arrays[0].size());
  void *x_0[] = {solution.data()};
  invertQuda(x_0[0], arrays[0].data(), &solve);
  HostMomenta<double> of_host(expected, whole, QUDA_QDP_GAUGE_ORDER),
      of_resident(expected, whole, QUDA_QDP_GAUGE_ORDER);
  computeQuarkForceQuda(of_host.pointer(), 1, x_0, nullptr, coeff.data(), 1, 0, &gauge, &param);
  solve.make_resident_solution = 1;
  invertQuda(x_0[0], arrays[0].data(), &solve);
  param.use_resident_solution = 1;
  computeQuarkForceQuda(of_resident.pointer(), 1, nullptr, nullptr, coeff.data(), 1, 0, &gauge, &param);
  EXPECT_TRUE(test::same_bits(of_resident.all(), of_host.all()));
}
