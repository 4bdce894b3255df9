/// Base of all fields: numbers on the sites of a rank's lattice, in the native order of the target's memory
/// (lib/core/view.h, FieldView) or in an order of the caller's. GaugeField, ColorSpinorField, CloverField and SiteField
/// are shapes of it and say what the numbers mean. Owns data and computes nothing.
///
/// Memory : allocate and zero come from the pools (device_pool() for Location::device, pinned_pool() for host) and go
///          back with the field; reference wraps the caller's. Fresh memory is left as the pool gives it; no kernel
/// uses unwritten numbers. Fields with padding lanes start at zero.
/// Parts  : half a field's sites (half(), even(), odd()) or some of its right-hand sides (columns()) are fields over
///          the same memory, which must outlive them.
/// Copies : `a = b` writes b's numbers into a's memory, whatever their locations, orders and precisions; it never
///          changes what a is. A moved-from field is good for destruction only.
/// Tag    : a number, new for every field and after every mark_written(), never used twice in a process. Code that
///          writes through view() calls mark_written(); a copy made from a field keeps its source's tag too
///          and is stale when they differ. Parts have a tag of their own, and do not change their field's.
/// Collective: copies, while their kernels are tuned. Errors: bad_argument and unsupported, naming the class, the
/// parameter and its value.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "core/error.h"
#include "core/types.h"
#include "core/view.h"
#include "fields/lattice.h"
#include "fields/memory.h"

namespace quda
{

/// Source of a field's memory.
enum class Create : int {
  allocate, ///< owned, contents as the pool gives them: nothing may read them before they are written
  zero,     ///< owned, all zero
  reference ///< the caller's memory, which must outlive the field
};

struct FieldParam {
  std::shared_ptr<const Lattice> lattice;
  Precision precision = Precision::double_;
  Location location = Location::device;
  Create create = Create::allocate;
};

/// Parameters of fields that may have several entries a site, and may cover one parity only.
struct SiteParam : FieldParam {
  int rhs = 1;      // right-hand sides
  int fifth = 1;    // extent of the fifth dimension
  int flavours = 1; // flavours of one field: 2 for a doublet
  SiteSubset subset = SiteSubset::full;
  int parity = 0;       // of a field of one parity: 0 even, 1 odd
  void *data = nullptr; // reference: first real
};

/// Place of a site's entries: in native order, and in an array of the host.
enum class Entries {
  innermost, // lanes: [parity][site][part][entry][reals][width]; host: [parity][site][entry][reals]
  outermost, // lanes: [parity][entry][site][part][reals][width]; host: [parity][entry][site][reals]
  separate   // host: an array for each entry
};

/// Strides of a host's array in any other layout, in reals: between parities, sites and entries, and the total number
/// of reals.
struct HostStrides {
  long long parity, record, inner, all;
};

/// Description of a field's numbers, given by its shape.
struct FieldShape {
  int reals;          // of an entry
  bool native = true; // else in the order of a host's array
  Entries entries = Entries::innermost;
  int blocks = 1;              // entries a site of each right-hand side and layer: 4 directions, 2 chiral blocks
  bool scaled = false;         // fixed-point records with a scale of their own
  const int *border = nullptr; // stored around each block of a native field; null: none
  HostStrides strides {};      // of a host's array, instead of `entries`; all = 0: none
};

class Field
{
public:
  Field(Field &&other) noexcept = default;
  ~Field() = default;

  const Lattice &lattice() const { return *param_.lattice; }
  const std::shared_ptr<const Lattice> &shared_lattice() const { return param_.lattice; }
  Precision precision() const { return param_.precision; }
  Location location() const { return param_.location; }
  bool native() const { return native_; }
  SiteSubset subset() const { return param_.subset; }
  int parities() const { return param_.subset == SiteSubset::full ? 2 : 1; }
  /// The parity of a field of one parity; 0 for a full one.
  int parity() const { return param_.parity; }
  /// Sites of this rank.
  long long sites() const { return parities() * param_.lattice->volume_cb(); }

