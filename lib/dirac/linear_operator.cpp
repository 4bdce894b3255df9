#include "dirac/linear_operator.h"

#include <optional>

#include "core/error.h"
#include "ops/blas/blas.h"

namespace quda
{

namespace
{

  double coefficient(std::span<const double> list, int j)
  {
    return list.empty() ? 1 : list[static_cast<std::size_t>(j)];
  }

  bool has_shape(const ColorSpinorField &field, const ColorSpinorParam &shape)
  {
    const ColorSpinorParam is = field.param();
    return field.native() && is.lattice == shape.lattice && is.spins == shape.spins && is.colors == shape.colors &&
           is.rhs == shape.rhs && is.fifth == shape.fifth && is.flavours == shape.flavours &&
           is.precision == shape.precision && is.subset == shape.subset && is.parity == shape.parity;
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
    if (!list.empty() && list.size() != static_cast<std::size_t>(call.in.rhs()))
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
  const bool onto_x = call.x && call.x->data() == call.out.data();
  std::optional<ColorSpinorField> product;
  if (onto_x) product.emplace(scratch(of_apply, shape(rhs)));
  plain(product ? *product : call.out, call.in, call.dagger);

  if (call.sums()) {
    sums->norm.clear();
    sums->change.clear();
    sums->dot.clear();
  }
  // linear algebra on one right-hand side: in place, or in a field of its own where it lies between others
  const auto column = [&](int number, const ColorSpinorField &field, int j) {
    ColorSpinorField of_field = field.columns(j, 1);
    if (of_field.whole()) return of_field;
    ColorSpinorField own = scratch(of_apply + number, shape(1));
    own = of_field;
    return own;
  };
  for (int j = 0; j < rhs; j++) {
    const double a = coefficient(call.a, j), b = coefficient(call.b, j), c = coefficient(call.c, j);
    ColorSpinorField out = call.out.columns(j, 1), result = column(1, product ? *product : call.out, j);
    std::optional<ColorSpinorField> x;
    if (call.x) x.emplace(column(2, *call.x, j));
    if (x)
      blas::axpbyz(a, *x, b, result, result);
    else if (b != 1)
      blas::ax(b, result);
    if (call.y) blas::axpy(c, column(3, *call.y, j), result);
    if (call.norm) sums->norm.push_back(blas::norm2(result));
    if (call.dot_with) sums->dot.push_back(blas::cdot(column(3, *call.dot_with, j), result));
    if (call.change) {
      ColorSpinorField change = scratch(of_apply + 4, shape(1));
      blas::axpbyz(1, result, -1, *x, change);
      sums->change.push_back(blas::redot(result, change));
    }
    if (out.data() != result.data()) out = result;
  }
  call.out.mark_written();
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
  return sigma_ < 0 && A_.symmetry() == Symmetry::positive ? Symmetry::hermitian : A_.symmetry();
}

Factor Shifted::factor() const
{
  Factor factor = A_.factor();
  if (factor.R) factor.sigma += sigma_;
  return factor;
}

double Shifted::flops(int rhs) const
{
  const ColorSpinorParam one = shape(1);
  const long long sites = one.subset == SiteSubset::full ? one.lattice->volume() : one.lattice->volume_cb();
  return A_.flops(rhs) + 4.0 * static_cast<double>(sites) * one.spins * one.colors * one.fifth * one.flavours * rhs;
}

std::span<const double> Shifted::shift(std::span<const double> b, int rhs) const
{
  shift_.resize(static_cast<std::size_t>(rhs));
  for (int j = 0; j < rhs; j++) shift_[static_cast<std::size_t>(j)] = coefficient(b, j) * sigma_;
  return shift_;
}

void Shifted::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  A_.apply({.out = out, .in = in, .dagger = dagger, .y = &in, .c = shift({}, in.rhs())});
}

bool Shifted::fused(const Apply &call, Sums *sums) const
{
  if (call.y) return false;
  Apply with_shift {.out = call.out, .in = call.in, .dagger = call.dagger};
  with_shift.x = call.x, with_shift.a = call.a, with_shift.b = call.b;
  with_shift.y = &call.in, with_shift.c = shift(call.b, call.in.rhs());
  with_shift.dot_with = call.dot_with, with_shift.norm = call.norm, with_shift.change = call.change;
  A_.apply(with_shift, sums);
  return true;
}

} // namespace quda
