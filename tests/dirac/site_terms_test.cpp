/// Terms of operators that stay on a site: the twisted-mass term and matrices in the fifth dimension, against the plain
/// reference; entries of the fields that they leave apart; the same bits on every target.

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "dirac/site_terms_table.h"
#include "ops/dirac/fifth.h"
#include "ops/dirac/twist.h"
#include "reference/dirac/fifth.h"
#include "reference/dirac/twist.h"
#include "reference/random.h"
#include "support/entries.h"
#include "support/untuned.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(SiteTermsTable, site_terms)

namespace
{

  using reference::SpinMatrix;
  using reference::Spinors;

  constexpr Precision precisions[] = {Precision::double_, Precision::single, Precision::half};
  double allowed(Precision precision)
  {
    return precision == Precision::double_ ? 1e-13 : precision == Precision::single ? 5e-6 : 1e-3;
  }

  /// Entries (rhs, s, flavour) of a field, each on the slots of its parities.
  struct Shape {
    int rhs, fifth, flavours;
    int entries() const { return rhs * fifth * flavours; }
    int entry(int n, int s, int f) const { return (n * fifth + s) * flavours + f; }
  };
  using AllSpinors = std::vector<Spinors>;

  AllSpinors numbers(const reference::Lattice &lattice, const Shape &shape)
  {
    AllSpinors all;
    for (int i = 0; i < shape.entries(); i++) all.push_back(reference::random_spinors(lattice, 40 + i));
    return all;
  }

  ColorSpinorField native(const support::Place &place, Precision precision, const Shape &shape, int parity)
  {
    ColorSpinorParam param = support::native_spinors(place, precision, parity, shape.rhs).param();
    param.fifth = shape.fifth;
    param.flavours = shape.flavours;
    return ColorSpinorField(param);
  }

  AllSpinors twisted(AllSpinors all, const Shape &shape, const TwistTerm &term)
  {
    for (int n = 0; n < shape.rhs; n++)
      for (int s = 0; s < shape.fifth; s++) {
        Spinors &up = all[shape.entry(n, s, 0)];
        if (shape.flavours == 1) {
          up = reference::twist(up, term.a);
        } else {
          Spinors &down = all[shape.entry(n, s, 1)];
          const reference::Doublet out = reference::twist(reference::Doublet {up, down}, term.a, term.b);
          up = out[0];
          down = out[1];
        }
      }
    for (Spinors &psi : all)
      for (auto &v : psi) v *= term.scale;
    return all;
  }

  AllSpinors times(const reference::FifthMatrix &M, AllSpinors all, const Shape &shape)
  {
    for (int n = 0; n < shape.rhs; n++)
      for (int f = 0; f < shape.flavours; f++) {
        reference::Slices slices;
        for (int s = 0; s < shape.fifth; s++) slices.push_back(all[shape.entry(n, s, f)]);
        slices = reference::times(M, slices);
        for (int s = 0; s < shape.fifth; s++) all[shape.entry(n, s, f)] = slices[s];
      }
    return all;
  }

  /// Bits are to be those of the first target.
  class SameBits
  {
  public:
    void add(const ColorSpinorField &field)
    {
      const auto host = support::host_array(field);
      now_.insert(now_.end(), host.begin(), host.end());
    }
    void end_of_target()
    {
      if (first_.empty()) first_ = now_;
      EXPECT_TRUE(first_ == now_) << "other bits than on the first target";
      now_.clear();
    }

  private:
    std::vector<double> first_, now_;
  };

  /// expected(all): what `apply` is to make of them. Out of place and in place.
  template <class Apply, class Expected> void check(const reference::Lattice &lattice, const Shape &shape,
                                                    Precision precision, int parity, SameBits &bits, const Apply &apply,
                                                    const Expected &expected)
  {
    SCOPED_TRACE(testing::Message() << "precision " << bytes_of(precision) << ", parity " << parity << ", " << shape.rhs
                                    << " x " << shape.fifth << " x " << shape.flavours);
    const support::Place place(lattice, make_single_communicator());
    AllSpinors all = numbers(lattice, shape);
    ColorSpinorField in = native(place, precision, shape, parity), out(in.param());
    support::set_entries(in, place, all);
    if (parity >= 0)
      for (Spinors &psi : all) psi = reference::half_of(psi, parity);
    const AllSpinors right = expected(all);
    apply(out, in);
    EXPECT_LE(support::deviation(support::entries_of(out), right), allowed(precision));
    bits.add(out);
    apply(in, in);
    EXPECT_TRUE(support::host_array(in) == support::host_array(out)) << "other numbers in place";
  }

} // namespace

