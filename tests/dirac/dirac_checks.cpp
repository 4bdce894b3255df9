#include "dirac_checks.h"

#include <cmath>
#include <vector>

#include "ops/blas/blas.h"
#include "reference/dirac/covariant.h"
#include "reference/random.h"
#include "support/entries.h"

namespace dirac_test
{

ColorSpinorField random_field(const quda::ColorSpinorParam &shape, const support::Place &place, std::uint64_t seed)
{
  ColorSpinorField field(shape);
  for (int n = 0; n < shape.rhs; n++) {
    quda::ColorSpinorParam one = shape;
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

ColorSpinorField column(const ColorSpinorField &field, int n)
{
  quda::ColorSpinorParam one = field.param();
  one.rhs = 1;
  ColorSpinorField own(one);
  own = field.columns(n, 1);
  return own;
}

double deviation(const ColorSpinorField &a, const ColorSpinorField &b)
{
  ColorSpinorField difference(b.param());
  quda::blas::axpbyz(1, a, -1, b, difference);
  return norm(difference) / norm(b);
}

void expect_adjoint(const LinearOperator &A, const support::Place &place)
{
  const ColorSpinorField x = random_field(A.shape(1), place, 3), y = random_field(A.shape(1), place, 4);
  ColorSpinorField Ax(A.shape(1)), Ady(A.shape(1));
  A(Ax, x);
  A(Ady, y, true);
  const auto yAx = quda::blas::cdot(y, Ax), xAdy = quda::blas::cdot(x, Ady);
  EXPECT_LE(std::abs(yAx - std::conj(xAdy)), rounding(A.precision()) * norm(x) * norm(y));
  if (A.symmetry() == quda::Symmetry::general) return;
  EXPECT_LE(deviation(Ady,
                      [&] {
                        ColorSpinorField Ay(A.shape(1));
                        A(Ay, y);
                        return Ay;
                      }()),
            rounding(A.precision()));
  if (A.symmetry() != quda::Symmetry::positive) return;
  EXPECT_GT(quda::blas::cdot(x, Ax).real(), 0);
}

void expect_factor(const LinearOperator &A, const support::Place &place)
{
  const quda::Factor factor = A.factor();
  ASSERT_NE(factor.R, nullptr);
  const ColorSpinorField p = random_field(A.shape(1), place, 5);
  ColorSpinorField Ap(A.shape(1)), Rp(factor.R->shape(1));
  A(Ap, p);
  (*factor.R)(Rp, p);
  const double expected = quda::blas::norm2(Rp) + factor.sigma[0] * quda::blas::norm2(p);
  EXPECT_NEAR(quda::blas::cdot(p, Ap).real(), expected, rounding(A.precision()) * std::abs(expected));
}

void expect_epilogues(const LinearOperator &A, const support::Place &place, int rhs)
{
  const quda::ColorSpinorParam shape = A.shape(rhs);
  const double bar = rounding(A.precision());
  const ColorSpinorField in = random_field(shape, place, 10), other = random_field(shape, place, 20),
                         third = random_field(shape, place, 30);
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
  for (const bool dagger : {false, true})
    for (const From x : {From::nothing, From::another, From::in, From::out})
      for (const From y : {From::nothing, From::another, From::in})
        for (const bool listed : {false, true})
          for (const bool sums : {false, true}) {
            SCOPED_TRACE(testing::Message() << "dagger " << dagger << " x " << static_cast<int>(x) << " y "
                                            << static_cast<int>(y) << " listed " << listed << " sums " << sums);
            ColorSpinorField out(shape);
            out = other;
            Apply call {.out = out, .in = in, .dagger = dagger};
            quda::Epilogue &end = call.end;
            end.x = x == From::nothing ? nullptr : x == From::another ? &other : x == From::in ? &in : &out;
            end.y = y == From::nothing ? nullptr : y == From::another ? &third : &in;
            if (listed) end.a = a, end.b = b, end.c = c;
            if (sums) end.dot_with = &third, end.norm = true, end.change = end.x != nullptr;
            Sums got;
            A.apply(call, &got);

            for (int j = 0; j < rhs; j++) {
              const auto coefficient = [&](const std::vector<double> &list) { return listed ? list[j] : 1; };
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
              if (!end.x) continue;
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

void expect_even_odd(const Dirac &dirac, const support::Place &place, int rhs, bool has_local)
{
  const auto M = dirac.full();
  const double bar = rounding(M->precision());
  for (const MatPC matpc : all_matpc)
    for (const bool dagger : {false, true}) {
      SCOPED_TRACE(testing::Message() << "matpc " << static_cast<int>(matpc) << " dagger " << dagger);
      const int parity = quda::parity_of(matpc);
      const auto Mpc = dirac.schur(matpc);
      const ColorSpinorField x = random_field(M->shape(rhs), place, 40);
      ColorSpinorField b(M->shape(rhs)), source(Mpc->shape(rhs)), product(Mpc->shape(rhs)), x_t(Mpc->shape(rhs));
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
