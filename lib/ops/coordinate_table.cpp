#include "ops/coordinate_table.h"

#include <vector>

namespace quda
{

namespace
{

  template <class real>
  DeviceBuffer table_of(const Lattice &lattice, const LatticeView &view, int numbers, const NumberOfCoordinate &number)
  {
    std::size_t coordinates = 0;
    for (const int O : view.O) coordinates += O;
    const std::size_t width = view.width, parts = view.parts, n = numbers;
    std::vector<real> table(coordinates * parts * n * width);
    std::size_t coordinate = 0;
    for (int d = 0; d < 4; d++)
      for (int o = 0; o < view.O[d]; o++, coordinate++)
        for (int lane = 0; lane < lattice.lanes(); lane++) {
          const long long x = lattice.origin()[d] + lattice.coordinate(d, o, lane);
          for (std::size_t i = 0; i < n; i++)
            table[((coordinate * parts + lane / width) * n + i) * width + lane % width] =
                static_cast<real>(number(d, x, static_cast<int>(i)));
        }
    return DeviceBuffer(table.data(), table.size() * sizeof(real));
  }

} // namespace

DeviceBuffer coordinate_table(const Lattice &lattice, const LatticeView &view, bool single, int numbers,
                              const NumberOfCoordinate &number)
{
  return single ? table_of<float>(lattice, view, numbers, number) : table_of<double>(lattice, view, numbers, number);
}

} // namespace quda
