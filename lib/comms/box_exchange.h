#pragma once
/// Boxes of sites laid out anew: each rank holds one box of a whole grid of sites and wants another.
///
/// What two ranks exchange is what their boxes have in common, in one message, which each of them finds by itself. A box
/// may be held by one rank and wanted by several. Boxes must not reach around the whole.
/// Numbers : of a message, site by site, x0 fastest.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "comms/communicator.h"

namespace quda
{

struct SiteBox {
  std::array<int, 4> origin, extent;

  std::size_t volume() const
  {
    std::size_t sites = 1;
    for (const int n : extent) sites *= static_cast<std::size_t>(n);
    return sites;
  }
  /// Calls visit(x, n) for the sites x of the box; n counts them.
  template <class Visit> void for_sites(Visit &&visit) const
  {
    int x[4];
    std::size_t n = 0;
    for (x[3] = origin[3]; x[3] < origin[3] + extent[3]; x[3]++)
      for (x[2] = origin[2]; x[2] < origin[2] + extent[2]; x[2]++)
        for (x[1] = origin[1]; x[1] < origin[1] + extent[1]; x[1]++)
          for (x[0] = origin[0]; x[0] < origin[0] + extent[0]; x[0]++, n++) visit(x, n);
  }
};

class BoxExchange
{
public:
  /// What this rank has in common with another: sites counted from the origin of this rank's box.
  struct Share {
    int rank;
    SiteBox box;
  };
  /// Fills a message, or reads it.
  using Pack = std::function<void(const Share &, char *message)>;
  using Unpack = std::function<void(const Share &, const char *message)>;
  using BoxOfRank = std::function<SiteBox(int rank)>;

  /// held, wanted: the boxes of each rank, the same on all.
  BoxExchange(std::shared_ptr<Communicator> communicator, const BoxOfRank &held, const BoxOfRank &wanted);

  /// From those who hold to those who want. pack: shares of the box held; unpack: shares of the box wanted. bytes: of a
  /// site. Collective.
  void forth(std::size_t bytes, const Pack &pack, const Unpack &unpack) const;
  /// From those who want, and now have, to those who hold.
  void back(std::size_t bytes, const Pack &pack, const Unpack &unpack) const;

private:
  void exchange(const std::vector<Share> &leaving, const std::vector<Share> &arriving, std::size_t bytes,
                const Pack &pack, const Unpack &unpack) const;

  std::shared_ptr<Communicator> communicator_;
  std::vector<Share> held_, wanted_; // by rank
};

} // namespace quda
