#pragma once
/// Clover terms from links, their inverses and determinants.

#include "fields/clover_field.h"
#include "fields/gauge_field.h"

namespace quda
{

/// A = 1 - c sum_{mu > nu} gamma_mu gamma_nu F_{mu nu} as in kernels/clover/term.launch.cpp, F of the links as stored.
///   A     : native, on both parities, of the links' precision
///   links : native, with a border of depth 1 in cut directions, current
/// The same bits for any rank grid. Collective: while its kernels are tuned.
void clover_term(CloverField &A, const GaugeField &links, double c);

/// out = A^2 + shift for blocks as above. A, out: native, on both parities, of one lattice and precision, double or
/// single; out may be A. Collective: while its kernels are tuned.
void clover_square(CloverField &out, const CloverField &A, double shift);

/// out = A B for blocks that commute. All native, on both parities, of one lattice and precision, double or single; out
/// is another field. Collective: while its kernels are tuned.
void clover_product(CloverField &out, const CloverField &A, const CloverField &B);

struct CloverDeterminants {
  double log[2];          // for each parity: sum over the global lattice of log |det A|, exactly rounded
  long long not_positive; // number of chiral blocks that are not positive definite, in the global lattice
  long long blocks;       // number of all blocks
};

/// Determinants of a clover term, the same on all ranks and for any rank grid; and, unless null, its inverse. A,
/// inverse: native, on both parities, of one precision, double or single; the inverse is not A. Collective over the
/// field's communicator.
CloverDeterminants clover_inverse(CloverField *inverse, const CloverField &A);

} // namespace quda
