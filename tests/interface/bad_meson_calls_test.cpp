/// Bad calls of what mesons are made of: spin-taste operators, contractions over slices, MILC's functions, sinks and
/// elementals of distillation.

#include "bad_calls.h"

#include "quda_milc_interface.h"

namespace test
{

TEST_F(BadCalls, SpinTaste)
{
  const auto call = [&](int spin, int taste, const OfInvert &spoil) {
    return [=, this] {
      QudaInvertParam param = wilson_param();
      param.dslash_type = QUDA_STAGGERED_DSLASH;
      spoil(param);
      spinTasteQuda(out.data(), in.data(), spin, taste, &param);
    };
  };
  const auto nothing = [](QudaInvertParam &) {};
  expect_refused({
      {"spin", call(16, 0, nothing), bad, {"spinTasteQuda", "spin = 16", "15"}},
      {"taste", call(0, -1, nothing), bad, {"spinTasteQuda", "taste = -1"}},
      {"four spins",
       call(1, 2, [](auto &p) { p.dslash_type = QUDA_WILSON_DSLASH; }),
       bad,
       {"spinTasteQuda", "dslash_type", "QUDA_STAGGERED_DSLASH"}},
      {"order of the fields",
       call(1, 2, [](auto &p) { p.dirac_order = QUDA_LEX_DIRAC_ORDER; }),
       unsupported,
       {"dirac_order"}},
      {"null field",
       [&] {
         QudaInvertParam param = wilson_param();
         param.dslash_type = QUDA_STAGGERED_DSLASH;
         spinTasteQuda(nullptr, in.data(), 0, 0, &param);
       },
       bad,
       {"spinTasteQuda", "h_out = null"}},
  });
}

namespace
{

  /// Arguments of contractFTQuda.
  struct Slices {
    std::vector<void *> x, y;
    void *result;
    QudaContractType type = QUDA_CONTRACT_TYPE_DR_FT_T;
    QudaInvertParam param = wilson_param();
    int colors = 1;
    reference::Coords X;
    int origin[4] = {0, 0, 0, 0}, n_mom = 1, modes[4] = {0, 1, 0, 0};
    QudaFFTSymmType types[4] = {QUDA_FFT_SYMM_EO, QUDA_FFT_SYMM_EVEN, QUDA_FFT_SYMM_ODD, QUDA_FFT_SYMM_EO};

    void call()
    {
      contractFTQuda(x.data(), y.data(), result ? &result : nullptr, type, &param, colors, X.data(), origin, n_mom,
                     modes, types);
    }
  };

} // namespace

TEST_F(BadCalls, ContractionsOverSlices)
{
  const auto call = [&](const std::function<void(Slices &)> &spoil) {
    return [=, this] {
      Slices slices {.x = std::vector<void *>(4, in.data()),
                     .y = std::vector<void *>(4, in.data()),
                     .result = contracted.data(),
                     .X = lattice.X};
      spoil(slices);
      slices.call();
    };
  };
  const auto staggered = [](Slices &s) {
    s.type = QUDA_CONTRACT_TYPE_STAGGERED_FT_T;
    s.param.dslash_type = QUDA_STAGGERED_DSLASH;
  };
  expect_refused({
      {"open spins",
       call([](Slices &s) { s.type = QUDA_CONTRACT_TYPE_OPEN_FT_T; }),
       unsupported,
       {"contractFTQuda", "QUDA_CONTRACT_TYPE_OPEN_FT_T", "QUDA_CONTRACT_TYPE_DR_FT_Z"}},
      {"no such type", call([](Slices &s) { s.type = static_cast<QudaContractType>(77); }), bad, {"cType = 77"}},
      {"fields of one spin",
       call([](Slices &s) { s.param.dslash_type = QUDA_STAGGERED_DSLASH; }),
       bad,
       {"contractFTQuda", "dslash_type"}},
      {"another structure", call([](Slices &s) { s.param.struct_size = 3; }), bad, {"contractFTQuda", "struct_size"}},
      {"null result", call([](Slices &s) { s.result = nullptr; }), bad, {"contractFTQuda", "result = null"}},
      {"null column", call([](Slices &s) { s.y[2] = nullptr; }), bad, {"contractFTQuda", "y[2] = null"}},
      {"odd extent", call([](Slices &s) { s.X[1] = 3; }), bad, {"contractFTQuda", "X[1] = 3"}},
      {"colours", call([](Slices &s) { s.colors = 0; }), bad, {"contractFTQuda", "src_colors = 0"}},
      {"momenta", call([](Slices &s) { s.n_mom = 0; }), bad, {"contractFTQuda", "n_mom = 0"}},
      {"symmetry",
       call([&](Slices &s) {
         staggered(s);
         s.types[2] = static_cast<QudaFFTSymmType>(9);
       }),
       bad,
       {"contractFTQuda", "fft_type[2] = 9"}},
      {"half precision",
       call([](Slices &s) { s.param.cpu_prec = QUDA_HALF_PRECISION; }),
       bad,
       {"contractFTQuda", "cpu_prec"}},
  });
}

namespace
{

