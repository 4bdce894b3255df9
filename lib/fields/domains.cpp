#include "fields/domains.h"

#include "core/error.h"

namespace quda
{

namespace
{

  const char owner = 0; // its address is the key of closed lattices among the objects that a lattice keeps

} // namespace

void Domains::check(const char *function, const Lattice &lattice) const
{
  for (int d = 0; d < 4; d++)
    if (extent(lattice, d) < 1 || lattice.X(d) % extent(lattice, d))
      fail(ErrorKind::bad_argument,
           text("%s: blocks of %d x %d x %d x %d as domains; allowed: extents that divide those of a rank, %d x %d x "
                "%d x %d",
                function, block[0], block[1], block[2], block[3], lattice.X(0), lattice.X(1), lattice.X(2),
                lattice.X(3)));
}

std::shared_ptr<const Lattice> Domains::closed(const std::shared_ptr<const Lattice> &lattice) const
{
  std::shared_ptr<void> &kept = lattice->kept(&owner, of_ranks());
  if (!kept) {
    auto made = std::make_shared<std::shared_ptr<const Lattice>>(
        Lattice::closed(lattice, of_ranks() ? make_single_communicator() : lattice->shared_communicator()));
    if (*made == lattice) return lattice; // else it would keep itself
    kept = std::move(made);
  }
  return *static_cast<std::shared_ptr<const Lattice> *>(kept.get());
}

} // namespace quda
