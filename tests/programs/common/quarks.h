/// What programs on quark fields share: the operator as the library is told of it, and host fields of a process as
/// parts of the whole lattice's. Fields of a process stand in QUDA_DIRAC_ORDER, double precision, DeGrand-Rossi basis;
/// those of staggered operators have the first spin alone. Entries of a doublet or of a fifth dimension, of a process or
/// the whole lattice: (parity, flavour, x_cb), in a checkerboard of five dimensions the parity of site and slice.
#pragma once

#include <vector>

#include "programs/common/host_gauge.h"
#include "programs/common/options.h"
#include "programs/common/process.h"
#include "reference/field.h"

namespace program
{

/// Operator, precisions and host fields; what is solved or applied is left to the caller.
QudaInvertParam invert_param(const Options &options);

/// This process's share of random_spinors(whole lattice, seed). parity: -1 for both.
std::vector<double> random_share(const HostGauge &gauge, unsigned long seed, int parity = -1);

/// 1 at one site of the whole lattice, spin and colour, else 0.
std::vector<double> point_share(const HostGauge &gauge, const reference::Coords &site, int spin, int colour,
                                int parity = -1);

/// This process's share of a field on the whole lattice.
std::vector<double> share(const HostGauge &gauge, const reference::Spinors &whole, int parity = -1);

/// Number i of such a share by its site, (flavour, lexicographic), the same for any grid.
std::size_t number_in_whole(const HostGauge &gauge, int parity, std::size_t i);

/// The random field itself, without spins that are not there.
reference::Spinors random_field(const HostGauge &gauge, unsigned long seed);

/// The whole lattice's field of the shares of all processes, 0 on sites that they do not hold. Collective.
reference::Spinors gathered(const Process &process, const HostGauge &gauge, const std::vector<double> &share,
                            int parity = -1);

} // namespace program
