#include "solvers/deflation.h"

#include <algorithm>

#include "core/built.h"
#include "core/error.h"
#include "core/log.h"
#include "ops/blas/block.h"

namespace quda
{

namespace
{

  constexpr int together = 16; // vectors in the precision of the solve at a time

} // namespace

EigenReport DeflationSpace::find(const LinearOperator &H, const LinearOperator &inner, const EigenOptions &options,
                                 Precision kept, const std::string &of)
{
  clear();
  EigenSolver solver(H, inner, options);
  EigenReport report = solver.solve();
  ColorSpinorParam shape = H.shape(options.pairs);
  shape.precision = at_least(kept);
  vectors_ = std::make_unique<ColorSpinorField>(shape);
  for (int i = 0; i < options.pairs; i++) {
    ColorSpinorField to = vectors_->columns(i, 1);
    blas::block::convert(to, solver.vector(i));
  }
  of_ = of;
  project(H);
  use(size());
  return report;
}

void DeflationSpace::project(const LinearOperator &H)
{
  const int n = size();
  precision_ = H.precision();
  const bool as_they_are = vectors_->precision() == precision_;
  const int most = std::min(n, together);
  ColorSpinorField left(H.shape(most)), right(H.shape(most)), product(H.shape(most));
  blas::Matrix all(n, n);
  for (int j = 0; j < n; j += together) {
    const int columns = std::min(n - j, together);
    ColorSpinorField v = right.columns(0, columns), Hv = product.columns(0, columns);
    blas::block::convert(v, vectors_->columns(j, columns));
    H(Hv, v);
    for (int i = j; i < n;) {
      const int rows = as_they_are ? n - i : std::min(n - i, together);
      if (!as_they_are) {
        ColorSpinorField w = left.columns(0, rows);
        blas::block::convert(w, vectors_->columns(i, rows));
      }
      const blas::Matrix some =
          blas::block::gram_rhs(as_they_are ? vectors_->columns(i, rows) : left.columns(0, rows), Hv);
      for (int k = 0; k < rows; k++)
        for (int l = 0; l < columns; l++) all(i + k, j + l) = some(k, l);
      i += rows;
    }
  }
  projected_ = std::move(all);
  if (factor_.size() > 0) use(factor_.size());
}

void DeflationSpace::use(int n)
{
  if (n < 1 || n > size())
    fail(ErrorKind::bad_argument, text("DeflationSpace::use: n = %d; allowed: 1 to %d", n, size()));
  factor_ = GramFactor(projected_, n, dependent(precision_));
}

void DeflationSpace::correct(ColorSpinorField &x, const ColorSpinorField &s)
{
  const int n = used(), systems = s.rhs();
  const ColorSpinorField V = vectors_->columns(0, n);
  const ColorSpinorField *source = &s;
  ColorSpinorParam shape = s.param();
  shape.precision = V.precision();
  if (shape.precision != s.precision()) {
    source_.prepare(shape);
    blas::block::convert(*source_, s);
    source = &*source_;
  }
  const blas::Matrix h = blas::block::gram_rhs(V, *source);
  blas::Matrix c(n, systems);
  for (int j = 0; j < systems; j++) {
    std::vector<blas::Complex> one;
    for (int k = 0; k < n; k++) one.push_back(h(k, j));
    one = factor_.solve(std::move(one));
    for (int k = 0; k < n; k++) c(k, j) = one[static_cast<std::size_t>(k)];
  }
  change_.prepare(shape);
  blas::zero(*change_);
  blas::block::multiply_add(*change_, V, c);
  blas::block::axpy_mixed(1.0, *change_, x);
}

} // namespace quda
