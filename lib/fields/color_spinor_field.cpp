#include "fields/color_spinor_field.h"

#include <utility>

namespace quda
{

namespace
{

  constexpr const char *what = "ColorSpinorField";

  void check_order(DiracOrder order)
  {
    if (order == DiracOrder::native || order == DiracOrder::dirac || order == DiracOrder::qdp ||
        order == DiracOrder::cps_wilson)
      return;
    static const char *const names[] = {"QDP", "QDPJIT", "CPS_WILSON", "LEX", "TIFR_PADDED"};
    const int n = static_cast<int>(order);
    if (n < 0 || n > static_cast<int>(DiracOrder::tifr_padded))
      fail(ErrorKind::bad_argument,
           text("%s: order = %d is not allowed; native, DIRAC, QDP and CPS_WILSON are", what, n));
    fail(ErrorKind::unsupported, text("%s: order = %s is not supported; native, DIRAC, QDP and CPS_WILSON are", what,
                                      names[n - static_cast<int>(DiracOrder::qdp)]));
  }

  FieldShape shape_of(const ColorSpinorParam &p)
  {
    check_order(p.order);
    const auto refuse = [](const char *name, int value, const char *allowed) {
      fail(ErrorKind::bad_argument, text("%s: %s = %d is not allowed; %s", what, name, value, allowed));
    };
    if (p.spins != 1 && p.spins != 2 && p.spins != 4) refuse("spins", p.spins, "1, 2 and 4 are");
    if (p.colors < 1) refuse("colors", p.colors, "it must be at least 1");
    if (p.colors > (1 << 20)) refuse("colors", p.colors, "it must be at most 2^20");
    const int basis = static_cast<int>(p.basis);
    if (basis < 0 || basis > static_cast<int>(GammaBasis::dirac_pauli)) refuse("basis", basis, "0 to 3 are");
    const bool native = p.order == DiracOrder::native;
    if (p.spins == 4 && native && p.basis != GammaBasis::degrand_rossi)
      refuse("basis", basis, "native fields are in the basis 0 (DeGrand-Rossi)");

    if (!native && p.lattice && p.lattice->lanes_are_rows())
      refuse("order", static_cast<int>(p.order), "on a lattice of rows native fields are");

    FieldShape shape {2 * p.spins * p.colors, native, native ? Entries::innermost : Entries::outermost};
    shape.scaled = p.precision == Precision::half || p.precision == Precision::quarter;
    return shape;
  }

} // namespace

bool same_shape(const ColorSpinorParam &a, const ColorSpinorParam &b)
{
  return a.lattice == b.lattice && a.subset == b.subset && a.parity == b.parity && a.spins == b.spins &&
         a.colors == b.colors && a.rhs == b.rhs && a.fifth == b.fifth && a.flavours == b.flavours;
}

FieldView native_storage(const ColorSpinorParam &param, std::size_t &bytes)
{
  const int inner = param.rhs * param.fifth * param.flavours;
  return native_storage(*param.lattice, param.precision, inner, param.subset == SiteSubset::full ? 2 : 1,
                        shape_of(param), bytes);
}

ColorSpinorField::ColorSpinorField(const ColorSpinorParam &param, SourceLocation where)
    : Field(what, param, shape_of(param), &param.data, where)
    , kind_(param)
{
}

ColorSpinorField::ColorSpinorField(Field &&part, const SpinorKind &kind)
    : Field(std::move(part))
    , kind_(kind)
{
}

ColorSpinorField &ColorSpinorField::operator=(const ColorSpinorField &from)
{
  if (this != &from) copy(*this, from);
  return *this;
}

SpinorView ColorSpinorField::view() const { return {native_layout(what), {}, kind_.spins, kind_.colors}; }

ColorSpinorField ColorSpinorField::half(int parity) const { return {half_of(what, parity), kind_}; }

ColorSpinorField ColorSpinorField::columns(int first, int count) const
{
  return {columns_of(what, first, count), kind_};
}

void check_same_spinors(const char *function, const ColorSpinorField &to, const ColorSpinorField &from)
{
  auto found = difference(to, from);
  const auto compare = [&](const char *name, int a, int b) {
    if (!found && a != b) found = {name, text("%d", a), text("%d", b)};
  };
  compare("spins", to.spins(), from.spins());
  compare("colors", to.colors(), from.colors());
  check_alike(function, found);
}

void check_native_spinors(const char *function, const ColorSpinorField &to, const ColorSpinorField &from)
{
  check_same_spinors(function, to, from);
  if (!to.native() || !from.native() || to.spins() != 4 || to.colors() != 3 || to.precision() != from.precision())
    fail(ErrorKind::internal, text("%s: spinors must be native, of 4 spins, 3 colors and one precision", function));
}

} // namespace quda
