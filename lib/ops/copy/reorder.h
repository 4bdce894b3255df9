#pragma once
/// The way all copies take: foreign bytes cross to the target raw, and a kernel there reorders, converts and rotates.

#include "ops/copy/reorder_table.h"
#include "core/types.h"
#include "fields/lattice.h"
#include "fields/memory.h"
#include "targets/target.h"

namespace quda
{

/// A foreign array as the target's kernels can reach it: the pointer itself, or a block of the target's memory that
/// holds a copy of its bytes.
class Staged
{
public:
  /// `pieces` of `bytes` each at p, p + pitch, ... load: copy them in now.
  Staged(void *p, std::size_t bytes, int pieces, std::size_t pitch, bool load);

  void *get() const { return block_.owned() ? block_.get() : foreign_; }
  /// Bytes from a piece to the next, there.
  std::size_t pitch() const { return block_.owned() ? bytes_ : pitch_; }
  /// Copies the bytes back to the foreign array.
  void store() const;

private:
  void *foreign_;
  FieldMemory block_;
  std::size_t bytes_, pitch_;
  int pieces_;
};

/// Runs the copy that `call` describes. to, from: precisions of the two sides; name and aux as in a tuning key. False
/// where a number was cut: NaN or beyond 1 in a field of fixed point without scales.
bool reorder(const Lattice &lattice, ReorderCall call, Precision to, Precision from, const char *name);

/// Whole links from compressed ones, or links of eight numbers from whole ones: native fields of one lattice and
/// precision, double or single.
void rebuild_links(const Lattice &lattice, const RebuildCall &call, Precision precision);

} // namespace quda
