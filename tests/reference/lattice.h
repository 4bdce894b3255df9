/// A periodic four-dimensional lattice in even-odd order, as host arrays of gauge and spinor fields have it, and the
/// part of it that one rank of a process grid holds. Extents are even. x runs fastest; slot = parity * (volume / 2) +
/// x_cb with x_cb = lexicographic index / 2.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>

namespace reference
{

using Coords = std::array<int, 4>;

class Lattice
{
public:
  explicit Lattice(const Coords &extents)
      : X(extents)
  {
    for (int extent : X)
      if (extent < 2 || extent % 2 != 0) throw std::invalid_argument("lattice extents must be even");
  }

  std::size_t volume() const { return std::size_t(X[0]) * X[1] * X[2] * X[3]; }
  std::size_t half() const { return volume() / 2; }

  static int parity(const Coords &x) { return (x[0] + x[1] + x[2] + x[3]) & 1; }

  std::size_t lexicographic(const Coords &x) const
  {
    return ((std::size_t(x[3]) * X[2] + x[2]) * X[1] + x[1]) * X[0] + x[0];
  }

  std::size_t slot(const Coords &x) const { return parity(x) * half() + lexicographic(x) / 2; }

  /// The inverse of lexicographic().
  Coords coords_of_index(std::size_t index) const
  {
    Coords x;
    for (int d = 0; d < 4; d++) {
      x[d] = static_cast<int>(index % X[d]);
      index /= X[d];
    }
    return x;
  }

  /// The inverse of slot(): of the two lexicographic neighbours 2 x_cb and 2 x_cb + 1, the one of the slot's parity.
  Coords coords(std::size_t slot) const
  {
    const int p = slot >= half() ? 1 : 0;
    Coords x = coords_of_index(2 * (slot - p * half()));
    if (parity(x) != p) x[0]++;
    return x;
  }

  /// The site n steps along direction d, around the lattice if need be.
  Coords shifted(Coords x, int d, int n) const
  {
    x[d] = ((x[d] + n) % X[d] + X[d]) % X[d];
    return x;
  }

  bool operator==(const Lattice &other) const { return X == other.X; }

  Coords X;
};

/// What the rank at `coord` of a process grid holds: the sites origin[d] ... origin[d] + local.X[d] - 1.
struct Part {
  Part(const Lattice &global, const Coords &grid, const Coords &coord)
      : local(divided(global.X, grid))
  {
    for (int d = 0; d < 4; d++) origin[d] = coord[d] * local.X[d];
  }

  explicit Part(const Lattice &whole)
      : local(whole)
  {
  }

  Coords global_coords(std::size_t local_slot) const
  {
    Coords x = local.coords(local_slot);
    for (int d = 0; d < 4; d++) x[d] += origin[d];
    return x;
  }

  Lattice local;
  Coords origin = {0, 0, 0, 0};

private:
  static Coords divided(Coords X, const Coords &grid)
  {
    for (int d = 0; d < 4; d++) {
      if (grid[d] < 1 || X[d] % grid[d] != 0) throw std::invalid_argument("lattice not divisible by the process grid");
      X[d] /= grid[d];
    }
    return X;
  }
};

} // namespace reference
