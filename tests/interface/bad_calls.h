#pragma once
/// What the tests of bad calls share. A bad call is refused by a message that names function, parameter and value; it
/// writes nothing, the library is as before, and the right calls that follow give the bits that they gave.

#include "session.h"

#include "force/force_calls.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <sstream>

namespace test
{

struct Wrong {
  const char *what;
  std::function<void()> call;
  QudaErrorKind kind;
  std::vector<std::string> words;
};

constexpr QudaErrorKind bad = QUDA_ERROR_KIND_BAD_ARGUMENT, unsupported = QUDA_ERROR_KIND_UNSUPPORTED;

inline Wrong refusal(QudaErrorKind kind, const char *what, std::vector<std::string> words, std::function<void()> call)
{
  return {what, std::move(call), kind, std::move(words)};
}
/// What no call may be given, and what this library does not have.
inline Wrong fault(const char *what, std::vector<std::string> words, std::function<void()> call)
{
  return refusal(bad, what, std::move(words), std::move(call));
}
inline Wrong beyond(const char *what, std::vector<std::string> words, std::function<void()> call)
{
  return refusal(unsupported, what, std::move(words), std::move(call));
}

/// Links and a momentum resident, fields on the host.
class BadCalls : public ::testing::Test
{
protected:
  using CPaths = force_test::CPaths;
  BadCalls()
      : lattice({4, 4, 4, 6})
      , links(reference::random_gauge(lattice, 1), reference::Part(lattice), QUDA_QDP_GAUGE_ORDER)
      , mom(reference::random_momentum(lattice, 2), reference::Part(lattice), QUDA_QDP_GAUGE_ORDER)
      , paths(reference::force_paths(reference::images(reference::plaquette_loop), 1))
      , in(24 * lattice.volume(), 1)
      , out(in.size())
      , contracted(2 * 16 * lattice.volume())
  {
    QudaGaugeParam gauge = good_gauge();
    loadGaugeQuda(links.pointer(), &gauge);
    keep_momentum();
    expected = right_calls();
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  }

  QudaGaugeParam good_gauge() const { return gauge_param(lattice.X); }

  static QudaGaugeSmearParam good_smearing()
  {
    QudaGaugeSmearParam param = newQudaGaugeSmearParam();
    param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
    param.n_steps = 1;
    param.meas_interval = 1;
    param.rho = 0.1;
    return param;
  }

  using OfGauge = std::function<void(QudaGaugeParam &)>;
  using OfInvert = std::function<void(QudaInvertParam &)>;