TEST(Twist, AgreesWithTheReference)
{
  SameBits bits;
  support::on_targets([&] {
    const reference::Lattice lattice({2, 4, 6, 4});
    for (const Shape &shape : {Shape {1, 1, 2}, {3, 1, 2}, {2, 3, 2}, {1, 1, 1}, {2, 3, 1}})
      for (const Precision precision : precisions)
        for (const int parity : {-1, 0, 1}) {
          const TwistTerm term = {0.7, 0.9, shape.flavours == 2 ? -0.4 : 0};
          for (const TwistTerm &t : {term, term.adjoint(), term.inverse()})
            check(
                lattice, shape, precision, parity, bits, [&](auto &out, const auto &in) { apply_twist(out, in, t); },
                [&](const AllSpinors &all) { return twisted(all, shape, t); });
        }
    bits.end_of_target();
  });
}

/// out + term in, with and without what is proportional to in.
TEST(Twist, Added)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 2, 4});
    const support::Place place(lattice, make_single_communicator());
    for (const Shape &shape : {Shape {2, 1, 2}, {2, 1, 1}})
      for (const Precision precision : precisions)
        for (const double one : {1.0, 0.0}) {
          TwistTerm term = {0.7, 0.9, shape.flavours == 2 ? -0.4 : 0};
          const AllSpinors all = numbers(lattice, shape);
          AllSpinors right = twisted(all, shape, term);
          for (std::size_t k = 0; k < all.size(); k++)
            for (std::size_t i = 0; i < all[k].size(); i++)
              right[k][i] += -(1 + (1 - one) * term.scale) * all[k][i]; // out is -in at first
          term.one = one;
          ColorSpinorField in = native(place, precision, shape, -1), out(in.param());
          AllSpinors opposite = all;
          for (Spinors &psi : opposite)
            for (auto &v : psi) v *= -1;
          support::set_entries(in, place, all);
          support::set_entries(out, place, opposite);
          add_twist(out, in, term);
          EXPECT_LE(support::deviation(support::entries_of(out), right), allowed(precision));
          EXPECT_THROW(add_twist(in, in, term), Error);
        }
  });
}

/// By hand at one site: flavour 0 gets +i a gamma5, flavour 1 -i a gamma5, both b times the other.
TEST(Twist, Signs)
{
  const reference::Doublet one = {Spinors(1, reference::Spinor::Zero()), Spinors(1, reference::Spinor::Zero())};
  for (int f = 0; f < 2; f++)
    for (int s = 0; s < 4; s++) {
      reference::Doublet in = one;
      in[f][0](s, 1) = 1;
      const reference::Doublet out = reference::twist(in, 0.5, -0.25);
      EXPECT_EQ(out[f][0](s, 1), reference::Complex(1, (s < 2) == (f == 0) ? 0.5 : -0.5));
      EXPECT_EQ(out[1 - f][0](s, 1), reference::Complex(-0.25));
    }
}

TEST(Twist, InverseUndoesIt)
{
  const reference::Lattice lattice({2, 2, 2, 4});
  const Shape shape = {1, 1, 2};
  const TwistTerm term = {1.5, 0.8, 0.6};
  const AllSpinors all = numbers(lattice, shape);
  EXPECT_LE(support::deviation(twisted(twisted(all, shape, term), shape, term.inverse()), all), 1e-14);
  EXPECT_THROW((TwistTerm {1, 0.1, 1.2}.inverse()), Error);
}

