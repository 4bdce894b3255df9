#include "solvers/chronology.h"

#include "core/built.h"
#include "core/log.h"
#include "ops/blas/block.h"
#include "solvers/scale.h"

namespace quda
{

namespace
{

  constexpr double negligible = 1e-12; // part of |v|^2 below which a vector counts as a sum of those before it

  using Fields = std::vector<std::unique_ptr<ColorSpinorField>>;

  /// The first n as a list.
  std::vector<const ColorSpinorField *> first(const Fields &fields, std::size_t n)
  {
    std::vector<const ColorSpinorField *> list;
    for (std::size_t k = 0; k < n; k++) list.push_back(fields[k].get());
    return list;
  }

  ColorSpinorField &add_to(Fields &fields, const ColorSpinorParam &shape)
  {
    return *fields.emplace_back(std::make_unique<ColorSpinorField>(shape));
  }

} // namespace

/// Makes the pairs v, A v orthonormal in the sense <l_i, A v_k> = delta_ik one after the other, so that each adds
/// its share to x and subtracts it from the residual.
void Chronology::extrapolate(ColorSpinorField &x, const ColorSpinorField &b, const LinearOperator &A) const
{
  const ColorSpinorParam shape = A.shape(b.rhs());
  const auto n = static_cast<std::size_t>(b.rhs());
  const bool positive = A.symmetry() == Symmetry::positive;
  blas::zero(x);
  std::vector<double> scale = blas::block::amax(b), inverse(n);
  for (std::size_t j = 0; j < n; j++) {
    if (!std::isfinite(scale[j])) return; // the solver will report it
    scale[j] = power_above(scale[j]);
    inverse[j] = 1 / scale[j];
  }
  ColorSpinorField r(shape);
  blas::block::convert(r, b, inverse);
  const std::vector<double> before = blas::block::norm2(r);
  std::vector<double> after = before;
  Fields directions, products;
  for (const auto &solution : solutions_) {
    const std::size_t k = directions.size();
    ColorSpinorField &v = add_to(directions, shape), &q = add_to(products, shape);
    const Fields &left = positive ? directions : products;
    inverse = blas::block::amax(*solution);
    for (double &one : inverse) one = 1 / power_above(one);
    blas::block::convert(v, *solution, inverse);
    A(q, v);
    const std::vector<double> whole = blas::block::redot(*left[k], q);
    for (int pass = 0; pass < 2 && k > 0; pass++) { // a small remainder is orthogonal only after the second pass
      const ColorSpinorField *const itself[] = {&q};
      const std::vector<blas::Matrix> along = blas::block::gram(first(left, k), itself);
      blas::Matrix minus(static_cast<int>(k), static_cast<int>(n));
      for (std::size_t j = 0; j < n; j++)
        for (int i = 0; i < static_cast<int>(k); i++) minus(i, static_cast<int>(j)) = -along[j](i, 0);
      blas::block::axpy_many(minus, first(products, k), q);
      blas::block::axpy_many(minus, first(directions, k), v);
    }
    const std::vector<double> rest = blas::block::redot(*left[k], q);
    for (std::size_t j = 0; j < n; j++) inverse[j] = rest[j] > negligible * whole[j] ? 1 / std::sqrt(rest[j]) : 0;
    blas::ax(inverse, v);
    blas::ax(inverse, q);
    std::vector<blas::Complex> share = blas::block::cdot(*left[k], r);
    blas::caxpy(share, v, x);
    for (blas::Complex &one : share) one = -one;
    after = blas::block::caxpyNorm(share, q, r);
  }
  for (std::size_t j = 0; j < n; j++) {
    if (after[j] <= before[j]) continue;
    ColorSpinorField worthless = x.columns(static_cast<int>(j), 1);
    blas::zero(worthless);
    after[j] = before[j];
  }
  blas::ax(scale, x);
  for (std::size_t j = 0; j < n; j++)
    print(Verbosity::verbose, "Chronology: right-hand side %zu, %d solutions stored, |r|/|b| of the guess = %9.6e\n", j,
          size(), before[j] > 0 ? std::sqrt(after[j] / before[j]) : 0.0);
}

void Chronology::remember(const ColorSpinorField &x, Precision precision, int most, bool replace_newest)
{
  ColorSpinorParam shape = x.param();
  shape.precision = at_least(precision);
  auto copy = std::make_unique<ColorSpinorField>(shape);
  blas::block::convert(*copy, x);
  if (replace_newest && !solutions_.empty())
    solutions_.front() = std::move(copy);
  else
    solutions_.insert(solutions_.begin(), std::move(copy));
  if (size() > most) solutions_.resize(static_cast<std::size_t>(most));
}

} // namespace quda