  /// A call with one thing wrong in its parameters.
  std::function<void()> load(const OfGauge &spoil)
  {
    return [this, spoil] {
      QudaGaugeParam param = good_gauge();
      spoil(param);
      loadGaugeQuda(links.pointer(), &param);
    };
  }
  std::function<void()> hop(const OfInvert &spoil)
  {
    return [this, spoil] {
      QudaInvertParam param = wilson_param();
      spoil(param);
      dslashQuda(out.data(), in.data(), &param, QUDA_EVEN_PARITY);
    };
  }
  std::function<void()> matrix(const OfInvert &spoil)
  {
    return [this, spoil] {
      QudaInvertParam param = wilson_param();
      spoil(param);
      MatQuda(out.data(), in.data(), &param);
    };
  }
  std::function<void()> contraction(const OfInvert &spoil)
  {
    return [this, spoil] {
      QudaInvertParam param = wilson_param();
      spoil(param);
      contractQuda(in.data(), out.data(), contracted.data(), QUDA_CONTRACT_TYPE_DR, &param, lattice.X.data());
    };
  }
  std::function<void()> force_of(const OfGauge &spoil)
  {
    return [this, spoil] {
      QudaGaugeParam param = good_gauge();
      spoil(param);
      force(paths, param);
    };
  }
  std::function<void()> smearing(const std::function<void(QudaGaugeSmearParam &)> &spoil)
  {
    return [spoil] {
      QudaGaugeSmearParam param = good_smearing();
      QudaGaugeObservableParam observables[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
      spoil(param);
      performGaugeSmearQuda(&param, observables);
    };
  }
  std::function<void()> heatbath(const std::function<void(QudaHeatbathParam &)> &spoil)
  {
    return [spoil] {
      QudaHeatbathParam param = newQudaHeatbathParam();
      param.beta = 6;
      spoil(param);
      heatbathQuda(&param);
    };
  }

  void force(CPaths &steps, QudaGaugeParam &param, double dt = 0.3)
  {
    computeGaugeForceQuda(mom.pointer(), links.pointer(), steps.steps(), steps.length(), steps.coefficient(), steps.n(),
                          steps.longest(), dt, &param);
  }

  /// What right calls of all kinds give; what they write is put back.
  std::vector<double> right_calls()
  {
    handler.forget();
    std::vector<double> all(3);
    plaqQuda(all.data());
    QudaInvertParam wilson = wilson_param();
    MatQuda(out.data(), in.data(), &wilson);
    all.insert(all.end(), out.begin(), out.end());
    contractQuda(in.data(), out.data(), contracted.data(), QUDA_CONTRACT_TYPE_OPEN, &wilson, lattice.X.data());
    all.insert(all.end(), contracted.begin(), contracted.end());

    QudaGaugeParam param = good_gauge();
    param.use_resident_mom = 1;
    all.push_back(momActionQuda(nullptr, &param));
    param.use_resident_mom = 0;
    const std::vector<double> momenta = mom.all();
    force(paths, param);
    all.insert(all.end(), mom.all().begin(), mom.all().end());
    mom.all() = momenta;
    keep_momentum();

    QudaGaugeParam smeared = good_gauge();
    HostLinks<double> result(reference::GaugeField {lattice}, reference::Part {lattice}, QUDA_QDP_GAUGE_ORDER);
    stoutQuda(result.pointer(), links.pointer(), 1, 0.1, 3, &smeared);
    const std::vector<double> stout = result.all();
    all.insert(all.end(), stout.begin(), stout.end());
    return all;
  }

  void expect_refused(const std::vector<Wrong> &calls)
  {
    for (const Wrong &wrong : calls) {
      handler.forget();
      qudaClearLastError();
      const std::vector<double> host = on_the_host();
      wrong.call();
      EXPECT_EQ(handler.calls(), 1) << wrong.what;
      EXPECT_EQ(handler.kind(), wrong.kind) << wrong.what << ": " << handler.text();
      for (const std::string &word : wrong.words)
        EXPECT_TRUE(handler.says(word)) << wrong.what << ": \"" << word << "\" is missing in: " << handler.text();
      EXPECT_TRUE(same_bits(on_the_host(), host)) << wrong.what;
      const char *text = nullptr;
      EXPECT_EQ(qudaGetLastError(&text), wrong.kind) << wrong.what;
      EXPECT_EQ(handler.text(), text);
      const std::string function = handler.text().substr(0, handler.text().find_first_of(": "));
      EXPECT_TRUE(function.ends_with("Quda") || function.starts_with("perform") || function.ends_with("Project") ||
                  function.starts_with("quda"))
          << wrong.what << ": " << handler.text();
      refused()[function]++;
      EXPECT_TRUE(same_bits(right_calls(), expected) && handler.calls() == 0)
          << "after " << wrong.what << ": " << handler.text();
    }
  }

  /// Bad calls so far, by the function that the message names.
  static std::map<std::string, int> &refused()
  {
    static std::map<std::string, int> all;
    return all;
  }

  /// Every function that works has refused something, when all tests ran.
  static void TearDownTestSuite()
  {
    int calls = 0;
    for (const auto &[function, n] : refused()) {
      std::printf("%4d bad calls of %s refused\n", n, function.c_str());
      calls += n;
    }
    std::printf("%4d bad calls of %zu functions refused\n", calls, refused().size());
    const ::testing::TestSuite &suite = *::testing::UnitTest::GetInstance()->current_test_suite();
    if (suite.test_to_run_count() != suite.total_test_count()) return;
    std::istringstream functions(
        "loadGaugeQuda saveGaugeQuda freeUniqueGaugeQuda plaqQuda polyakovLoopQuda gaugeObservablesQuda "
        "computeGaugeLoopTraceQuda dslashQuda eigensolveQuda newMultigridQuda updateMultigridQuda "
        "destroyMultigridQuda dumpMultigridQuda multigridProfileQuda tuneMultigridQuda MatQuda contractQuda "
        "contractFTQuda blasGEMMQuda blasLUInvQuda laphSinkProject spinTasteQuda computeGaugeForceQuda "
        "gaugeForceQuda computeGaugePathQuda updateGaugeFieldQuda momActionQuda momResidentQuda gaussMomQuda "
        "gaussGaugeQuda heatbathQuda projectSU3Quda computeKSLinkQuda computeTwoLinkQuda computeHISQForceQuda "
        "computeStaggeredForceQuda computeCloverForceQuda computeTMCloverForceQuda computeQuarkForceQuda "
        "computeQuarkPairForceQuda qudaCloverForce qudaHisqForce covDevQuda shiftQuda performWuppertalnStep "
        "performGaussianSmearNStep performFermionSmearQuda performTwoLinkGaussianSmearNStep performGaugeSmearQuda "
        "performWFlowQuda performGFlowQuda performAdjGFlowSafe performAdjGFlowHier gradientFlowQuda "
        "computeGaugeFixingOVRQuda computeGaugeFixingFFTQuda gaugeFixingOVRRotationQuda gaugeFixingFFTRotationQuda "
        "stoutQuda stoutGaugeQuda thinGaugeQuda "
        "stoutForceQuda setVerbosityQuda staggeredPhaseQuda createGaugeFieldQuda saveGaugeFieldQuda "
        "destroyGaugeFieldQuda copyExtendedResidentGaugeQuda qudaMomAction qudaMomLoad qudaMomSave qudaGaugeForce "
        "qudaGaugeForcePhased qudaUpdateU qudaUpdateUPhased qudaUpdateUPhasedPipeline qudaUnitarizeSU3 "
        "qudaUnitarizeSU3Phased qudaPlaquettePhased qudaPolyakovLoopPhased qudaGaugeLoopTracePhased "
        "qudaGaugeMeasurementsPhased qudaGaugeFixingFFT qudaGaugeFixingOVR qudaRephase qudaLoadKSLink "
        "qudaLoadUnitarizedLink qudaHisqParamsInit qudaLoadGaugeField qudaLoadCloverField qudaCloverInvert "
        "qudaCloverMultishiftInvert qudaCreateGaugeField qudaCreateExtendedGaugeField "
        "qudaResidentExtendedGaugeField qudaSaveGaugeField qudaDestroyGaugeField qudaShift qudaSpinTaste "
        "qudaTwoLinkGaussianSmear qudaContractFT qudaMultigridCreate qudaMultigridDestroy qudaInvertMG");
    for (std::string function; functions >> function;) EXPECT_GT(refused()[function], 0) << function;
    EXPECT_GE(calls, 60);
  }

  reference::Lattice lattice;
  Handler handler;
  const Variable untuned {"QUDA_ENABLE_TUNING", "0"};
  Session session;
  HostLinks<double> links;
  force_test::HostMomenta<double> mom;
  CPaths paths;
  std::vector<double> in, out, contracted, expected;

private:
  void keep_momentum()
  {
    QudaGaugeParam param = good_gauge();
    param.make_resident_mom = 1;
    param.return_result_mom = 0;
    momResidentQuda(mom.pointer(), &param);
  }

  std::vector<double> on_the_host()
  {
    std::vector<double> all = out;
    for (const std::vector<double> &more : {contracted, mom.all(), links.all()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

} // namespace test
