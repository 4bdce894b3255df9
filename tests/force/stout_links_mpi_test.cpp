/// Actions of smeared links through the C interface: the force is the derivative of the plaquettes of smeared links, and
/// what is kept is told from what is stale.

#include <gtest/gtest.h>

#include <functional>

#include "force/dynamics.h"
#include "support/grids.h"

using namespace force_test;

namespace
{

struct Smearing {
  const char *name;
  double rho;
  unsigned steps;
  int dir_ignore;
  double anisotropy;
};

QudaGaugeSmearParam smear_param(const Smearing &smearing)
{
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
  param.n_steps = smearing.steps;
  param.rho = smearing.rho;
  param.dir_ignore = smearing.dir_ignore;
  param.smear_anisotropy = smearing.anisotropy;
  return param;
}

/// Links, a direction, momenta of a rank.
struct Case {
  reference::Lattice global;
  reference::Part part;
  reference::GaugeField gauge;
  test::HostLinks<double> links;
  HostMomenta<double> direction, force, answer;
  QudaGaugeParam param;
  CPaths paths;

  Case(const reference::Coords &X, const support::Grid &grid, int t_boundary)
      : global(X)
      , part(support::part_on(grid, global))
      , gauge(phased(global, t_boundary))
      , links(gauge, part, QUDA_QDP_GAUGE_ORDER)
      , direction(reference::random_momentum(global, 42), part, QUDA_QDP_GAUGE_ORDER)
      , force(reference::GaugeField(global), part, QUDA_QDP_GAUGE_ORDER)
      , answer(reference::GaugeField(global), part, QUDA_QDP_GAUGE_ORDER)
      , param(test::gauge_param(part.local.X))
      , paths(reference::force_paths(reference::images(reference::plaquette_loop), 1))
  {
    if (t_boundary < 0) param.t_boundary = QUDA_ANTI_PERIODIC_T;
  }

  static reference::GaugeField phased(const reference::Lattice &global, int t_boundary)
  {
    reference::GaugeField gauge = reference::random_gauge(global, 41, reference::Kind::weak);
    reference::set_up_links(gauge, 1, t_boundary);
    return gauge;
  }
  void load() { loadGaugeQuda(links.pointer(), &param); }
  /// Of the plaquettes, from the links that are resident.
  void gauge_force(void *mom, const std::function<void(QudaGaugeParam &)> &flags)
  {
    QudaGaugeParam how = param;
    how.use_resident_gauge = 1;
    how.make_resident_gauge = 0;
    how.overwrite_mom = 1;
    flags(how);
    computeGaugeForceQuda(mom, nullptr, paths.steps(), paths.length(), paths.coefficient(), paths.n(), paths.longest(),
                          1, &how);
  }
};

/// Work on each grid with the library initialised.
void on_grids(const std::function<void(const support::Grid &)> &work)
{
  for (const support::Grid &grid : support::grids_of(support::ranks())) {
    SCOPED_TRACE(support::named(grid));
    const test::Session session(grid.data());
    work(grid);
  }
}

} // namespace

TEST(StoutLinks, ForceIsTheDerivative)
{
  const Smearing smearings[] = {{"two steps", 0.12, 2, 4, 0},
                                {"t ignored", 0.14, 2, -1, 0},
                                {"anisotropic", 0.08, 1, 4, 1.5},
                                {"y ignored", 0.1, 3, 1, 1.2}};
  on_grids([&](const support::Grid &grid) {
    for (const reference::Coords &X : {reference::Coords {4, 4, 4, 8}, {grid[0] == 1 ? 6 : 12, 4, 2 * grid[2], 8}}) {
      const test::Handler handler;
      Case one(X, grid, X[0] == 4 ? 1 : -1);
      const double h = 6e-4;
      for (const Smearing &smearing : smearings) {
        SCOPED_TRACE(smearing.name);
        const QudaGaugeSmearParam smear = smear_param(smearing);
        double S[5];
        for (int k = -2; k <= 2; k++) {
          QudaGaugeParam update = one.param;
          update.make_resident_gauge = 1;
          update.return_result_gauge = 0;
          updateGaugeFieldQuda(one.links.pointer(), one.direction.pointer(), k * h, 0, 1, &update);
          stoutGaugeQuda(&smear);
          S[k + 2] = sum_of_traces(reference::images(reference::plaquette_loop), 1);
        }
        const double difference = (S[0] - 8 * S[1] + 8 * S[3] - S[4]) / (12 * h);
        one.load();
        stoutGaugeQuda(&smear);
        one.gauge_force(one.force.pointer(), [](QudaGaugeParam &) {});
        QudaGaugeParam how = one.param;
        how.overwrite_mom = 1;
        EXPECT_EQ(stoutForceQuda(one.answer.pointer(), one.force.pointer(), 1, &how), 0);
        double along = 0, size = 0;
        for (int mu = 0; mu < 4; mu++)
          for (std::size_t slot = 0; slot < one.part.local.volume(); slot++) {
            const reference::Link p = one.direction.matrix(mu, slot), f = one.answer.matrix(mu, slot);
            along += (p.array() * f.conjugate().array()).sum().real();
            size += f.squaredNorm();
          }
        along = support::sum_over_ranks(along);
        size = std::sqrt(support::sum_over_ranks(size));
        EXPECT_GT(size, 1);
        EXPECT_LE(std::abs(difference - along), 1e-9 * size) << difference << " " << along;
      }
    }
  });
}

