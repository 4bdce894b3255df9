#include "ops/halo/boundary.h"

#include <memory>
#include <utility>
#include <vector>

#include "ops/halo/message_buffer.h"

namespace quda
{

namespace
{

  /// The lists and their memory.
  struct KeptSites {
    BoundarySites sites;
    DeviceBuffer memory;
  };

  const char owner = 0; // its address is the key of the lists among the objects that a lattice keeps

  /// Fills both lists of one parity in the order of the registers.
  void sort_registers(const LatticeView &lattice, int parity, int depth, std::vector<unsigned> &interior,
                      std::vector<unsigned> &boundary)
  {
    unsigned site = 0;
    int o[4];
    for (o[3] = 0; o[3] < lattice.O[3]; o[3]++)
      for (o[2] = 0; o[2] < lattice.O[2]; o[2]++)
        for (o[1] = 0; o[1] < lattice.O[1]; o[1]++)
          for (int half = 0; half < lattice.O[0] / 2; half++, site++) {
            o[0] = 2 * half + ((o[1] + o[2] + o[3] + parity) & 1);
            bool needs = false;
            for (int d = 0; d < 4; d++)
              needs = needs || (lattice.cut[d] && (o[d] < depth || o[d] >= lattice.O[d] - depth));
            for (int part = 0; part < lattice.parts; part++)
              (needs ? boundary : interior).push_back(site * lattice.parts + part);
          }
  }

} // namespace

const BoundarySites &boundary_sites(const Lattice &lattice, int width, int depth)
{
  std::shared_ptr<void> &kept = lattice.kept(&owner, width + max_lanes * 2 * depth);
  if (kept) return static_cast<const KeptSites *>(kept.get())->sites;

  std::vector<unsigned> interior[2], boundary[2];
  for (int parity = 0; parity < 2; parity++)
    sort_registers(lattice.view(width), parity, depth, interior[parity], boundary[parity]);
  std::vector<unsigned> all;
  for (const auto &list : {interior[0], interior[1], boundary[0], boundary[1]})
    all.insert(all.end(), list.begin(), list.end());

  DeviceBuffer memory(all.data(), all.size() * sizeof(unsigned));
  const auto *first = static_cast<const unsigned *>(memory.device());
  const auto n = static_cast<unsigned>(interior[0].size());
  const BoundarySites sites = {first, first + 2 * n, n, static_cast<unsigned>(boundary[0].size())};
  kept = std::make_shared<KeptSites>(KeptSites {sites, std::move(memory)});
  return static_cast<const KeptSites *>(kept.get())->sites;
}

} // namespace quda
