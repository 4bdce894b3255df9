/// A field of spinors: spins x colors complex numbers in each entry of a site.
///
/// Entries: rhs x fifth x flavours, right-hand sides outermost; each owns layers() = fifth x flavours entries.
/// Orders : native, in the DeGrand-Rossi basis where there are four spins; double, single, half or quarter;
///          dirac: (parity, entry, x_cb, spin, color) complex: QUDA_DIRAC_ORDER, any of the four bases; double or
///          single.
/// Halo buffers belong to the operation that exchanges halos; views leave them null.
/// Copies rotate to the basis of the field they write. Memory, parts, tags: field.h.
#pragma once

#include "fields/field.h"

namespace quda
{

/// Meaning of the numbers of a site.
struct SpinorKind {
  int spins = 4;
  int colors = 3;
  DiracOrder order = DiracOrder::native;
  GammaBasis basis = GammaBasis::degrand_rossi;
  bool alternating = false; // a checkerboard of five dimensions: slice s of parity p stands on sites of (p + s) mod 2
};

struct ColorSpinorParam : SiteParam, SpinorKind {
};

/// Whether lattice, sites, spins, colors and entries agree: everything except precision, order and memory.
bool same_shape(const ColorSpinorParam &a, const ColorSpinorParam &b);

/// Layout of a native field in memory of its own, and its bytes; data left null.
FieldView native_storage(const ColorSpinorParam &param, std::size_t &bytes);

class ColorSpinorField : public Field
{
public:
  /// `where` names the memory in a leak report.
  explicit ColorSpinorField(const ColorSpinorParam &param, SourceLocation where = SourceLocation::current());
  ColorSpinorField(ColorSpinorField &&other) noexcept = default;
  /// Copies the numbers, from temporaries too (f.even() = g.odd()): no assignment exchanges memory (see swap).
  ColorSpinorField &operator=(const ColorSpinorField &from);

  /// Parameters of the field, to make another one like it: create = allocate, data null.
  ColorSpinorParam param() const { return {site_param(), kind_}; }

  int spins() const { return kind_.spins; }
  int colors() const { return kind_.colors; }
  DiracOrder order() const { return kind_.order; }
  GammaBasis basis() const { return kind_.basis; }
  bool alternating() const { return kind_.alternating; }

  /// For kernels; native fields only.
  SpinorView view() const;

  ColorSpinorField even() const { return half(0); }
  ColorSpinorField odd() const { return half(1); }
  ColorSpinorField half(int parity) const;
  /// `count` right-hand sides from number `first` on.
  ColorSpinorField columns(int first, int count) const;

private:
  ColorSpinorField(Field &&part, const SpinorKind &kind);

  SpinorKind kind_;
};

/// Throws in the name of `function` unless the two agree in extents, ranks, spins, colors, entries, subset and parity.
void check_same_spinors(const char *function, const ColorSpinorField &to, const ColorSpinorField &from);

/// The same, and throws unless both are native, of 4 spins, 3 colors and one precision.
void check_native_spinors(const char *function, const ColorSpinorField &to, const ColorSpinorField &from);

/// Writes from's numbers into to, reordered, converted and rotated to to's basis; to is marked as written. Both have
/// one shape (check_same_spinors). Defined with the operations (lib/ops/copy).
void copy(ColorSpinorField &to, const ColorSpinorField &from);

} // namespace quda
