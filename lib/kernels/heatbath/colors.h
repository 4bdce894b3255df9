#pragma once
/// Colors of sites: links U_mu of one parity and color share neither plaquette nor 1 x 2 rectangle, so that they may be
/// updated together.
///   color of x : sum over nu != mu of g(x_nu), mod 4; x in the global lattice, of even extents L, 4 or more
///   g(n)       : n mod 4; if 4 does not divide L, the last six n are counted 0, 1, 2, 0, 1, 2. So g differs
///                between neighbours and next neighbours along each direction, around the lattice too.
/// Links that share a loop are mu or nu apart, which changes the parity, or 2 nu or mu +- nu, which changes the color.
/// If 4 divides all extents the eight sets are halves of the usual four, 2 x_mu + sum of the other x_nu mod 4.

#include "core/view.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int site_colors = 4;

struct SiteColors {
  int mu;
  int extent[4];           // of the global lattice
  int first[4][max_lanes]; // coordinates of the lanes' blocks, counted over all parts

  SiteColors(const LatticeView &lattice, int mu)
      : mu(mu)
  {
    for (int d = 0; d < 4; d++) {
      extent[d] = lattice.blocks[d] * lattice.O[d];
      for (int l = 0; l < max_lanes; l++)
        first[d][l] = lattice.O[d] * lattice.first_block[d] + (l < lattice.lanes ? coordinate(lattice, d, 0, l) : 0);
    }
  }

  QUDA_DEVICE int along(int at, int d) const
  {
    const int n = at < extent[d] ? at : 0; // a skewed block wraps around the lattice
    const int among_last = n - (extent[d] - 6);
    return extent[d] % 4 == 0 || among_last < 0 ? n % 4 : among_last % 3;
  }

  /// The lanes of that color.
  template <class S> QUDA_DEVICE auto has(const Coord &x, int color) const
  {
    alignas(64) number_of<S> yes[width<S>];
    for (int l = 0; l < width<S>; l++) {
      int sum = 0;
      for (int d = 0; d < 4; d++) sum += d == mu ? 0 : along(first[d][x.part * width<S> + l] + x.o[d], d);
      yes[l] = number_of<S>(sum % site_colors == color ? 1 : 0);
    }
    return load_array(yes) > Real<S>(number_of<S>(0));
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
