#pragma once
/// Row fields: the vectors and matrices of coarse grids, on a lattice of rows (Lattice::rows).
///
/// Vector : n complex numbers a site, its rows. A native ColorSpinorField of one spin; on lanes row r is color r / 16 of
///          lane r % 16, and padding rows from n on are zero; on scalar targets row r is color r.
/// Matrix : `legs` matrices of n x m numbers a site are a vector of n rows with legs m right-hand sides: number l m + j is
///          column j of the matrix of leg l. So its columns(l m, m) are m vectors, which any operation may write.
/// Order  : of coarse rows, r = X n/2 + i, X the chirality.

#include <complex>
#include <vector>

#include "fields/color_spinor_field.h"

namespace quda
{

/// A vector of `rows` rows on all sites, parity -1, or on those of one parity.
ColorSpinorParam row_shape(std::shared_ptr<const Lattice> lattice, int rows, Precision precision, int rhs,
                           int parity = -1);

/// Whether a field is a vector of `rows` rows, of any precision, sites and right-hand sides.
bool has_rows(const ColorSpinorField &field, int rows);

/// Numbers of a row field in an array of the host, [parity][x_cb][rhs][row], and back. Sites as in all arrays of hosts:
/// x0 fastest. In half precision: rounded as by copies. Communicates only to tune copies.
using RowArray = std::vector<std::complex<double>>;
RowArray to_host(const ColorSpinorField &field, int rows);
void from_host(ColorSpinorField &field, int rows, const RowArray &numbers);

} // namespace quda
