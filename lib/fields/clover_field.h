/// A field of clover terms: two chiral blocks a site, each a Hermitian 6 x 6 matrix of 36 reals.
///
/// Block  : row and column 3 spin + color of the two spins of one chirality; 6 diagonal reals, then the 15 complex
///          elements below the diagonal, column by column.
/// Orders : native, entries are the blocks, in any precision; or packed: (parity, x_cb, block, 36), in double or
/// single. Halves of one parity are fields. There are no copies yet. Memory, parts, tags: field.h.
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

  /// What the field is, as a parameter for another one like it: create = allocate, data null.
  CloverParam param() const { return {site_param(), subset(), parity(), native()}; }
  /// For kernels; native fields alone.
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

} // namespace quda
