/// Contractions site by site: against the plain reference, against the matrices by hand, against themselves.

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "contractions.h"

using namespace quda;
using contractions::contraction;
using contractions::deviation;
using contractions::native;
using contractions::Numbers;
using reference::Complex;

namespace
{

double allowed(Precision precision) { return precision == Precision::double_ ? 1e-13 : 5e-6; }

struct Pair {
  reference::Lattice lattice;
  reference::Spinors x, y;

  explicit Pair(const reference::Coords &shape)
      : lattice(shape)
      , x(reference::random_spinors(lattice, 21))
      , y(reference::random_spinors(lattice, 22))
  {
  }
  support::Place place() const { return support::Place(lattice, make_single_communicator()); }
};

reference::Spinors rounded(const reference::Spinors &psi, Precision precision)
{
  reference::Spinors out = psi;
  if (precision == Precision::single)
    for (auto &s : out) s = s.cast<std::complex<float>>().cast<Complex>();
  return out;
}

/// sum_c conj(x_c) y_c, fused as the kernel has it.
template <class real> std::complex<real> fused_product(const real *x, const real *y)
{
  real re = std::fma(x[1], y[1], x[0] * y[0]), im = std::fma(-x[1], y[0], x[0] * y[1]);
  for (int c = 1; c < 3; c++) {
    re = std::fma(x[2 * c + 1], y[2 * c + 1], std::fma(x[2 * c], y[2 * c], re));
    im = std::fma(-x[2 * c + 1], y[2 * c], std::fma(x[2 * c], y[2 * c + 1], im));
  }
  return {re, im};
}

template <class real> std::vector<std::complex<real>> fused_open(const Pair &on)
{
  const auto x = reference::to_host<real>(on.x, on.lattice, reference::Part(on.lattice)),
             y = reference::to_host<real>(on.y, on.lattice, reference::Part(on.lattice));
  std::vector<std::complex<real>> open;
  for (std::size_t site = 0; site < on.lattice.volume(); site++)
    for (int ab = 0; ab < 16; ab++)
      open.push_back(fused_product(&x[24 * site + 6 * (ab / 4)], &y[24 * site + 6 * (ab % 4)]));
  return open;
}

template <class real> void check_bits(const Pair &on, Precision precision)
{
  const support::Place place = on.place();
  const auto x = native(place, on.x, precision), y = native(place, on.y, precision);
  const auto right = fused_open<real>(on);
  const Numbers open = contraction(x, y, Contraction::open), bilinear = contraction(x, y, Contraction::bilinears);
  for (std::size_t k = 0; k < right.size(); k++) ASSERT_EQ(open[k], Complex(right[k])) << k;
  for (std::size_t site = 0; site < on.lattice.volume(); site++) {
    const auto *c = &right[16 * site];
    ASSERT_EQ(bilinear[16 * site], Complex((c[0] + c[5]) + (c[10] + c[15]))) << site;
    ASSERT_EQ(bilinear[16 * site + 10], Complex((c[0] - c[5]) + (c[10] - c[15]))) << site;
  }
}

} // namespace

TEST(Contract, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {8, 4, 4, 8}}) {
      const Pair on(shape);
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Contraction type : contractions::all_types) {
          const int spins = contractions::spins_of(type);
          const Numbers right = contractions::expected(rounded(on.x, precision), rounded(on.y, precision), type);
          const Numbers found =
              contraction(native(on.place(), on.x, precision, spins), native(on.place(), on.y, precision, spins), type);
          EXPECT_LE(deviation(found, right), allowed(precision))
              << shape[0] << " precision " << bytes_of(precision) << " type " << static_cast<int>(type);
        }
    }
  });
}

/// One order of operations: the bits do not depend on target, lanes or threads.
TEST(Contract, GivesTheBitsOfTheWrittenOrder)
{
  support::on_targets([] {
    const Pair on({4, 4, 4, 10});
    check_bits<double>(on, Precision::double_);
    check_bits<float>(on, Precision::single);
  });
}

