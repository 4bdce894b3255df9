/// What staggered mesons are made of, through the C interface and through MILC's functions, on every way to cut a small
/// lattice: spin-taste operators, shifts, smearing, contractions summed over slices; links that are never stale.

#include "quark_links.h"

#include "reference/contract/propagators.h"
#include "reference/dirac/spin_taste.h"

#include <algorithm>

namespace
{

using namespace test;
using Numbers = std::vector<double>;

/// Host's colour vectors of this rank.
Numbers color_vectors(const Here &here, const SpinVectors<1> &psi)
{
  return reference::to_host<double, 1>(psi, lattice, here.part);
}

const std::vector<reference::PlaneWave> waves = {
    {{0, 0, 0, 0}, {3, 3, 3, 3}}, {{1, -1, 2, 0}, {3, 2, 1, 3}}, {{0, 3, 1, 2}, {2, 1, 3, 3}}};
const Coords origin {1, 2, 5, 7};

/// Momenta as the functions take them.
struct Momenta {
  std::vector<int> modes;
  std::vector<QudaFFTSymmType> types;

  Momenta()
  {
    for (const reference::PlaneWave &wave : waves)
      for (int d = 0; d < 4; d++) {
        modes.push_back(wave.mode[d]);
        types.push_back(static_cast<QudaFFTSymmType>(wave.kind[d]));
      }
  }
};

/// The largest difference of what was added to 1.5 everywhere, in units of the rms.
double deviation(const Numbers &found, const std::vector<reference::Complex> &wanted)
{
  if (found.size() != 2 * wanted.size()) return INFINITY;
  double largest = 0, square = 0;
  for (std::size_t i = 0; i < wanted.size(); i++) {
    const double here = std::abs(reference::Complex(found[2 * i] - 1.5, found[2 * i + 1] - 1.5) - wanted[i]);
    if (!(here <= largest)) largest = here;
    square += std::norm(wanted[i]);
  }
  return largest / std::sqrt(square / static_cast<double>(wanted.size()));
}

} // namespace

TEST_F(QuarkLinks, SpinTasteAsTheReference)
{
  const struct {
    QudaPrecision links, fields;
    QudaReconstructType reconstruct;
    double bar;
  } storages[] = {{QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO, 1e-13},
                  {QUDA_SINGLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_RECONSTRUCT_12, 5e-6},
                  {QUDA_DOUBLE_PRECISION, QUDA_HALF_PRECISION, QUDA_RECONSTRUCT_NO, 5e-3}};
  on_all_grids([&](Here &here) {
    const auto psi = reference::spins_of<1>(here.psi);
    for (const auto &storage : storages) {
      here.load(storage.links, storage.reconstruct);
      QudaInvertParam param = spinors(QUDA_STAGGERED_DSLASH);
      param.cuda_prec = storage.fields;
      param.gamma_basis = QUDA_INVALID_GAMMA_BASIS; // has no meaning for colour vectors
      const bool all = ranks() == 1 && storage.bar < 1e-10;
      for (int code = 0; code < (all ? 256 : 16); code++) {
        const int spin = all ? code / 16 : (7 * code + 3) % 16, taste = all ? code % 16 : spin ^ code;
        const auto apply = [&](double *out, double *in) { spinTasteQuda(out, in, spin, taste, &param); };
        EXPECT_LE(here.error_of<1>(apply, reference::spin_taste(here.links, psi, spin, taste)), storage.bar)
            << spin << " " << taste;
        EXPECT_GT(param.gflops, 0);
        if (spin != taste || !all) continue;
        const Numbers once = here.out;
        spinTasteQuda(here.out.data(), const_cast<double *>(once.data()), spin, taste, &param);
        EXPECT_TRUE(same_bits(here.out, color_vectors(here, psi))) << "twice is nothing " << spin;
      }
    }
  });
}

