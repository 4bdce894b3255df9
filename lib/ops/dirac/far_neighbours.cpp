#include "ops/dirac/far_neighbours.h"

#include <memory>
#include <vector>

#include "ops/halo/message_buffer.h"

namespace quda
{

namespace
{

  const char owner = 0; // its address is the key of the bytes among the objects that a lattice keeps

  /// Register one step from o, of the other parity.
  unsigned neighbour(const LatticeView &lattice, const int (&from)[4], int part, int d, int up)
  {
    int o[4] = {from[0], from[1], from[2], from[3]};
    o[d] += up ? 1 : -1;
    if (o[d] < 0 || o[d] == lattice.O[d]) {
      o[d] = up ? 0 : lattice.O[d] - 1;
      part = lattice.shift[lattice.code[d][up ? 1 : max_lanes - 1] * lattice.parts + part].part;
    }
    return stored_index(lattice, o) * lattice.parts + part;
  }

  /// Appends the bytes of a parity.
  void mark(std::vector<unsigned char> &far, const LatticeView &lattice, int parity, long long visits)
  {
    std::vector<long long> last(static_cast<std::size_t>(lattice.volume_cb) * lattice.parts, -visits - 1);
    long long visit = 0;
    int o[4];
    for (o[3] = 0; o[3] < lattice.O[3]; o[3]++)
      for (o[2] = 0; o[2] < lattice.O[2]; o[2]++)
        for (o[1] = 0; o[1] < lattice.O[1]; o[1]++)
          for (int half = 0; half < lattice.O[0] / 2; half++)
            for (int part = 0; part < lattice.parts; part++, visit++) {
              o[0] = 2 * half + ((o[1] + o[2] + o[3] + parity) & 1);
              unsigned char bits = 0;
              for (int k = 0; k < 8; k++) {
                long long &read = last[neighbour(lattice, o, part, k / 2, k % 2)];
                if (visit - read > visits) bits |= 1 << k;
                read = visit;
              }
              far.push_back(bits);
            }
  }

} // namespace

const unsigned char *far_neighbours(const Lattice &lattice, int width, long long visits)
{
  if (width == 1) return nullptr;
  int power = 0;
  while (power < 30 && 2LL << power <= visits) power++;
  std::shared_ptr<void> &kept = lattice.kept(&owner, 64 * width + power);
  if (!kept) {
    const LatticeView view = lattice.view(width);
    std::vector<unsigned char> far;
    for (int parity = 0; parity < 2; parity++) mark(far, view, parity, 1LL << power);
    kept = std::make_shared<DeviceBuffer>(far.data(), far.size());
  }
  return static_cast<const unsigned char *>(static_cast<const DeviceBuffer *>(kept.get())->device());
}

} // namespace quda
