#pragma once
/// Identities of linear operators and of even-odd forms, on fields of any lattice and ranks; each ends in expectations.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "dirac/make_dirac.h"
#include "ops/blas/blas.h"
#include "support/entries.h"

namespace dirac_test
{

using quda::Apply;
using quda::ColorSpinorField;
using quda::Dirac;
using quda::LinearOperator;
using quda::MatPC;
using quda::Precision;
using quda::Sums;

constexpr MatPC all_matpc[] = {MatPC::even_even, MatPC::odd_odd, MatPC::even_even_asymmetric,
                               MatPC::odd_odd_asymmetric};

inline double rounding(Precision precision) { return precision == Precision::double_ ? 2e-13 : 2e-5; }

/// Random numbers, the same for every grid; right-hand side n begins with seed + n.
ColorSpinorField random_field(const quda::ColorSpinorParam &shape, const support::Place &place, std::uint64_t seed);

/// Right-hand side n as a field of its own.
ColorSpinorField column(const ColorSpinorField &field, int n);

inline double norm(const ColorSpinorField &x) { return std::sqrt(quda::blas::norm2(x)); }

/// |a - b| / |b|, over all right-hand sides.
double deviation(const ColorSpinorField &a, const ColorSpinorField &b);

/// <y, A x> = conj <x, A^dag y>; real and positive where the operator says so.
void expect_adjoint(const LinearOperator &A, const support::Place &place);

/// <p, A p> = |R p|^2 + sigma |p|^2.
void expect_factor(const LinearOperator &A, const support::Place &place);

/// out = a x + b A in + c y and its sums, in all ways of asking, against one product and linear algebra here.
void expect_epilogues(const LinearOperator &A, const support::Place &place, int rhs);

/// With b = M x: M_pc x_t is what prepare() makes of b, and reconstruct() makes x of x_t and b. has_local: A is not
/// the mass alone.
void expect_even_odd(const Dirac &dirac, const support::Place &place, int rhs, bool has_local = true);

} // namespace dirac_test