  /// Arguments of laphSinkProject.
  struct Sinks {
    double *sinks;
    std::vector<void *> quarks, vectors;
    reference::Coords X;
    bool no_quarks = false, no_vectors = false, no_param = false, no_extents = false;
    int n_quark = 2, tile_quark = 1, n_evec = 3, tile_evec = 2;
    QudaInvertParam param = wilson_param();

    void call()
    {
      laphSinkProject(reinterpret_cast<double _Complex *>(sinks), no_quarks ? nullptr : quarks.data(), n_quark,
                      tile_quark, no_vectors ? nullptr : vectors.data(), n_evec, tile_evec, no_param ? nullptr : &param,
                      no_extents ? nullptr : X.data());
    }
  };

} // namespace

TEST_F(BadCalls, SinksOfDistillation)
{
  const auto call = [&](const std::function<void(Sinks &)> &spoil) {
    return [=, this] {
      Sinks all {contracted.data(), std::vector<void *>(2, in.data()), std::vector<void *>(3, in.data()), lattice.X};
      spoil(all);
      all.call();
    };
  };
  expect_refused({
      {"null result", call([](Sinks &s) { s.sinks = nullptr; }), bad, {"laphSinkProject", "host_sinks = null"}},
      {"null quarks", call([](Sinks &s) { s.no_quarks = true; }), bad, {"laphSinkProject", "host_quark = null"}},
      {"null vectors", call([](Sinks &s) { s.no_vectors = true; }), bad, {"laphSinkProject", "host_evec = null"}},
      {"a null quark", call([](Sinks &s) { s.quarks[1] = nullptr; }), bad, {"laphSinkProject", "host_quark[1] = null"}},
      {"a null vector",
       call([](Sinks &s) { s.vectors[2] = nullptr; }),
       bad,
       {"laphSinkProject", "host_evec[2] = null"}},
      {"no quarks", call([](Sinks &s) { s.n_quark = 0; }), bad, {"laphSinkProject", "n_quark = 0"}},
      {"fewer quarks than none", call([](Sinks &s) { s.n_quark = -4; }), bad, {"laphSinkProject", "n_quark = -4"}},
      {"no vectors", call([](Sinks &s) { s.n_evec = 0; }), bad, {"laphSinkProject", "n_evec = 0"}},
      {"tile of quarks", call([](Sinks &s) { s.tile_quark = 0; }), bad, {"laphSinkProject", "tile_quark = 0"}},
      {"tile of vectors", call([](Sinks &s) { s.tile_evec = -1; }), bad, {"laphSinkProject", "tile_evec = -1"}},
      {"null parameters",
       call([](Sinks &s) { s.no_param = true; }),
       bad,
       {"laphSinkProject", "QudaInvertParam is null"}},
      {"another structure", call([](Sinks &s) { s.param.struct_size = 3; }), bad, {"laphSinkProject", "struct_size"}},
      {"null extents", call([](Sinks &s) { s.no_extents = true; }), bad, {"laphSinkProject", "X = null"}},
      {"odd extent", call([](Sinks &s) { s.X[2] = 5; }), bad, {"laphSinkProject", "X[2] = 5", "2 to 512"}},
      {"no extent", call([](Sinks &s) { s.X[3] = 0; }), bad, {"laphSinkProject", "X[3] = 0"}},
      {"large extent", call([](Sinks &s) { s.X[0] = 514; }), bad, {"laphSinkProject", "X[0] = 514", "512"}},
      {"one spin",
       call([](Sinks &s) { s.param.dslash_type = QUDA_LAPLACE_DSLASH; }),
       bad,
       {"laphSinkProject", "QUDA_LAPLACE_DSLASH", "one spin"}},
      {"no such operator",
       call([](Sinks &s) { s.param.dslash_type = static_cast<QudaDslashType>(99); }),
       bad,
       {"laphSinkProject", "dslash_type = 99"}},
      {"order of the fields",
       call([](Sinks &s) { s.param.dirac_order = QUDA_QDP_DIRAC_ORDER; }),
       unsupported,
       {"laphSinkProject", "dirac_order", "QUDA_QDP_DIRAC_ORDER"}},
      {"half on the host",
       call([](Sinks &s) { s.param.cpu_prec = QUDA_HALF_PRECISION; }),
       bad,
       {"laphSinkProject", "cpu_prec = 2"}},
      {"half inside",
       call([](Sinks &s) { s.param.cuda_prec = QUDA_HALF_PRECISION; }),
       unsupported,
       {"laphSinkProject", "cuda_prec", "QUDA_HALF_PRECISION"}},
      {"no precision",
       call([](Sinks &s) { s.param.cuda_prec = QUDA_INVALID_PRECISION; }),
       bad,
       {"laphSinkProject", "cuda_prec", "unset"}},
  });
}

namespace
{

