#pragma once
/// Quark fields times a real factor that is a product of functions of one coordinate each.

#include <functional>
#include <optional>
#include <utility>

#include "fields/color_spinor_field.h"
#include "ops/halo/message_buffer.h"

namespace quda
{

class SiteFactor
{
public:
  /// f(d, x): of coordinate x_d of the whole lattice.
  using Function = std::function<double(int d, long long x)>;
  explicit SiteFactor(Function f)
      : f_(std::move(f))
  {
  }

  /// out = (f(0, x_0) f(1, x_1)) (f(2, x_2) f(3, x_3)) in at every site; out may be in. Native fields of 4 spins or 1
  /// and 3 colors, in double, single or half, on both parities or one; the same lattice and precision in all
  /// calls. Collective over the lattice's communicator, while it is tuned.
  void apply(ColorSpinorField &out, const ColorSpinorField &in) const;

private:
  Function f_;
  mutable std::optional<DeviceBuffer> table_; // made at the first call
};

} // namespace quda
