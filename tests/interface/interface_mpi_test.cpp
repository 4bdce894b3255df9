/// The C interface on several ranks: grids, maps and handles; the same bits for every grid; all ranks refuse together;
/// without a handler no rank hangs.

#include "on_grids.h"

#include "core/environment_support.h"
#include "targets/target.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdlib>
#include <optional>

namespace
{

using reference::Coords;
using test::coordinates;
using test::Handler;
using test::HostLinks;
using test::rank;
using test::ranks;
using test::Storage;

const reference::Lattice global({4, 8, 4, 16});

/// What a grid makes of one problem: this rank's part of the results.
struct Results {
  double plaq[3];
  std::vector<double> hop, matrix, links;
};

Results results_on(const Coords &grid, const Coords &coord, const Storage &storage)
{
  const reference::Part part(global, grid, coord);
  reference::GaugeField gauge = reference::random_gauge(global, 3);
  reference::set_up_links(gauge, storage.anisotropy, storage.t_boundary);
  HostLinks<double> host(gauge, part, storage.order);
  QudaGaugeParam param = test::gauge_param(part.local.X, storage);
  loadGaugeQuda(host.pointer(), &param);

  Results results {};
  plaqQuda(results.plaq);
  const reference::Spinors psi = reference::random_spinors(global, 4);
  auto odd = reference::to_host<double>(psi, global, part, 1), full = reference::to_host<double>(psi, global, part);
  results.hop.resize(odd.size());
  results.matrix.resize(full.size());
  QudaInvertParam wilson = test::wilson_param();
  dslashQuda(results.hop.data(), odd.data(), &wilson, QUDA_EVEN_PARITY);
  MatQuda(results.matrix.data(), full.data(), &wilson);
  host.fill(NAN);
  saveGaugeQuda(host.pointer(), &param);
  results.links = host.all();
  return results;
}

TEST(Ranks, TheSameBitsOnEveryGrid)
{
  for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
    const Storage storage {QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION, reconstruct, QUDA_MILC_GAUGE_ORDER, 2.464, -1};
    Results whole; // of each rank on its own
    {
      const test::Alone session;
      whole = results_on(test::Alone::grid, test::Alone::place, storage);
    }
    for (const Coords &grid : support::grids_of(ranks())) {
      SCOPED_TRACE(support::named(grid));
      const test::Session session(grid.data());
      const Results mine = results_on(grid, coordinates(grid, rank()), storage);
      const reference::Part part = support::part_on(grid, global);
      for (int i = 0; i < 3; i++) EXPECT_EQ(mine.plaq[i], whole.plaq[i]) << i;
      EXPECT_TRUE(test::same_bits(mine.hop, support::part_of(whole.hop, global, part, 0)));
      EXPECT_TRUE(test::same_bits(mine.matrix, support::part_of(whole.matrix, global, part)));
    }
  }
}

TEST(Ranks, AsTheReference)
{
  const Coords grid = support::grids_of(ranks()).front(), coord = coordinates(grid, rank());
  Storage storage;
  storage.t_boundary = -1;
  const test::Session session(grid.data());
  const Results mine = results_on(grid, coord, storage);
  reference::GaugeField gauge = reference::random_gauge(global, 3);
  reference::set_up_links(gauge, 1, -1);
  EXPECT_NEAR(mine.plaq[0], reference::plaquette(gauge)[0], 1e-13);
  const reference::Part part(global, grid, coord);
  const reference::Spinors psi = reference::random_spinors(global, 4);
  reference::Spinors hop(global.volume(), reference::Spinor::Zero());
  reference::set_half(hop, 0, reference::Wilson(gauge).hop_to(0, reference::half_of(psi, 1)));
  EXPECT_LE(test::largest_difference(mine.hop, reference::to_host<double>(hop, global, part, 0)), 1e-11);
  HostLinks<double> given(gauge, part, QUDA_QDP_GAUGE_ORDER);
  EXPECT_TRUE(test::same_bits(mine.links, given.all()));
}

