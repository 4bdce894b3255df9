/// Forces of staggered quarks through the C interface: HISQ in orders and precisions of the host, by MILC's call, onto
/// momenta that are resident; naive fermions of solutions that are.

#include "force/force_calls.h"
#include "force/quark_fields.h"

#include "quda_milc_interface.h"

#include "core/environment_support.h"
#include "reference/gauge/staggered_phase.h"
#include "support/scratch_folder.h"

#include <gtest/gtest.h>

#include <array>

namespace
{

using force_test::HostMomenta;
using test::Handler;
using test::HostLinks;

constexpr double dt = 0.07;

/// Thin links with phases, those of the first level, and quark fields, more than are handed over at once.
struct Hisq {
  reference::Lattice lattice {{4, 4, 2, 6}};
  reference::Part whole {lattice};
  reference::PathWeights fat7 = reference::phased(reference::fat7_weights),
                         level2 = reference::phased(reference::hisq_weights);
  reference::GaugeField U = reference::staggered(reference::random_gauge(lattice, 91, reference::Kind::weak),
                                                 reference::StaggeredPhases::milc, -1),
                        V = reference::fat_links(U, fat7), W = reference::unitary_links(V),
                        way = reference::random_momentum(lattice, 93);
  static constexpr int terms = 18, naik_terms = 2;
  force_test::QuarkTerms quarks = force_test::quark_terms(lattice, terms, 92);
  std::vector<std::array<double, 2>> weights;
  double slope; // of the energy

  Hisq()
  {
    for (int i = 0; i < terms; i++) {
      reference::QuarkTerm &term = quarks[static_cast<std::size_t>(i)];
      term.fat = 0.1 + 0.02 * i;
      term.straight = -0.04 + 0.003 * i;
      term.single = 0;
      weights.push_back({term.fat, term.straight});
    }
    for (int i = 0; i < naik_terms; i++) {
      reference::QuarkTerm &term = quarks[static_cast<std::size_t>(terms - naik_terms + i)];
      weights.push_back({0.2 * (i + 1), -0.3});
      term.single = weights.back()[0];
      term.straight += weights.back()[1];
    }
    slope = reference::slope(
        [&](const reference::GaugeField &u) { return reference::hisq_energy(u, quarks, fat7, level2, 5e-5); },
        [&](double s) { return reference::updated(U, way, s, 20); }, 1e-3);
  }

  QudaGaugeParam param(QudaGaugeFieldOrder order, QudaPrecision precision) const
  {
    test::Storage storage;
    storage.order = order;
    storage.host = storage.precision = precision;
    storage.t_boundary = -1;
    QudaGaugeParam param = test::gauge_param(lattice.X, storage);
    param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
    param.staggered_phase_applied = 1;
    return param;
  }

  /// Calls force(U, V, W, quarks, coeff) with the host's arrays.
  template <class real, class Force> void with_arrays(QudaGaugeFieldOrder order, const Force &force)
  {
    HostLinks<real> u(U, whole, order), v(V, whole, order), w(W, whole, order);
    std::vector<std::vector<real>> numbers;
    std::vector<void *> arrays;
    std::vector<double *> coeff;
    for (const auto &term : quarks) numbers.push_back(reference::to_host<real, 1>(term.q, lattice, whole, -1));
    for (auto &one : numbers) arrays.push_back(one.data());
    for (auto &two : weights) coeff.push_back(two.data());
    force(u.pointer(), v.pointer(), w.pointer(), arrays.data(), coeff.data());
  }

  template <class real> std::vector<reference::Link> force(QudaGaugeFieldOrder order, QudaGaugeParam param)
  {
    HostMomenta<real> momenta(way, whole, order); // not read
    with_arrays<real>(order, [&](void *u, void *v, void *w, void **quark, double **coeff) {
      computeHISQForceQuda(momenta.pointer(), dt, level2.data(), fat7.data(), w, v, u, quark, terms, naik_terms, coeff,
                           &param);
    });
    return matrices(momenta);
  }

  template <class real> std::vector<reference::Link> matrices(const HostMomenta<real> &momenta) const
  {
    std::vector<reference::Link> all;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++) all.push_back(momenta.matrix(mu, slot));
    return all;
  }

  /// Re tr(P A) over the lattice, in units of what it should be.
  double along_way(const std::vector<reference::Link> &a) const
  {
    double sum = 0;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++)
        sum += (way.U[mu][slot] * a[static_cast<std::size_t>(mu) * lattice.volume() + slot]).trace().real();
    return sum / (dt * slope);
  }
};

