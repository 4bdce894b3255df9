#include "fields/site_field.h"

namespace quda
{

namespace
{

  constexpr const char *what = "SiteField";

  FieldShape shape_of(const SiteFieldParam &p)
  {
    if (p.reals < 1 || p.reals > (1 << 20))
      fail(ErrorKind::bad_argument, text("%s: reals = %d is not allowed; 1 to 2^20 are", what, p.reals));
    FieldShape shape {p.reals, p.native, p.native ? Entries::innermost : Entries::outermost};
    shape.scaled = p.precision == Precision::half || p.precision == Precision::quarter;
    return shape;
  }

} // namespace

SiteField::SiteField(const SiteFieldParam &param, SourceLocation where)
    : Field(what, param, shape_of(param), &param.data, where)
{
}

SiteField &SiteField::operator=(const SiteField &from)
{
  if (this != &from) copy(*this, from);
  return *this;
}

const FieldView &SiteField::view() const { return native_layout(what); }

void check_same_numbers(const char *function, const SiteField &to, const SiteField &from)
{
  auto found = difference(to, from);
  if (!found && to.reals() != from.reals()) found = {"reals", text("%d", to.reals()), text("%d", from.reals())};
  check_alike(function, found);
}

} // namespace quda