namespace
{

struct Entry {
  int row, column;
  Complex value;
};

constexpr Complex I(0, 1);

/// The matrices entry by entry, as the interface documents them; 16, 17: sigma_13, sigma_34.
const std::map<int, std::vector<Entry>> matrices = {
    {0, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}}},    {1, {{0, 3, I}, {1, 2, I}, {2, 1, -I}, {3, 0, -I}}},
    {2, {{0, 3, -1}, {1, 2, 1}, {2, 1, 1}, {3, 0, -1}}},  {3, {{0, 2, I}, {1, 3, -I}, {2, 0, -I}, {3, 1, I}}},
    {4, {{0, 2, 1}, {1, 3, 1}, {2, 0, 1}, {3, 1, 1}}},    {5, {{0, 0, 1}, {1, 1, 1}, {2, 2, -1}, {3, 3, -1}}},
    {6, {{0, 3, I}, {1, 2, I}, {2, 1, I}, {3, 0, I}}},    {7, {{0, 3, -1}, {1, 2, 1}, {2, 1, -1}, {3, 0, 1}}},
    {8, {{0, 2, I}, {1, 3, -I}, {2, 0, I}, {3, 1, -I}}},  {9, {{0, 2, 1}, {1, 3, 1}, {2, 0, -1}, {3, 1, -1}}},
    {10, {{0, 0, 1}, {1, 1, -1}, {2, 2, 1}, {3, 3, -1}}}, {11, {{0, 2, -I}, {1, 3, -I}, {2, 0, I}, {3, 1, I}}},
    {12, {{0, 1, -1}, {1, 0, -1}, {2, 3, 1}, {3, 2, 1}}}, {13, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}}},
    {14, {{0, 1, -I}, {1, 0, I}, {2, 3, I}, {3, 2, -I}}}, {15, {{0, 0, -1}, {1, 1, -1}, {2, 2, 1}, {3, 3, 1}}},
    {16, {{0, 1, -I}, {1, 0, I}, {2, 3, -I}, {3, 2, I}}}, {17, {{0, 0, -1}, {1, 1, 1}, {2, 2, 1}, {3, 3, -1}}}};

Complex entry(int matrix, int row, int column)
{
  for (const Entry &e : matrices.at(matrix))
    if (e.row == row && e.column == column) return e.value;
  return 0;
}

} // namespace

/// x = e_a, y = e_b at site number 4 a + b: the result is (Gamma_G)_{ab}.
TEST(Contract, UnitSpinorsGiveTheMatrices)
{
  support::on_targets([] {
    Pair on({2, 2, 2, 4});
    for (std::size_t site = 0; site < on.lattice.volume(); site++) {
      on.x[site].setZero();
      on.y[site].setZero();
      on.x[site](site % 16 / 4, site % 3) = 1;
      on.y[site](site % 4, site % 3) = 1;
    }
    const auto x = native(on.place(), on.x, Precision::double_), y = native(on.place(), on.y, Precision::double_);
    const Numbers quda = contraction(x, y, Contraction::bilinears),
                  corrected = contraction(x, y, Contraction::corrected_bilinears);
    for (std::size_t site = 0; site < on.lattice.volume(); site++)
      for (int G = 0; G < 16; G++) {
        const int a = site % 16 / 4, b = site % 4;
        EXPECT_EQ(quda[16 * site + G], entry(G, a, b)) << G << " " << a << b;
        EXPECT_EQ(corrected[16 * site + G], entry(G == 11 ? 16 : G == 15 ? 17 : G, a, b)) << G << " " << a << b;
      }
  });
}

TEST(Contract, BilinearsAreMadeOfOpenEntries)
{
  support::on_targets([] {
    const Pair on({2, 4, 6, 4});
    const auto x = native(on.place(), on.x, Precision::double_), y = native(on.place(), on.y, Precision::double_);
    const Numbers open = contraction(x, y, Contraction::open);
    for (const bool corrected : {false, true}) {
      const auto gammas = reference::contraction_gammas(corrected);
      Numbers made;
      for (std::size_t site = 0; site < on.lattice.volume(); site++)
        for (int G = 0; G < 16; G++) {
          Complex sum = 0;
          for (int ab = 0; ab < 16; ab++) sum += gammas[G](ab / 4, ab % 4) * open[16 * site + ab];
          made.push_back(sum);
        }
      const Contraction type = corrected ? Contraction::corrected_bilinears : Contraction::bilinears;
      EXPECT_LE(deviation(contraction(x, y, type), made), 1e-14);
    }
  });
}

