#include "dirac/linear_operator.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/error.h"
#include "fields/field_together.h"
#include "ops/blas/block.h"

namespace quda
{

namespace
{

  bool has_shape(const ColorSpinorField &field, const ColorSpinorParam &shape)
  {
    return field.native() && field.precision() == shape.precision && same_shape(field.param(), shape);
  }

  /// with(a, b) of two coefficients: one number, or one per right-hand side if either has a list; `list` holds those.
  template <class With> blas::Coefficients combined(const blas::Coefficients &a, const blas::Coefficients &b,
                                                    std::vector<double> &list, With with)
  {
    if (!a.listed() && !b.listed()) return with(a[0], b[0]);
    list.resize(std::max(a.size(), b.size()));
    for (std::size_t j = 0; j < list.size(); j++) list[j] = with(a[j], b[j]);
    return list;
  }

} // namespace

void LinearOperator::apply(const Apply &call, Sums *sums) const
{
  check(call, sums);
  apply_checked(call, sums);
}

void LinearOperator::apply_checked(const Apply &call, Sums *sums) const
{
  if (!fused(call, sums)) unfused(call, sums);
  flops_done_ += flops(call.in.rhs());
}

void LinearOperator::operator()(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  apply({.out = out, .in = in, .dagger = dagger});
}

void LinearOperator::check(const Apply &call, const Sums *sums) const
{
  const Epilogue &end = call.end;
  const ColorSpinorParam shape = this->shape(call.in.rhs());
  for (const ColorSpinorField *field :
       {&call.in, static_cast<const ColorSpinorField *>(&call.out), end.x, end.y, end.dot_with})
    if (field && !has_shape(*field, shape))
      fail(ErrorKind::internal, "LinearOperator: a field is not of the operator's shape, precision or lattice");
  for (const auto &list : {end.a, end.b, end.c})
    if (list.listed() && list.size() != static_cast<std::size_t>(call.in.rhs()))
      fail(ErrorKind::internal,
           text("LinearOperator: %zu coefficients for %d right-hand sides", list.size(), call.in.rhs()));
  const void *out = call.out.data();
  if (call.in.data() == out || (end.y && end.y->data() == out) || (end.dot_with && end.dot_with->data() == out))
    fail(ErrorKind::internal, "LinearOperator: out is in, y or the field of a scalar product");
  if (end.sums() && !sums) fail(ErrorKind::internal, "LinearOperator: no place for sums");
  if (end.change && !end.x) fail(ErrorKind::internal, "LinearOperator: a change from nothing");
}

ColorSpinorField Scratch::operator()(int number, const ColorSpinorParam &shape) const
{
  constexpr int generations = 8; // each has half the ranks of the one before, or fewer
  const int at_work = WorkOf::generation();
  if (at_work >= generations)
    fail(ErrorKind::unsupported,
         text("Scratch: grids gathered %d times; up to %d are allowed", at_work, generations - 1));
  const int kind = 3 * number + (shape.subset == SiteSubset::full ? 2 : shape.parity);
  const auto place = static_cast<std::size_t>(generations * kind + at_work);
  if (fields_.size() <= place) fields_.resize(place + 1);
  std::unique_ptr<ColorSpinorField> &field = fields_[place];
  if (field) {
    ColorSpinorParam as_large = shape;
    as_large.rhs = field->rhs();
    if (field->rhs() < shape.rhs || !has_shape(*field, as_large)) field.reset();
  }
  if (!field) field = std::make_unique<ColorSpinorField>(field_together(shape));
  return field->columns(0, shape.rhs);
}

void LinearOperator::unfused(const Apply &call, Sums *sums) const
{
  const Epilogue &end = call.end;
  // the product stays apart if out is a term of the sum, or its change is asked for
  const bool apart = (end.x && end.x->data() == call.out.data()) || end.change;
  std::optional<ColorSpinorField> field;
  if (apart) field.emplace(scratch(0, call.in.rhs()));
  ColorSpinorField &product = field ? *field : call.out;
  plain(product, call.in, call.dagger);
  blas::Coefficients b = end.b;
  if (end.y) {
    blas::axpby(end.c, *end.y, b, product);
    b = 1.0;
  }
  if (end.change && (b.listed() || b[0] != 1)) {
    blas::ax(b, product);
    b = 1.0;
  }
  if (end.x)
    blas::axpbyz(end.a, *end.x, b, product, call.out);
  else if (b.listed() || b[0] != 1)
    blas::ax(b, call.out);
  call.out.mark_written();
  if (end.norm) sums->norm = blas::block::norm2(call.out);
  if (end.dot_with) sums->dot = blas::block::cdot(*end.dot_with, call.out);
  if (end.change) sums->change = blas::block::redot(call.out, product);
}

// ---- operators made of operators ----

void Normal::plain(ColorSpinorField &out, const ColorSpinorField &in, bool) const
{
  fused({.out = out, .in = in}, nullptr);
}

bool Normal::fused(const Apply &call, Sums *sums) const
{
  ColorSpinorField between = scratch(1, call.in.rhs());
  A_.apply_checked({.out = between, .in = call.in});
  A_.apply_checked({.out = call.out, .in = between, .dagger = true, .end = call.end}, sums);
  return true;
}

void Adjoint::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  fused({.out = out, .in = in, .dagger = dagger}, nullptr);
}

bool Adjoint::fused(const Apply &call, Sums *sums) const
{
  A_.apply_checked({.out = call.out, .in = call.in, .dagger = !call.dagger, .end = call.end}, sums);
  return true;
}

void NormalError::plain(ColorSpinorField &out, const ColorSpinorField &in, bool) const
{
  fused({.out = out, .in = in}, nullptr);
}

bool NormalError::fused(const Apply &call, Sums *sums) const
{
  normal_.apply_checked(call, sums);
  return true;
}

Symmetry Shifted::symmetry() const
{
  const blas::Coefficients sigma = this->sigma();
  for (std::size_t j = 0; j < sigma.size(); j++)
    if (sigma[j] < 0 && A_.symmetry() == Symmetry::positive) return Symmetry::hermitian;
  return A_.symmetry();
}

bool Shifted::nothing() const
{
  const blas::Coefficients sigma = this->sigma();
  for (std::size_t j = 0; j < sigma.size(); j++)
    if (sigma[j] != 0) return false;
  return true;
}

Factor Shifted::factor() const
{
  Factor factor = A_.factor();
  if (factor.R && !nothing()) factor.sigma = combined(factor.sigma, sigma(), sum_, std::plus<>());
  return factor;
}

double Shifted::flops(int rhs) const
{
  const ColorSpinorParam one = shape(1);
  const long long sites = one.subset == SiteSubset::full ? one.lattice->volume() : one.lattice->volume_cb();
  return A_.flops(rhs) + 4.0 * static_cast<double>(sites) * one.spins * one.colors * one.fifth * one.flavours * rhs;
}

void Shifted::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  A_.apply_checked({.out = out, .in = in, .dagger = dagger, .end = {.y = &in, .c = sigma()}});
}

bool Shifted::fused(const Apply &call, Sums *sums) const
{
  if (call.end.y) return false;
  Apply with_shift = call;
  if (!nothing()) {
    with_shift.end.y = &call.in;
    with_shift.end.c = combined(call.end.b, sigma(), shift_, std::multiplies<>());
  }
  A_.apply_checked(with_shift, sums);
  return true;
}

} // namespace quda
