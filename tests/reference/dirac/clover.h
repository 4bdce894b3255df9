/// Clover fermions, written from their formulas:
///   A(x) = 1 - c sum_{mu > nu} gamma_mu gamma_nu F_{mu nu}(x),   M = A - kappa D,
/// D the hop of Wilson fermions, F the four-leaf field strength, trace and all. Twelve rows a site: 3 spin + colour.
#pragma once

#include <vector>

#include "reference/dirac/wilson.h"

namespace reference
{

using SiteMatrix = Eigen::Matrix<Complex, 12, 12, Eigen::RowMajor>;
using SiteMatrices = std::vector<SiteMatrix>; // all slots

SiteMatrix clover_term_at(const GaugeField &gauge, const Coords &x, double c, Basis basis = Basis::degrand_rossi);

SiteMatrices clover_term(const GaugeField &gauge, double c, Basis basis = Basis::degrand_rossi);

SiteMatrices inverse(const SiteMatrices &A);

/// Sum of log det A over the slots of a parity.
double log_determinant(const SiteMatrices &A, int parity);

/// Blocks of six rows, two a site, whose smallest eigenvalue is not positive.
long long blocks_not_positive(const SiteMatrices &A);

Spinor times(const SiteMatrix &A, const Spinor &psi);

/// A psi; psi on all slots, parity -1, or on those of one parity.
Spinors times(const SiteMatrices &A, const Spinors &psi, int parity = -1);

/// Host array of one rank in QUDA_PACKED_CLOVER_ORDER: (parity, x_cb, block 2, 36), DeGrand-Rossi basis. real: float
/// or double.
template <class real> std::vector<real> to_packed(const SiteMatrices &A, const Lattice &lattice, const Part &part);

class CloverWilson
{
public:
  /// The gauge field is referred to, not copied. shift: of A where it stands by itself.
  CloverWilson(const GaugeField &gauge, double c, double shift = 0, Basis basis = Basis::degrand_rossi);

  /// A^-1 D or A^-1 D^dag onto the sites of `parity`.
  Spinors hop_to(int parity, const Spinors &in, bool dagger = false) const;

  Spinors matrix(const Spinors &in, double kappa, bool dagger = false) const;

  /// Symmetric: psi - kappa^2 A^-1 D A^-1 D psi, the adjoint psi - kappa^2 D^dag A^-1 D^dag A^-1 psi; asymmetric:
  /// A psi - kappa^2 D A^-1 D psi.
  Spinors matrix_pc(int parity, bool symmetric, const Spinors &in, double kappa, bool dagger = false) const;

  const Wilson wilson;
  const SiteMatrices A, A_inverse;

private:
  SiteMatrices shifted_;
};

} // namespace reference
