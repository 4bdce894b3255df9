/// What the keys of launches must tell apart, by a table: whatever changes how fast a launch is has a key of its own.

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <mpi.h>

#include "core/environment_support.h"
#include "interface/session.h"
#include "targets/target.h"
#include "tune/kernel_profile.h"

namespace
{

using reference::Coords;

int ranks()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

struct Setting {
  const char *target = "cpu";
  QudaPrecision precision = QUDA_DOUBLE_PRECISION;
  QudaReconstructType reconstruct = QUDA_RECONSTRUCT_NO;
  Coords local = {4, 4, 4, 8};
  Coords grid = {1, 1, 1, 1};
  const char *split = ""; // of lanes
};

using Call = std::function<void(const Setting &, int sites)>;

QudaInvertParam wilson_param(const Setting &s) { return test::wilson_param(s.precision); }

void hop(const Setting &s, int sites)
{
  QudaInvertParam param = wilson_param(s);
  std::vector<double> in(24 * sites), out(24 * sites); // more than single precision needs
  dslashQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY);
}
void full_hop(const Setting &s, int sites)
{
  QudaInvertParam param = wilson_param(s);
  std::vector<double> in(24 * sites), out(24 * sites);
  MatQuda(out.data(), in.data(), &param);
}
void plaquette(const Setting &, int)
{
  double plaq[3];
  plaqQuda(plaq);
}
void charge(const Setting &, int)
{
  QudaGaugeObservableParam param = newQudaGaugeObservableParam();
  param.compute_qcharge = QUDA_BOOLEAN_TRUE;
  gaugeObservablesQuda(&param);
}
void stout(const Setting &, int)
{
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
  param.n_steps = param.meas_interval = 1;
  param.rho = 0.1;
  QudaGaugeObservableParam observed[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
  performGaugeSmearQuda(&param, observed);
  freeGaugeSmearedQuda();
}
void heatbath(const Setting &, int)
{
  QudaHeatbathParam param = newQudaHeatbathParam();
  param.beta = 6;
  param.n_overrelax = 0;
  heatbathQuda(&param);
}
void contraction(const Setting &s, int sites)
{
  QudaInvertParam param = wilson_param(s);
  std::vector<double> x(24 * sites), result(32 * sites);
  contractQuda(x.data(), x.data(), result.data(), QUDA_CONTRACT_TYPE_OPEN, &param, s.local.data());
}

/// Keys of the launches of a call that do its work (those that the most operations are counted for have a name; all of
/// that name), and how often each was launched.
std::map<std::string, long long> keys(const Setting &setting, const Call &call)
{
  const test::Handler handler;
  const Variable target("QUDA_TARGET", setting.target), untuned("QUDA_ENABLE_TUNING", "0");
  const Variable split("QUDA_LANE_SPLIT", setting.split);
  std::map<std::string, long long> found;
  {
    const test::Session session(setting.grid.data());
    const reference::Lattice local(setting.local);
    const reference::GaugeField unit(local);
    test::HostLinks<double> host(unit, reference::Part(local), QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param =
        test::gauge_param(setting.local, {.precision = setting.precision, .reconstruct = setting.reconstruct});
    loadGaugeQuda(host.pointer(), &param);
    const std::string kind = std::string(quda::target_name(quda::target().kind())) + ",",
                      threads = ",threads=" + std::to_string(quda::target().max_threads()) + ",";
    quda::reset_kernel_times();
    call(setting, static_cast<int>(local.volume()));
    const quda::KernelTime *most = nullptr;
    for (const quda::KernelTime *time : quda::kernel_times())
      if (!most || time->flops > most->flops) most = time;
    for (const quda::KernelTime *time : quda::kernel_times())
      if (most->key.name == std::string(time->key.name)) {
        // of what cannot be changed in a process or a build, the name alone: instruction set, threads
        EXPECT_EQ(std::string(time->key.aux).rfind(kind, 0), 0u) << time->key.aux;
        EXPECT_NE((std::string(time->key.aux) + ",").find(threads), std::string::npos) << time->key.aux;
        found[std::string(time->key.volume) + " " + time->key.name + " " + time->key.aux] = time->calls;
      }
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  return found;
}

} // namespace

TEST(Keys, TellApartWhatMatters)
{
  Setting base;
  base.grid[3] = ranks();
  std::map<std::string, Setting> changes;
  for (const char *change : {"target", "precision", "reconstruct", "volume", "extents"}) changes[change] = base;
  changes["target"].target = "fiber"; // which test programs have beside any other
  changes["precision"].precision = QUDA_SINGLE_PRECISION;
  changes["reconstruct"].reconstruct = QUDA_RECONSTRUCT_12;
  changes["volume"].local = {4, 4, 8, 8};
  changes["extents"].local = {8, 4, 4, 4};
  changes["lanes"] = base;
  changes["lanes"].split = "2 1 1 1";
  if (ranks() > 1) {
    changes["cut"] = base;
    changes["cut"].grid = {1, 1, ranks(), 1};
  }

  const struct {
    const char *name;
    Call call;
    std::set<std::string> indifferent;
  } calls[] = {
      {"hop", hop, {}},
      {"hop of both parities", full_hop, {}},
      {"plaquette", plaquette, {}},
      {"charge", charge, {}},
      {"stout", stout, {"reconstruct"}},
      {"heat bath", heatbath, {}},
      {"contraction", contraction, {"reconstruct", "cut"}},
  };
  std::map<std::string, std::string> owner; // of keys, among all calls
  for (const auto &[name, call, indifferent] : calls) {
    const auto mine = keys(base, call);
    ASSERT_FALSE(mine.empty()) << name;
    for (const auto &[key, times] : mine) {
      const auto [at, fresh] = owner.emplace(key, name);
      EXPECT_TRUE(fresh) << name << " and " << at->second << " have one key: " << key;
    }
    for (const auto &[what, setting] : changes) {
      if (indifferent.count(what)) continue;
      for (const auto &[key, times] : keys(setting, call))
        EXPECT_EQ(mine.count(key), 0u) << name << " with another " << what << ": " << key;
    }
  }
}

/// Launches of one hop differ in what they do: interior and border, directions, ways.
TEST(Keys, NoTwoLaunchesOfAHopShareOne)
{
  Setting setting;
  setting.local = {8, 8, 8, 8};
  setting.grid = ranks() == 4 ? Coords {1, 1, 2, 2} : Coords {1, 1, 1, ranks()};
  for (const auto &[key, times] : keys(setting, hop)) EXPECT_EQ(times, 1) << key;
}