double largest_difference(const std::vector<reference::Link> &a, const std::vector<reference::Link> &b)
{
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); i++) largest = std::max(largest, (a[i] - b[i]).cwiseAbs().maxCoeff());
  return largest;
}

constexpr auto qdp = QUDA_QDP_GAUGE_ORDER, milc = QUDA_MILC_GAUGE_ORDER;
constexpr auto in_double = QUDA_DOUBLE_PRECISION, in_single = QUDA_SINGLE_PRECISION;

} // namespace

TEST(QuarkForceCalls, HisqInOrdersAndPrecisions)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  Hisq fields;
  const test::Session session;
  const auto first = fields.force<double>(qdp, fields.param(qdp, in_double));
  EXPECT_NEAR(fields.along_way(first), 1, 1e-9);
  QudaGaugeParam compressed = fields.param(milc, in_double);
  compressed.reconstruct = QUDA_RECONSTRUCT_13; // as PyQUDA leaves it
  compressed.cuda_prec = in_single;             // not looked at
  EXPECT_EQ(largest_difference(fields.force<double>(milc, compressed), first), 0);
  EXPECT_NEAR(fields.along_way(fields.force<float>(milc, fields.param(milc, in_single))), 1, 1e-4);
}

TEST(QuarkForceCalls, HisqOntoResidentMomenta)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  const ScratchFolder folder;
  const Variable path("QUDA_RESOURCE_PATH", folder.path()), monitor("QUDA_ENABLE_FORCE_MONITOR", "1");
  Hisq fields;
  {
    const test::Session session;
    auto expected = fields.force<double>(qdp, fields.param(qdp, in_double));
    const auto old = fields.matrices(HostMomenta<double>(fields.way, fields.whole, milc));
    for (std::size_t i = 0; i < old.size(); i++) expected[i] += old[i];
    reference::GaugeField traced = fields.way; // rounding of many steps leaves a trace, which goes
    for (auto &direction : traced.U)
      for (std::size_t i = 0; i < direction.size(); i++)
        direction[i] += reference::Complex(0, 0.01 * static_cast<double>(i % 7)) * reference::Link::Identity();
    HostMomenta<double> momenta(traced, fields.whole, milc);
    QudaGaugeParam resident = fields.param(milc, in_double);
    resident.make_resident_mom = 1;
    resident.return_result_mom = 0;
    momResidentQuda(momenta.pointer(), &resident);
    resident.use_resident_mom = 1;
    fields.force<double>(milc, resident);
    resident.make_resident_mom = 0;
    resident.return_result_mom = 1;
    momenta.fill(0);
    momResidentQuda(momenta.pointer(), &resident);
    EXPECT_LT(largest_difference(fields.matrices(momenta), expected), 1e-14);
  }
  EXPECT_NE(folder.read("force.tsv").find("hisq\t"), std::string::npos);
}

/// Onto what qudaMomLoad() has brought, or the increment alone.
TEST(QuarkForceCalls, HisqByMilcsCall)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  Hisq fields;
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  const int grid[4] = {1, 1, 1, 1};
  qudaInit({QUDA_SILENT, {fields.lattice.X.data(), grid, -1}});
  auto expected = fields.force<double>(milc, fields.param(milc, in_double));
  HostMomenta<double> momenta(fields.way, fields.whole, milc);
  const auto old = fields.matrices(momenta);
  const auto force = [&](void *where) {
    fields.with_arrays<double>(milc, [&](void *u, void *v, void *w, void **quark, double **coeff) {
      qudaHisqForce(2, fields.terms, fields.naik_terms, dt, coeff, quark, fields.level2.data(), fields.fat7.data(), w,
                    v, u, where);
    });
  };
  HostMomenta<double> increment(reference::GaugeField(fields.lattice), fields.whole, milc);
  force(increment.pointer());
  EXPECT_EQ(largest_difference(fields.matrices(increment), expected), 0);
  QudaMILCSiteArg_t arg {};
  arg.mom = momenta.pointer();
  qudaMomLoad(2, &arg);
  increment.fill(7);
  force(increment.pointer());
  EXPECT_EQ(increment.all()[5], 7);
  qudaMomSave(2, &arg);
  for (std::size_t i = 0; i < old.size(); i++) expected[i] += old[i];
  EXPECT_LT(largest_difference(fields.matrices(momenta), expected), 1e-14);
  qudaFinalize();
}