/// Momenta of the host and resident ones, added to or not; the force as the resident momentum; the thin links again.
TEST(StoutLinks, FlagsAndResidents)
{
  on_grids([&](const support::Grid &grid) {
    const test::Handler handler;
    Case one({4, 4, 4, 8}, grid, -1);
    one.load();
    const QudaGaugeSmearParam smear = smear_param({"", 0.1, 2, 4, 0});
    stoutGaugeQuda(&smear);
    one.gauge_force(one.force.pointer(), [](QudaGaugeParam &) {});
    thinGaugeQuda();
    test::HostLinks<double> back = one.links;
    back.fill(0);
    saveGaugeQuda(back.pointer(), &one.param);
    EXPECT_TRUE(test::same_bits(back.all(), one.links.all())); // the thin ones

    QudaGaugeParam how = one.param;
    how.overwrite_mom = 1;
    stoutForceQuda(one.answer.pointer(), one.force.pointer(), 0.5, &how); // the thin links are resident: as good
    const std::vector<double> expected = one.answer.all(), old = one.direction.all();
    how.overwrite_mom = 0;
    stoutForceQuda(one.direction.pointer(), one.force.pointer(), 0.5, &how);
    const std::vector<double> sum = one.direction.all();
    double largest = 0;
    for (std::size_t i = 0; i < old.size(); i++) largest = std::max(largest, std::abs(sum[i] - old[i] - expected[i]));
    EXPECT_LE(largest, 1e-13);

    // the momentum resident
    QudaGaugeParam move = one.param;
    const auto take = [&] { // the resident momentum
      move.make_resident_mom = 0;
      move.return_result_mom = 1;
      one.answer.fill(0);
      momResidentQuda(one.answer.pointer(), &move);
      return one.answer.all();
    };
    const auto put = [&](HostMomenta<double> &momenta) {
      move.make_resident_mom = 1;
      move.return_result_mom = 0;
      momResidentQuda(momenta.pointer(), &move);
    };
    one.direction.all() = old;
    put(one.direction);
    how.use_resident_mom = how.make_resident_mom = 1;
    how.return_result_mom = 0;
    stoutForceQuda(nullptr, one.force.pointer(), 0.5, &how);
    EXPECT_TRUE(test::same_bits(take(), sum));

    // the force resident, the sum takes its place
    put(one.force);
    how.use_resident_mom = 0;
    stoutForceQuda(one.direction.pointer(), nullptr, 0.5, &how);
    EXPECT_TRUE(test::same_bits(one.direction.all(), old));
    EXPECT_TRUE(test::same_bits(take(), sum));

    // in single precision
    QudaGaugeParam coarse = one.param;
    coarse.cuda_prec = QUDA_SINGLE_PRECISION;
    loadGaugeQuda(one.links.pointer(), &coarse);
    stoutGaugeQuda(&smear);
    coarse.overwrite_mom = 1;
    stoutForceQuda(one.answer.pointer(), one.force.pointer(), 0.5, &coarse);
    largest = 0;
    for (std::size_t i = 0; i < old.size(); i++)
      largest = std::max(largest, std::abs(one.answer.all()[i] - expected[i]));
    EXPECT_LE(largest, 1e-5);
    EXPECT_GT(largest, 0);
  });
}

/// What is not kept, and what is out of date, by name.
TEST(StoutLinks, StaleOnesAreRefused)
{
  if (support::ranks() != 1) return;
  const support::Grid grid = {1, 1, 1, 1};
  const test::Session session(grid.data());
  test::Handler handler;
  Case one({4, 4, 4, 4}, grid, 1);
  const QudaGaugeSmearParam smear = smear_param({"", 0.1, 1, 4, 0});
  const auto refused = [&](const std::string &words, const std::function<void()> &call) {
    handler.forget();
    call();
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
    handler.forget();
  };
  const auto force = [&] { stoutForceQuda(one.answer.pointer(), one.force.pointer(), 1, &one.param); };
  one.load();
  refused("no smearing is kept", force);
  refused("no thin links are kept", [] { thinGaugeQuda(); });
  stoutGaugeQuda(&smear);
  refused("smeared already", [&] { stoutGaugeQuda(&smear); });
  force();
  thinGaugeQuda();
  force();
  QudaGaugeParam update = one.param;
  update.use_resident_gauge = update.make_resident_gauge = 1;
  update.return_result_gauge = 0;
  updateGaugeFieldQuda(nullptr, one.direction.pointer(), 0.1, 0, 1, &update);
  refused("stale", force);
  stoutGaugeQuda(&smear);
  force();
  updateGaugeFieldQuda(nullptr, one.direction.pointer(), 0.1, 0, 1, &update); // of the smeared links
  refused("stale", force);
  thinGaugeQuda();
  force();
  stoutGaugeQuda(&smear);
  one.load();
  refused("stale", force);
  freeGaugeQuda();
  one.load();
  refused("no smearing is kept", force);
}
