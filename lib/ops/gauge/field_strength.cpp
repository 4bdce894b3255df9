#include "ops/gauge/field_strength.h"

#include <optional>
#include <vector>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/gauge/field_strength_table.h"
#include "ops/halo/message_buffer.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "targets/target.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(ChargeTable, charge_table)

namespace
{

  class ChargeSum : public TunableReduction
  {
  public:
    ChargeSum(const GaugeField &links, const FieldView &density)
        : TunableReduction(links.shared_lattice()->shared_communicator(), registers(links), 2,
                           volume_text(links.lattice()).s, "Charge",
                           links_text(links, density.data ? ",density" : "").s)
        , links_(links)
        , call_ {links.view(), density}
        , kernel_(instance(charge_table().charge, "field strength", links.precision(), links.reconstruct()))
    {
    }

    void launch(const TuneParam &tp, void *stream) override
    {
      for (ExactLimbs &sum : sums) sum = {};
      kernel_(tp, stream, call_, sums);
    }
    long long flops() const override { return 11664 * links_.lattice().volume(); }
    long long bytes() const override
    {
      return links_.lattice().volume() * (4 * links_.reals() + (call_.density.data ? 1 : 0)) *
             bytes_of(links_.precision());
    }

    ExactLimbs sums[3] = {};

  private:
    const GaugeField &links_;
    ChargeCall call_;
    decltype(+ChargeTable {}.charge[0][0]) kernel_;
  };

  /// One real a site, in native order.
  class SiteReals
  {
  public:
    SiteReals(const Lattice &lattice, Precision precision)
        : lattice_(lattice)
        , view_(native_storage(lattice, precision, 1, 1, 2, no_border, InnerOrder::innermost, false, bytes_))
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
    static constexpr int no_border[4] = {0, 0, 0, 0};
    const Lattice &lattice_;
    std::size_t bytes_ = 0;
    FieldView view_;
    DeviceBuffer memory_;
  };

} // namespace

ChargeAndEnergy charge_and_energy(const GaugeField &links, void *density)
{
  const Lattice &lattice = links.lattice();
  for (int d = 0; d < 4; d++)
    if (lattice.cut(d) && links.R()[d] == 0)
      fail(ErrorKind::internal,
           text("charge_and_energy: direction %d is cut between ranks, the links have no border there", d));
  std::optional<SiteReals> sites;
  if (density) sites.emplace(lattice, links.precision());
  ChargeSum sum(links, sites ? sites->view() : FieldView {});
  sum.apply();
  if (density && links.precision() == Precision::double_) sites->to_host(static_cast<double *>(density));
  if (density && links.precision() == Precision::single) sites->to_host(static_cast<float *>(density));
  sum_limbs(lattice.communicator(), sum.sums, 3);
  const double volume = static_cast<double>(lattice.global_volume());
  return {exact_value(sum.sums[2]), exact_value(sum.sums[0]) / volume, exact_value(sum.sums[1]) / volume};
}

} // namespace quda
