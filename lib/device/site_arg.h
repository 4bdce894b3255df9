#pragma once
/// Common head of the Args of kernels over the sites of a lattice.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class SiteIndex> struct SitesArg {
  unsigned threads[3]; // extents of the index space: registers of a parity, parities, and the kernel's additional loop
  int active;          // lanes of a register that are sites
  SiteIndex index;

  /// More: further arguments of SiteIndex.
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
/// Sites of a kernel that reads the links around each site: the links need a border in directions cut between ranks.
using BorderArg = SitesArg<BorderIndex>;

} // namespace quda::QUDA_TARGET_NAMESPACE
