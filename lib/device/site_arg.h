#pragma once
/// What the Arg of a kernel over the sites of a lattice begins with.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

struct SiteArg {
  unsigned threads[3]; // extents of the index space: registers of a parity, parities, what the kernel loops over beside
  int active;          // lanes of a register that are sites
  Index index;

  QUDA_DEVICE SiteArg(const LatticeView &lattice, unsigned parities, unsigned third = 1)
      : threads {0, parities, third}
      , index(lattice)
  {
    threads[0] = index.registers();
    active = index.active();
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
