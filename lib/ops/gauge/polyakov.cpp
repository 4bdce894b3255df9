#include "ops/gauge/polyakov.h"

#include <utility>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/gauge/polyakov_table.h"
#include "ops/halo/message_buffer.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(PolyakovTable, polyakov_table)

namespace
{

  constexpr int time = 3;

  unsigned registers(const PolyakovCall &call) { return call.face_cb * call.lattice.parts; }

  class PolyakovLine : public TunableKernel2D
  {
  public:
    PolyakovLine(const GaugeField &links, const PolyakovCall &call)
        : TunableKernel2D(links.shared_lattice()->shared_communicator(), registers(call), 2,
                          volume_text(links.lattice()).s, "PolyakovStretch", links_text(links).s)
        , links_(links)
        , call_(call)
        , kernel_(instance(polyakov_table().stretch, "Polyakov loop", links.precision(), links.reconstruct()))
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return 198 * links_.lattice().volume(); }
    long long bytes() const override
    {
      return links_.lattice().volume() * links_.reals() * bytes_of(links_.precision());
    }
    /// Ranks that lie one behind the other in time wait for each other.
    bool collective() const override { return false; }

  private:
    const GaugeField &links_;
    const PolyakovCall &call_;
    decltype(+PolyakovTable {}.stretch[0][0]) kernel_;
  };

  class PolyakovSum : public TunableReduction
  {
  public:
    PolyakovSum(const GaugeField &links, const PolyakovCall &call)
        : TunableReduction(links.shared_lattice()->shared_communicator(), registers(call), 2,
                           volume_text(links.lattice()).s, "PolyakovTrace",
                           key_text("prec=", bytes_of(links.precision())).s)
        , links_(links)
        , call_(call)
        , kernel_(instance(polyakov_table().trace, "Polyakov loop", links.precision()))
    {
    }
    void launch(const TuneParam &tp, void *stream) override
    {
      sums[0] = sums[1] = {};
      kernel_(tp, stream, call_, sums);
    }
    long long flops() const override { return 4 * links_.lattice().face(time); }
    long long bytes() const override { return 18 * links_.lattice().face(time) * bytes_of(links_.precision()); }

    ExactLimbs sums[2] = {};

  private:
    const GaugeField &links_;
    const PolyakovCall &call_;
    decltype(+PolyakovTable {}.trace[0]) kernel_;
  };

} // namespace

std::complex<double> polyakov_loop(const GaugeField &links)
{
  const Lattice &lattice = links.lattice();
  Communicator &comm = lattice.communicator();
  PolyakovCall call {};
  call.links = links.view();
  call.lattice = lattice.view(call.links.field.lattice.width);
  call.face_cb = call.lattice.volume_cb / call.lattice.O[time];
  const std::size_t bytes =
      36ULL * registers(call) * call.lattice.width * static_cast<std::size_t>(bytes_of(links.precision()));
  MessageBuffer slice[2] = {MessageBuffer(bytes), MessageBuffer(bytes)};
  int now = 0;

  const int rank = comm.coordinate(time), ranks = comm.extent(time);
  if (rank > 0) {
    Request received = comm.receive_start(slice[now].host(), bytes, time, +1);
    comm.wait(received);
    slice[now].to_device();
    call.from = slice[now].device();
  }
  for (int block = 0; block < call.lattice.S[time]; block++) {
    call.to = slice[1 - now].device();
    PolyakovLine(links, call).apply();
    now = 1 - now;
    call.from = slice[now].device();
  }
  if (rank < ranks - 1) {
    slice[now].to_host();
    Request sent = comm.send_start(slice[now].host(), bytes, time, +1);
    comm.wait(sent);
  }

  PolyakovSum sum(links, call);
  sum.apply();
  if (rank < ranks - 1) sum.sums[0] = sum.sums[1] = {};
  sum_limbs(comm, sum.sums, 2);
  const long long *X = lattice.global_X();
  const double space = static_cast<double>(X[0] * X[1] * X[2]);
  return {exact_value(sum.sums[0]) / space, exact_value(sum.sums[1]) / space};
}

} // namespace quda
