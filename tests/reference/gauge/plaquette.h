/// Mean plaquette Re tr/3 of U_mu(x) U_nu(x+mu) U_mu(x+nu)^dag U_nu(x)^dag over sites and planes.
#pragma once

#include <array>

#include "reference/field.h"

namespace reference
{

/// Re tr of the plaquette at x in the plane (mu, nu).
double plaquette_trace(const GaugeField &gauge, const Coords &x, int mu, int nu);

/// {mean of the next two, spatial planes, temporal planes}: what plaqQuda returns.
std::array<double, 3> plaquette(const GaugeField &gauge);

} // namespace reference
