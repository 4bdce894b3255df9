/// A field of any numbers a site: results of contractions, charge densities, and other data without algebra of its own.
///
/// Entries: rhs x fifth x flavours of `reals` numbers, as in color_spinor_field.h.
/// Orders : native, in any precision; or host: (parity, entry, x_cb, real), in double or single.
/// Memory, parts, tags: field.h.
#pragma once

#include "fields/field.h"

namespace quda
{

struct SiteFieldParam : SiteParam {
  int reals = 1;
  bool native = true;
};

class SiteField : public Field
{
public:
  /// `where` names the memory in a leak report.
  explicit SiteField(const SiteFieldParam &param, SourceLocation where = SourceLocation::current());
  SiteField(SiteField &&other) noexcept = default;
  /// Copies the numbers, from temporaries too: no assignment exchanges memory (see swap).
  SiteField &operator=(const SiteField &from);

  /// Parameters of the field, to make another one like it: create = allocate, data null.
  SiteFieldParam param() const { return {site_param(), reals(), native()}; }
  /// For kernels; native fields only.
  const FieldView &view() const;
};

/// Throws in the name of `function` unless the two agree in extents, ranks, reals, entries, subset and parity.
void check_same_numbers(const char *function, const SiteField &to, const SiteField &from);

/// Writes from's numbers into to, reordered and converted; to is marked as written. Both have one shape
/// (check_same_numbers). Defined with the operations (lib/ops/copy).
void copy(SiteField &to, const SiteField &from);

} // namespace quda
