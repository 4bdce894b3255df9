#include "core/built.h"

namespace quda
{

bool built(Precision precision) { return (QUDA_PRECISION & bytes_of(precision)) != 0; }

bool built(Reconstruct reconstruct)
{
  const int reals = static_cast<int>(reconstruct);
  return (QUDA_RECONSTRUCT & (reals == 18 ? 4 : reals != 8 ? 2 : 1)) != 0;
}

Precision next_better(Precision precision)
{
  if (precision == Precision::double_) return precision;
  return at_least(static_cast<Precision>(2 * bytes_of(precision)));
}

Precision at_least(Precision precision)
{
  return built(precision) || precision == Precision::double_ ? precision : next_better(precision);
}

} // namespace quda
