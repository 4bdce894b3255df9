#pragma once
/// What the tests of contractions share: fields of one and of four spins from numbers of the plain reference, and
/// results as host arrays.

#include <cmath>
#include <complex>
#include <vector>

#include "ops/contract/sitewise.h"
#include "reference/contract/sitewise.h"
#include "reference/random.h"
#include "support/native_fields.h"

namespace contractions
{

using Numbers = std::vector<std::complex<double>>; // (parity, inner, x_cb, entry)

inline quda::ColorSpinorField native_field(const support::Place &place, quda::Precision precision, int spins,
                                           int inner = 1)
{
  quda::ColorSpinorParam param;
  param.lattice = place.lattice;
  param.spins = spins;
  param.precision = precision;
  param.rhs = inner;
  return quda::ColorSpinorField(param);
}

/// One spin: spin 0 of psi.
inline std::vector<double> host_numbers(const support::Place &place, const reference::Spinors &psi, int spins)
{
  const std::vector<double> all = reference::to_host<double>(psi, place.global, place.part);
  if (spins == 4) return all;
  std::vector<double> one;
  for (std::size_t site = 0; site < all.size() / 24; site++)
    one.insert(one.end(), all.begin() + 24 * site, all.begin() + 24 * site + 6);
  return one;
}

/// The rank's part of a field on the whole lattice.
inline quda::ColorSpinorField native(const support::Place &place, const reference::Spinors &psi,
                                     quda::Precision precision, int spins = 4)
{
  quda::ColorSpinorField field = native_field(place, precision, spins);
  support::set_from_host(field, host_numbers(place, psi, spins));
  return field;
}

inline Numbers complex_numbers(const std::vector<double> &reals)
{
  Numbers numbers(reals.size() / 2);
  for (std::size_t k = 0; k < numbers.size(); k++) numbers[k] = {reals[2 * k], reals[2 * k + 1]};
  return numbers;
}

/// The contraction in host order. The result's memory holds something else before.
inline std::vector<double> contraction_reals(const quda::ColorSpinorField &x, const quda::ColorSpinorField &y,
                                             quda::Contraction type)
{
  quda::SiteField result(quda::contraction_param(x, type));
  support::set_from_host(result, std::vector<double>(result.sites() * result.inner() * result.reals(), 7.5));
  quda::contract(x, y, result, type);
  return support::host_array(result);
}

inline Numbers contraction(const quda::ColorSpinorField &x, const quda::ColorSpinorField &y, quda::Contraction type)
{
  return complex_numbers(contraction_reals(x, y, type));
}

/// The same of the plain reference, on one rank.
inline Numbers expected(const reference::Spinors &x, const reference::Spinors &y, quda::Contraction type)
{
  const auto gammas = reference::contraction_gammas(type == quda::Contraction::corrected_bilinears);
  Numbers numbers;
  for (std::size_t site = 0; site < x.size(); site++) {
    const reference::SpinMatrix open = reference::open_contraction(x[site], y[site]);
    if (type == quda::Contraction::staggered) {
      numbers.push_back(open(0, 0));
    } else if (type == quda::Contraction::open) {
      numbers.insert(numbers.end(), open.data(), open.data() + 16);
    } else {
      const reference::Bilinears b = reference::bilinears(x[site], y[site], gammas);
      numbers.insert(numbers.end(), b.begin(), b.end());
    }
  }
  return numbers;
}

/// The largest difference, relative to the root mean square of b; NaN comes through.
inline double deviation(const Numbers &a, const Numbers &b)
{
  if (a.size() != b.size() || b.empty()) return INFINITY;
  double largest = 0, squares = 0;
  for (std::size_t k = 0; k < b.size(); k++) {
    const double here = std::abs(a[k] - b[k]);
    if (!(here <= largest)) largest = here;
    squares += std::norm(b[k]);
  }
  return largest / std::sqrt(squares / static_cast<double>(b.size()));
}

constexpr quda::Contraction all_types[] = {quda::Contraction::open, quda::Contraction::bilinears,
                                           quda::Contraction::corrected_bilinears, quda::Contraction::staggered};

inline int spins_of(quda::Contraction type) { return type == quda::Contraction::staggered ? 1 : 4; }

} // namespace contractions
