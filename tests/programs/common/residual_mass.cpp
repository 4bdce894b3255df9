#include "programs/common/residual_mass.h"

#include <algorithm>
#include <cmath>

#include <quda_ext.h>

#include "programs/common/quarks.h"
#include "reference/dirac/gamma.h"

namespace program
{

namespace
{

  using Field = std::vector<double>;

  bool is_shamir(const Options &options) { return !moebius(options) || (options.b5 == 1 && options.c5 == 0); }

  /// 1 at the origin, of this process, in four dimensions.
  Field point(const HostGauge &gauge, std::size_t column)
  {
    Field eta(24 * gauge.part().local.volume(), 0.0);
    for (std::size_t slot = 0; slot < gauge.part().local.volume(); slot++)
      if (gauge.part().global_coords(slot) == reference::Coords {0, 0, 0, 0}) eta[24 * slot + 2 * column] = 1;
    return eta;
  }

  /// Adds |q|^2 of each time slice of this process.
  void add_squares(std::vector<double> &sums, const HostGauge &gauge, const Field &q)
  {
    for (std::size_t slot = 0; slot < gauge.part().local.volume(); slot++) {
      double &sum = sums[static_cast<std::size_t>(gauge.part().global_coords(slot)[3])];
      for (std::size_t k = 24 * slot; k < 24 * slot + 24; k++) sum += q[k] * q[k];
    }
  }

  /// Adds A of one column, of the whole lattice.
  void add_current(std::vector<double> &sums, const HostGauge &gauge, const reference::GaugeField &links,
                   const reference::Spinors &chi)
  {
    using namespace reference;
    const SpinMatrix one = SpinMatrix::Identity(), g4 = gamma(Basis::degrand_rossi, 3),
                     g5 = gamma5(Basis::degrand_rossi);
    const Lattice &lattice = links.lattice;
    const std::size_t Ls = gauge.flavours(), half = lattice.half();
    const auto at = [&](std::size_t slot, std::size_t s) -> const Spinor & {
      const std::size_t parity = gauge.five_dimensions() ? (slot / half + s) % 2 : slot / half;
      return chi[(parity * Ls + s) * half + slot % half];
    };
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const Coords x = lattice.coords(slot);
      const std::size_t ahead = lattice.slot(lattice.shifted(x, 3, 1));
      const Link &U = links.at(3, x);
      Complex sum = 0;
      for (std::size_t s = 0; s < Ls; s++) { // colours of a spinor are columns
        const Spinor here = at(slot, s), there = at(ahead, s), eta_here = g5 * at(slot, Ls - 1 - s),
                     eta_there = g5 * at(ahead, Ls - 1 - s);
        const Spinor forward = (one - g4) * there * U.transpose(), back = (one + g4) * here * U.conjugate();
        sum += (2 * s < Ls ? -0.5 : 0.5) *
               (eta_here.conjugate().cwiseProduct(forward).sum() - eta_there.conjugate().cwiseProduct(back).sum());
      }
      sums[static_cast<std::size_t>(x[3])] += sum.real();
    }
  }

} // namespace

double ResidualMass::mean() const
{
  const std::size_t T = pion.size();
  double above = 0, below = 0;
  for (std::size_t t = (T + 3) / 4; t <= T - (T + 3) / 4; t++) {
    above += midpoint[t];
    below += pion[t];
  }
  return above / below;
}

double ResidualMass::violation(double mass) const
{
  double largest = 0;
  for (std::size_t t = 1; t < current.size(); t++) {
    const double terms[] = {current[t], -current[t - 1], 2 * mass * pion[t], 2 * midpoint[t]};
    double sum = 0, sizes = 0;
    for (const double term : terms) sum += term, sizes += std::abs(term);
    largest = std::max(largest, std::abs(sum) / sizes);
  }
  return largest;
}

ResidualMass residual_mass(const Process &process, const HostGauge &gauge, const Options &options,
                           QudaInvertParam param)
{
  constexpr std::size_t n = 12;
  const std::size_t T = static_cast<std::size_t>(gauge.global().X[3]), four = 24 * gauge.part().local.volume();
  std::vector<Field> sources, solutions;
  std::vector<void *> b, x;
  for (std::size_t column = 0; column < n; column++) {
    Field eta = point(gauge, column);
    sources.emplace_back(four * gauge.flavours());
    solutions.emplace_back(four * gauge.flavours());
    domainWallSourceQuda(sources.back().data(), eta.data(), &param);
  }
  for (std::size_t column = 0; column < n; column++) {
    b.push_back(sources[column].data());
    x.push_back(solutions[column].data());
  }
  param.num_src = param.num_src_per_sub_partition = static_cast<int>(n);
  invertMultiSrcQuda(x.data(), b.data(), &param);
  ResidualMass out {std::vector<double>(T),    std::vector<double>(T), {}, param.iter, param.secs,
                    param.iter < param.maxiter};
  Field q(four);
  for (Field &solution : solutions)
    for (const int midpoint : {0, 1}) {
      domainWallQuarkQuda(q.data(), solution.data(), midpoint, &param);
      add_squares(midpoint ? out.midpoint : out.pion, gauge, q);
    }
  for (std::vector<double> *sums : {&out.pion, &out.midpoint})
    for (double &sum : *sums) sum = process.sum(sum);
  if (!is_shamir(options)) return out;
  const reference::GaugeField links = gauge.reference_field();
  out.current.resize(T);
  for (const Field &solution : solutions) add_current(out.current, gauge, links, gathered(process, gauge, solution));
  return out;
}

} // namespace program
