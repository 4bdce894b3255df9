#include "ops/gauge/polyakov.h"

#include <utility>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/gauge/polyakov_call.h"
#include "ops/halo/message_buffer.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(PolyakovCall, polyakov_stretch)
QUDA_KERNELS(PolyakovCall, polyakov_trace)

namespace
{

  constexpr int time = 3;

  unsigned face_registers(const PolyakovCall &call) { return call.face_cb * call.lattice.parts; }

  /// The product through the blocks of one time slice of lanes. Ranks one behind the other in time wait for
  /// each other, so each tunes separately.
  void stretch(const GaugeField &links, const PolyakovCall &call)
  {
    launch({.name = "PolyakovStretch",
            .lattice = links.lattice(),
            .extent = {face_registers(call), 2},
            .aux = links_text(links),
            .flops = 198 * links.lattice().volume(),
            .bytes = link_bytes(links) / 4,
            .collective = false},
           instance(polyakov_stretch_kernels(), "polyakov_loop", links), call);
  }

  void sum_traces(const GaugeField &links, PolyakovCall &call, std::span<ExactLimbs> sums)
  {
    const int bytes = bytes_of(links.precision());
    call.sums = sums.data();
    launch({.name = "PolyakovTrace",
            .lattice = links.lattice(),
            .extent = {face_registers(call), 2},
            .aux = key_text("prec=", bytes),
            .flops = 4 * links.lattice().face(time),
            .bytes = 18 * links.lattice().face(time) * bytes,
            .sums = sums},
           polyakov_trace_kernels().find("polyakov_loop", bytes), call);
  }

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
      36ULL * face_registers(call) * call.lattice.width * static_cast<std::size_t>(bytes_of(links.precision()));
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
    stretch(links, call);
    now = 1 - now;
    call.from = slice[now].device();
  }
  if (rank < ranks - 1) {
    slice[now].to_host();
    Request sent = comm.send_start(slice[now].host(), bytes, time, +1);
    comm.wait(sent);
  }

  ExactLimbs sums[2];
  sum_traces(links, call, sums);
  if (rank < ranks - 1) sums[0] = sums[1] = {};
  sum_limbs(comm, sums, 2);
  const long long *X = lattice.global_X();
  const double space = static_cast<double>(X[0] * X[1] * X[2]);
  return {exact_value(sums[0]) / space, exact_value(sums[1]) / space};
}

} // namespace quda
