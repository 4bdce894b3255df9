#include "reference/gauge/polyakov.h"

namespace reference
{

Complex polyakov_loop(const GaugeField &gauge)
{
  const Coords &X = gauge.lattice.X;
  Complex sum = 0;
  for (int z = 0; z < X[2]; z++)
    for (int y = 0; y < X[1]; y++)
      for (int x = 0; x < X[0]; x++) {
        Link line = Link::Identity();
        for (int t = 0; t < X[3]; t++) line = (line * gauge.at(3, {x, y, z, t})).eval();
        sum += line.trace();
      }
  return sum / (static_cast<double>(X[0]) * X[1] * X[2]);
}

} // namespace reference
