/// A field of clover terms: two chiral blocks a site, each a Hermitian 6 x 6 matrix of 36 reals.
///
/// Block  : row and column 3 spin + color of the two spins of one chirality; 6 diagonal reals, then the 15 complex
///          elements below the diagonal, column by column.
/// Orders : native, entries are the blocks, in any precision, fixed point with a scale for each block; or packed:
///          (parity, x_cb, block, 36), QUDA_PACKED_CLOVER_ORDER, in double or single. Halves of one parity are fields.
/// Memory, parts, copies, tags: field.h.
#pragma once

#include <utility>

#include "fields/field.h"

namespace quda
{

struct CloverParam : FieldParam {
  SiteSubset subset = SiteSubset::full;
  int parity = 0;
  bool native = true;
  void *data = nullptr; // reference: first real
};

class CloverField : public Field
{
public:
  static constexpr int blocks = 2, block_reals = 36;

  /// `where` names the memory in a leak report.
  explicit CloverField(const CloverParam &param, SourceLocation where = SourceLocation::current())
      : Field(what, site_param_of(param), shape_of(param), &param.data, where)
  {
  }
  CloverField(CloverField &&other) noexcept = default;
  /// Copies the numbers, from temporaries too: no assignment exchanges memory (see swap).
  CloverField &operator=(const CloverField &from);

  /// Parameters of the field, to make another one like it: create = allocate, data null.
  CloverParam param() const { return {site_param(), subset(), parity(), native()}; }
  /// For kernels; native fields only.
  const FieldView &view() const { return native_layout(what); }
  CloverField half(int parity) const { return CloverField(half_of(what, parity)); }

private:
  static constexpr const char *what = "CloverField";

  explicit CloverField(Field &&part)
      : Field(std::move(part))
  {
  }
  static SiteParam site_param_of(const CloverParam &p)
  {
    SiteParam param {p};
    param.subset = p.subset;
    param.parity = p.parity;
    return param;
  }
  static FieldShape shape_of(const CloverParam &p)
  {
    FieldShape shape {block_reals, p.native, Entries::innermost, blocks};
    shape.scaled = p.precision == Precision::half || p.precision == Precision::quarter;
    return shape;
  }
};

/// Writes from's numbers into to, reordered and converted; to is marked as written. Both have one lattice, subset and
/// parity. Defined with the operations (lib/ops/copy).
void copy(CloverField &to, const CloverField &from);

inline CloverField &CloverField::operator=(const CloverField &from)
{
  if (this != &from) copy(*this, from);
  return *this;
}

} // namespace quda
