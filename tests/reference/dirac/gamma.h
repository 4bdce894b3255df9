/// Euclidean gamma matrices in the four bases of the C interface, and the rotations between them.
///   gamma_mu = gamma_mu^dag, {gamma_mu, gamma_nu} = 2 delta, gamma5 = gamma_1 gamma_2 gamma_3 gamma_4 (mu counted 1 to
///   4).
#pragma once

#include <array>

#include "reference/field.h"

namespace reference
{

enum class Basis { degrand_rossi = 0, ukqcd = 1, chiral = 2, dirac_pauli = 3 }; // the interface's numbers

constexpr std::array<Basis, 4> all_bases = {Basis::degrand_rossi, Basis::ukqcd, Basis::chiral, Basis::dirac_pauli};

/// gamma_mu, mu = 0 ... 3 for x, y, z, t.
SpinMatrix gamma(Basis basis, int mu);

SpinMatrix gamma5(Basis basis);

/// The spin rotation R with psi_to = R psi_from and gamma_to = R gamma_from R^dag.
SpinMatrix basis_rotation(Basis from, Basis to);

/// A spin matrix applied at every site.
Spinors applied(const SpinMatrix &matrix, const Spinors &psi);

} // namespace reference
