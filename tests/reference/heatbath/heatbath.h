/// Heat bath (Cabibbo and Marinari; Kennedy and Pendleton) and over-relaxation, link by link.
#pragma once

#include <cstdint>

#include "reference/field.h"
#include "reference/random/philox.h"

namespace reference
{

/// Weight exp((beta/3) sum of f [(1 - 8 c_1) Re tr P + c_1 Re tr R]), R the rectangles of one link by two; f:
/// anisotropy in planes with t, one over it in the others.
struct GaugeAction {
  double beta, rectangle = 0, anisotropy = 1;
};

/// Weighted sum of the staples from x to x + mu.
Link staples(const GaugeField &gauge, const Coords &x, int mu, const GaugeAction &action);

/// 1 - a_0 of the density sqrt(1 - a_0^2) exp(alpha a_0).
double draw_weight(double alpha, const LinkStream &stream, std::uint32_t draw);

/// One link: heat bath of weight exp(beta/3 Re tr U S^dag), or over-relaxation. Not made unitary again.
Link updated(Link u, const Link &staple_sum, double beta, bool relax, const LinkStream &stream);

/// Which of four sets of its direction and parity a link belongs to: those of a set share no rectangle. The sum of
/// x_nu, nu != mu, each counted 0, 1, 2, 3, 0, ..., but the last six of an extent 4 does not divide 0, 1, 2, 0, 1, 2.
int color(const Lattice &lattice, const Coords &x, int mu);

/// One sweep: heat baths, then over-relaxations, each parity by parity, direction by direction and set by set.
void sweep(GaugeField &gauge, const GaugeAction &action, int heatbath, int relax, std::uint64_t seed,
           std::uint32_t number);
void sweep(GaugeField &gauge, double beta, int heatbath, int relax, std::uint64_t seed, std::uint32_t number);

} // namespace reference
