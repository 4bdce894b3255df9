#include "fields/field.h"

#include <atomic>

#include "core/scalar_vector.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  constexpr std::size_t native_alignment = 64;
  constexpr long long half_alignment = 128; // the odd half begins at a whole cache line and a whole GPU transaction
  constexpr int most_entries = 1 << 20;

  std::uint64_t next_tag()
  {
    static std::atomic<std::uint64_t> last {0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  /// The product; Error (out of memory) if it exceeds 2^63.
  std::size_t bytes_needed(const char *what, std::initializer_list<long long> factors)
  {
    __int128 bytes = 1;
    for (long long factor : factors) {
      bytes *= factor;
      if (bytes > INT64_MAX)
        fail(ErrorKind::out_of_memory, text("%s: the field would need more than 2^63 bytes", what));
    }
    return static_cast<std::size_t>(bytes);
  }

  /// Whether fresh memory starts at zero: on request, and in native fields with padding. Padding lanes go
  /// through the same loops as the others, and old contents of memory would decide how long those loops run.
  /// Results do not depend on it, as poisoned memory shows.
  bool starts_at_zero(Create create, const FieldView &layout)
  {
    if (create == Create::zero) return true;
    const LatticeView &l = layout.lattice;
    return l.lanes < l.parts * l.width && !device_pool().poisons();
  }

  void check_precision(const char *what, Precision precision, bool native)
  {
    switch (precision) {
    case Precision::double_:
    case Precision::single:
      return;
    case Precision::half:
    case Precision::quarter:
      if (native) return;
      fail(ErrorKind::bad_argument, text("%s: precision = %d (%s) in a host order is not allowed; 8 (double) and 4 "
                                         "(single) are",
                                         what, bytes_of(precision), precision == Precision::half ? "half" : "quarter"));
    }
    fail(ErrorKind::bad_argument, text("%s: precision = %d is not allowed; 8 (double), 4 (single), 2 (half) and 1 "
                                       "(quarter) are",
                                       what, bytes_of(precision)));
  }

  void check(const char *what, const SiteParam &p, bool native)
  {
    const auto refuse = [&](const char *name, int value, const char *allowed) {
      fail(ErrorKind::bad_argument, text("%s: %s = %d is not allowed; %s", what, name, value, allowed));
    };
    if (!p.lattice) fail(ErrorKind::bad_argument, text("%s: lattice is null", what));
    check_precision(what, p.precision, native);
    if (p.location != Location::host && p.location != Location::device)
      refuse("location", static_cast<int>(p.location), "1 (host) and 2 (device) are");
    if (native && p.location == Location::host)
      fail(ErrorKind::bad_argument, text("%s: location = host with order = native is not allowed; native fields are in "
                                         "the target's memory",
                                         what));
    if (p.create != Create::allocate && p.create != Create::zero && p.create != Create::reference)
      refuse("create", static_cast<int>(p.create), "allocate, zero and reference are");
    if (p.subset != SiteSubset::full && p.subset != SiteSubset::parity)
      refuse("subset", static_cast<int>(p.subset), "1 (one parity) and 2 (full) are");
    if (p.parity != 0 && p.parity != 1) refuse("parity", p.parity, "0 (even) and 1 (odd) are");
    if (p.rhs < 1) refuse("rhs", p.rhs, "it must be at least 1");
    if (p.fifth < 1) refuse("fifth", p.fifth, "it must be at least 1");
    if (p.flavours < 1) refuse("flavours", p.flavours, "it must be at least 1");
    if (static_cast<__int128>(p.rhs) * p.fifth * p.flavours > most_entries)
      fail(ErrorKind::bad_argument,
           text("%s: rhs = %d, fifth = %d, flavours = %d are not allowed; their product must be at most 2^20", what,
                p.rhs, p.fifth, p.flavours));
  }

  /// The caller's pointer: not null, aligned to `alignment` bytes.
  void check_pointer(const char *what, const char *name, const void *p, std::size_t alignment)
  {
    if (!p) fail(ErrorKind::bad_argument, text("%s: %s is null", what, name));
    if (reinterpret_cast<std::uintptr_t>(p) % alignment)
      fail(ErrorKind::bad_argument, text("%s: %s = %p is not aligned to %zu bytes", what, name, p, alignment));
  }

} // namespace

Field::Field(const char *what, const SiteParam &param, const FieldShape &shape, void *const *data, SourceLocation where)
    : param_(param)
    , native_(shape.native)
    , tag_(next_tag())
{
  check(what, param, native_);
  if (param.subset == SiteSubset::full) param_.parity = 0;
  const int inner = rhs() * layers() * shape.blocks;
  const int arrays = shape.entries == Entries::separate ? inner : 1;
  if (native_) {
    layout_ = native_storage(lattice(), param.precision, inner, parities(), shape, bytes_);
  } else {
    bytes_ = shape.strides.all ? bytes_needed(what, {shape.strides.all, bytes_of(param.precision)})
                               : bytes_needed(what, {sites(), inner, shape.reals, bytes_of(param.precision)});
    layout_.inner = inner;
    set_host_layout(shape);
  }
  layout_.rhs = rhs();
  layout_.fifth = fifth();
  layout_.flavours = flavours();

  if (param.create == Create::reference) {
    const std::size_t alignment = native_ ? native_alignment : static_cast<std::size_t>(bytes_of(param.precision));
    for (int i = 0; i < arrays; i++)
      check_pointer(what, arrays == 1 ? "data" : text("data[%d]", i).c_str(), data_[i] = data[i], alignment);
  } else {
    memory_ = FieldMemory(bytes_, param.location, starts_at_zero(param.create, layout_), where);
    for (int i = 0; i < arrays; i++) data_[i] = static_cast<char *>(memory_.get()) + i * (bytes_ / arrays);
  }
  if (native_) layout_.data = data_[0];
}

void Field::set_host_layout(const FieldShape &shape)
{
  const bool inside = shape.entries == Entries::innermost;
  layout_.precision = bytes_of(param_.precision);
  layout_.reals = shape.reals;
  if (shape.strides.all) {
    layout_.parity_stride = shape.strides.parity;
    layout_.record_stride = shape.strides.record;
    layout_.inner_stride = shape.strides.inner;
    return;
  }
  layout_.record_stride = inside ? layout_.inner * shape.reals : shape.reals;
  layout_.inner_stride = inside                                ? shape.reals
                         : shape.entries == Entries::outermost ? shape.reals * lattice().volume_cb()
                                                               : 0;
  if (parities() == 2)
    layout_.parity_stride =
        lattice().volume_cb() * (shape.entries == Entries::separate ? shape.reals : layout_.inner * shape.reals);
}

Field::Field(const Field &of, long long skipped)
    : param_(of.param_)
    , native_(of.native_)
    , layout_(of.layout_)
    , bytes_(of.bytes_)
    , whole_(of.whole_)
    , tag_(next_tag())
{
  data_[0] = static_cast<char *>(of.data_[0]) + skipped * layout_.precision;
  if (native_) layout_.data = data_[0];
}

Field Field::half_of(const char *what, int parity) const
{
  if (subset() != SiteSubset::full)
    fail(ErrorKind::bad_argument, text("%s: half(%d) of a field of one parity; full fields have halves", what, parity));
  if (parity != 0 && parity != 1)
    fail(ErrorKind::bad_argument, text("%s: half(%d): parity = 0 (even) and 1 (odd) are allowed", what, parity));
  Field part(*this, parity * layout_.parity_stride);
  part.param_.subset = SiteSubset::parity;
  part.param_.parity = parity;
  part.bytes_ -= static_cast<std::size_t>(layout_.parity_stride) * layout_.precision;
  part.layout_.parity_stride = 0;
  part.whole_ = whole_ || !within_records();
  return part;
}

Field Field::columns_of(const char *what, int first, int count) const
{
  if (first < 0 || count < 1 || count > rhs() - first)
    fail(ErrorKind::bad_argument,
         text("%s: columns(%d, %d) of a field of %d right-hand sides", what, first, count, rhs()));
  const long long stride = inner() / rhs() * layout_.inner_stride;
  Field part(*this, first * stride);
  part.param_.rhs = part.layout_.rhs = count;
  part.layout_.inner = inner() / rhs() * count;
  part.bytes_ -= static_cast<std::size_t>((rhs() - count) * stride) * layout_.precision;
  part.whole_ = whole_ && (count == rhs() || (parities() == 1 && !within_records()));
  return part;
}

SiteParam Field::site_param() const
{
  SiteParam p = param_;
  p.create = Create::allocate;
  p.data = nullptr;
  return p;
}

const FieldView &Field::native_layout(const char *what) const
{
  if (!native_) fail(ErrorKind::internal, text("%s: view() of a field in a foreign order", what));
  return layout_;
}

void Field::mark_written() { tag_ = next_tag(); }

std::optional<Difference> difference(const Field &a, const Field &b)
{
  const Lattice &at = a.lattice(), &bt = b.lattice();
  for (int d = 0; d < 4; d++)
    if (at.X(d) != bt.X(d)) return {{text("X[%d]", d), text("%d", at.X(d)), text("%d", bt.X(d))}};
  if (!same_sites(at, bt))
    for (int d = 0; d < 4; d++)
      if (at.global_X()[d] != bt.global_X()[d] || at.origin()[d] != bt.origin()[d])
        return {{"their place among the ranks",
                 text("%lld + %d of %lld along %d", at.origin()[d], at.X(d), at.global_X()[d], d),
                 text("%lld + %d of %lld along %d", bt.origin()[d], bt.X(d), bt.global_X()[d], d)}};
  const struct {
    const char *name;
    int a, b;
  } numbers[] = {{"rhs", a.rhs(), b.rhs()},
                 {"fifth", a.fifth(), b.fifth()},
                 {"flavours", a.flavours(), b.flavours()},
                 {"inner", a.inner(), b.inner()},
                 {"subset", static_cast<int>(a.subset()), static_cast<int>(b.subset())},
                 {"parity", a.parity(), b.parity()}};
  for (const auto &n : numbers)
    if (n.a != n.b) return {{n.name, text("%d", n.a), text("%d", n.b)}};
  return {};
}

void check_alike(const char *function, const std::optional<Difference> &difference)
{
  if (difference)
    fail(ErrorKind::bad_argument, text("%s: fields differ in %s: %s (to) and %s (from)", function,
                                       difference->name.c_str(), difference->a.c_str(), difference->b.c_str()));
}

FieldView native_storage(const Lattice &lattice, Precision precision, int inner, int parities, const FieldShape &shape,
                         std::size_t &bytes)
{
  if (lattice.max_width() != target().lanes())
    fail(ErrorKind::bad_argument, text("native field: its lattice was made for %d lanes, the target in use (%s) has %d",
                                       lattice.max_width(), target_name(target().kind()), target().lanes()));
  FieldView f {};
  f.lattice = lattice.view(target().width(precision), shape.border);
  const LatticeView &l = f.lattice;
  // in reals, as all strides
  const long long entry = shape.reals + (shape.scaled ? static_cast<int>(sizeof(float)) / bytes_of(precision) : 0);
  const long long half = static_cast<long long>(bytes_needed("native field", {l.stored_cb, l.parts, l.width, inner,
                                                                              entry, bytes_of(precision), parities})) /
                         parities;
  const long long padded = (half + half_alignment - 1) / half_alignment * half_alignment;
  const bool within = shape.entries == Entries::innermost && l.width > 1;
  f.parity_stride = parities == 2 ? padded / bytes_of(precision) : 0;
  f.record_stride = entry * l.width * (within ? inner : 1);
  f.inner_stride = entry * l.width * (within ? 1LL : static_cast<long long>(l.stored_cb) * l.parts);
  f.precision = bytes_of(precision);
  f.inner = f.rhs = inner;
  f.fifth = f.flavours = 1;
  f.reals = shape.reals;
  f.vector = lattice.max_width() == 1 ? scalar_vector(bytes_of(precision), shape.reals) : 1;
  f.scaled = shape.scaled;
  bytes = static_cast<std::size_t>(padded) * parities;
  return f;
}

long long real_offset(const FieldView &view, int parity, unsigned stored_cb, int lane, int inner, int real)
{
  const LatticeView &l = view.lattice;
  const long long first = parity * view.parity_stride + inner * view.inner_stride;
  if (l.width == 1)
    return first + (static_cast<long long>(real / view.vector) * l.stored_cb + stored_cb) * view.vector +
           real % view.vector;
  const long long record = static_cast<long long>(stored_cb) * l.parts + lane / l.width;
  return first + record * view.record_stride + real * l.width + lane % l.width;
}

} // namespace quda
