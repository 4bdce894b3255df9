/// Bad calls of what staggered mesons are made of: spin-taste operators, contractions over slices, MILC's functions.

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
       call(1, 2, [](auto &p) { p.dirac_order = QUDA_QDP_DIRAC_ORDER; }),
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
