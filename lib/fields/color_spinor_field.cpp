#include "fields/color_spinor_field.h"

#include <utility>

#include "core/error.h"

namespace quda
{

namespace
{

  constexpr const char *what = "ColorSpinorField";
  constexpr std::size_t native_alignment = 64;

  void check_order(DiracOrder order)
  {
    if (order == DiracOrder::native || order == DiracOrder::dirac) return;
    static const char *const names[] = {"QDP", "QDPJIT", "CPS_WILSON", "LEX", "TIFR_PADDED"};
    const int n = static_cast<int>(order);
    if (n < 0 || n > static_cast<int>(DiracOrder::tifr_padded))
      fail(ErrorKind::bad_argument, text("%s: order = %d is not allowed; native and DIRAC are", what, n));
    fail(ErrorKind::unsupported, text("%s: order = %s is not supported; native and DIRAC are", what,
                                      names[n - static_cast<int>(DiracOrder::qdp)]));
  }

  void check_shape(const ColorSpinorParam &p)
  {
    const auto refuse = [](const char *name, int value, const char *allowed) {
      fail(ErrorKind::bad_argument, text("%s: %s = %d is not allowed; %s", what, name, value, allowed));
    };
    if (p.spins != 1 && p.spins != 2 && p.spins != 4) refuse("spins", p.spins, "1, 2 and 4 are");
    if (p.colors < 1) refuse("colors", p.colors, "it must be at least 1");
    if (p.inner < 1) refuse("inner", p.inner, "it must be at least 1");
    if (p.colors > (1 << 20)) refuse("colors", p.colors, "it must be at most 2^20");
    if (p.subset != SiteSubset::full && p.subset != SiteSubset::parity)
      refuse("subset", static_cast<int>(p.subset), "1 (one parity) and 2 (full) are");
    if (p.parity != 0 && p.parity != 1) refuse("parity", p.parity, "0 (even) and 1 (odd) are");
    const int basis = static_cast<int>(p.basis);
    if (basis < 0 || basis > static_cast<int>(GammaBasis::dirac_pauli)) refuse("basis", basis, "0 to 3 are");
    if (p.spins == 4 && p.order == DiracOrder::native && p.basis != GammaBasis::degrand_rossi)
      refuse("basis", basis, "native fields are in the basis 0 (DeGrand-Rossi)");
  }

} // namespace

ColorSpinorField::ColorSpinorField(const ColorSpinorParam &param, SourceLocation where)
    : param_(param)
    , tag_(next_tag())
{
  check_lattice(what, param.lattice);
  check_precision(what, param.precision, native());
  check_order(param.order);
  check_location(what, param.location, native());
  check_create(what, param.create);
  check_shape(param);
  if (param.subset == SiteSubset::full) param_.parity = 0;

  static constexpr int no_border[4] = {0, 0, 0, 0};
  if (native())
    field_ = native_storage(lattice(), param.precision, param.inner, reals(), parities(), no_border,
                            InnerOrder::innermost, param.precision == Precision::half, bytes_);
  else
    bytes_ = bytes_needed(what, {sites(), param.inner, reals(), bytes_of(param.precision)});

  if (param.create == Create::reference) {
    check_pointer(what, "data", param.data,
                  native() ? native_alignment : static_cast<std::size_t>(bytes_of(param.precision)));
  } else {
    memory_ = FieldMemory(bytes_, param.location, starts_at_zero(param.create, field_, param.location), where);
    param_.data = memory_.get();
  }
  field_.data = native() ? param_.data : nullptr;
}

ColorSpinorField::ColorSpinorField(ColorSpinorField &&other) noexcept = default;
ColorSpinorField::~ColorSpinorField() = default;

ColorSpinorField &ColorSpinorField::operator=(const ColorSpinorField &from)
{
  if (this == &from) return *this;
  copy(*this, from);
  return *this;
}

void swap(ColorSpinorField &a, ColorSpinorField &b) noexcept
{
  std::swap(a.param_, b.param_);
  std::swap(a.field_, b.field_);
  std::swap(a.bytes_, b.bytes_);
  std::swap(a.memory_, b.memory_);
  std::swap(a.tag_, b.tag_);
}

ColorSpinorParam ColorSpinorField::param() const
{
  ColorSpinorParam p = param_;
  p.create = Create::allocate;
  p.data = nullptr;
  return p;
}

SpinorView ColorSpinorField::view() const
{
  if (!native()) fail(ErrorKind::internal, text("%s: view() of a field in a foreign order", what));
  SpinorView v {};
  v.field = field_;
  v.spins = param_.spins;
  v.colors = param_.colors;
  return v;
}

ColorSpinorField ColorSpinorField::half(int parity) const
{
  if (param_.subset != SiteSubset::full)
    fail(ErrorKind::bad_argument, text("%s: half(%d) of a field of one parity; full fields have halves", what, parity));
  if (parity != 0 && parity != 1)
    fail(ErrorKind::bad_argument, text("%s: half(%d): parity = 0 (even) and 1 (odd) are allowed", what, parity));
  ColorSpinorParam p = param_;
  p.subset = SiteSubset::parity;
  p.parity = parity;
  p.create = Create::reference;
  p.data = static_cast<char *>(param_.data) + (parity ? bytes_ / 2 : 0);
  return ColorSpinorField(p);
}

void ColorSpinorField::mark_written() { tag_ = next_tag(); }

void check_same_spinors(const ColorSpinorField &to, const ColorSpinorField &from)
{
  const auto compare = [](const char *name, long long a, long long b) {
    if (a != b)
      fail(ErrorKind::bad_argument,
           text("%s: copy between fields that differ in %s: %lld (to) and %lld (from)", what, name, a, b));
  };
  const Lattice &a = to.lattice(), &b = from.lattice();
  for (int d = 0; d < 4; d++) {
    compare(text("X[%d]", d).c_str(), a.X(d), b.X(d));
    compare(text("the global extent %d", d).c_str(), a.global_X()[d], b.global_X()[d]);
    compare(text("the first coordinate %d", d).c_str(), a.origin()[d], b.origin()[d]);
  }
  compare("spins", to.spins(), from.spins());
  compare("colors", to.colors(), from.colors());
  compare("inner", to.inner(), from.inner());
  compare("subset", static_cast<int>(to.subset()), static_cast<int>(from.subset()));
  compare("parity", to.parity(), from.parity());
}

} // namespace quda
