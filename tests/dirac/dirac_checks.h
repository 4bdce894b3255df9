#pragma once
/// Identities of linear operators and of even-odd forms, on fields of any lattice and ranks; each ends in expectations.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "dirac/make_dirac.h"
#include "ops/blas/blas.h"
#include "reference/dirac/covariant.h"
#include "reference/random.h"
#include "support/entries.h"
#include "tune/tune_cache.h"

namespace dirac_test
{

using quda::Apply;
using quda::ColorSpinorField;
using quda::ColorSpinorParam;
using quda::Dirac;
using quda::LinearOperator;
using quda::MatPC;
using quda::Precision;
using quda::Sums;

constexpr MatPC all_matpc[] = {MatPC::even_even, MatPC::odd_odd, MatPC::even_even_asymmetric,
                               MatPC::odd_odd_asymmetric};

inline double rounding(Precision precision) { return precision == Precision::double_ ? 2e-13 : 2e-5; }
/// The same for numbers that an operator makes; those of a coarse one are held to half of it.
inline double rounding(const LinearOperator &A)
{
  return rounding(A.precision()) / (A.shape(1).lattice->lanes_are_rows() ? 2 : 1);
}

/// Random numbers, the same for every grid; right-hand side n begins with seed + n.
inline ColorSpinorField random_field(const ColorSpinorParam &shape, const support::Place &place, std::uint64_t seed)
{
  ColorSpinorField field(shape);
  for (int n = 0; n < shape.rhs; n++) {
    ColorSpinorParam one = shape;
    one.rhs = 1;
    ColorSpinorField column(one);
    std::vector<reference::Spinors> layers;
    for (int i = 0; i < shape.fifth * shape.flavours; i++)
      layers.push_back(reference::random_spinors(place.global, seed + n + 1000 * i));
    if (shape.spins == 4)
      support::set_entries(column, place, layers);
    else
      support::set_from_host(column,
                             reference::to_host<double, 1>(reference::spins_of<1>(layers[0]), place.global, place.part,
                                                           field.parities() == 2 ? -1 : field.parity()));
    field.columns(n, 1) = column;
  }
  field.mark_written();
  return field;
}

/// Where the random numbers of a check come from: a place, or another function of a shape and a seed.
struct Random {
  Random(const support::Place &place)
      : field([&place](const ColorSpinorParam &shape, std::uint64_t seed) { return random_field(shape, place, seed); })
  {
  }
  explicit Random(std::function<ColorSpinorField(const ColorSpinorParam &, std::uint64_t)> field)
      : field(std::move(field))
  {
  }
  std::function<ColorSpinorField(const ColorSpinorParam &, std::uint64_t)> field;
};

/// Right-hand side n as a field of its own.
inline ColorSpinorField column(const ColorSpinorField &field, int n)
{
  ColorSpinorParam one = field.param();
  one.rhs = 1;
  ColorSpinorField own(one);
  own = field.columns(n, 1);
  return own;
}

inline double norm(const ColorSpinorField &x) { return std::sqrt(quda::blas::norm2(x)); }

/// |a - b| / |b|, over all right-hand sides.
inline double deviation(const ColorSpinorField &a, const ColorSpinorField &b)
{
  ColorSpinorField difference(b.param());
  quda::blas::axpbyz(1, a, -1, b, difference);
  return norm(difference) / norm(b);
}

/// <y, A x> = conj <x, A^dag y>; real and positive where the operator says so.
inline void expect_adjoint(const LinearOperator &A, const Random &random)
{
  const ColorSpinorField x = random.field(A.shape(1), 3), y = random.field(A.shape(1), 4);
  ColorSpinorField Ax(A.shape(1)), Ady(A.shape(1)), Ay(A.shape(1));
  A(Ax, x);
  A(Ady, y, true);
  const auto yAx = quda::blas::cdot(y, Ax), xAdy = quda::blas::cdot(x, Ady);
  EXPECT_LE(std::abs(yAx - std::conj(xAdy)), rounding(A) * norm(x) * norm(y));
  if (A.symmetry() == quda::Symmetry::general) return;
  A(Ay, y);
  EXPECT_LE(deviation(Ady, Ay), rounding(A));
  if (A.symmetry() != quda::Symmetry::positive) return;
  EXPECT_GT(quda::blas::cdot(x, Ax).real(), 0);
}

/// <p, A p> = |R p|^2 + sigma |p|^2.
inline void expect_factor(const LinearOperator &A, const Random &random)
{
  const quda::Factor factor = A.factor();
  ASSERT_NE(factor.R, nullptr);
  const ColorSpinorField p = random.field(A.shape(1), 5);
  ColorSpinorField Ap(A.shape(1)), Rp(factor.R->shape(1));
  A(Ap, p);
  (*factor.R)(Rp, p);
  const double expected = quda::blas::norm2(Rp) + factor.sigma[0] * quda::blas::norm2(p);
  EXPECT_NEAR(quda::blas::cdot(p, Ap).real(), expected, rounding(A) * std::abs(expected));
}

/// Right-hand sides together, and a range of them, are what they are alone, to the bit.
inline void expect_columns_alone(const LinearOperator &A, const Random &random, int rhs = 5)
{
  const ColorSpinorField x = random.field(A.shape(rhs), 7);
  ColorSpinorField together(A.shape(rhs)), some(A.shape(rhs)), alone(A.shape(1));
  for (const bool dagger : {false, true}) {
    A(together, x, dagger);
    quda::blas::zero(some);
    ColorSpinorField range = some.columns(1, 3);
    A(range, x.columns(1, 3), dagger);
    for (int n = 0; n < rhs; n++) {
      A(alone, column(x, n), dagger);
      EXPECT_EQ(deviation(column(together, n), alone), 0) << n << " dagger " << dagger;
      if (n >= 1 && n <= 3)
        EXPECT_EQ(deviation(column(some, n), alone), 0) << n << " dagger " << dagger;
      else
        EXPECT_EQ(norm(column(some, n)), 0) << n << " dagger " << dagger;
    }
  }
}

/// What is forced upon launches leaves no trace in the field that run() gives.
template <class Run>
void expect_no_trace(const quda::Lattice &lattice, std::initializer_list<const char *> forces, const Run &run)
{
  std::vector<double> first;
  for (const char *force : forces) {
    setenv("QUDA_TUNE_FORCE", force, 1);
    quda::load_tune_cache(lattice.communicator());
    const std::vector<double> numbers = support::host_array(run());
    if (first.empty()) first = numbers;
    EXPECT_EQ(numbers, first) << force;
  }
  unsetenv("QUDA_TUNE_FORCE");
  quda::load_tune_cache(lattice.communicator());
}

/// out = a x + b A in + c y and its sums, in all ways of asking, against one product and linear algebra here.
inline void expect_epilogues(const LinearOperator &A, const Random &random, int rhs)
{
  const ColorSpinorParam shape = A.shape(rhs);
  const double bar = rounding(A);
  const ColorSpinorField in = random.field(shape, 10), other = random.field(shape, 20), third = random.field(shape, 30);
  ColorSpinorField in_before(shape), other_before(shape), third_before(shape);
  in_before = in;
  other_before = other;
  third_before = third;
  std::vector<double> a, b, c;
  for (int j = 0; j < rhs; j++) {
    a.push_back(0.5 + j);
    b.push_back(-1.25 + 0.5 * j);
    c.push_back(2 - 0.25 * j);
  }
  enum class From { nothing, another, in, out };
  enum class Given { nothing, one, list };
  for (const bool dagger : {false, true})
    for (const From x : {From::nothing, From::another, From::in, From::out})
      for (const From y : {From::nothing, From::another, From::in})
        for (const Given given : {Given::nothing, Given::one, Given::list})
          for (const bool all : {false, true}) { // the sums, or none; of one number all, or all but the change
            const bool sums = all || given == Given::one;
            SCOPED_TRACE(testing::Message()
                         << "dagger " << dagger << " x " << static_cast<int>(x) << " y " << static_cast<int>(y)
                         << " coefficients " << static_cast<int>(given) << " sums " << sums << all);
            ColorSpinorField out(shape);
            out = other;
            Apply call {.out = out, .in = in, .dagger = dagger};
            quda::Epilogue &end = call.end;
            end.x = x == From::nothing ? nullptr : x == From::another ? &other : x == From::in ? &in : &out;
            end.y = y == From::nothing ? nullptr : y == From::another ? &third : &in;
            if (given == Given::one) end.a = a[0], end.b = b[0], end.c = c[0];
            if (given == Given::list) end.a = a, end.b = b, end.c = c;
            if (sums) end.dot_with = &third, end.norm = true, end.change = all && end.x;
            Sums got;
            A.apply(call, &got);

            for (int j = 0; j < rhs; j++) {
              const auto coefficient = [&](const std::vector<double> &list) {
                return given == Given::nothing ? 1 : list[given == Given::one ? 0 : j];
              };
              const ColorSpinorField v = column(in, j);
              ColorSpinorField expected(A.shape(1));
              A(expected, v, dagger);
              quda::blas::ax(coefficient(b), expected);
              const ColorSpinorField x_j = column(x == From::in ? in : other, j);
              if (end.x) quda::blas::axpy(coefficient(a), x_j, expected);
              if (end.y) quda::blas::axpy(coefficient(c), column(*end.y, j), expected);
              const ColorSpinorField result = column(out, j);
              EXPECT_LE(deviation(result, expected), bar) << j;
              if (!sums) continue;
              ASSERT_EQ(got.norm.size(), static_cast<std::size_t>(rhs));
              ASSERT_EQ(got.dot.size(), static_cast<std::size_t>(rhs));
              const double size = quda::blas::norm2(expected);
              EXPECT_NEAR(got.norm[j], size, bar * size) << j;
              EXPECT_EQ(got.norm[j], quda::blas::norm2(result)) << j;
              const ColorSpinorField w = column(third, j);
              EXPECT_LE(std::abs(got.dot[j] - quda::blas::cdot(w, expected)), bar * norm(w) * norm(expected)) << j;
              EXPECT_EQ(got.dot[j], quda::blas::cdot(w, result)) << j;
              if (!end.change) continue;
              ASSERT_EQ(got.change.size(), static_cast<std::size_t>(rhs));
              EXPECT_NEAR(got.change[j], size - coefficient(a) * quda::blas::redot(expected, x_j),
                          bar * (size + norm(x_j) * norm(expected)))
                  << j;
            }
            // what is only read
            EXPECT_EQ(deviation(in, in_before), 0);
            EXPECT_EQ(deviation(other, other_before), 0);
            EXPECT_EQ(deviation(third, third_before), 0);
          }
}

/// With b = M x: M_pc x_t is what prepare() makes of b, x_t what prepare_guess() makes of x, and reconstruct() makes x of
/// x_t and b. has_local: A is not the mass alone.
inline void expect_even_odd(const Dirac &dirac, const Random &random, int rhs, bool has_local = true)
{
  const auto M = dirac.full();
  const double bar = rounding(*M);
  for (const MatPC matpc : all_matpc)
    for (const bool dagger : {false, true}) {
      SCOPED_TRACE(testing::Message() << "matpc " << static_cast<int>(matpc) << " dagger " << dagger);
      const int parity = quda::parity_of(matpc);
      const auto Mpc = dirac.schur(matpc);
      const ColorSpinorField x = random.field(M->shape(rhs), 40);
      ColorSpinorField b(M->shape(rhs)), source(Mpc->shape(rhs)), product(Mpc->shape(rhs)), x_t(Mpc->shape(rhs)),
          guess(Mpc->shape(rhs));
      (*M)(b, x, dagger);
      dirac.prepare(source, b, matpc, dagger);
      x_t = x.half(parity);
      if (symmetric(matpc) && dagger && has_local) { // A_t x_t: the hop leads away from a field on that parity
        ColorSpinorField alone(M->shape(rhs)), Ax(M->shape(rhs));
        quda::blas::zero(alone);
        alone.half(parity) = x_t;
        (*M)(Ax, alone, dagger);
        x_t = Ax.half(parity);
      }
      (*Mpc)(product, x_t, dagger);
      EXPECT_LE(deviation(product, source), bar);
      guess = x.half(parity);
      dirac.prepare_guess(guess, matpc, dagger);
      EXPECT_LE(deviation(guess, x_t), bar);

      ColorSpinorField solution(M->shape(rhs));
      solution.half(parity) = x_t;
      dirac.reconstruct(solution, b, matpc, dagger);
      EXPECT_LE(deviation(solution, x), bar);

      ColorSpinorField in_place(M->shape(rhs)); // the source takes the place of that half of b
      in_place = b;
      ColorSpinorField half = in_place.half(parity);
      dirac.prepare(half, in_place, matpc, dagger);
      x_t = half;
      EXPECT_EQ(deviation(x_t, source), 0);
    }
}

} // namespace dirac_test
