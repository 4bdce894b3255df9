/// Gauge and spinor fields of the plain reference: one Eigen matrix a link and one a spinor, double precision, slots of
/// the whole lattice in even-odd order; and the way between them and host arrays in QUDA's orders.
///
/// A link is row by row (row, column); a spinor is (spin, colour), spin the row, which in memory is QUDA_DIRAC_ORDER.
/// What is a template of `real` is there for float and double.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "reference/lattice.h"

namespace reference
{

using Complex = std::complex<double>;
using Link = Eigen::Matrix<Complex, 3, 3, Eigen::RowMajor>;
using Spinor = Eigen::Matrix<Complex, 4, 3, Eigen::RowMajor>;
using SpinMatrix = Eigen::Matrix<Complex, 4, 4, Eigen::RowMajor>;
using Spinors = std::vector<Spinor>; // all slots of a lattice, or those of one parity

struct GaugeField {
  explicit GaugeField(const Lattice &lattice);

  Link &at(int mu, const Coords &x) { return U[mu][lattice.slot(x)]; }
  const Link &at(int mu, const Coords &x) const { return U[mu][lattice.slot(x)]; }

  Lattice lattice;
  std::array<std::vector<Link>, 4> U; // (mu)(slot)
};

/// Host arrays of one rank in QUDA_QDP_GAUGE_ORDER: four arrays (parity, x_cb, row, column, re/im).
template <class real> using QdpLinks = std::array<std::vector<real>, 4>;

template <class real> QdpLinks<real> to_qdp(const GaugeField &gauge, const Part &part);

template <class real> QdpLinks<real> to_qdp(const GaugeField &gauge);

/// Host array of one rank in QUDA_MILC_GAUGE_ORDER: (parity, x_cb, mu, row, column, re/im).
template <class real> std::vector<real> to_milc(const GaugeField &gauge, const Part &part);

/// Writes one rank's QDP arrays into its part of a field on the whole lattice.
template <class real> void from_qdp(GaugeField &gauge, const Part &part, const real *const links[4]);

template <class real> GaugeField from_qdp(const Lattice &lattice, const QdpLinks<real> &links);

/// The slots of one parity.
Spinors half_of(const Spinors &full, int parity);

void set_half(Spinors &full, int parity, const Spinors &half);

enum class SpinorOrder {
  dirac,
  qdp,
  cps_wilson
}; // of one site: dirac (spin, colour), qdp (colour, spin); cps: odd sites first

/// Host array of one rank from a field on the whole lattice: both parities, or one (parity 0 or 1).
template <class real> std::vector<real> to_host(const Spinors &full, const Lattice &lattice, const Part &part,
                                                int parity = -1, SpinorOrder order = SpinorOrder::dirac);

/// The inverse, for a rank that holds the whole lattice or one parity of it.
template <class real>
Spinors from_host(const std::vector<real> &host, bool both, SpinorOrder order = SpinorOrder::dirac);

double norm2(const Spinors &psi);

/// <a, b> = sum conj(a) b
Complex inner_product(const Spinors &a, const Spinors &b);

/// The largest |a - b| of a site's components, in units of the root mean square of b's: the measure by which fields are
/// compared.
double deviation(const Spinors &a, const Spinors &b);

double deviation(const GaugeField &a, const GaugeField &b);

} // namespace reference
