#pragma once
/// Copies of native fields as they lie in memory: numbers, scales of fixed point, lanes that stand for no site.

#include "core/view.h"
#include "fields/lattice.h"

namespace quda
{

/// Whether the fields store the same numbers in the same places, without borders. Lattices with the same split.
bool same_storage(const FieldView &to, const FieldView &from);

/// to = from, for fields of the same storage. name: as in a tuning key.
void copy_storage(const Lattice &lattice, const FieldView &to, const FieldView &from, int parities, const char *name);

} // namespace quda
