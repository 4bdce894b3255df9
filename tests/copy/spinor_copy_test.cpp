/// Copies of spinors: round trips through every order, precision and basis; shapes other than quarks'.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "copy/numbers.h"
#include "ops/blas/blas.h"
#include "reference/dirac/gamma.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;
using namespace copy_test;

TEST(SpinorCopy, RoundTripAndNormOfEveryShape)
{
  support::on_targets([] {
    const struct {
      int spins, colors;
    } kinds[] = {{4, 3}, {1, 3}, {2, 24}};
    for (const auto &shape : shapes)
      for (const auto &kind : kinds)
        for (const int inner : {1, 3})
          for (const SiteSubset subset : {SiteSubset::full, SiteSubset::parity}) {
            const reference::Lattice lattice(shape);
            const support::Place place(lattice, make_single_communicator());
            ColorSpinorParam param;
            param.lattice = place.lattice;
            param.spins = kind.spins;
            param.colors = kind.colors;
            param.rhs = inner;
            param.subset = subset;
            param.parity = subset == SiteSubset::parity ? 1 : 0;
            ColorSpinorField field(param);
            const auto numbers = some_numbers(field.sites() * inner * field.reals());
            support::set_from_host(field, numbers);
            EXPECT_EQ(support::host_array(field), numbers);
            double sum = 0, lost = 0; // what each addition lost is carried along
            for (const double x : numbers) {
              const double term = x * x - lost, next = sum + term;
              lost = (next - sum) - term;
              sum = next;
            }
            EXPECT_NEAR(blas::norm2(field), sum, 1e-14 * sum);

            ColorSpinorField twin(param);
            twin = field;
            EXPECT_EQ(support::host_array(twin), numbers);

            param.precision = Precision::single;
            ColorSpinorField narrow(param), again(param);
            narrow = field;
            auto rounded = numbers;
            for (double &x : rounded) x = static_cast<float>(x);
            EXPECT_EQ(support::host_array(narrow), rounded);
            again = narrow;
            EXPECT_EQ(support::host_array(again), rounded);
            blas::copy(again, narrow);
            EXPECT_EQ(support::host_array(again), rounded);
            field = narrow;
            EXPECT_EQ(support::host_array(field), rounded);
          }
  });
}

TEST(SpinorCopy, HalfPrecisionKeepsSixteenBitsOfTheLargest)
{
  support::on_targets([] {
    const struct {
      int spins, colors;
    } kinds[] = {{4, 3}, {1, 3}, {2, 24}};
    for (const auto &shape : shapes)
      for (const auto &kind : kinds)
        for (const int inner : {1, 3}) {
          const support::Place place(reference::Lattice(shape), make_single_communicator());
          ColorSpinorParam param;
          param.lattice = place.lattice;
          param.spins = kind.spins;
          param.colors = kind.colors;
          param.rhs = inner;
          ColorSpinorField wide(param), again(param);
          auto numbers = some_numbers(wide.sites() * inner * wide.reals());
          for (int k = 0; k < wide.reals(); k++) numbers[k] = 0; // a site of zeros
          for (int k = 0; k < wide.reals(); k++) numbers[2 * wide.reals() + k] *= 1e-20;
          support::set_from_host(wide, numbers);
          const auto expected = half_of(numbers, wide.reals(), true);
          double worst = 0;
          for (std::size_t i = 0; i < numbers.size(); i++) worst = std::max(worst, std::abs(numbers[i] - expected[i]));
          EXPECT_LE(worst, 0.51 / 65534);

          param.precision = Precision::half;
          ColorSpinorField half(param), other(param);
          half = wide;
          EXPECT_EQ(support::host_array(half), expected);
          param.precision = Precision::single;
          ColorSpinorField single(param);
          single = wide;
          other = single; // registers, not lanes
          EXPECT_EQ(support::host_array(other), expected);
          other = half;
          EXPECT_EQ(support::host_array(other), expected);
          single = other;
          EXPECT_EQ(support::host_array(single), expected);
          again = other;
          EXPECT_EQ(support::host_array(again), expected);
        }
  });
}

