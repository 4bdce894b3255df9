/// Forces, paths and momenta through the C interface: orders and precisions of the host, the resident flags, and bad
/// calls by name.

#include "force/force_calls.h"

#include "core/environment_support.h"
#include "interface/resident.h"
#include "support/scratch_folder.h"

#include <gtest/gtest.h>

#include <functional>

namespace
{

using force_test::CPaths;
using force_test::deviation;
using force_test::HostMomenta;
using test::Handler;
using test::HostLinks;
using test::Session;
using test::Storage;

const reference::Lattice shape({2, 4, 6, 8});
const reference::Part whole(shape);

reference::PathTerms plaquette_paths()
{
  return reference::force_paths(reference::images(reference::plaquette_loop), 1);
}

template <class real>
int force(HostMomenta<real> &mom, HostLinks<real> &links, CPaths &paths, double eb3, QudaGaugeParam param)
{
  return computeGaugeForceQuda(mom.pointer(), links.pointer(), paths.steps(), paths.length(), paths.coefficient(),
                               paths.n(), paths.longest(), eb3, &param);
}

class ForceCalls : public ::testing::Test
{
protected:
  ForceCalls()
      : gauge(reference::random_gauge(shape, 1))
      , old(reference::random_momentum(shape, 2))
      , paths(plaquette_paths())
      , expected(force_test::new_momentum(gauge, paths.terms(), 0.3, &old))
      , fresh(force_test::new_momentum(gauge, paths.terms(), 0.3, nullptr))
      , links(gauge, whole, QUDA_QDP_GAUGE_ORDER)
      , mom(old, whole, QUDA_QDP_GAUGE_ORDER)
      , param(test::gauge_param(shape.X))
  {
  }
  ~ForceCalls() override { EXPECT_EQ(handler.calls(), 0) << handler.text(); }

  bool resident_momentum() const { return quda::guarded::session().momentum != nullptr; }
  bool resident_links() const { return quda::guarded::session().wilson.loaded(); }
  /// What is resident, taken out of the library.
  double resident_deviation(const reference::GaugeField &right)
  {
    HostMomenta<double> found(reference::GaugeField(shape), whole, QUDA_MILC_GAUGE_ORDER);
    QudaGaugeParam out = param;
    out.gauge_order = QUDA_MILC_GAUGE_ORDER;
    out.make_resident_mom = 0;
    out.return_result_mom = 1;
    momResidentQuda(found.pointer(), &out);
    return deviation(found, whole, right);
  }

  Handler handler;
  Session session;
  reference::GaugeField gauge, old;
  CPaths paths;
  reference::GaugeField expected, fresh;
  HostLinks<double> links;
  HostMomenta<double> mom;
  QudaGaugeParam param;
};

template <class real> void orders_and_precisions(const reference::GaugeField &gauge, const reference::GaugeField &old,
                                                 CPaths &paths, const reference::GaugeField &expected,
                                                 QudaPrecision host)
{
  for (const QudaGaugeFieldOrder order : {QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER})
    for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION})
      for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
        HostLinks<real> links(gauge, whole, order);
        HostMomenta<real> mom(old, whole, order);
        EXPECT_EQ(force(mom, links, paths, 0.3, test::gauge_param(shape.X, {host, precision, reconstruct, order})), 0);
        const bool both = host == QUDA_DOUBLE_PRECISION && precision == host;
        EXPECT_LE(deviation(mom, whole, expected), both ? 1e-12 : 1e-5) << order << precision << reconstruct;
      }
}

TEST_F(ForceCalls, OrdersAndPrecisions)
{
  orders_and_precisions<double>(gauge, old, paths, expected, QUDA_DOUBLE_PRECISION);
  orders_and_precisions<float>(gauge, old, paths, expected, QUDA_SINGLE_PRECISION);
}

TEST_F(ForceCalls, TheOtherNameIsTheSameFunction)
{
  HostMomenta<double> again = mom;
  HostMomenta<double> other(old, whole, QUDA_QDP_GAUGE_ORDER);
  force(mom, links, paths, 0.3, param);
  EXPECT_EQ(gaugeForceQuda(other.pointer(), links.pointer(), paths.steps(), paths.length(), paths.coefficient(),
                           paths.n(), paths.longest(), 0.3, &param),
            0);
  EXPECT_TRUE(test::same_bits(mom.all(), other.all()));
  EXPECT_FALSE(test::same_bits(mom.all(), again.all()));
}

