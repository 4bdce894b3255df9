#include "ops/gauge/field_strength.h"

#include <optional>
#include <vector>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/gauge/field_strength_call.h"
#include "ops/halo/message_buffer.h"
#include "ops/launch.h"
#include "targets/target.h"

namespace quda
{

QUDA_KERNELS(ChargeCall, charge)

namespace
{

  /// One real a site, in native order.
  class SiteReals
  {
  public:
    SiteReals(const Lattice &lattice, Precision precision)
        : lattice_(lattice)
        , view_(native_storage(lattice, precision, 1, 2, {1, true, Entries::innermost}, bytes_))
        , memory_(bytes_)
    {
      view_.data = memory_.device();
    }

    const FieldView &view() const { return view_; }

    /// To host memory in even-odd order.
    template <class T> void to_host(T *host) const
    {
      std::vector<T> native(bytes_ / sizeof(T));
      target().copy(native.data(), view_.data, bytes_);
      for (long long slot = 0; slot < lattice_.volume(); slot++) {
        int x[4];
        lattice_.slot_coordinates(slot, x);
        const SitePosition at = lattice_.position(x);
        host[slot] = native[real_offset(view_, at.parity, at.o_cb, at.lane, 0, 0)];
      }
    }

  private:
    const Lattice &lattice_;
    std::size_t bytes_ = 0;
    FieldView view_;
    DeviceBuffer memory_;
  };

} // namespace

ChargeAndEnergy charge_and_energy(const GaugeField &links, void *density)
{
  const Lattice &lattice = links.lattice();
  check_border("charge_and_energy", links, 1);
  std::optional<SiteReals> sites;
  if (density) sites.emplace(lattice, links.precision());
  ExactLimbs sums[3];
  const long long density_bytes = density ? lattice.volume() * bytes_of(links.precision()) : 0;
  launch({.name = "Charge",
          .lattice = lattice,
          .extent = {registers(links), 2},
          .aux = links_text(links, density ? ",density" : ""),
          .flops = 11664 * lattice.volume(),
          .bytes = link_bytes(links) + density_bytes,
          .sums = sums},
         instance(charge_kernels(), "charge_and_energy", links),
         {links.view(), sites ? sites->view() : FieldView {}, sums});
  if (density && links.precision() == Precision::double_) sites->to_host(static_cast<double *>(density));
  if (density && links.precision() == Precision::single) sites->to_host(static_cast<float *>(density));
  sum_limbs(lattice.communicator(), sums, 3);
  const double volume = static_cast<double>(lattice.global_volume());
  return {exact_value(sums[2]), exact_value(sums[0]) / volume, exact_value(sums[1]) / volume};
}

} // namespace quda