TEST(SpinorCopy, OneParityLeavesTheOtherAlone)
{
  support::on_targets([] {
    for (const auto &shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single, Precision::half}) {
        const support::Place place(reference::Lattice(shape), make_single_communicator());
        ColorSpinorField from = support::native_spinors(place, precision, -1);
        ColorSpinorField to = support::native_spinors(place, precision, -1);
        const auto numbers = some_numbers(24 * place.part.local.volume());
        auto negative = numbers;
        for (double &x : negative) x = -x;
        support::set_from_host(from, numbers);
        support::set_from_host(to, negative);
        const auto kept = support::host_array(from);
        for (int parity = 0; parity < 2; parity++) {
          ColorSpinorField part = to.half(parity);
          part = from.half(parity);
          const auto found = support::host_array(to);
          for (std::size_t i = 0; i < found.size(); i++)
            ASSERT_EQ(found[i], i < found.size() / 2 || parity == 1 ? kept[i] : -kept[i]) << i;
        }
      }
  });
}

TEST(SpinorCopy, QuarterPrecisionKeepsEightBitsOfTheLargest)
{
  support::on_targets([] {
    const struct {
      int spins, colors;
    } kinds[] = {{4, 3}, {1, 3}};
    for (const auto &shape : {shapes[0], shapes[1]})
      for (const auto &kind : kinds)
        for (const int rhs : {1, 3}) {
          const support::Place place(reference::Lattice(shape), make_single_communicator());
          ColorSpinorParam param;
          param.lattice = place.lattice;
          param.spins = kind.spins;
          param.colors = kind.colors;
          param.rhs = rhs;
          ColorSpinorField wide(param);
          support::set_from_host(wide, some_numbers(wide.sites() * rhs * wide.reals()));
          const auto numbers = support::host_array(wide);
          const auto expected = half_of(numbers, wide.reals(), true, 127);
          double worst = 0;
          for (std::size_t i = 0; i < numbers.size(); i++) worst = std::max(worst, std::abs(numbers[i] - expected[i]));
          EXPECT_LE(worst, 0.51 / 254);
          param.precision = Precision::quarter;
          ColorSpinorField quarter(param), other(param), again(param);
          param.precision = Precision::half;
          ColorSpinorField half(param);
          param.precision = Precision::single;
          ColorSpinorField single(param), back(param);
          quarter = wide; // lane by lane
          EXPECT_EQ(support::host_array(quarter), expected);
          single = wide;
          other = single; // by registers
          EXPECT_EQ(support::host_array(other), expected);
          again = other; // as it lies
          EXPECT_EQ(support::host_array(again), expected);
          back = again;
          EXPECT_EQ(support::host_array(back), expected);
          half = single;
          again = half;
          EXPECT_EQ(support::host_array(again), half_of(support::host_array(half), wide.reals(), true, 127));
          half = quarter;
          EXPECT_EQ(support::host_array(half), half_of(expected, wide.reals(), true));
          wide = quarter;
          EXPECT_EQ(support::host_array(wide), expected);
        }
  });
}

TEST(SpinorCopy, EveryPrecisionOfHostsAndFields)
{
  constexpr Precision of_hosts[] = {Precision::double_, Precision::single};
  constexpr Precision of_fields[] = {Precision::double_, Precision::single, Precision::half, Precision::quarter};
  const auto kept = [](const std::vector<double> &numbers, Precision precision) {
    if (bytes_of(precision) < 4) return half_of(numbers, 24, true, precision == Precision::half ? 32767 : 127);
    return numbers;
  };
  const auto number = [](const ColorSpinorField &host, std::size_t i) {
    if (host.precision() == Precision::double_) return static_cast<const double *>(host.data())[i];
    return static_cast<double>(static_cast<const float *>(host.data())[i]);
  };
  support::on_targets([&] {
    const support::Place place(reference::Lattice(shapes[0]), make_single_communicator());
    ColorSpinorParam in;
    in.lattice = place.lattice;
    in.order = DiracOrder::dirac;
    in.location = Location::host;
    in.basis = GammaBasis::ukqcd;
    ColorSpinorParam inside;
    inside.lattice = place.lattice;
    for (const Precision given : of_hosts)
      for (const Precision precision : of_fields)
        for (const Precision wanted : of_hosts) {
          SCOPED_TRACE(testing::Message() << bytes_of(given) << ' ' << bytes_of(precision) << ' ' << bytes_of(wanted));
          in.precision = given;
          ColorSpinorField from(in);
          const std::vector<double> numbers = some_numbers(from.sites() * 24);
          std::vector<double> turned(numbers.size());
          for (std::size_t i = 0; i < numbers.size(); i++) {
            if (given == Precision::double_)
              static_cast<double *>(from.data())[i] = numbers[i];
            else
              static_cast<float *>(from.data())[i] = static_cast<float>(numbers[i]);
          }
          const double h = std::sqrt(0.5);
          for (std::size_t site = 0; site < numbers.size(); site += 24)
            for (std::size_t k = site; k < site + 6; k++) {
              const double x[] = {number(from, k), number(from, k + 6), number(from, k + 12), number(from, k + 18)};
              turned[k] = -h * (x[1] + x[3]);
              turned[k + 6] = h * (x[0] + x[2]);
              turned[k + 12] = h * (x[3] - x[1]);
              turned[k + 18] = h * (x[0] - x[2]);
            }
          inside.precision = precision;
          ColorSpinorField field(inside);
          field = from;
          ColorSpinorParam out = in;
          out.precision = wanted;
          out.basis = GammaBasis::degrand_rossi;
          ColorSpinorField to(out);
          to = field;
          const std::vector<double> expected = kept(turned, precision);
          double worst = 0, off = 0;
          for (std::size_t i = 0; i < expected.size(); i++) {
            worst = std::max(worst, std::abs(number(to, i) - expected[i]));
            off = std::max(off, std::abs(number(to, i) - turned[i]));
          }
          // a number may lie between two integers to the last bit
          const double step = bytes_of(precision) == 2 ? 1. / 32767 : bytes_of(precision) == 1 ? 1. / 127 : 0;
          const bool exact = given == Precision::double_ && precision == given && wanted == given;
          EXPECT_LE(worst, step + (exact ? 1e-15 : 1e-7));
          EXPECT_GE(off, 0.2 * step);
          EXPECT_LE(off, 0.8 * step + (exact ? 1e-15 : 1e-7));
        }
  });
}