/// (x^dag Gamma y)* = y^dag Gamma^dag x; gamma5 gamma_mu are antihermitian, the others hermitian.
TEST(Contract, ExchangingTheFieldsConjugates)
{
  support::on_targets([] {
    const Pair on({6, 2, 4, 4});
    const auto x = native(on.place(), on.x, Precision::double_), y = native(on.place(), on.y, Precision::double_);
    Numbers open = contraction(y, x, Contraction::open), swapped = open;
    for (std::size_t k = 0; k < open.size(); k++) swapped[k] = std::conj(open[k / 16 * 16 + k % 4 * 4 + k % 16 / 4]);
    EXPECT_LE(deviation(swapped, contraction(x, y, Contraction::open)), 1e-14);
    for (const Contraction type : {Contraction::bilinears, Contraction::corrected_bilinears}) {
      Numbers adjoint = contraction(y, x, type);
      for (std::size_t k = 0; k < adjoint.size(); k++) {
        const int G = k % 16;
        adjoint[k] = std::conj(adjoint[k]) * (G >= 6 && G <= 9 ? -1.0 : 1.0);
      }
      EXPECT_LE(deviation(adjoint, contraction(x, y, type)), 1e-14);
    }
    const Numbers self = contraction(x, x, Contraction::bilinears);
    for (std::size_t site = 0; site < on.lattice.volume(); site++)
      EXPECT_NEAR(self[16 * site].real(), on.x[site].squaredNorm(), 1e-13 * on.x[site].squaredNorm());
  });
}

/// A rotation of the colours at each site leaves every contraction as it is.
TEST(Contract, IsGaugeInvariant)
{
  support::on_targets([] {
    Pair on({4, 4, 2, 6});
    const Numbers before[2] = {contractions::expected(on.x, on.y, Contraction::open),
                               contractions::expected(on.x, on.y, Contraction::corrected_bilinears)};
    for (std::size_t site = 0; site < on.lattice.volume(); site++) {
      const reference::Link u = reference::random_link(reference::Kind::su3, 5, site, 0);
      on.x[site] = (on.x[site] * u.transpose()).eval();
      on.y[site] = (on.y[site] * u.transpose()).eval();
    }
    const auto x = native(on.place(), on.x, Precision::double_), y = native(on.place(), on.y, Precision::double_);
    EXPECT_LE(deviation(contraction(x, y, Contraction::open), before[0]), 1e-13);
    EXPECT_LE(deviation(contraction(x, y, Contraction::corrected_bilinears), before[1]), 1e-13);
  });
}

/// Inner entries and halves of a field are contracted each by itself.
TEST(Contract, InnerEntriesAndSingleParities)
{
  support::on_targets([] {
    const Pair on({4, 2, 6, 4});
    const support::Place place = on.place();
    const Numbers whole = contractions::expected(on.x, on.y, Contraction::open);
    const auto hx = contractions::host_numbers(place, on.x, 4), hy = contractions::host_numbers(place, on.y, 4);
    // inner 0: x and y; inner 1: y and x
    std::vector<double> both_x, both_y;
    const std::size_t half = hx.size() / 2;
    for (int p = 0; p < 2; p++)
      for (int i = 0; i < 2; i++) {
        const auto &first = i ? hy : hx, &second = i ? hx : hy;
        both_x.insert(both_x.end(), first.begin() + p * half, first.begin() + (p + 1) * half);
        both_y.insert(both_y.end(), second.begin() + p * half, second.begin() + (p + 1) * half);
      }
    ColorSpinorField x = contractions::native_field(place, Precision::double_, 4, 2);
    ColorSpinorField y = contractions::native_field(place, Precision::double_, 4, 2);
    support::set_from_host(x, both_x);
    support::set_from_host(y, both_y);
    const Numbers swapped = contractions::expected(on.y, on.x, Contraction::open);
    const std::size_t n = whole.size() / 2;
    Numbers right;
    for (int p = 0; p < 2; p++)
      for (const Numbers *part : {&whole, &swapped})
        right.insert(right.end(), part->begin() + p * n, part->begin() + (p + 1) * n);
    EXPECT_LE(deviation(contraction(x, y, Contraction::open), right), 1e-13);

    const auto one_x = native(place, on.x, Precision::double_), one_y = native(place, on.y, Precision::double_);
    for (int p = 0; p < 2; p++)
      EXPECT_LE(deviation(contraction(one_x.half(p), one_y.half(p), Contraction::open),
                          Numbers(whole.begin() + p * n, whole.begin() + (p + 1) * n)),
                1e-13);
  });
}
