#include "solvers/preconditioner.h"

#include <algorithm>
#include <cmath>

#include "core/built.h"
#include "core/error.h"
#include "ops/blas/block.h"
#include "solvers/deflation.h"
#include "solvers/scale.h"

namespace quda
{

namespace
{

  /// Powers of two just above the largest number of each right-hand side, and their inverses.
  struct Sizes {
    std::vector<double> up, down;
    explicit Sizes(const ColorSpinorField &r)
        : up(blas::block::amax(r))
        , down(up.size())
    {
      for (std::size_t j = 0; j < up.size(); j++) {
        up[j] = power_above(up[j]);
        down[j] = 1 / up[j];
      }
    }
  };

} // namespace

InnerIteration::InnerIteration(const LinearOperator &A, const MakeMethod &make, System system, int steps,
                               double tolerance)
    : A_(A)
    , make_(make)
    , system_(system)
    , steps_(steps)
    , tolerance_(tolerance)
    , normal_(seen_by_method(system, A))
    , iteration_(make(normal_ ? *normal_ : A))
{
  check_symmetry(*iteration_, normal_ ? *normal_ : A_);
}

void InnerIteration::deflate(DeflationSpace *space, bool of_error)
{
  low_modes_ = space;
  of_error_ = of_error;
  if (system_ != System::direct) return; // normal matrices leave the span of the modes invariant
  iteration_.reset();
  without_ = space ? std::make_unique<WithoutModes>(A_, *space, of_error) : nullptr;
  iteration_ = make_(space ? *without_ : A_);
}

void InnerIteration::take_low_modes(ColorSpinorField &x, ColorSpinorField &r)
{
  if (!of_error_) return low_modes_->correct_by_images(x, r);
  change_.prepare(A_.shape(r.rhs()));
  blas::zero(*change_);
  low_modes_->correct_adjoint(*change_, r);
  A_.apply({.out = r, .in = *change_, .end = {.x = &r, .b = -1.0}});
  blas::axpy(1.0, *change_, x);
  flops_ += A_.flops(r.rhs());
}

void InnerIteration::apply(ColorSpinorField &z, const ColorSpinorField &r)
{
  const ColorSpinorParam shape = A_.shape(r.rhs());
  const Sizes size(r);
  const bool by_adjoint = system_ == System::normal_residual, by_itself = system_ == System::direct;
  ColorSpinorParam of_corrections = shape;
  if (bytes_of(shape.precision) < 4) of_corrections.precision = next_better(Precision::half);
  r_.prepare(shape);
  z_.prepare(of_corrections);
  if (!by_itself) system_r_.prepare(shape);
  blas::block::convert(*r_, r, size.down);
  if (by_adjoint) A_(*system_r_, *r_, true);
  const auto first = [&]() -> const ColorSpinorField & { return by_adjoint ? *system_r_ : *r_; };
  CycleTarget goal;
  goal.norm.assign(size.up.size(), 0); // never reached: the number of steps ends it
  goal.blind = true;
  if (tolerance_ > 0) {
    goal.norm = blas::block::norm2(first());
    for (double &norm : goal.norm) norm = tolerance_ * std::sqrt(norm);
    goal.all = true;
  }
  goal.steps = steps_;
  if (low_modes_) {
    low_.prepare(shape);
    blas::zero(*low_);
    take_low_modes(*low_, *r_);
    if (by_adjoint) A_(*system_r_, *r_, true);
  }
  iteration_->start(first());
  const CycleResult cycle = iteration_->run(goal);
  blas::zero(*z_);
  iteration_->add_correction_to(*z_);
  steps_done_ += cycle.steps;
  const LinearOperator &seen = normal_ ? *normal_ : without_ ? *without_ : A_;
  flops_ += cycle.steps * iteration_->applications() * seen.flops(r.rhs());
  if (system_ == System::normal_error) {
    blas::block::convert(*r_, *z_);
    A_(*system_r_, *r_, true);
    if (low_modes_) blas::axpy(1.0, *low_, *system_r_);
    return blas::block::convert(z, *system_r_, size.up);
  }
  if (low_modes_) {
    if (by_itself) { // the part of A z that the method has not seen
      A_.apply({.out = *r_, .in = *z_, .end = {.x = &*r_, .b = -1.0}});
      flops_ += A_.flops(r.rhs());
      take_low_modes(*low_, *r_);
    }
    blas::axpy(1.0, *low_, *z_);
  }
  blas::block::convert(z, *z_, size.up);
}

void Schwarz::apply(ColorSpinorField &z, const ColorSpinorField &r)
{
  const ColorSpinorParam shape = A_.shape(r.rhs());
  if (!r_ || r_->rhs() != r.rhs())
    for (auto *field : {&r_, &z_, &rest_, &change_}) *field = std::make_unique<ColorSpinorField>(shape);
  const Sizes size(r);
  blas::block::convert(*r_, r, size.down);
  blas::copy(*rest_, *r_);
  const int colours = colours_ ? 2 : 1;
  for (int step = 0; step < cycles_ * colours; step++) {
    const ColorSpinorField &before = *r_;
    if (step > 0) {
      A_.apply({.out = *rest_, .in = *z_, .end = {.x = &before, .b = -1.0}});
      flops_ += A_.flops(r.rhs());
    }
    if (colours_) {
      colours_->apply(*change_, *rest_);
      blas::axpby(step % 2 ? -0.5 : 0.5, *change_, 0.5, *rest_);
    }
    ColorSpinorField to = inside_(step > 0 ? *change_ : *z_);
    inner_.apply(to, inside_(*rest_));
    if (step > 0) blas::axpy(1.0, *change_, *z_);
  }
  blas::block::convert(z, *z_, size.up);
}

} // namespace quda