/// qudaHisqParamsInit() chooses the filter of small eigenvalues, the first call of a session: one that no eigenvalue is
/// below leaves the force, one that all are below is not the default's.
TEST(QuarkForceCalls, HisqFilterIsTheHosts)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  Hisq fields;
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  const int grid[4] = {1, 1, 1, 1};
  std::vector<std::vector<double>> forces;
  for (const double filter : {5e-5, 1e-9, 10.0, 5e-5}) {
    qudaInit({QUDA_SILENT, {fields.lattice.X.data(), grid, -1}});
    if (!forces.empty()) {
      qudaHisqParamsInit({1, 0, 1e-8, 1e-8, filter});
      qudaHisqParamsInit({1, 0, 1e-8, 1e-8, 7.0}); // too late
    }
    const auto force = fields.force<double>(milc, fields.param(milc, in_double));
    forces.emplace_back();
    for (const auto &matrix : force) forces.back().push_back(std::abs(matrix(0, 1)));
    qudaFinalize();
  }
  EXPECT_EQ(forces[1], forces[0]);
  EXPECT_NE(forces[2], forces[0]);
  EXPECT_EQ(forces[3], forces[0]) << "forgotten with the session";
}

TEST(QuarkForceCalls, OfNaiveFermions)
{
  const Variable tuning("QUDA_ENABLE_TUNING", "0");
  Hisq fields;
  const std::size_t half = fields.lattice.volume() / 2;
  const test::Session session;
  QudaGaugeParam param = fields.param(qdp, in_double);
  HostLinks<double> links(fields.U, fields.whole, qdp);
  loadGaugeQuda(links.pointer(), &param);
  QudaInvertParam invert = test::wilson_param();
  invert.dslash_type = QUDA_STAGGERED_DSLASH;
  invert.mass_normalization = QUDA_MASS_NORMALIZATION;
  invert.inv_type = QUDA_CG_INVERTER;
  invert.solution_type = QUDA_MATPC_SOLUTION;
  invert.solve_type = QUDA_DIRECT_PC_SOLVE;
  invert.mass = 0.1;
  invert.maxiter = 1000;
  invert.reliable_delta = 0.1;
  invert.num_offset = 2;
  for (int k = 0; k < 2; k++) {
    invert.offset[k] = 0.3 + 0.2 * k;
    invert.tol_offset[k] = 1e-12;
    invert.residue[k] = 0.7 - k;
  }
  const auto source = reference::to_host<double, 1>(fields.quarks[0].q, fields.lattice, fields.whole, 0);
  std::vector<double> x[2] = {std::vector<double>(6 * half), std::vector<double>(6 * half)};
  void *solutions[] = {x[0].data(), x[1].data()};
  invertMultiShiftQuda(solutions, const_cast<double *>(source.data()), &invert);
  force_test::QuarkTerms quarks;
  for (int k = 0; k < 2; k++) {
    reference::ColorVectors full(fields.lattice.volume(), reference::SpinVector<1>::Zero());
    for (std::size_t i = 0; i < 3 * half; i++)
      full[i / 3](0, static_cast<long>(i % 3)) = {x[k][2 * i], x[k][2 * i + 1]}; // even sites are the first slots
    const reference::ColorVectors odd = reference::Staggered {fields.U}.hop(full);
    for (std::size_t slot = half; slot < full.size(); slot++) full[slot] = odd[slot];
    quarks.push_back({full, invert.residue[k], 0, 0});
  }
  reference::GaugeField expected = force_test::outer(quarks, fields.lattice, 1, &reference::QuarkTerm::fat);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < fields.lattice.volume(); slot++)
      expected.U[mu][slot] =
          fields.way.U[mu][slot] +
          dt * 2 * reference::traceless_anti_hermitian(fields.U.U[mu][slot] * expected.U[mu][slot].adjoint());
  invert.make_resident_solution = 1;
  invertMultiShiftQuda(solutions, const_cast<double *>(source.data()), &invert);
  invert.use_resident_solution = 1;
  param.use_resident_gauge = 1;
  HostMomenta<double> momenta(fields.way, fields.whole, qdp);
  computeStaggeredForceQuda(momenta.pointer(), dt, 2, nullptr, nullptr, &param, &invert);
  EXPECT_LT(force_test::deviation(momenta, fields.whole, expected), 1e-9);
}
