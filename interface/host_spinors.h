#pragma once

/// Host arrays of quark fields: as described by QudaInvertParam and extents, for calls without an operator; and several
/// of them as one field of the library.
/// Ownership : the fields refer to the host's memory, which must outlive them.
/// Errors    : bad_argument, unsupported and not_built, with function, member and value. Collective: no.

#include "quda.h"

#include "fields/color_spinor_field.h"

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace quda
{

/// Whether fields of this operator have one spin instead of four.
bool one_spin(QudaDslashType type);

/// Checks dirac_order, cpu_prec, and the extents: even, from 2 to `most`.
void check_host_spinors(const char *function, const QudaInvertParam &param, const int *X,
                        int most = std::numeric_limits<int>::max());

/// A full field over the host's array; fields with four spins in gamma_basis.
ColorSpinorField host_spinors(const QudaInvertParam &param, std::shared_ptr<const Lattice> lattice, int spins,
                              const void *data);

/// Shape of the library's field whose right-hand sides are these host fields.
ColorSpinorParam native_block(std::span<const ColorSpinorField> host, Precision precision);
void load_block(ColorSpinorField &block, std::span<const ColorSpinorField> host);
void save_block(std::vector<ColorSpinorField> &host, const ColorSpinorField &block);

} // namespace quda
