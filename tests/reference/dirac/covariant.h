/// Colour vectors and spinors carried along by links, written from their formulas: fields of n spins a site, spin the
/// row; n is 1 or 4.
#pragma once

#include <vector>

#include "reference/field.h"

namespace reference
{

template <int n> using SpinVector = Eigen::Matrix<Complex, n, 3, Eigen::RowMajor>;
template <int n> using SpinVectors = std::vector<SpinVector<n>>; // all slots of a lattice

/// The first n spins of each site.
template <int n> SpinVectors<n> spins_of(const Spinors &psi);

/// U_mu(x) psi(x + l mu) with sense +1, U_mu(x - l mu)^dag psi(x - l mu) with -1.
template <int n>
SpinVectors<n> carried(const GaugeField &gauge, const SpinVectors<n> &psi, int mu, int sense, int length = 1);

/// a x + b y
template <int n> SpinVectors<n> combined(Complex a, const SpinVectors<n> &x, Complex b, const SpinVectors<n> &y);

/// The sum over both neighbours in all directions but one (omitted > 3: in all).
template <int n>
SpinVectors<n> neighbours(const GaugeField &gauge, const SpinVectors<n> &psi, int omitted, int length = 1);

/// U_mu(x) U_mu(x + mu)
GaugeField two_link(const GaugeField &gauge);

/// Host array of one rank, (parity, x_cb, spin, color, re/im): both parities, or one.
template <class real, int n>
std::vector<real> to_host(const SpinVectors<n> &full, const Lattice &lattice, const Part &part, int parity = -1);

} // namespace reference