/// a + b T of a number a layer, with a column or without; its inverse, and both after one another.
TEST(Fifth, AgreesWithTheReference)
{
  constexpr double mass = 0.3;
  SameBits bits;
  support::on_targets([&] {
    const reference::Lattice lattice({2, 2, 2, 4}), longer({2, 4, 6, 2});
    for (const int Ls : {1, 2, 5, 16})
      for (const Precision precision : precisions)
        for (const bool complex : {false, true})
          for (const bool dagger : {false, true}) {
            if (complex && precision != Precision::double_) continue;
            const auto numbers = [&](double first, double step, double imaginary) {
              FifthMatrix::Numbers all;
              for (int s = 0; s < Ls; s++) all.emplace_back(first + step * s, complex ? imaginary : 0);
              return all;
            };
            const FifthMatrix::Numbers a = numbers(1.1, 0.01, 0.2), b = numbers(-0.6, 0.02, -0.1),
                                       u = numbers(0.3, -0.01, 0.05);
            FifthMatrix plain(a, b, mass), matrix = plain.with_column(Chirality::plus, u), inverse = matrix.inverse(),
                                           both = plain.after(inverse);
            reference::FifthMatrix A = reference::FifthMatrix::Zero(4 * Ls, 4 * Ls), M = A;
            const reference::FifthMatrix T = reference::fifth_matrix(Ls, 0, 1, mass, false);
            for (int s = 0; s < Ls; s++) {
              A.middleRows<4>(4 * s) = b[s] * T.middleRows<4>(4 * s);
              A.block<4, 4>(4 * s, 4 * s) += a[s] * SpinMatrix::Identity();
            }
            M = A;
            for (int s = 0; s < Ls; s++)
              for (int k = 0; k < 2; k++) M(4 * s + k, 4 * (Ls - 1) + k) += u[s];
            reference::FifthMatrix R = M.inverse(), AR = A * R;
            if (dagger) {
              for (FifthMatrix *one : {&plain, &matrix, &inverse, &both}) *one = one->adjoint();
              for (reference::FifthMatrix *one : {&A, &M, &R, &AR}) one->adjointInPlace();
            }
            const std::pair<const FifthMatrix *, const reference::FifthMatrix *> pairs[] = {
                {&plain, &A}, {&matrix, &M}, {&inverse, &R}, {&both, &AR}};
            for (const auto &[one, expected] : pairs)
              for (const Shape &shape : {Shape {1, Ls, 1}, {2, Ls, 2}})
                check(
                    lattice, shape, precision, shape.rhs - 2, bits,
                    [&](auto &out, const auto &in) { apply_fifth(out, in, *one); },
                    [&](const AllSpinors &all) { return times(*expected, all, shape); });
          }
    const Shape shape = {1, 4, 1};
    const FifthMatrix T(FifthMatrix::Numbers(4, 0.0), FifthMatrix::Numbers(4, 1.0), mass);
    check(
        longer, shape, Precision::double_, 0, bits, [&](auto &out, const auto &in) { apply_fifth(out, in, T); },
        [&](const AllSpinors &all) { return times(reference::fifth_matrix(4, 0, 1, mass, false), all, shape); });
    bits.end_of_target();
  });
}

TEST(Fifth, WhatCannotBeIsRefused)
{
  const support::Place place(reference::Lattice({2, 2, 2, 4}), make_single_communicator());
  ColorSpinorField field = native(place, Precision::double_, {1, 4, 1}, -1);
  const auto numbers = [](int n, double x) { return FifthMatrix::Numbers(n, x); };
  EXPECT_THROW(FifthMatrix(numbers(0, 1), numbers(0, 1), 0.1), Error);
  EXPECT_THROW(FifthMatrix(numbers(4, 1), numbers(3, 1), 0.1), Error);
  EXPECT_THROW(FifthMatrix(numbers(33, 1), numbers(33, 1), 0.1), Error);
  EXPECT_THROW(apply_fifth(field, field, FifthMatrix(numbers(5, 1), numbers(5, 1), 0.1)), Error);
  const FifthMatrix one_less_T(numbers(4, 1), numbers(4, -1), -1); // T^4 = 1
  EXPECT_THROW(one_less_T.inverse(), Error);
}

/// What the launcher takes is what the kernels' types say: nothing where nothing is shared.
TEST(SiteTerms, SharedMemoryIsThatOfTheType)
{
  support::on_targets([] {
    const int spinor = 24 * 8 * target().width(Precision::double_);
    EXPECT_EQ(site_terms().twist_one(8, 1, 1), 0);
    for (const int x : {1, 7, 8}) {
      EXPECT_EQ(site_terms().twist_two(x, 2, 1), 2 * x * spinor);
      for (const int Ls : {4, 8, 12, 16}) EXPECT_EQ(site_terms().fifth(x, Ls, 1), x * Ls * spinor);
    }
  });
}

} // namespace quda
