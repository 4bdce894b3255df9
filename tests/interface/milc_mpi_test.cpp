/// A trajectory's gauge part by MILC's calls on a site array (c_milc.c), against the plain reference: measurements,
/// links and momenta, with and without phases in the links; what stays resident changes no bit, and neither do ranks.

#include "c_milc.h"
#include "on_grids.h"

#include "quda_milc_interface.h"

#include "force/force_calls.h"
#include "reference/gauge/polyakov.h"
#include "reference/gauge/project.h"
#include "reference/gauge/staggered_phase.h"

#include <cstring>
#include <map>

namespace
{

using reference::Coords;
using reference::GaugeField;

const reference::Lattice global({4, 4, 8, 8});

std::vector<Coords> grids()
{
  return std::map<int, std::vector<Coords>> {
      {1, {{1, 1, 1, 1}}}, {2, {{1, 1, 1, 2}, {2, 1, 1, 1}}}, {4, {{1, 1, 2, 2}, {1, 2, 1, 2}}}}[support::ranks()];
}

const std::vector<reference::Loop> loops = {
    {0, 1, 7, 6}, {0, 2, 7, 5},       {0, 3, 7, 4},       {1, 2, 6, 5},       {1, 3, 6, 4},
    {2, 3, 5, 4}, {0, 0, 1, 7, 7, 6}, {3, 3, 1, 4, 4, 6}, {0, 1, 2, 7, 6, 5}, {1, 5, 3, 6, 2, 4}};

milc_run run_on(const Coords &grid, int phases_in, int resident)
{
  milc_run run {};
  for (int d = 0; d < 4; d++) {
    run.latsize[d] = global.X[d];
    run.machsize[d] = grid[d];
  }
  run.phases_in = phases_in;
  run.resident = resident;
  run.steps = 2;
  run.eps = 0.04;
  run.beta_by_3 = 7.4 / 3;
  const double coefficient[3] = {1, -0.0625, -0.0147};
  std::copy_n(coefficient, 3, run.coefficient);
  for (std::size_t i = 0; i < loops.size(); i++) {
    std::copy(loops[i].begin(), loops[i].end(), run.loop[i]);
    run.length[i] = static_cast<int>(loops[i].size());
  }
  return run;
}

GaugeField with_phases(const GaugeField &gauge, bool phases_in)
{
  return phases_in ? reference::staggered(gauge, reference::StaggeredPhases::milc, -1) : gauge;
}

std::vector<milc_site> sites_of(const reference::Part &part, const GaugeField &links, const GaugeField &momenta)
{
  std::vector<milc_site> sites(part.local.volume());
  std::memset(static_cast<void *>(sites.data()), 0x5a, sites.size() * sizeof(milc_site));
  for (std::size_t slot = 0; slot < sites.size(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      const Coords x = part.global_coords(slot);
      std::memcpy(sites[slot].link[mu], links.at(mu, x).data(), sizeof sites[slot].link[mu]);
      const auto ten = reference::ten_numbers(momenta.at(mu, x));
      std::copy(ten.begin(), ten.end(), sites[slot].mom[mu]);
    }
  return sites;
}

/// The largest differences of links and momenta, and whether the rest of each site is as it was.
void expect_sites(const std::vector<milc_site> &sites, const reference::Part &part, const GaugeField &links,
                  const GaugeField &momenta)
{
  double of_links = 0, of_momenta = 0;
  for (std::size_t slot = 0; slot < sites.size(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      const Coords x = part.global_coords(slot);
      reference::Link u;
      std::memcpy(u.data(), sites[slot].link[mu], sizeof sites[slot].link[mu]);
      of_links = std::max(of_links, (u - links.at(mu, x)).cwiseAbs().maxCoeff());
      const reference::Link a = reference::from_ten(sites[slot].mom[mu]);
      of_momenta = std::max(of_momenta, (a - momenta.at(mu, x)).cwiseAbs().maxCoeff());
    }
  EXPECT_LT(of_links, 1e-12);
  EXPECT_LT(of_momenta, 1e-12);
  milc_site filled;
  std::memset(static_cast<void *>(&filled), 0x5a, sizeof filled);
  for (const milc_site &site : sites) {
    ASSERT_EQ(std::memcmp(&site, &filled, offsetof(milc_site, link)), 0);
    ASSERT_EQ(std::memcmp(site.phase, filled.phase, sizeof filled.phase), 0);
    ASSERT_EQ(std::memcmp(site.phi, filled.phi, sizeof filled.phi), 0);
  }
}

/// Links and momenta before and after, by the plain reference; no phases.
struct Trajectory {
  GaugeField links[2], momenta[2];

  Trajectory()
      : links {reference::random_gauge(global, 81), GaugeField(global)}
      , momenta {reference::random_momentum(global, 82), GaugeField(global)}
  {
    const milc_run run = run_on({1, 1, 1, 1}, 0, 0);
    const reference::PathTerms terms =
        reference::force_paths(reference::images(reference::plaquette_loop), run.coefficient[0]) +
        reference::force_paths(reference::images(reference::rectangle_loop), run.coefficient[1]) +
        reference::force_paths(reference::images(reference::parallelogram_loop), run.coefficient[2]);
    GaugeField u = links[0], a = momenta[0];
    for (int step = 0; step < run.steps; step++) {
      u = reference::updated(u, a, run.eps / 2, 8);
      a = force_test::new_momentum(u, terms, run.eps * run.beta_by_3, &a);
      u = reference::updated(u, a, run.eps / 2, 8);
    }
    links[1] = reference::projected(u);
    momenta[1] = a;
  }
};

void expect_measured(const milc_results &results, const Trajectory &right)
{
  const auto volume = static_cast<double>(global.volume());
  for (int after = 0; after < 2; after++) {
    const auto plaquettes = reference::plaquette(right.links[after]);
    for (int i = 0; i < 3; i++) EXPECT_NEAR(results.plaq[after][i], plaquettes[i], 1e-13);
    for (std::size_t i = 0; i < loops.size(); i++) {
      const reference::Complex trace = reference::loop_trace(right.links[after], loops[i]);
      EXPECT_NEAR(results.traces[after][i][0], trace.real(), 1e-12 * volume);
      EXPECT_NEAR(results.traces[after][i][1], trace.imag(), 1e-12 * volume);
    }
    const double action = reference::momentum_action(right.momenta[after]);
    EXPECT_NEAR(results.mom_action[after], action, 1e-11 * volume);
  }
  const reference::Complex loop = reference::polyakov_loop(right.links[1]);
  EXPECT_NEAR(results.ploop[0], loop.real(), 1e-12);
  EXPECT_NEAR(results.ploop[1], loop.imag(), 1e-12);
  EXPECT_EQ(std::memcmp(results.all_plaq, results.plaq[1], sizeof results.all_plaq), 0);
  EXPECT_EQ(std::memcmp(results.all_ploop, results.ploop, sizeof results.all_ploop), 0);
  EXPECT_EQ(std::memcmp(results.all_traces, results.traces[1], sizeof results.all_traces), 0);
}

TEST(Milc, ATrajectoryOnSitesIsTheReferences)
{
  const Trajectory right;
  std::vector<milc_results> all;
  for (const Coords &grid : grids()) {
    const reference::Part part = support::part_on(grid, global, true);
    for (const int phases_in : {0, 1}) {
      std::vector<std::vector<milc_site>> found;
      for (const int resident : {0, 1}) {
        SCOPED_TRACE(testing::Message() << "phases " << phases_in << " resident " << resident);
        const milc_run run = run_on(grid, phases_in, resident);
        std::vector<milc_site> sites = sites_of(part, with_phases(right.links[0], phases_in), right.momenta[0]);
        milc_results results {};
        const char *fault = c_milc(&run, sites.data(), &results);
        ASSERT_EQ(fault, nullptr) << fault;
        expect_measured(results, right);
        expect_sites(sites, part, with_phases(right.links[1], phases_in), right.momenta[1]);
        found.push_back(std::move(sites));
        if (phases_in) all.push_back(results);
      }
      if (!phases_in) continue; // else the force works on two rows of the host's links, on three of resident ones
      EXPECT_EQ(std::memcmp(found[0].data(), found[1].data(), found[0].size() * sizeof(milc_site)), 0);
    }
  }
  for (const milc_results &results : all) EXPECT_EQ(std::memcmp(&results, &all[0], sizeof results), 0);
}

/// What was made of links, and the links themselves, end with the projection that ends a trajectory.
TEST(Milc, NothingIsLeftOfLinksBeforeTheyWereProjected)
{
  for (const Coords &grid : grids()) {
    test::Handler handler;
    const reference::Part part = support::part_on(grid, global, true);
    setVerbosityQuda(QUDA_SILENT, "", nullptr);
    qudaInit({QUDA_SILENT, {global.X.data(), grid.data(), -1}});
    test::HostLinks<double> links(reference::random_gauge(global, 3), part, QUDA_MILC_GAUGE_ORDER);
    QudaInvertArgs_t args {};
    qudaLoadGaugeField(2, 2, args, links.pointer());
    double plaq[3];
    plaqQuda(plaq);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    QudaMILCSiteArg_t arg {};
    arg.link = links.pointer();
    qudaUnitarizeSU3(2, 1e-6, &arg);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    plaqQuda(plaq);
    EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text();
    qudaFinalize();
  }
}

} // namespace