TEST(SpinorCopy, HalfPrecisionLosesNoNaN)
{
  support::on_targets([] {
    const support::Place place(reference::Lattice({2, 4, 6, 8}), make_single_communicator());
    for (const double strange : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
      for (const Precision by : {Precision::double_, Precision::single}) {
        ColorSpinorField wide = support::native_spinors(place, by, -1);
        ColorSpinorField half = support::native_spinors(place, Precision::half, -1);
        auto numbers = some_numbers(24 * place.part.local.volume());
        numbers[24 * 5 + 7] = strange;
        support::set_from_host(wide, numbers);
        half = wide;
        const auto kept = support::host_array(half);
        for (std::size_t i = 0; i < kept.size(); i++) ASSERT_EQ(std::isnan(kept[i]), i / 24 == 5) << i;
      }
  });
}

TEST(SpinorCopy, BasesRotateAsTheirGammasDo)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::Spinors psi = reference::random_spinors(lattice, 6);
    for (const reference::Basis basis : reference::all_bases) {
      ColorSpinorField field = support::native_spinors(place, Precision::double_, -1);
      auto host = reference::to_host<double>(psi, lattice, place.part);
      const auto before = host;
      ColorSpinorParam param = field.param();
      param.order = DiracOrder::dirac;
      param.basis = static_cast<GammaBasis>(basis);
      param.location = Location::host;
      param.create = Create::reference;
      param.data = host.data();
      ColorSpinorField foreign(param);
      field = foreign;
      const reference::SpinMatrix rotation = reference::basis_rotation(basis, reference::Basis::degrand_rossi);
      reference::Spinors turned = psi;
      for (auto &s : turned) s = (rotation * s).eval();
      EXPECT_LE(reference::deviation(reference::from_host<double>(support::host_array(field), true), turned), 1e-15);
      foreign = field;
      const bool exact = basis == reference::Basis::degrand_rossi || basis == reference::Basis::chiral;
      for (std::size_t i = 0; i < host.size(); i++) ASSERT_NEAR(host[i], before[i], exact ? 0 : 1e-15);
    }
  });
}

TEST(SpinorCopy, LatticesOfSeveralShapesLiveAtOnce)
{
  support::on_targets([] {
    std::vector<ColorSpinorField> fields;
    std::vector<std::vector<double>> numbers;
    for (const reference::Coords shape : {reference::Coords {8, 8, 8, 16}, {6, 6, 6, 6}, {4, 4, 4, 4}}) {
      const support::Place place(reference::Lattice(shape), make_single_communicator());
      fields.push_back(support::native_spinors(place, Precision::double_, -1));
      numbers.push_back(some_numbers(24 * place.part.local.volume()));
      support::set_from_host(fields.back(), numbers.back());
    }
    for (std::size_t i = 0; i < fields.size(); i++) EXPECT_EQ(support::host_array(fields[i]), numbers[i]);
  });
}
