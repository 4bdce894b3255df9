/// A field of spinors: spins x colors complex numbers a site, `inner` of them, on all sites or on those of one parity.
/// Owns data and computes nothing.
///
/// Inner  : rhs x fifth x flavours, right-hand sides outermost; each owns layers() = fifth x flavours entries. A range
///          of right-hand sides is a field (columns()).
/// Orders : native  (target's memory; lib/core/view.h, FieldView), DeGrand-Rossi basis where there are four spins;
///          dirac   (parity, inner, x_cb, spin, color) complex: QUDA_DIRAC_ORDER, any of the four bases.
/// Memory : as in gauge_field.h. Halo buffers belong to the operation that exchanges halos; views leave them null.
/// Copies : `a = b` writes b's numbers into a's memory, whatever their locations, orders, precisions and
///          bases; it never changes what a is. Shapes that must agree: check_same_spinors().
/// Tag    : as in gauge_field.h. Halves and columns have a tag of their own, and do not change their field's.
/// Collective: copies, while their kernels are tuned. Errors: bad_argument and unsupported, naming the parameter and
/// its value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/error.h"
#include "core/types.h"
#include "core/view.h"
#include "fields/create.h"
#include "fields/lattice.h"
#include "fields/memory.h"

namespace quda
{

struct ColorSpinorParam {
  std::shared_ptr<const Lattice> lattice;
  int spins = 4;
  int colors = 3;
  int rhs = 1;      // right-hand sides
  int fifth = 1;    // extent of the fifth dimension
  int flavours = 1; // of one field, as 2 of a doublet
  Precision precision = Precision::double_;
  DiracOrder order = DiracOrder::native;
  GammaBasis basis = GammaBasis::degrand_rossi;
  Location location = Location::device;
  SiteSubset subset = SiteSubset::full;
  int parity = 0; // of a field of one parity: 0 even, 1 odd
  Create create = Create::allocate;
  void *data = nullptr; // reference: first real
};

class ColorSpinorField
{
public:
  /// `where` names the memory in a leak report.
  explicit ColorSpinorField(const ColorSpinorParam &param, SourceLocation where = SourceLocation::current());
  ColorSpinorField(ColorSpinorField &&other) noexcept;
  ~ColorSpinorField();
  ColorSpinorField(const ColorSpinorField &) = delete;
  /// Copies the numbers, from temporaries too (f.even() = g.odd()): no assignment exchanges memory (see swap).
  ColorSpinorField &operator=(const ColorSpinorField &from);
  friend void swap(ColorSpinorField &a, ColorSpinorField &b) noexcept;

  /// What the field is, as a parameter for another one like it: create = allocate, data null.
  ColorSpinorParam param() const;

  const Lattice &lattice() const { return *param_.lattice; }
  const std::shared_ptr<const Lattice> &shared_lattice() const { return param_.lattice; }
  int spins() const { return param_.spins; }
  int colors() const { return param_.colors; }
  int rhs() const { return param_.rhs; }
  int fifth() const { return param_.fifth; }
  int flavours() const { return param_.flavours; }
  /// Inner entries of one right-hand side.
  int layers() const { return param_.fifth * param_.flavours; }
  /// All inner entries: rhs x layers.
  int inner() const { return param_.rhs * layers(); }
  /// Reals of one inner entry of a site.
  int reals() const { return 2 * param_.spins * param_.colors; }
  Precision precision() const { return param_.precision; }
  DiracOrder order() const { return param_.order; }
  GammaBasis basis() const { return param_.basis; }
  Location location() const { return param_.location; }
  SiteSubset subset() const { return param_.subset; }
  int parities() const { return param_.subset == SiteSubset::full ? 2 : 1; }
  /// Of a field of one parity; 0 for a full one.
  int parity() const { return param_.parity; }
  /// Sites of one inner entry, on this rank.
  long long sites() const { return parities() * param_.lattice->volume_cb(); }
  bool native() const { return param_.order == DiracOrder::native; }
  bool owns_memory() const { return memory_.owned(); }
  void *data() const { return param_.data; }
  /// From data() to the end of what the field holds; of columns, what lies between them included.
  std::size_t bytes() const { return bytes_; }
  /// Whether all of that is the field's. If not, it is some columns of another one.
  bool whole() const { return whole_; }

  /// For kernels; native fields alone. Of a field of one parity, data is that parity's and parity_stride is 0.
  SpinorView view() const;
  /// Shape and strides, in a foreign order too: record_stride goes from site to site there.
  const FieldView &layout() const { return field_; }

  /// One half of a full field: a field of its own over the same memory, which must outlive it.
  ColorSpinorField even() const { return half(0); }
  ColorSpinorField odd() const { return half(1); }
  ColorSpinorField half(int parity) const;
  /// `count` right-hand sides from number `first` on, likewise.
  ColorSpinorField columns(int first, int count) const;

  std::uint64_t tag() const { return tag_; }
  void mark_written();

private:
  /// The same memory from real number `skipped` on; half() and columns() go on from there.
  ColorSpinorField(const ColorSpinorField &of, long long skipped);
  void set_foreign_strides();
  /// Whether all inner entries of a site lie together, so that one right-hand side is a part of every record.
  bool within_records() const { return field_.lattice.width > 1; }

  ColorSpinorParam param_; // create as asked for; data set
  FieldView field_ {};     // without lattice and data in a foreign order
  std::size_t bytes_ = 0;
  bool whole_ = true;
  FieldMemory memory_;
  std::uint64_t tag_ = 0;
};

/// Throws unless the two agree in extents, ranks, spins, colors, inner extent, subset and parity.
void check_same_spinors(const ColorSpinorField &to, const ColorSpinorField &from);

/// Writes from's numbers into to, reordered, converted and rotated to to's basis; to is marked as written. Both of one
/// shape (check_same_spinors). Defined with the operations (lib/ops/copy).
void copy(ColorSpinorField &to, const ColorSpinorField &from);

} // namespace quda