/// Ranks numbered backwards by the host's map: the rank that sits at a place has that place's part. Which ranks end the
/// lattice in t shows in the rows that are rebuilt.
TEST(Ranks, AMap)
{
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  Coords grid = support::grids_of(ranks()).back();
  Storage storage;
  storage.reconstruct = QUDA_RECONSTRUCT_12;
  storage.t_boundary = -1;
  const QudaCommsMap backwards = [](const int *c, void *data) {
    const int *P = static_cast<const int *>(data);
    return P[0] * P[1] * P[2] * P[3] - 1 - (((c[0] * P[1] + c[1]) * P[2] + c[2]) * P[3] + c[3]);
  };
  initCommsGridQuda(4, grid.data(), backwards, grid.data());
  initQuda(-1);
  const Results mine = results_on(grid, coordinates(grid, ranks() - 1 - rank()), storage);
  endQuda();
  initCommsGridQuda(4, grid.data(), nullptr, nullptr);
  initQuda(-1);
  const Results plain = results_on(grid, coordinates(grid, rank()), storage);
  endQuda();
  for (int i = 0; i < 3; i++) EXPECT_EQ(mine.plaq[i], plain.plaq[i]);
  std::vector<double> swapped(mine.hop.size());
  MPI_Sendrecv(mine.hop.data(), static_cast<int>(mine.hop.size()), MPI_DOUBLE, ranks() - 1 - rank(), 0, swapped.data(),
               static_cast<int>(swapped.size()), MPI_DOUBLE, ranks() - 1 - rank(), 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT_TRUE(test::same_bits(swapped, plain.hop));
}

TEST(Ranks, TheGridMustBeGiven)
{
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  initQuda(-1);
  if (ranks() > 1) {
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
    EXPECT_TRUE(handler.says("initQuda") && handler.says("initCommsGridQuda()")) << handler.text();
  } else {
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  }
  handler.forget();
  endQuda();
  const int wrong[4] = {1, 1, 3, ranks()};
  initCommsGridQuda(4, wrong, nullptr, nullptr);
  EXPECT_TRUE(handler.says("1 1 3")) << handler.text();
  const int grid[4] = {1, 1, 1, ranks()};
  handler.forget();
  initCommsGridQuda(4, grid, nullptr, nullptr);
  initQuda(-1);
  endQuda();
}

/// A call that is wrong on the last rank alone: all refuse, then a right call succeeds.
TEST(Ranks, AllRefuseTogether)
{
  Handler handler;
  const Coords grid {1, 1, 1, ranks()}, coord = coordinates(grid, rank());
  const test::Session session(grid.data());
  const bool wrong_here = rank() == ranks() - 1;
  const reference::Part part(global, grid, coord);
  HostLinks<double> host(reference::random_gauge(global, 3), part, QUDA_QDP_GAUGE_ORDER);
  const QudaGaugeParam good = test::gauge_param(part.local.X);
  QudaGaugeParam param = good;
  const auto all_refuse = [&](const char *words) {
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << words;
    EXPECT_TRUE(handler.says(words)) << words << ": " << handler.text();
    EXPECT_TRUE(wrong_here || handler.says("rank " + std::to_string(ranks() - 1))) << handler.text();
    handler.forget();
    param = good;
    loadGaugeQuda(host.pointer(), &param);
    double plaq[3];
    plaqQuda(plaq);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  };
  if (wrong_here) param.X[1] = 7;
  loadGaugeQuda(host.pointer(), &param);
  all_refuse("X[1] = 7");
  loadGaugeQuda(wrong_here ? nullptr : host.pointer(), &param);
  all_refuse("h_gauge = null");
  const double right = host.direction(1)[5];
  if (wrong_here) host.direction(1)[5] = NAN;
  loadGaugeQuda(host.pointer(), &param);
  host.direction(1)[5] = right;
  all_refuse("direction 1, site 0 0 0 0");
  double plaq[3];
  plaqQuda(wrong_here ? nullptr : plaq);
  all_refuse("plaq = null");
  QudaInvertParam wilson = test::wilson_param();
  if (wrong_here) wilson.kappa = newQudaInvertParam().kappa;
  std::vector<double> field(24 * part.local.volume());
  MatQuda(field.data(), field.data(), &wilson);
  all_refuse("kappa");
  QudaGaugeParam momentum = good;
  momentum.make_resident_mom = 1;
  momentum.return_result_mom = 0;
  std::vector<double> zero(10 * part.local.volume(), 0);
  void *momenta[4] = {zero.data(), zero.data(), zero.data(), zero.data()};
  momResidentQuda(wrong_here ? nullptr : momenta, &momentum);
  all_refuse("mom = null");

  // values that are right on each rank, but not together
  if (ranks() > 1) {
    if (wrong_here) param.reconstruct = QUDA_RECONSTRUCT_12;
    loadGaugeQuda(host.pointer(), &param);
    EXPECT_TRUE(handler.says("reconstruct differs between ranks")) << handler.text();
    handler.forget();
    plaqQuda(plaq);
  }
}

/// Values that are right on each rank, but not the same on all: every call says which.
TEST(Ranks, ChoicesMustAgree)
{
  if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  Handler handler;
  const Coords grid {1, 1, 1, ranks()}, coord = coordinates(grid, rank());
  const test::Session session(grid.data());
  const bool other = rank() == ranks() - 1;
  const reference::Part part(global, grid, coord);
  HostLinks<double> host(reference::random_gauge(global, 3, reference::Kind::weak), part, QUDA_MILC_GAUGE_ORDER);
  const QudaGaugeParam good = test::gauge_param(part.local.X, {.order = QUDA_MILC_GAUGE_ORDER});
  QudaGaugeParam param = good;
  loadGaugeQuda(host.pointer(), &param);
  std::vector<double> in(24 * part.local.volume(), 1), out = in, momenta(40 * part.local.volume(), 0);
  const auto refused = [&](const char *words) {
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_TRUE(handler.says(words) && handler.says("differs between ranks")) << words << ": " << handler.text();
    handler.forget();
  };

  QudaInvertParam wilson = test::wilson_param();
  if (other) wilson.solution_type = QUDA_MATPC_SOLUTION;
  MatQuda(out.data(), in.data(), &wilson);
  refused("MatQuda: QudaInvertParam.solution_type");
  wilson = test::wilson_param();
  dslashQuda(out.data(), in.data(), &wilson, other ? QUDA_ODD_PARITY : QUDA_EVEN_PARITY);
  refused("dslashQuda: parity");
  wilson.dagger = other ? QUDA_DAG_YES : QUDA_DAG_NO;
  dslashQuda(out.data(), in.data(), &wilson, QUDA_EVEN_PARITY);
  refused("dslashQuda: QudaInvertParam.dagger");
  stoutQuda(host.pointer(), host.pointer(), 1, other ? 0.1 : 0.11, 3, &param);
  refused("stoutQuda: rho");
  projectSU3Quda(host.pointer(), other ? 1e-13 : 1e-14, &param);
  refused("projectSU3Quda: tol");

  QudaGaugeObservableParam obs = newQudaGaugeObservableParam();
  obs.compute_polyakov_loop = other ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
  gaugeObservablesQuda(&obs);
  refused("gaugeObservablesQuda: QudaGaugeObservableParam.compute_polyakov_loop");
  QudaGaugeSmearParam smear = newQudaGaugeSmearParam();
  smear.smear_type = QUDA_GAUGE_SMEAR_STOUT;
  smear.n_steps = smear.meas_interval = 1;
  smear.rho = 0.1;
  QudaGaugeObservableParam two[2] = {newQudaGaugeObservableParam(), obs};
  performGaugeSmearQuda(&smear, two);
  refused("performGaugeSmearQuda: QudaGaugeObservableParam.compute_polyakov_loop");
  smear.n_steps = 0;
  smear.rho = other ? 0.1 : 0.2;
  performGaugeSmearQuda(&smear, two);
  refused("performGaugeSmearQuda: QudaGaugeSmearParam.rho");

  param.make_resident_mom = 1;
  param.return_result_mom = 0;
  param.cuda_prec = other ? QUDA_SINGLE_PRECISION : QUDA_DOUBLE_PRECISION;
  momResidentQuda(momenta.data(), &param);
  refused("momResidentQuda: QudaGaugeParam.cuda_prec");
  param = good;
  updateGaugeFieldQuda(host.pointer(), momenta.data(), 0.1, other, 1, &param);
  refused("updateGaugeFieldQuda: dt");
  int loop[3] = {1, 7, 6}, *paths[1] = {loop}, **of_mu[4] = {paths, paths, paths, paths}, length = 3;
  double weight = 1;
  param.overwrite_mom = other;
  computeGaugeForceQuda(momenta.data(), host.pointer(), of_mu, &length, &weight, 1, 3, 0.1, &param);
  refused("computeGaugeForceQuda: ");

  // copies of host arrays are tuned together
  const QudaPrecision mixed = other ? QUDA_SINGLE_PRECISION : QUDA_DOUBLE_PRECISION;
  std::vector<double> zero(72 * part.local.volume(), 0);
  param = good;
  param.cpu_prec = mixed;
  loadGaugeQuda(zero.data(), &param);
  refused("loadGaugeQuda: QudaGaugeParam.cpu_prec");
  saveGaugeQuda(zero.data(), &param);
  refused("saveGaugeQuda: QudaGaugeParam.cpu_prec");
  stoutQuda(zero.data(), zero.data(), 1, 0.1, 3, &param);
  refused("stoutQuda: QudaGaugeParam.cpu_prec");
  param.use_resident_gauge = 1;
  computeGaugeForceQuda(zero.data(), nullptr, of_mu, &length, &weight, 1, 3, 0.1, &param);
  refused("computeGaugeForceQuda: QudaGaugeParam.cpu_prec");
  computeGaugePathQuda(zero.data(), nullptr, of_mu, &length, &weight, 1, 3, 0.1, &param);
  refused("computeGaugePathQuda: QudaGaugeParam.cpu_prec");
  param.return_result_gauge = 1;
  projectSU3Quda(zero.data(), 1e-14, &param);
  refused("projectSU3Quda: QudaGaugeParam.cpu_prec");
  param = good;
  param.cpu_prec = mixed;
  momActionQuda(zero.data(), &param);
  refused("momActionQuda: QudaGaugeParam.cpu_prec");
  param.make_resident_mom = 1;
  param.return_result_mom = 0;
  momResidentQuda(zero.data(), &param);
  refused("momResidentQuda: QudaGaugeParam.cpu_prec");

  smear.rho = 0.1;
  performGaugeSmearQuda(&smear, two);
  // what fails after the projection leaves the smeared links as they were
  param = good;
  param.type = QUDA_SMEARED_LINKS;
  std::vector<double> before(72 * part.local.volume()), after = before;
  saveGaugeQuda(before.data(), &param);
  std::complex<double> trace;
  QudaGaugeObservableParam projected = newQudaGaugeObservableParam();
  projected.su_project = projected.compute_gauge_loop_trace = QUDA_BOOLEAN_TRUE;
  projected.traces = reinterpret_cast<double _Complex *>(&trace);
  projected.input_path_buff = paths;
  projected.path_length = &length;
  projected.loop_coeff = &weight;
  projected.num_paths = 1;
  projected.max_length = 3;
  projected.factor = other ? 1 : 2;
  gaugeObservablesQuda(&projected);
  refused("gaugeObservablesQuda: factor");
  saveGaugeQuda(after.data(), &param);
  EXPECT_TRUE(test::same_bits(after, before));
  if (other) param.type = QUDA_WILSON_LINKS;
  saveGaugeQuda(after.data(), &param);
  refused("saveGaugeQuda: QudaGaugeParam.type");
  if (other) freeGaugeSmearedQuda();
  gaugeObservablesQuda(two);
  refused("whether smeared links are resident");
}

/// Fields that lie differently on two ranks cannot exchange anything; registers of two widths can.
TEST(Ranks, OneLayoutOnAllRanks)
{
  if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  const Coords grid {1, 1, 1, ranks()}, coord = coordinates(grid, rank());
  const bool other = rank() == ranks() - 1;
  const auto start = [&] {
    initCommsGridQuda(4, grid.data(), nullptr, nullptr);
    initQuda(-1);
  };
  const auto refused = [&](const char *words) {
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
    handler.forget();
    double plaq[3];
    plaqQuda(plaq); // nothing is open
    EXPECT_TRUE(handler.says("call initQuda() first")) << handler.text();
    handler.forget();
    endQuda();
  };
  const Variable cpu("QUDA_TARGET", "cpu");
  {
    const Variable fiber("QUDA_TARGET", other ? "fiber" : "cpu");
    start();
    refused("target fiber, 1 lanes");
  }
  {
    const Variable split("QUDA_LANE_SPLIT", other ? "4 2 2 1" : "2 2 4 1");
    start();
    refused("16 lanes, QUDA_LANE_SPLIT = \"4 2 2 1\"");
  }
  start();
  {
    const Variable split("QUDA_LANE_SPLIT", other ? "2 2 2 1" : "");
    const reference::Part part(global, grid, coord);
    HostLinks<double> host(reference::random_gauge(global, 3), part, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = test::gauge_param(part.local.X);
    loadGaugeQuda(host.pointer(), &param);
    EXPECT_TRUE(handler.says("the cut into lanes (QUDA_LANE_SPLIT) differs between ranks")) << handler.text();
    handler.forget();
    endQuda();
  }
  start();
  const Results same = results_on(grid, coord, {});
  endQuda();

  const auto usable = quda::usable_targets();
  for (const quda::Target wanted : {quda::Target::cpu_avx2, quda::Target::cpu_avx512})
    if (std::find(usable.begin(), usable.end(), wanted) == usable.end())
      GTEST_SKIP() << "built without, or not on this machine: " << quda::target_name(wanted);
  const Variable width("QUDA_TARGET", other ? "cpu:avx2" : "cpu:avx512");
  start();
  const Results mixed = results_on(grid, coord, {});
  endQuda();
  EXPECT_EQ(mixed.plaq[0], same.plaq[0]);
  EXPECT_TRUE(test::same_bits(mixed.matrix, same.matrix));
}

/// What the parameters alone forbid is refused while all ranks can still return.
TEST(Ranks, CompressedLinksThatCannotBeProjected)
{
  Handler handler;
  const Coords grid {1, 1, 1, ranks()}, coord = coordinates(grid, rank());
  const test::Session session(grid.data());
  reference::GaugeField gauge = reference::random_gauge(global, 3);
  reference::set_up_links(gauge, 2, 1);
  const reference::Part part(global, grid, coord);
  HostLinks<double> host(gauge, part, QUDA_QDP_GAUGE_ORDER);
  Storage storage;
  storage.reconstruct = QUDA_RECONSTRUCT_12;
  storage.anisotropy = 2;
  QudaGaugeParam param = test::gauge_param(part.local.X, storage);
  loadGaugeQuda(host.pointer(), &param);
  const auto refused = [&](const char *words) {
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_UNSUPPORTED) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
    handler.forget();
  };
  projectSU3Quda(host.pointer(), 1e-14, &param);
  refused("projectSU3Quda: reconstruct = 12");
  QudaGaugeObservableParam obs = newQudaGaugeObservableParam();
  obs.su_project = QUDA_BOOLEAN_TRUE;
  gaugeObservablesQuda(&obs);
  refused("gaugeObservablesQuda: reconstruct = 12");
  double plaq[3];
  plaqQuda(plaq);
  EXPECT_NEAR(plaq[0], reference::plaquette(gauge)[0], 1e-13);
}

/// The copy with a border follows the links it was made from.
TEST(Ranks, BordersAreNeverStale)
{
  const Coords grid = support::grids_of(ranks()).front(), coord = coordinates(grid, rank());
  const test::Session session(grid.data());
  const reference::Part part(global, grid, coord);
  for (const std::uint64_t seed : {5, 6, 5}) {
    const reference::GaugeField gauge = reference::random_gauge(global, seed, reference::Kind::weak);
    HostLinks<double> host(gauge, part, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = test::gauge_param(part.local.X);
    loadGaugeQuda(host.pointer(), &param);
    double plaq[3];
    plaqQuda(plaq);
    EXPECT_NEAR(plaq[0], reference::plaquette(gauge)[0], 1e-13) << seed;
    plaqQuda(plaq);
    EXPECT_NEAR(plaq[0], reference::plaquette(gauge)[0], 1e-13) << seed;
  }
}

/// Links that one rank freed on its own and all load again: borders are of one depth on all ranks. Loops of no weight
/// may reach as far as they like.
TEST(Ranks, BordersAreOfOneDepth)
{
  const Coords grid {1, 1, 1, ranks()}, coord = coordinates(grid, rank());
  const test::Session session(grid.data());
  const reference::Part part(global, grid, coord);
  const reference::GaugeField gauge = reference::random_gauge(global, 5, reference::Kind::weak);
  HostLinks<double> host(gauge, part, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(part.local.X);
  loadGaugeQuda(host.pointer(), &param);
  std::vector<int> deep = {3, 3, 3, 0, 4, 4, 4, 7}, far(20, 3);
  int *loops[2] = {deep.data(), far.data()}, length[2] = {8, 20};
  double weight[2] = {1, 0};
  std::complex<double> trace[2];
  computeGaugeLoopTraceQuda(reinterpret_cast<double _Complex *>(trace), loops, length, weight, 2, 20, 1);
  EXPECT_NE(trace[0], 0.);
  EXPECT_EQ(trace[1], 0.);
  if (rank() == 0) freeUniqueGaugeQuda(QUDA_WILSON_LINKS);
  loadGaugeQuda(host.pointer(), &param);
  double plaq[3];
  plaqQuda(plaq);
  EXPECT_NEAR(plaq[0], reference::plaquette(gauge)[0], 1e-13);
}

/// Nothing grows from call to call, and nothing is left at the end, on any rank: the first one alone says so in words.
TEST(Ranks, PoolsStayAsTheyAre)
{
  const auto count = [](long long quda::PoolCounts::*blocks) {
    return quda::device_pool().counts().*blocks + quda::pinned_pool().counts().*blocks;
  };
  const auto taken = [&] { return count(&quda::PoolCounts::allocations); };
  const auto live = [&] { return count(&quda::PoolCounts::live_blocks); };
  const long long before = live();
  const Coords grid = support::grids_of(ranks()).front(), coord = coordinates(grid, rank());
  std::optional<test::Session> session(grid.data());
  const test::Output output;
  results_on(grid, coord, {});
  const long long taken_first = taken(), live_first = live();
  for (int i = 0; i < 5; i++) results_on(grid, coord, {});
  EXPECT_EQ(taken(), taken_first);
  EXPECT_EQ(live(), live_first);
  session.reset();
  EXPECT_EQ(live(), before);
  EXPECT_FALSE(output.says("never handed back")) << output.text();
}

} // namespace