  /// Arguments of laphElementalsQuda.
  struct Elementals {
    double *elementals;
    std::vector<void *> vectors;
    reference::Coords X;
    std::vector<int> first = {QUDA_DISPLACEMENT_DERIVATIVE_X, QUDA_DISPLACEMENT_BEHIND_Y}, lengths = {2, 0},
                     modes = {0, 0, 1, 1, 0, 0};
    int n_path = 2, n_mom = 2, n_evec = 3, tile_evec = 2;
    bool no_vectors = false, no_path = false, no_steps = false, no_lengths = false, no_modes = false, no_param = false,
         no_extents = false;
    QudaBoolean smeared = QUDA_BOOLEAN_FALSE;
    QudaInvertParam param = wilson_param();

    void call()
    {
      const int *paths[2] = {no_steps ? nullptr : first.data(), nullptr};
      laphElementalsQuda(reinterpret_cast<double _Complex *>(elementals), no_vectors ? nullptr : vectors.data(), n_evec,
                         tile_evec, no_path ? nullptr : paths, no_lengths ? nullptr : lengths.data(), n_path,
                         no_modes ? nullptr : modes.data(), n_mom, smeared, no_param ? nullptr : &param,
                         no_extents ? nullptr : X.data());
    }
  };

} // namespace

TEST_F(BadCalls, ElementalsOfDistillation)
{
  const auto call = [&](const std::function<void(Elementals &)> &spoil) {
    return [=, this] {
      Elementals all {contracted.data(), std::vector<void *>(3, in.data()), lattice.X};
      spoil(all);
      all.call();
    };
  };
  const char *const name = "laphElementalsQuda";
  expect_refused({
      {"null result", call([](auto &e) { e.elementals = nullptr; }), bad, {name, "host_elementals = null"}},
      {"null vectors", call([](auto &e) { e.no_vectors = true; }), bad, {name, "host_evec = null"}},
      {"a null vector", call([](auto &e) { e.vectors[1] = nullptr; }), bad, {name, "host_evec[1] = null"}},
      {"no vectors", call([](auto &e) { e.n_evec = 0; }), bad, {name, "n_evec = 0"}},
      {"tile", call([](auto &e) { e.tile_evec = 0; }), bad, {name, "tile_evec = 0"}},
      {"no displacements", call([](auto &e) { e.n_path = 0; }), bad, {name, "n_path = 0"}},
      {"null lengths", call([](auto &e) { e.no_lengths = true; }), bad, {name, "path_length = null"}},
      {"length", call([](auto &e) { e.lengths[1] = -1; }), bad, {name, "path_length[1] = -1"}},
      {"null paths", call([](auto &e) { e.no_path = true; }), bad, {name, "path = null"}},
      {"a null path", call([](auto &e) { e.no_steps = true; }), bad, {name, "path[0] = null"}},
      {"a step in time", call([](auto &e) { e.first[1] = 3; }), bad, {name, "path[0][1] = 3", "7 to 5"}},
      {"another step in time", call([](auto &e) { e.first[1] = 4; }), bad, {name, "path[0][1] = 4"}},
      {"a derivative of nothing", call([](auto &e) { e.first[0] = 11; }), bad, {name, "path[0][0] = 11"}},
      {"a negative step", call([](auto &e) { e.first[0] = -1; }), bad, {name, "path[0][0] = -1"}},
      {"no momenta", call([](auto &e) { e.n_mom = 0; }), bad, {name, "n_mom = 0"}},
      {"null momenta", call([](auto &e) { e.no_modes = true; }), bad, {name, "mom_modes = null"}},
      {"smeared links that are not there",
       call([](auto &e) { e.smeared = QUDA_BOOLEAN_TRUE; }),
       bad,
       {name, "use_smeared_gauge", "performGaugeSmearQuda"}},
      {"which links",
       call([](auto &e) { e.smeared = static_cast<QudaBoolean>(7); }),
       bad,
       {name, "use_smeared_gauge = 7"}},
      {"null parameters", call([](auto &e) { e.no_param = true; }), bad, {name, "QudaInvertParam is null"}},
      {"another structure", call([](auto &e) { e.param.struct_size = 3; }), bad, {name, "struct_size"}},
      {"null extents", call([](auto &e) { e.no_extents = true; }), bad, {name, "X = null"}},
      {"odd extent", call([](auto &e) { e.X[2] = 5; }), bad, {name, "X[2] = 5", "2 to 512"}},
      {"another lattice than the links'",
       call([](auto &e) { e.X[3] += 2; }),
       bad,
       {name, "X[3]", "the links of displacements"}},
      {"order of the fields",
       call([](auto &e) { e.param.dirac_order = QUDA_QDP_DIRAC_ORDER; }),
       unsupported,
       {name, "dirac_order", "QUDA_QDP_DIRAC_ORDER"}},
      {"half on the host", call([](auto &e) { e.param.cpu_prec = QUDA_HALF_PRECISION; }), bad, {name, "cpu_prec = 2"}},
      {"half inside",
       call([](auto &e) { e.param.cuda_prec = QUDA_HALF_PRECISION; }),
       unsupported,
       {name, "cuda_prec", "QUDA_HALF_PRECISION"}},
  });
}

TEST_F(BadCalls, MilcMesons)
{
  const int one[4] = {1, 1, 1, 1};
  void *const psi = in.data(), *const to = out.data();
  std::vector<double> array(72 * lattice.volume(), 1.0);
  void *const gauge = array.data();
  int modes[4] = {}, origin[4] = {};
  QudaFFTSymmType types[4] = {QUDA_FFT_SYMM_EO, QUDA_FFT_SYMM_EO, QUDA_FFT_SYMM_EO, QUDA_FFT_SYMM_EO};
  QudaContractArgs_t good {1, modes, types, origin, 0, 0}, no_modes = good;
  no_modes.mom_modes = nullptr;
  expect_refused({
      {"before a layout", [&] { qudaShift(2, 2, gauge, psi, to, 0, 1, 1); }, bad, {"qudaShift", "qudaInit()"}},
  });
  qudaSetLayout({lattice.X.data(), one, -1});
  expect_refused({
      {"direction", [&] { qudaShift(2, 2, gauge, psi, to, 4, 1, 0); }, bad, {"qudaShift", "dir = 4"}},
      {"sense", [&] { qudaShift(2, 2, gauge, psi, to, 0, 0, 0); }, bad, {"qudaShift", "sym = 0"}},
      {"precision", [&] { qudaShift(2, 3, gauge, psi, to, 0, 1, 0); }, bad, {"qudaShift", "quda_precision = 3"}},
      {"null field", [&] { qudaShift(2, 2, gauge, nullptr, to, 0, 1, 0); }, bad, {"qudaShift", "source = null"}},
      {"nothing to load", [&] { qudaShift(2, 2, nullptr, psi, to, 0, 1, 1); }, bad, {"qudaShift", "links = null"}},
      {"resident in another precision",
       [&] { qudaSpinTaste(2, 1, nullptr, psi, to, 1, 2, 0); },
       bad,
       {"qudaSpinTaste", "links = null"}},
      {"spin", [&] { qudaSpinTaste(2, 2, gauge, psi, to, 17, 2, 0); }, bad, {"qudaSpinTaste", "spin = 17"}},
      {"precision of a local operator",
       [&] { qudaSpinTaste(5, 2, nullptr, psi, to, 2, 2, 0); },
       bad,
       {"qudaSpinTaste", "external_precision = 5"}},
      {"directions",
       [&] {
         qudaTwoLinkGaussianSmear(2, 2, gauge, to, {1, 1, 1, 0, -1, 2});
       },
       bad,
       {"qudaTwoLinkGaussianSmear", "laplaceDim = 2"}},
      {"nothing to load",
       [&] {
         qudaTwoLinkGaussianSmear(2, 2, nullptr, to, {1, 1, 1, 0, -1, 3});
       },
       bad,
       {"qudaTwoLinkGaussianSmear", "gauge = null"}},
      {"null arguments", [&] { qudaContractFT(2, nullptr, psi, psi, contracted.data()); }, bad, {"cont_args = null"}},
      {"null result", [&] { qudaContractFT(2, &good, psi, psi, nullptr); }, bad, {"qudaContractFT", "corr = null"}},
      {"null modes",
       [&] { qudaContractFT(2, &no_modes, psi, psi, contracted.data()); },
       bad,
       {"contractFTQuda", "mom_modes = null"}},
  });
}

} // namespace test