TEST_F(QuarkLinks, ContractionsOverSlicesAsTheReference)
{
  const Momenta momenta;
  on_all_grids([&](Here &here) {
    const struct {
      QudaContractType type;
      int spins, colors, direction;
    } types[] = {{QUDA_CONTRACT_TYPE_STAGGERED_FT_T, 1, 3, 3},
                 {QUDA_CONTRACT_TYPE_DR_FT_T, 4, 1, 3},
                 {QUDA_CONTRACT_TYPE_DR_FT_Z, 4, 3, 2}};
    for (const auto &one : types) {
      const auto n = static_cast<std::size_t>(one.spins * one.colors);
      reference::Propagator columns[2];
      std::vector<Numbers> host[2];
      std::vector<void *> pointers[2];
      const reference::SpinMatrix to_ukqcd =
          reference::basis_rotation(reference::Basis::degrand_rossi, reference::Basis::ukqcd);
      for (const int side : {0, 1})
        for (std::size_t i = 0; i < n; i++) {
          columns[side].push_back(reference::random_spinors(lattice, 20 * side + static_cast<int>(i)));
          const reference::Spinors &psi = columns[side][i];
          host[side].push_back(one.spins == 1
                                   ? color_vectors(here, reference::spins_of<1>(psi))
                                   : reference::to_host<double>(reference::applied(to_ukqcd, psi), lattice, here.part));
          pointers[side].push_back(host[side].back().data());
        }
      const auto numbers = one.spins == 1 ? reference::color_contraction(columns[0], columns[1])
                                          : reference::propagator_contraction(columns[0], columns[1]);
      auto with_types = waves;
      if (one.spins == 4)
        for (auto &wave : with_types) wave.kind = {3, 3, 3, 3}; // fft_type is not read
      const auto wanted = reference::sum_waves(numbers, lattice, with_types, one.direction, origin);
      QudaInvertParam param = newQudaInvertParam();
      param.cpu_prec = QUDA_DOUBLE_PRECISION;
      param.dirac_order = QUDA_DIRAC_ORDER;
      param.dslash_type = one.spins == 1 ? QUDA_ASQTAD_DSLASH : QUDA_WILSON_DSLASH;
      if (one.spins == 4) param.gamma_basis = QUDA_UKQCD_GAMMA_BASIS;
      Numbers sums(2 * wanted.size(), 1.5);
      void *result = sums.data();
      contractFTQuda(pointers[0].data(), pointers[1].data(), &result, one.type, &param, one.colors,
                     here.part.local.X.data(), origin.data(), static_cast<int>(waves.size()), momenta.modes.data(),
                     one.spins == 1 ? momenta.types.data() : nullptr);
      EXPECT_LE(deviation(sums, wanted), 1e-12) << one.type;
    }
  });
}

