#include "fields/memory.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "targets/target.h"

namespace quda
{

namespace
{

  // The odd half of a field begins here: whole cache lines, whole transactions of a GPU.
  constexpr long long half_alignment = 128;

  MemoryPool &pool_of(Location location) { return location == Location::device ? device_pool() : pinned_pool(); }

} // namespace

FieldMemory::FieldMemory(std::size_t bytes, Location location, bool zero, SourceLocation where)
    : FieldMemory(pool_of(location).get(bytes, where.function, where.file, where.line), location)
{
  if (!zero) return;
  if (location == Location::device)
    target().clear(block_, bytes);
  else
    std::memset(block_, 0, bytes);
}

FieldMemory::FieldMemory(FieldMemory &&other) noexcept
    : block_(std::exchange(other.block_, nullptr))
    , location_(other.location_)
{
}

FieldMemory &FieldMemory::operator=(FieldMemory &&other) noexcept
{
  std::swap(block_, other.block_);
  std::swap(location_, other.location_);
  return *this;
}

FieldMemory::~FieldMemory()
{
  if (block_) pool_of(location_).put(block_);
}

bool starts_at_zero(Create create, const FieldView &field, Location location)
{
  if (create == Create::zero) return true;
  const LatticeView &l = field.lattice;
  return l.lanes < l.parts * l.width && !pool_of(location).poisons();
}

std::uint64_t next_tag()
{
  static std::atomic<std::uint64_t> last {0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

int scalar_vector(Precision precision, int reals)
{
  int n = 16 / bytes_of(precision);
  if (n > 8) n = 8;
  while (reals % n) n /= 2;
  return n;
}

std::size_t bytes_needed(const char *what, std::initializer_list<long long> factors)
{
  __int128 bytes = 1;
  for (long long factor : factors) {
    bytes *= factor;
    if (bytes > INT64_MAX) fail(ErrorKind::out_of_memory, text("%s: the field would need more than 2^63 bytes", what));
  }
  return static_cast<std::size_t>(bytes);
}

FieldView native_storage(const Lattice &lattice, Precision precision, int inner, int reals, int parities,
                         const int R[4], InnerOrder order, bool scaled, std::size_t &bytes)
{
  if (lattice.max_width() != target().lanes())
    fail(ErrorKind::bad_argument, text("native field: its lattice was made for %d lanes, the target in use (%s) has %d",
                                       lattice.max_width(), target_name(target().kind()), target().lanes()));
  FieldView field {};
  field.lattice = lattice.view(target().width(precision), R);
  const LatticeView &l = field.lattice;
  const int scale = scaled ? static_cast<int>(sizeof(float)) / bytes_of(precision) : 0; // in reals
  const std::size_t half = bytes_needed(
      "native field", {l.stored_cb, l.parts, l.width, inner, reals + scale, bytes_of(precision), parities});
  const long long one = static_cast<long long>(half) / parities;
  const long long padded = (one + half_alignment - 1) / half_alignment * half_alignment;
  field.parity_stride = parities == 2 ? padded / bytes_of(precision) : 0;
  const long long record = static_cast<long long>(reals + scale) * l.width;
  const bool innermost = order == InnerOrder::innermost && l.width > 1;
  field.record_stride = innermost ? record * inner : record;
  field.inner_stride = innermost ? record : record * l.stored_cb * l.parts;
  field.precision = bytes_of(precision);
  field.inner = inner;
  field.rhs = order == InnerOrder::innermost ? inner : 1;
  field.fifth = field.flavours = 1;
  field.reals = reals;
  field.vector = lattice.max_width() == 1 ? scalar_vector(precision, reals) : 1;
  field.scaled = scaled;
  bytes = static_cast<std::size_t>(padded) * parities;
  return field;
}

long long real_offset(const FieldView &view, int parity, unsigned stored_cb, int lane, int inner, int real)
{
  const LatticeView &l = view.lattice;
  const long long half = parity * view.parity_stride;
  if (l.width == 1) {
    const long long group = static_cast<long long>(real / view.vector) * l.stored_cb + stored_cb;
    return half + inner * view.inner_stride + group * view.vector + real % view.vector;
  }
  const long long record = static_cast<long long>(stored_cb) * l.parts + lane / l.width;
  return half + record * view.record_stride + inner * view.inner_stride + real * l.width + lane % l.width;
}

void check_lattice(const char *what, const std::shared_ptr<const Lattice> &lattice)
{
  if (!lattice) fail(ErrorKind::bad_argument, text("%s: lattice is null", what));
}

void check_precision(const char *what, Precision precision, bool native)
{
  const char *allowed = native ? "8 (double), 4 (single) and 2 (half) are" : "8 (double) and 4 (single) are";
  switch (precision) {
  case Precision::double_:
  case Precision::single:
    return;
  case Precision::half:
    if (native) return;
    fail(ErrorKind::bad_argument, text("%s: precision = 2 (half) in a host order is not allowed; %s", what, allowed));
  case Precision::quarter:
    fail(ErrorKind::unsupported, text("%s: precision = 1 (quarter) is not supported; %s", what, allowed));
  }
  fail(ErrorKind::bad_argument, text("%s: precision = %d is not allowed; %s", what, bytes_of(precision), allowed));
}

void check_location(const char *what, Location location, bool native)
{
  if (location != Location::host && location != Location::device)
    fail(ErrorKind::bad_argument,
         text("%s: location = %d is not allowed; 1 (host) and 2 (device) are", what, static_cast<int>(location)));
  if (native && location == Location::host)
    fail(
        ErrorKind::bad_argument,
        text("%s: location = host with order = native is not allowed; native fields are in the target's memory", what));
}

void check_create(const char *what, Create create)
{
  if (create != Create::allocate && create != Create::zero && create != Create::reference)
    fail(ErrorKind::bad_argument,
         text("%s: create = %d is not allowed; allocate, zero and reference are", what, static_cast<int>(create)));
}

void check_pointer(const char *what, const char *name, const void *p, std::size_t alignment)
{
  if (!p) fail(ErrorKind::bad_argument, text("%s: %s is null", what, name));
  if (reinterpret_cast<std::uintptr_t>(p) % alignment)
    fail(ErrorKind::bad_argument, text("%s: %s = %p is not aligned to %zu bytes", what, name, p, alignment));
}

} // namespace quda
