/// Normally distributed matrices of the algebra and links uniform in SU(3).
#pragma once

#include <cstdint>

#include "reference/field.h"
#include "reference/random/philox.h"

namespace reference
{

/// Parts normally distributed with variance 1/2.
Complex normal(const LinkStream &stream, int draw);

/// i sum_a h_a lambda_a, the h_a of variance 1/2.
Link normal_algebra(const LinkStream &stream);

Link uniform_link(const LinkStream &stream);

/// A field of what `make` gives for each link's stream.
template <class Make>
GaugeField random_field(const Lattice &lattice, std::uint64_t seed, Purpose purpose, const Make &make)
{
  GaugeField field(lattice);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++)
      field.U[mu][slot] = make(LinkStream {seed, lattice.lexicographic(lattice.coords(slot)), purpose, mu});
  return field;
}

} // namespace reference
