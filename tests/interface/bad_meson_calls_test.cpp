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
      fault("spin", {"spinTasteQuda", "spin = 16", "15"}, call(16, 0, nothing)),
      fault("taste", {"spinTasteQuda", "taste = -1"}, call(0, -1, nothing)),
      fault("four spins", {"spinTasteQuda", "dslash_type", "QUDA_STAGGERED_DSLASH"},
            call(1, 2, [](auto &p) { p.dslash_type = QUDA_WILSON_DSLASH; })),
      beyond("order of the fields", {"dirac_order"}, call(1, 2, [](auto &p) { p.dirac_order = QUDA_LEX_DIRAC_ORDER; })),
      fault("null field", {"spinTasteQuda", "h_out = null"},
            [&] {
              QudaInvertParam param = wilson_param();
              param.dslash_type = QUDA_STAGGERED_DSLASH;
              spinTasteQuda(nullptr, in.data(), 0, 0, &param);
            }),
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
      beyond("open spins", {"contractFTQuda", "QUDA_CONTRACT_TYPE_OPEN_FT_T", "QUDA_CONTRACT_TYPE_DR_FT_Z"},
             call([](Slices &s) { s.type = QUDA_CONTRACT_TYPE_OPEN_FT_T; })),
      fault("no such type", {"cType = 77"}, call([](Slices &s) { s.type = static_cast<QudaContractType>(77); })),
      fault("fields of one spin", {"contractFTQuda", "dslash_type"},
            call([](Slices &s) { s.param.dslash_type = QUDA_STAGGERED_DSLASH; })),
      fault("another structure", {"contractFTQuda", "struct_size"}, call([](Slices &s) { s.param.struct_size = 3; })),
      fault("null result", {"contractFTQuda", "result = null"}, call([](Slices &s) { s.result = nullptr; })),
      fault("null column", {"contractFTQuda", "y[2] = null"}, call([](Slices &s) { s.y[2] = nullptr; })),
      fault("odd extent", {"contractFTQuda", "X[1] = 3"}, call([](Slices &s) { s.X[1] = 3; })),
      fault("colours", {"contractFTQuda", "src_colors = 0"}, call([](Slices &s) { s.colors = 0; })),
      fault("momenta", {"contractFTQuda", "n_mom = 0"}, call([](Slices &s) { s.n_mom = 0; })),
      fault("symmetry", {"contractFTQuda", "fft_type[2] = 9"}, call([&](Slices &s) {
              staggered(s);
              s.types[2] = static_cast<QudaFFTSymmType>(9);
            })),
      fault("half precision", {"contractFTQuda", "cpu_prec"},
            call([](Slices &s) { s.param.cpu_prec = QUDA_HALF_PRECISION; })),
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
      fault("null result", {"laphSinkProject", "host_sinks = null"}, call([](Sinks &s) { s.sinks = nullptr; })),
      fault("null quarks", {"laphSinkProject", "host_quark = null"}, call([](Sinks &s) { s.no_quarks = true; })),
      fault("null vectors", {"laphSinkProject", "host_evec = null"}, call([](Sinks &s) { s.no_vectors = true; })),
      fault("a null quark", {"laphSinkProject", "host_quark[1] = null"}, call([](Sinks &s) { s.quarks[1] = nullptr; })),
      fault("a null vector", {"laphSinkProject", "host_evec[2] = null"},
            call([](Sinks &s) { s.vectors[2] = nullptr; })),
      fault("no quarks", {"laphSinkProject", "n_quark = 0"}, call([](Sinks &s) { s.n_quark = 0; })),
      fault("fewer quarks than none", {"laphSinkProject", "n_quark = -4"}, call([](Sinks &s) { s.n_quark = -4; })),
      fault("no vectors", {"laphSinkProject", "n_evec = 0"}, call([](Sinks &s) { s.n_evec = 0; })),
      fault("tile of quarks", {"laphSinkProject", "tile_quark = 0"}, call([](Sinks &s) { s.tile_quark = 0; })),
      fault("tile of vectors", {"laphSinkProject", "tile_evec = -1"}, call([](Sinks &s) { s.tile_evec = -1; })),
      fault("null parameters", {"laphSinkProject", "QudaInvertParam is null"},
            call([](Sinks &s) { s.no_param = true; })),
      fault("another structure", {"laphSinkProject", "struct_size"}, call([](Sinks &s) { s.param.struct_size = 3; })),
      fault("null extents", {"laphSinkProject", "X = null"}, call([](Sinks &s) { s.no_extents = true; })),
      fault("odd extent", {"laphSinkProject", "X[2] = 5", "2 to 512"}, call([](Sinks &s) { s.X[2] = 5; })),
      fault("no extent", {"laphSinkProject", "X[3] = 0"}, call([](Sinks &s) { s.X[3] = 0; })),
      fault("large extent", {"laphSinkProject", "X[0] = 514", "512"}, call([](Sinks &s) { s.X[0] = 514; })),
      fault("one spin", {"laphSinkProject", "QUDA_LAPLACE_DSLASH", "one spin"},
            call([](Sinks &s) { s.param.dslash_type = QUDA_LAPLACE_DSLASH; })),
      fault("no such operator", {"laphSinkProject", "dslash_type = 99"},
            call([](Sinks &s) { s.param.dslash_type = static_cast<QudaDslashType>(99); })),
      beyond("order of the fields", {"laphSinkProject", "dirac_order", "QUDA_QDP_DIRAC_ORDER"},
             call([](Sinks &s) { s.param.dirac_order = QUDA_QDP_DIRAC_ORDER; })),
      fault("half on the host", {"laphSinkProject", "cpu_prec = 2"},
            call([](Sinks &s) { s.param.cpu_prec = QUDA_HALF_PRECISION; })),
      beyond("half inside", {"laphSinkProject", "cuda_prec", "QUDA_HALF_PRECISION"},
             call([](Sinks &s) { s.param.cuda_prec = QUDA_HALF_PRECISION; })),
      fault("no precision", {"laphSinkProject", "cuda_prec", "unset"},
            call([](Sinks &s) { s.param.cuda_prec = QUDA_INVALID_PRECISION; })),
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
      fault("null result", {name, "host_elementals = null"}, call([](auto &e) { e.elementals = nullptr; })),
      fault("null vectors", {name, "host_evec = null"}, call([](auto &e) { e.no_vectors = true; })),
      fault("a null vector", {name, "host_evec[1] = null"}, call([](auto &e) { e.vectors[1] = nullptr; })),
      fault("no vectors", {name, "n_evec = 0"}, call([](auto &e) { e.n_evec = 0; })),
      fault("tile", {name, "tile_evec = 0"}, call([](auto &e) { e.tile_evec = 0; })),
      fault("no displacements", {name, "n_path = 0"}, call([](auto &e) { e.n_path = 0; })),
      fault("null lengths", {name, "path_length = null"}, call([](auto &e) { e.no_lengths = true; })),
      fault("length", {name, "path_length[1] = -1"}, call([](auto &e) { e.lengths[1] = -1; })),
      fault("null paths", {name, "path = null"}, call([](auto &e) { e.no_path = true; })),
      fault("a null path", {name, "path[0] = null"}, call([](auto &e) { e.no_steps = true; })),
      fault("a step in time", {name, "path[0][1] = 3", "7 to 5"}, call([](auto &e) { e.first[1] = 3; })),
      fault("another step in time", {name, "path[0][1] = 4"}, call([](auto &e) { e.first[1] = 4; })),
      fault("a derivative of nothing", {name, "path[0][0] = 11"}, call([](auto &e) { e.first[0] = 11; })),
      fault("a negative step", {name, "path[0][0] = -1"}, call([](auto &e) { e.first[0] = -1; })),
      fault("no momenta", {name, "n_mom = 0"}, call([](auto &e) { e.n_mom = 0; })),
      fault("null momenta", {name, "mom_modes = null"}, call([](auto &e) { e.no_modes = true; })),
      fault("smeared links that are not there", {name, "use_smeared_gauge", "performGaugeSmearQuda"},
            call([](auto &e) { e.smeared = QUDA_BOOLEAN_TRUE; })),
      fault("which links", {name, "use_smeared_gauge = 7"},
            call([](auto &e) { e.smeared = static_cast<QudaBoolean>(7); })),
      fault("null parameters", {name, "QudaInvertParam is null"}, call([](auto &e) { e.no_param = true; })),
      fault("another structure", {name, "struct_size"}, call([](auto &e) { e.param.struct_size = 3; })),
      fault("null extents", {name, "X = null"}, call([](auto &e) { e.no_extents = true; })),
      fault("odd extent", {name, "X[2] = 5", "2 to 512"}, call([](auto &e) { e.X[2] = 5; })),
      fault("another lattice than the links'", {name, "X[3]", "the links of displacements"},
            call([](auto &e) { e.X[3] += 2; })),
      beyond("order of the fields", {name, "dirac_order", "QUDA_QDP_DIRAC_ORDER"},
             call([](auto &e) { e.param.dirac_order = QUDA_QDP_DIRAC_ORDER; })),
      fault("half on the host", {name, "cpu_prec = 2"}, call([](auto &e) { e.param.cpu_prec = QUDA_HALF_PRECISION; })),
      beyond("half inside", {name, "cuda_prec", "QUDA_HALF_PRECISION"},
             call([](auto &e) { e.param.cuda_prec = QUDA_HALF_PRECISION; })),
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
      fault("before a layout", {"qudaShift", "qudaInit()"}, [&] { qudaShift(2, 2, gauge, psi, to, 0, 1, 1); }),
  });
  qudaSetLayout({lattice.X.data(), one, -1});
  expect_refused({
      fault("direction", {"qudaShift", "dir = 4"}, [&] { qudaShift(2, 2, gauge, psi, to, 4, 1, 0); }),
      fault("sense", {"qudaShift", "sym = 0"}, [&] { qudaShift(2, 2, gauge, psi, to, 0, 0, 0); }),
      fault("precision", {"qudaShift", "quda_precision = 3"}, [&] { qudaShift(2, 3, gauge, psi, to, 0, 1, 0); }),
      fault("null field", {"qudaShift", "source = null"}, [&] { qudaShift(2, 2, gauge, nullptr, to, 0, 1, 0); }),
      fault("nothing to load", {"qudaShift", "links = null"}, [&] { qudaShift(2, 2, nullptr, psi, to, 0, 1, 1); }),
      fault("resident in another precision", {"qudaSpinTaste", "links = null"},
            [&] { qudaSpinTaste(2, 1, nullptr, psi, to, 1, 2, 0); }),
      fault("spin", {"qudaSpinTaste", "spin = 17"}, [&] { qudaSpinTaste(2, 2, gauge, psi, to, 17, 2, 0); }),
      fault("precision of a local operator", {"qudaSpinTaste", "external_precision = 5"},
            [&] { qudaSpinTaste(5, 2, nullptr, psi, to, 2, 2, 0); }),
      fault("directions", {"qudaTwoLinkGaussianSmear", "laplaceDim = 2"},
            [&] {
              qudaTwoLinkGaussianSmear(2, 2, gauge, to, {1, 1, 1, 0, -1, 2});
            }),
      fault("nothing to load", {"qudaTwoLinkGaussianSmear", "gauge = null"},
            [&] {
              qudaTwoLinkGaussianSmear(2, 2, nullptr, to, {1, 1, 1, 0, -1, 3});
            }),
      fault("null arguments", {"cont_args = null"}, [&] { qudaContractFT(2, nullptr, psi, psi, contracted.data()); }),
      fault("null result", {"qudaContractFT", "corr = null"}, [&] { qudaContractFT(2, &good, psi, psi, nullptr); }),
      fault("null modes", {"contractFTQuda", "mom_modes = null"},
            [&] { qudaContractFT(2, &no_modes, psi, psi, contracted.data()); }),
  });
}

} // namespace test
