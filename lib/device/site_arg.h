#pragma once
/// What the Arg of a kernel over the sites of a lattice begins with.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class SiteIndex> struct SitesArg {
  unsigned threads[3]; // extents of the index space: registers of a parity, parities, what the kernel loops over beside
  int active;          // lanes of a register that are sites
  SiteIndex index;

  /// More: what else SiteIndex is made from.
  template <class... More>
  SitesArg(const LatticeView &lattice, unsigned parities, unsigned third = 1, const More &...more)
      : threads {0, parities, third}
      , index(lattice, more...)
  {
    threads[0] = index.registers();
    active = index.active();
  }
};

using SiteArg = SitesArg<Index>;
/// Sites of a kernel that reads links around each: these need a border in directions that are cut between ranks.
using BorderArg = SitesArg<BorderIndex>;

} // namespace quda::QUDA_TARGET_NAMESPACE