TEST_F(QuarkLinks, MilcMesons)
{
  const Momenta momenta;
  on_all_grids(
      [&](Here &here) {
        const auto psi = reference::spins_of<1>(here.psi);
        const reference::GaugeField other = reference::random_gauge(lattice, 58), third(lattice);
        HostLinks<double> a(here.links, here.part, QUDA_MILC_GAUGE_ORDER), b(other, here.part, QUDA_MILC_GAUGE_ORDER);
        const auto spin_taste = [&](void *links, int spin, int taste, int reload, int precision = 2) {
          return [=](double *out, double *in) { qudaSpinTaste(2, precision, links, in, out, spin, taste, reload); };
        };
        const auto shift = [&](void *links, int dir, int sym, int reload) {
          return [=](double *out, double *in) { qudaShift(2, 2, links, in, out, dir, sym, reload); };
        };
        const auto expected = [&](const reference::GaugeField &links, int dir, int sym) {
          const auto ahead = reference::carried<1>(links, psi, dir, 1),
                     behind = reference::carried<1>(links, psi, dir, -1);
          return reference::combined<1>(sym == 3 ? 0.5 : sym == 1, ahead, sym == 3 ? 0.5 : sym == 2, behind);
        };
        // what is local needs no links
        EXPECT_LE(here.error_of<1>(spin_taste(nullptr, 9, 9, 0), reference::spin_taste(here.links, psi, 9, 9)), 1e-15);
        for (const int sym : {1, 2, 3}) {
          EXPECT_LE(here.error_of<1>(shift(a.pointer(), 1, sym, sym == 1), expected(here.links, 1, sym)), 1e-13) << sym;
          EXPECT_LE(here.error_of<1>(shift(nullptr, 3, sym, 0), expected(here.links, 3, sym)), 1e-13) << sym;
        }
        EXPECT_LE(here.error_of<1>(spin_taste(a.pointer(), 3, 12, 0), reference::spin_taste(here.links, psi, 3, 12)),
                  1e-13);
        EXPECT_LE(here.error_of<1>(spin_taste(a.pointer(), 3, 12, 0, 1), reference::spin_taste(here.links, psi, 3, 12)),
                  5e-6)
            << "in single precision";
        // other links, by pointer, by request, and loaded by others
        EXPECT_LE(here.error_of<1>(shift(b.pointer(), 0, 3, 0), expected(other, 0, 3)), 1e-13) << "another pointer";
        here.load(QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_NO);
        EXPECT_LE(here.error_of<1>(shift(b.pointer(), 0, 3, 0), expected(other, 0, 3)), 1e-13) << "others' links";
        const Numbers contents = HostLinks<double>(third, here.part, QUDA_MILC_GAUGE_ORDER).all();
        std::copy(contents.begin(), contents.end(), static_cast<double *>(b.pointer()));
        EXPECT_LE(here.error_of<1>(spin_taste(b.pointer(), 5, 5, 1), reference::spin_taste(third, psi, 5, 5)), 1e-15);
        EXPECT_LE(here.error_of<1>(shift(b.pointer(), 0, 3, 0), expected(third, 0, 3)), 1e-13) << "new contents";

        // smearing: its products outlive other links
        const reference::GaugeField products = reference::two_link(here.links);
        const double width = 1.7, w = width * width / (16 * 2);
        auto smeared = psi;
        for (int k = 0; k < 2; k++)
          smeared = reference::combined<1>(1 - 6 * w, smeared, w, reference::neighbours<1>(products, smeared, 3, 2));
        const std::size_t reals = 6 * here.part.local.volume();
        const auto smear = [&](int compute, void *links) {
          return [=](double *out, double *in) {
            std::copy(in, in + reals, out);
            qudaTwoLinkGaussianSmear(2, 2, links, out, {2, width, compute, 0, -1, 3});
          };
        };
        EXPECT_LE(here.error_of<1>(smear(1, a.pointer()), smeared), 1e-13);
        const Numbers first = here.out;
        here.error_of<1>(smear(0, a.pointer()), smeared);
        EXPECT_TRUE(same_bits(here.out, first)) << "products of before";
        here.error_of<1>(shift(b.pointer(), 2, 1, 0), expected(third, 2, 1));
        here.error_of<1>(smear(0, a.pointer()), smeared);
        EXPECT_TRUE(same_bits(here.out, first)) << "other links in between";
        qudaFreeTwoLink();
        here.error_of<1>(smear(0, nullptr), smeared);
        EXPECT_TRUE(same_bits(here.out, first)) << "made of the resident links";

        const auto x = color_vectors(here, psi), y = first;
        const auto wanted =
            reference::sum_waves(reference::color_contraction({here.psi}, {[&] {
                                                                reference::Spinors all = here.psi;
                                                                for (std::size_t i = 0; i < all.size(); i++)
                                                                  all[i].topRows<1>() = smeared[i];
                                                                return all;
                                                              }()}),
                                 lattice, waves, 3, origin);
        QudaContractArgs_t args {};
        args.n_mom = static_cast<int>(waves.size());
        args.mom_modes = const_cast<int *>(momenta.modes.data());
        args.fft_type = const_cast<QudaFFTSymmType *>(momenta.types.data());
        args.source_position = const_cast<int *>(origin.data());
        Numbers sums(2 * wanted.size(), 1.5);
        qudaContractFT(2, &args, const_cast<double *>(x.data()), const_cast<double *>(y.data()), sums.data());
        EXPECT_LE(deviation(sums, wanted), 1e-12);
        EXPECT_TRUE(args.flops > 0 && args.dtime > 0);
        const std::vector<float> fx(x.begin(), x.end()), fy(y.begin(), y.end());
        sums.assign(sums.size(), 1.5);
        qudaContractFT(1, &args, const_cast<float *>(fx.data()), const_cast<float *>(fy.data()), sums.data());
        EXPECT_LE(deviation(sums, wanted), 5e-6);
      },
      true);
}
