#include "ops/gauge/plaquette.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/gauge/plaquette_table.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(PlaquetteTable, plaquette_table)

namespace
{

  class PlaquetteSum : public TunableReduction
  {
  public:
    explicit PlaquetteSum(const GaugeField &links)
        : TunableReduction(links.shared_lattice()->shared_communicator(), registers(links), 2,
                           volume_text(links.lattice()).s, "Plaquette", links_text(links).s)
        , links_(links)
        , call_ {links.view()}
        , kernel_(instance(plaquette_table().plaquette, "plaquette", links.precision(), links.reconstruct()))
    {
    }

    void launch(const TuneParam &tp, void *stream) override
    {
      sums[0] = sums[1] = {};
      kernel_(tp, stream, call_, sums);
    }
    long long flops() const override { return 2592 * links_.lattice().volume(); }
    long long bytes() const override
    {
      return links_.lattice().volume() * 4 * static_cast<int>(links_.reconstruct()) * bytes_of(links_.precision());
    }
    bool has_prefetch() const override { return true; }

    ExactLimbs sums[2] = {};

  private:
    const GaugeField &links_;
    PlaquetteCall call_;
    decltype(+PlaquetteTable {}.plaquette[0][0]) kernel_;
  };

} // namespace

PlaquetteAverage plaquette(const GaugeField &links)
{
  const Lattice &lattice = links.lattice();
  for (int d = 0; d < 4; d++)
    if (lattice.cut(d) && links.R()[d] == 0)
      fail(ErrorKind::internal,
           text("plaquette: direction %d is cut between ranks, the links have no border there", d));
  PlaquetteSum sum(links);
  sum.apply();
  sum_limbs(lattice.communicator(), sum.sums, 2);
  const double norm = 9.0 * static_cast<double>(lattice.global_volume());
  return {exact_value(sum.sums[0]) / norm, exact_value(sum.sums[1]) / norm};
}

} // namespace quda
