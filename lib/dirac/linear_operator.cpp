#include "dirac/linear_operator.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/error.h"
#include "ops/blas/block.h"

namespace quda
{

namespace
{

  bool has_shape(const ColorSpinorField &field, const ColorSpinorParam &shape)
  {
    return field.native() && field.precision() == shape.precision && same_shape(field.param(), shape);
  }

  /// Of each right-hand side, where one of the two has a list, which `list` then holds.
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
  if (!fused(call, sums)) unfused(call, sums);
  flops_done_ += flops(call.in.rhs());
}

void LinearOperator::operator()(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  apply({.out = out, .in = in, .dagger = dagger});
}

void LinearOperator::check(const Apply &call, const Sums *sums) const
{
  const ColorSpinorParam shape = this->shape(call.in.rhs());
  for (const ColorSpinorField *field :
       {&call.in, static_cast<const ColorSpinorField *>(&call.out), call.x, call.y, call.dot_with})
    if (field && !has_shape(*field, shape))
      fail(ErrorKind::internal, "LinearOperator: a field is not of the operator's shape, precision or lattice");
  for (const auto &list : {call.a, call.b, call.c})
    if (list.listed() && list.size() != static_cast<std::size_t>(call.in.rhs()))
      fail(ErrorKind::internal,
           text("LinearOperator: %zu coefficients for %d right-hand sides", list.size(), call.in.rhs()));
  const void *out = call.out.data();
  if (call.in.data() == out || (call.y && call.y->data() == out) || (call.dot_with && call.dot_with->data() == out))
    fail(ErrorKind::internal, "LinearOperator: out is in, y or the field of a scalar product");
  if (call.sums() && !sums) fail(ErrorKind::internal, "LinearOperator: no place for sums");
  if (call.change && !call.x) fail(ErrorKind::internal, "LinearOperator: a change from nothing");
}

ColorSpinorField LinearOperator::scratch(int number, const ColorSpinorParam &shape) const
{
  const auto place = static_cast<std::size_t>(number - of_apply);
  if (scratch_.size() <= place) scratch_.resize(place + 1);
  std::unique_ptr<ColorSpinorField> &field = scratch_[place];
  if (field) {
    ColorSpinorParam as_large = shape;
    as_large.rhs = field->rhs();
    if (field->rhs() < shape.rhs || !has_shape(*field, as_large)) field.reset();
  }
  if (!field) field = std::make_unique<ColorSpinorField>(shape);
  return field->columns(0, shape.rhs);
}

void LinearOperator::unfused(const Apply &call, Sums *sums) const
{
  const int rhs = call.in.rhs();
  // the product stays apart where out is a term of the sum, or its change is asked for
  const bool apart = (call.x && call.x->data() == call.out.data()) || call.change;
  std::optional<ColorSpinorField> field;
  if (apart) field.emplace(scratch(of_apply, shape(rhs)));
  ColorSpinorField &product = field ? *field : call.out;
  plain(product, call.in, call.dagger);
  blas::Coefficients b = call.b;
  if (call.y) {
    blas::axpby(call.c, *call.y, b, product);
    b = 1.0;
  }
  if (call.change && (b.listed() || b[0] != 1)) {
    blas::ax(b, product);
    b = 1.0;
  }
  if (call.x)
    blas::axpbyz(call.a, *call.x, b, product, call.out);
  else if (b.listed() || b[0] != 1)
    blas::ax(b, call.out);
  call.out.mark_written();
  if (call.norm) sums->norm = blas::block::norm2(call.out);
  if (call.dot_with) sums->dot = blas::block::cdot(*call.dot_with, call.out);
  if (call.change) sums->change = blas::block::redot(call.out, product);
}

// ---- operators made of operators ----

void Normal::plain(ColorSpinorField &out, const ColorSpinorField &in, bool) const
{
  ColorSpinorField between = scratch(0, shape(in.rhs()));
  A_(between, in);
  A_(out, between, true);
}

bool Normal::fused(const Apply &call, Sums *sums) const
{
  ColorSpinorField between = scratch(0, shape(call.in.rhs()));
  A_(between, call.in);
  Apply last {.out = call.out, .in = between, .dagger = true};
  last.x = call.x, last.y = call.y, last.a = call.a, last.b = call.b, last.c = call.c;
  last.dot_with = call.dot_with, last.norm = call.norm, last.change = call.change;
  A_.apply(last, sums);
  return true;
}

void Adjoint::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const { A_(out, in, !dagger); }

bool Adjoint::fused(const Apply &call, Sums *sums) const
{
  Apply other = call;
  other.dagger = !call.dagger;
  A_.apply(other, sums);
  return true;
}

void NormalError::plain(ColorSpinorField &out, const ColorSpinorField &in, bool) const { normal_(out, in); }

bool NormalError::fused(const Apply &call, Sums *sums) const
{
  normal_.apply(call, sums);
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
  A_.apply({.out = out, .in = in, .dagger = dagger, .y = &in, .c = sigma()});
}

bool Shifted::fused(const Apply &call, Sums *sums) const
{
  if (call.y) return false;
  Apply with_shift {.out = call.out, .in = call.in, .dagger = call.dagger};
  with_shift.x = call.x, with_shift.a = call.a, with_shift.b = call.b;
  if (!nothing()) with_shift.y = &call.in, with_shift.c = combined(call.b, sigma(), shift_, std::multiplies<>());
  with_shift.dot_with = call.dot_with, with_shift.norm = call.norm, with_shift.change = call.change;
  A_.apply(with_shift, sums);
  return true;
}

} // namespace quda