/// A trace that the host's momenta bring along is taken off; traceless ones keep their bits where nothing is added.
TEST_F(ForceCalls, TheTraceOfOldMomentaGoes)
{
  reference::GaugeField traced = old;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < shape.volume(); i++)
      traced.U[mu][i] += reference::Complex(0, 0.01 * static_cast<double>(i % 7)) * reference::Link::Identity();
  HostMomenta<double> with_trace(traced, whole, QUDA_QDP_GAUGE_ORDER);
  force(with_trace, links, paths, 0.3, param);
  EXPECT_LE(deviation(with_trace, whole, expected), 1e-12);
  HostMomenta<float> in_single(traced, whole, QUDA_QDP_GAUGE_ORDER);
  HostLinks<float> single_links(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  force(in_single, single_links, paths, 0.3,
        test::gauge_param(shape.X, {QUDA_SINGLE_PRECISION, QUDA_SINGLE_PRECISION}));
  EXPECT_LE(deviation(in_single, whole, expected), 1e-5);
  const HostMomenta<double> before = mom;
  force(mom, links, paths, 0, param);
  EXPECT_TRUE(test::same_bits(mom.all(), HostMomenta<double>(before).all()));
}

TEST_F(ForceCalls, Overwriting)
{
  param.overwrite_mom = 1;
  mom.fill(NAN); // not read
  force(mom, links, paths, 0.3, param);
  EXPECT_LE(deviation(mom, whole, fresh), 1e-12);
}

TEST_F(ForceCalls, GaugeComesFromTheHostUnlessResident)
{
  force(mom, links, paths, 0.3, param);
  EXPECT_FALSE(resident_links());
  param.make_resident_gauge = 1;
  param.overwrite_mom = 1;
  force(mom, links, paths, 0.3, param);
  EXPECT_TRUE(resident_links());
  links.fill(NAN);
  param.use_resident_gauge = 1;
  for (const int keeps : {1, 0}) {
    param.make_resident_gauge = keeps;
    mom.fill(NAN);
    force(mom, links, paths, 0.3, param);
    EXPECT_LE(deviation(mom, whole, fresh), 1e-12);
    EXPECT_TRUE(resident_links()); // it is only read
  }
  param.return_result_gauge = 1;
  saveGaugeQuda(links.pointer(), &param);
  EXPECT_LE(test::largest_difference(links.all(), HostLinks<double>(gauge, whole, QUDA_QDP_GAUGE_ORDER).all()), 0);
}

TEST_F(ForceCalls, ResidentMomentum)
{
  param.make_resident_mom = 1;
  param.return_result_mom = 0;
  momResidentQuda(mom.pointer(), &param);
  EXPECT_TRUE(resident_momentum());
  param.use_resident_mom = 1;
  const auto before = mom.all();
  force(mom, links, paths, 0.3, param);
  EXPECT_TRUE(test::same_bits(mom.all(), before)); // neither read nor written
  EXPECT_LE(resident_deviation(expected), 1e-12);
  EXPECT_FALSE(resident_momentum()); // fetching takes it away

  // a new momentum is kept, returned as well, or dropped with what there was
  param.use_resident_mom = 0;
  param.return_result_mom = 1;
  force(mom, links, paths, 0.3, param);
  EXPECT_LE(deviation(mom, whole, expected), 1e-12);
  EXPECT_TRUE(resident_momentum());
  param.use_resident_mom = 1;
  param.overwrite_mom = 1;
  force(mom, links, paths, 0.3, param);
  EXPECT_LE(deviation(mom, whole, fresh), 1e-12);
  EXPECT_LE(resident_deviation(fresh), 1e-12);
  param.use_resident_mom = param.make_resident_mom = 0;
  param.make_resident_mom = 1;
  force(mom, links, paths, 0.3, param);
  EXPECT_TRUE(resident_momentum());
  param.make_resident_mom = 0;
  force(mom, links, paths, 0.3, param);
  EXPECT_FALSE(resident_momentum());
}

TEST_F(ForceCalls, PathProducts)
{
  reference::GaugeField w = reference::path_sum(gauge, paths.terms());
  for (const QudaGaugeFieldOrder order : {QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER}) {
    param.gauge_order = order;
    HostLinks<double> in(gauge, whole, order), out(gauge, whole, order);
    const auto at = [&](void *out_pointer) {
      return computeGaugePathQuda(out_pointer, in.pointer(), paths.steps(), paths.length(), paths.coefficient(),
                                  paths.n(), paths.longest(), -0.7, &param);
    };
    for (const int overwrite : {0, 1}) {
      param.overwrite_gauge = overwrite;
      reference::GaugeField right = w;
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t i = 0; i < shape.volume(); i++) {
          right.U[mu][i] *= -0.7;
          if (!overwrite) right.U[mu][i] += gauge.U[mu][i];
        }
      if (overwrite) out.fill(NAN);
      EXPECT_EQ(at(out.pointer()), 0);
      EXPECT_LE(test::largest_difference(out.all(), HostLinks<double>(right, whole, order).all()), 1e-13);
    }
  }
  EXPECT_FALSE(resident_links());
}

