#include "fields/color_spinor_field.h"

#include <utility>

#include "core/error.h"

namespace quda
{

namespace
{

  constexpr const char *what = "ColorSpinorField";
  constexpr std::size_t native_alignment = 64;
  constexpr int max_inner = 1 << 20;

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
    if (p.rhs < 1) refuse("rhs", p.rhs, "it must be at least 1");
    if (p.fifth < 1) refuse("fifth", p.fifth, "it must be at least 1");
    if (p.flavours < 1) refuse("flavours", p.flavours, "it must be at least 1");
    if (static_cast<__int128>(p.rhs) * p.fifth * p.flavours > max_inner)
      fail(ErrorKind::bad_argument,
           text("%s: rhs = %d, fifth = %d, flavours = %d are not allowed; their product must be at most 2^20", what,
                p.rhs, p.fifth, p.flavours));
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
    field_ = native_storage(lattice(), param.precision, inner(), reals(), parities(), no_border, InnerOrder::innermost,
                            param.precision == Precision::half, bytes_);
  else
    set_foreign_strides();
  field_.rhs = rhs();
  field_.fifth = fifth();
  field_.flavours = flavours();

  if (param.create == Create::reference) {
    check_pointer(what, "data", param.data,
                  native() ? native_alignment : static_cast<std::size_t>(bytes_of(param.precision)));
  } else {
    memory_ = FieldMemory(bytes_, param.location, starts_at_zero(param.create, field_, param.location), where);
    param_.data = memory_.get();
  }
  field_.data = native() ? param_.data : nullptr;
}

ColorSpinorField::ColorSpinorField(const ColorSpinorField &of, long long skipped)
    : param_(of.param_)
    , field_(of.field_)
    , bytes_(of.bytes_)
    , whole_(of.whole_)
    , tag_(next_tag())
{
  param_.create = Create::reference;
  param_.data = static_cast<char *>(param_.data) + skipped * field_.precision;
  if (native()) field_.data = param_.data;
}

void ColorSpinorField::set_foreign_strides()
{
  bytes_ = bytes_needed(what, {sites(), inner(), reals(), bytes_of(param_.precision)});
  field_.precision = bytes_of(param_.precision);
  field_.inner = inner();
  field_.reals = reals();
  field_.record_stride = reals();
  field_.inner_stride = reals() * lattice().volume_cb();
  field_.parity_stride = parities() == 2 ? inner() * field_.inner_stride : 0;
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
  std::swap(a.whole_, b.whole_);
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
  ColorSpinorField part(*this, parity * field_.parity_stride);
  part.param_.subset = SiteSubset::parity;
  part.param_.parity = parity;
  part.bytes_ -= static_cast<std::size_t>(field_.parity_stride) * field_.precision;
  part.field_.parity_stride = 0;
  part.whole_ = whole_ || !within_records();
  return part;
}

ColorSpinorField ColorSpinorField::columns(int first, int count) const
{
  if (first < 0 || count < 1 || count > rhs() - first)
    fail(ErrorKind::bad_argument,
         text("%s: columns(%d, %d) of a field of %d right-hand sides", what, first, count, rhs()));
  const long long stride = layers() * field_.inner_stride;
  ColorSpinorField part(*this, first * stride);
  part.param_.rhs = part.field_.rhs = count;
  part.field_.inner = part.inner();
  part.bytes_ -= static_cast<std::size_t>((rhs() - count) * stride) * field_.precision;
  part.whole_ = whole_ && (count == rhs() || (parities() == 1 && !within_records()));
  return part;
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
  compare("rhs", to.rhs(), from.rhs());
  compare("fifth", to.fifth(), from.fifth());
  compare("flavours", to.flavours(), from.flavours());
  compare("subset", static_cast<int>(to.subset()), static_cast<int>(from.subset()));
  compare("parity", to.parity(), from.parity());
}

} // namespace quda
