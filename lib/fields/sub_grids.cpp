#include "fields/sub_grids.h"

#include <utility>

#include "comms/found_together.h"

namespace quda
{

namespace
{

  /// Sites of a rank of all.
  SiteBox held(const Lattice &all, int rank)
  {
    SiteBox box {};
    for (std::size_t d = 0; d < 4; d++) {
      box.extent[d] = all.X(static_cast<int>(d));
      box.origin[d] = all.communicator().coordinates_of(rank)[d] * box.extent[d];
    }
    return box;
  }

  /// Sites of a rank in its sub-grid.
  SiteBox wanted(const Lattice &all, const std::array<int, 4> &parts, int rank)
  {
    SiteBox box {};
    for (std::size_t d = 0; d < 4; d++) {
      box.extent[d] = all.X(static_cast<int>(d)) * parts[d];
      const int ranks = all.communicator().extent(static_cast<int>(d)) / parts[d];
      box.origin[d] = all.communicator().coordinates_of(rank)[d] % ranks * box.extent[d];
    }
    return box;
  }

} // namespace

SubGrids::SubGrids(std::shared_ptr<const Lattice> all, const std::array<int, 4> &parts)
    : all_(std::move(all))
    , parts_(parts)
    , exchange_(
          all_->shared_communicator(), [this](int rank) { return held(*all_, rank); },
          [this](int rank) { return wanted(*all_, parts_, rank); })
{
  Communicator &communicator = all_->communicator();
  int ranks[4], X[4], place = 0;
  for (int d = 0; d < 4; d++) {
    const auto i = static_cast<std::size_t>(d);
    ranks[d] = communicator.extent(d) / parts_[i];
    X[d] = all_->X(d) * parts_[i];
    place = place * ranks[d] + communicator.coordinate(d) % ranks[d];
  }
  const std::shared_ptr<Communicator> own = communicator.split(number(), place, ranks);
  found_together(communicator, [&] { lattice_ = Lattice::create(X, own); });
}

int SubGrids::number_of(int rank) const
{
  const Communicator &communicator = all_->communicator();
  int number = 0;
  for (int d = 3; d >= 0; d--) {
    const int parts = parts_[static_cast<std::size_t>(d)];
    number = number * parts + communicator.coordinates_of(rank)[d] / (communicator.extent(d) / parts);
  }
  return number;
}

} // namespace quda