  int rhs() const { return param_.rhs; }
  int fifth() const { return param_.fifth; }
  int flavours() const { return param_.flavours; }
  /// Entries of a right-hand side.
  int layers() const { return param_.fifth * param_.flavours; }
  /// All entries of a site: rhs x layers, or the 4 directions of a gauge field.
  int inner() const { return layout_.inner; }
  /// Real numbers of an entry, as stored.
  int reals() const { return layout_.reals; }
  /// Bytes of an entry's reals, and of their scale in fixed point.
  long long record_bytes() const
  {
    return layout_.reals * layout_.precision + (layout_.scaled ? static_cast<long long>(sizeof(float)) : 0);
  }
  /// Shape and strides, also in a host's order: there record_stride goes from site to site. Data and lattice for native
  /// fields only; in a field of one parity, data is that parity's and parity_stride is 0.
  const FieldView &layout() const { return layout_; }

  bool owns_memory() const { return memory_.owned(); }
  /// First real; the first real of entry i if each entry has an array of its own.
  void *data(int i = 0) const { return data_[i]; }
  /// From data() to the end of the field's numbers, over all arrays, padding included; for columns(), with the gaps
  /// between them.
  std::size_t bytes() const { return bytes_; }
  /// Whether the field owns all of these bytes; if not, it is some columns of another field.
  bool whole() const { return whole_; }

  std::uint64_t tag() const { return tag_; }
  void mark_written();

protected:
  static constexpr int most_arrays = 4;

  /// what: the class, for messages. data: for references, one pointer or four.
  Field(const char *what, const SiteParam &param, const FieldShape &shape, void *const *data, SourceLocation where);

  /// Parameters of the field, to make another one like it: create = allocate, data null.
  SiteParam site_param() const;
  /// Parts over the same memory.
  Field half_of(const char *what, int parity) const;
  Field columns_of(const char *what, int first, int count) const;
  /// Native fields only.
  const FieldView &native_layout(const char *what) const;

private:
  /// The same memory from real number `skipped` on.
  Field(const Field &of, long long skipped);
  void set_host_layout(const FieldShape &shape);
  /// Whether all entries of a site lie together, so that a right-hand side is a piece of every record.
  bool within_records() const { return layout_.lattice.width > 1; }

  SiteParam param_; // create as asked for
  bool native_;
  FieldView layout_ {};
  void *data_[most_arrays] = {};
  std::size_t bytes_ = 0;
  bool whole_ = true;
  FieldMemory memory_;
  std::uint64_t tag_;
};

/// Exchanges two fields of one class with their memory, which no assignment does.
template <class F>
requires std::derived_from<F, Field>
void swap(F &a, F &b) noexcept
{
  static_assert(std::is_nothrow_move_constructible_v<F>);
  F was_a(std::move(a));
  std::destroy_at(&a);
  std::construct_at(&a, std::move(b));
  std::destroy_at(&b);
  std::construct_at(&b, std::move(was_a));
}

/// A property that keeps two fields from being copies of each other, with both values.
struct Difference {
  std::string name, a, b;
};

/// The first difference among extents, ranks, entries, subset and parity.
std::optional<Difference> difference(const Field &a, const Field &b);
/// Throws if there is one: "function: fields differ in name: a (to) and b (from)".
void check_alike(const char *function, const std::optional<Difference> &difference);

/// Native storage over `lattice` with a border, in the lanes of the target in use; data left null. parities: 1 or 2.
/// bytes: of the whole field. The odd half begins at a multiple of 128 bytes.
FieldView native_storage(const Lattice &lattice, Precision precision, int inner, int parities, const FieldShape &shape,
                         std::size_t &bytes);

/// Real k of entry i at a stored site, counted from data; lane 0 on scalar targets.
long long real_offset(const FieldView &view, int parity, unsigned stored_cb, int lane, int inner, int real);

} // namespace quda