TEST_F(ForceCalls, Updates)
{
  const reference::GaugeField moved = reference::updated(gauge, old, 0.2), back = reference::updated(gauge, old, -0.2);
  const auto numbers = [](const reference::GaugeField &u) {
    return HostLinks<double>(u, whole, QUDA_QDP_GAUGE_ORDER).all();
  };
  const auto update = [&](int conj, int exact) {
    updateGaugeFieldQuda(links.pointer(), mom.pointer(), 0.2, conj, exact, &param);
  };
  update(0, 1);
  EXPECT_LE(test::largest_difference(links.all(), numbers(moved)), 1e-14);
  EXPECT_FALSE(resident_links());
  links = HostLinks<double>(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  update(1, 1);
  EXPECT_LE(test::largest_difference(links.all(), numbers(back)), 1e-14);
  links = HostLinks<double>(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  update(0, 0);
  EXPECT_LE(test::largest_difference(links.all(), numbers(reference::updated(gauge, old, 0.2, 8))), 1e-14);

  // resident, returned, and what is measured is the current field
  links = HostLinks<double>(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  loadGaugeQuda(links.pointer(), &param);
  double before[3], after[3];
  plaqQuda(before);
  param.use_resident_gauge = param.make_resident_gauge = 1;
  param.return_result_gauge = 0;
  param.make_resident_mom = 1;
  update(0, 1);
  EXPECT_TRUE(resident_momentum());
  plaqQuda(after);
  EXPECT_NEAR(after[0], reference::plaquette(moved)[0], 1e-14);
  EXPECT_NE(after[0], before[0]);
  saveGaugeQuda(links.pointer(), &param);
  EXPECT_LE(test::largest_difference(links.all(), numbers(moved)), 1e-14);

  // used and returned but not kept: the resident field stays
  param.use_resident_mom = 1;
  param.make_resident_gauge = 0;
  param.return_result_gauge = 1;
  param.make_resident_mom = 0;
  update(1, 1);
  EXPECT_LE(test::largest_difference(links.all(), numbers(gauge)), 1e-13);
  EXPECT_FALSE(resident_momentum());
  double stays[3];
  plaqQuda(stays);
  EXPECT_EQ(stays[0], after[0]);
}

TEST_F(ForceCalls, MomentumAction)
{
  const double expected_action = reference::momentum_action(old);
  EXPECT_NEAR(momActionQuda(mom.pointer(), &param), expected_action, 1e-9);
  EXPECT_FALSE(resident_momentum());
  param.make_resident_mom = 1;
  EXPECT_NEAR(momActionQuda(mom.pointer(), &param), expected_action, 1e-9);
  param.use_resident_mom = 1;
  EXPECT_NEAR(momActionQuda(nullptr, &param), expected_action, 1e-9);
  EXPECT_TRUE(resident_momentum());
  param.make_resident_mom = 0;
  EXPECT_NEAR(momActionQuda(nullptr, &param), expected_action, 1e-9);
  EXPECT_FALSE(resident_momentum());
}

/// The tenth real of a momentum, which MILC never sets, may hold anything; the others may not.
TEST_F(ForceCalls, TheTenthRealIsNotLookedAt)
{
  for (const QudaGaugeFieldOrder order : {QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER}) {
    param.gauge_order = order;
    HostMomenta<double> clean(old, whole, order), strange(old, whole, order), after(old, whole, order);
    HostLinks<double> of_order(gauge, whole, order);
    for (std::size_t i = 9; i < strange.all().size(); i += 10) strange.all()[i] = i % 3 ? NAN : INFINITY;
    EXPECT_EQ(momActionQuda(strange.pointer(), &param), momActionQuda(clean.pointer(), &param));
    QudaGaugeParam in = param;
    in.make_resident_mom = 1;
    in.return_result_mom = 0;
    momResidentQuda(strange.pointer(), &in);
    EXPECT_EQ(resident_deviation(old), 0);
    after.all() = strange.all();
    force(clean, of_order, paths, 0.3, param);
    force(after, of_order, paths, 0.3, param);
    EXPECT_TRUE(test::same_bits(after.all(), clean.all()));
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    const std::size_t last = strange.all().size() - 2;
    strange.all()[last] = NAN;
    momActionQuda(strange.pointer(), &param);
    EXPECT_TRUE(handler.says("direction 3") && handler.says("real 8 of the matrix")) << handler.text();
    handler.forget();
  }
}

TEST_F(ForceCalls, TracesAreOfTheSmearedLinksWhereThereAreAny)
{
  loadGaugeQuda(links.pointer(), &param);
  const auto one = [] { return force_test::sum_of_traces({reference::chair_loop}, 0.5); };
  EXPECT_NEAR(one(), 0.5 * reference::loop_trace(gauge, reference::chair_loop).real(), 1e-11);
  const reference::GaugeField smeared = reference::random_gauge(shape, 3);
  HostLinks<double> host(smeared, whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam of_smeared = param;
  of_smeared.type = QUDA_SMEARED_LINKS;
  loadGaugeQuda(host.pointer(), &of_smeared);
  EXPECT_NEAR(one(), 0.5 * reference::loop_trace(smeared, reference::chair_loop).real(), 1e-11);
}

/// The record has the largest norms of the force without its step; the momentum knows nothing of it.
TEST(ForceMonitor, RecordsForcesAndChangesNone)
{
  const ScratchFolder folder;
  const Variable path("QUDA_RESOURCE_PATH", folder.path()), base("QUDA_PROFILE_OUTPUT_BASE", "run"),
      tuning("QUDA_ENABLE_TUNING", "0");
  const reference::GaugeField gauge = reference::random_gauge(shape, 1), old = reference::random_momentum(shape, 2);
  CPaths paths(plaquette_paths());
  HostLinks<double> links(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  std::vector<double> found[2];
  for (const int on : {0, 1}) {
    const Variable monitor("QUDA_ENABLE_FORCE_MONITOR", on ? "1" : "0");
    Session session;
    HostMomenta<double> mom(old, whole, QUDA_QDP_GAUGE_ORDER);
    for (const double step : {0.3, 0.125}) force(mom, links, paths, step, test::gauge_param(shape.X));
    found[on] = mom.all();
    EXPECT_FALSE(folder.has("run_force.tsv")); // at the end
  }
  EXPECT_TRUE(test::same_bits(found[0], found[1]));

  double largest[2] = {0, 0};
  const reference::GaugeField alone = force_test::new_momentum(gauge, paths.terms(), 1, nullptr);
  for (const auto &of_mu : alone.U)
    for (const reference::Link &f : of_mu) {
      largest[0] = std::max(largest[0], f.cwiseAbs().colwise().sum().maxCoeff());
      largest[1] = std::max(largest[1], f.norm());
    }
  const auto lines = lines_of(folder.read("run_force.tsv"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "Force\tL1\tL2\tdt");
  for (const std::size_t i : {1u, 2u}) {
    const auto columns = columns_of(lines[i]);
    ASSERT_EQ(columns.size(), 4u);
    EXPECT_EQ(columns[0], "gauge");
    for (const int k : {0, 1}) EXPECT_NEAR(std::stod(columns[1 + k]), largest[k], 1e-4 * largest[k]);
    EXPECT_EQ(std::stod(columns[3]), i == 1 ? 0.3 : 0.125);
  }
}

TEST_F(ForceCalls, BadOnesAreNamed)
{
  const QudaErrorKind bad = QUDA_ERROR_KIND_BAD_ARGUMENT, unsupported = QUDA_ERROR_KIND_UNSUPPORTED;
  const auto before = mom.all();
  const auto refused = [&](const std::function<void(QudaGaugeParam &)> &spoil, QudaErrorKind kind,
                           const std::vector<std::string> &words) {
    QudaGaugeParam spoilt = param;
    spoil(spoilt);
    EXPECT_EQ(force(mom, links, paths, 0.3, spoilt), 0);
    EXPECT_EQ(handler.calls(), 1);
    EXPECT_EQ(handler.kind(), kind) << handler.text();
    EXPECT_TRUE(handler.says("computeGaugeForceQuda")) << handler.text();
    for (const std::string &word : words) EXPECT_TRUE(handler.says(word)) << word << ": " << handler.text();
    EXPECT_TRUE(test::same_bits(mom.all(), before));
    handler.forget();
  };
  refused([](auto &p) { p.gauge_order = QUDA_NATIVE_GAUGE_ORDER; }, unsupported, {"gauge_order", "NATIVE"});
  refused([](auto &p) { p.cuda_prec = QUDA_HALF_PRECISION; }, unsupported, {"cuda_prec", "HALF"});
  refused([](auto &p) { p.reconstruct = QUDA_RECONSTRUCT_8; }, unsupported, {"reconstruct", "RECONSTRUCT_8"});
  refused([](auto &p) { p.staggered_phase_applied = 1; }, bad, {"staggered_phase_type = 0"});
  refused([](auto &p) { p.use_resident_gauge = 1; }, bad, {"no gauge field is resident"});
  refused([](auto &p) { p.use_resident_mom = 1; }, bad, {"use_resident_mom", "no momentum is resident"});
  refused([](auto &p) { p.use_resident_mom = 2; }, bad, {"use_resident_mom = 2"});
  refused([](auto &p) { p.X[2] = 5; }, bad, {"X[2] = 5"});

  const auto call = [&](int ***steps, int *length, double *coefficient, int n, int longest, double eb3) {
    handler.forget();
    computeGaugeForceQuda(mom.pointer(), links.pointer(), steps, length, coefficient, n, longest, eb3, &param);
  };
  std::vector<int> length(6, 3);
  std::vector<double> weight(6, 1);
  call(nullptr, length.data(), weight.data(), 6, 3, 1);
  EXPECT_TRUE(handler.says("input_path_buf = null")) << handler.text();
  call(paths.steps(), nullptr, weight.data(), 6, 3, 1);
  EXPECT_TRUE(handler.says("path_length = null")) << handler.text();
  call(paths.steps(), length.data(), weight.data(), -1, 3, 1);
  EXPECT_TRUE(handler.says("num_paths = -1")) << handler.text();
  call(paths.steps(), length.data(), weight.data(), 6, 2, 1);
  EXPECT_TRUE(handler.says("path_length[0] = 3")) << handler.text();
  call(paths.steps(), length.data(), weight.data(), 6, 3, NAN);
  EXPECT_TRUE(handler.says("dt = nan")) << handler.text();
  weight[4] = INFINITY;
  call(paths.steps(), length.data(), weight.data(), 6, 3, 1);
  EXPECT_TRUE(handler.says("loop_coeff[4] = inf")) << handler.text();
  weight[4] = 1;
  const int right = paths.steps()[2][1][1];
  paths.steps()[2][1][1] = 8;
  call(paths.steps(), length.data(), weight.data(), 6, 3, 1);
  EXPECT_TRUE(handler.says("input_path_buf[2][1][1] = 8")) << handler.text();
  paths.steps()[2][1][1] = right;
  EXPECT_TRUE(test::same_bits(mom.all(), before));

  handler.forget();
  momResidentQuda(mom.pointer(), &param); // neither here nor there: return_result_mom alone, nothing resident
  EXPECT_TRUE(handler.says("no momentum is resident")) << handler.text();
  handler.forget();
  param.make_resident_mom = 1;
  momResidentQuda(mom.pointer(), &param);
  EXPECT_TRUE(handler.says("make_resident_mom = 1 with return_result_mom = 1")) << handler.text();
  handler.forget();
  param.use_resident_mom = 1;
  EXPECT_EQ(momActionQuda(nullptr, &param), 0);
  EXPECT_TRUE(handler.says("momActionQuda") && handler.says("no momentum is resident")) << handler.text();
  handler.forget();
  updateGaugeFieldQuda(links.pointer(), mom.pointer(), NAN, 0, 1, (param.use_resident_mom = 0, &param));
  EXPECT_TRUE(handler.says("updateGaugeFieldQuda") && handler.says("dt = nan")) << handler.text();
  handler.forget();

  // fields of another precision or lattice
  param.make_resident_mom = 0;
  param.cuda_prec = QUDA_SINGLE_PRECISION;
  loadGaugeQuda(links.pointer(), &param);
  param.use_resident_gauge = 1;
  param.cuda_prec = QUDA_DOUBLE_PRECISION;
  force(mom, links, paths, 0.3, param);
  EXPECT_TRUE(handler.says("cuda_prec") && handler.says("4 bytes")) << handler.text();
  handler.forget();
  updateGaugeFieldQuda(links.pointer(), mom.pointer(), 0.1, 0, 1, &param);
  EXPECT_TRUE(handler.says("cpu_prec") && handler.says("4 bytes")) << handler.text();
  handler.forget();
  param.cuda_prec = QUDA_SINGLE_PRECISION;
  param.X[3] = 4;
  force(mom, links, paths, 0.3, param);
  EXPECT_TRUE(handler.says("X[3] = 4") && handler.says("resident field's, 8")) << handler.text();
  handler.forget();
}

} // namespace
