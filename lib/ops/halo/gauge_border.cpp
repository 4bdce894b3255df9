#include "ops/halo/gauge_border.h"

#include <memory>

#include "kernels/halo/gauge_border_call.h"
#include "ops/halo/message_buffer.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(GaugeBorderCall, gauge_border)

namespace
{

  /// Extents of one layer's slab: directions before d come with their borders.
  long long slab_cb(const LatticeView &lattice, int d)
  {
    long long sites = 1;
    for (int e = 0; e < 4; e++)
      if (e != d) sites *= e < d ? lattice.E[e] : lattice.O[e];
    return sites / 2;
  }

  std::size_t message_bytes(const GaugeBorderCall &call)
  {
    const int d = call.d;
    const LatticeView &lattice = call.links.lattice;
    return call.parities * slab_cb(lattice, d) * lattice.R[d] * (lattice.lanes / lattice.S[d]) * call.directions *
           call.links.reals * call.links.precision;
  }

  /// The messages of one direction, both ways; kept with the lattice, at the largest size so far.
  struct BorderMessages {
    MessageBuffer out[2] = {MessageBuffer(0), MessageBuffer(0)}, in[2] = {MessageBuffer(0), MessageBuffer(0)};

    void make_room(std::size_t bytes)
    {
      if (out[0].bytes() >= bytes) return;
      for (MessageBuffer *both : {out, in})
        for (int side = 0; side < 2; side++) {
          both[side] = MessageBuffer(0); // freed before the next one is allocated
          both[side] = MessageBuffer(bytes);
        }
    }
  };

  const char owner = 0; // its address is the key of the messages among the objects that a lattice keeps

  BorderMessages &messages_of(const Lattice &lattice, std::size_t bytes)
  {
    std::shared_ptr<void> &kept = lattice.kept(&owner, 0);
    if (!kept) kept = std::make_shared<BorderMessages>();
    auto &messages = *static_cast<BorderMessages *>(kept.get());
    messages.make_room(bytes);
    return messages;
  }

  void launch_border(const GaugeField &links, const GaugeBorderCall &call)
  {
    const LatticeView &lattice = call.links.lattice;
    const long long slab = slab_cb(lattice, call.d);
    launch({.name = call.arriving ? "GaugeBorderUnpack" : "GaugeBorderPack",
            .lattice = links.lattice(),
            .extent = {static_cast<unsigned>(slab), static_cast<unsigned>(2 * call.parities),
                       static_cast<unsigned>(lattice.R[call.d])},
            .aux = key_text("prec=", bytes_of(links.precision()), ",recon=", call.links.reals, ",d=", call.d,
                            ",border=", lattice.R[call.d], ",links=", call.parities * call.directions),
            .bytes = 4 * call.parities * slab * lattice.R[call.d] * lattice.lanes * call.directions * call.links.reals *
                     call.links.precision},
           gauge_border_kernels().find("exchange_border", bytes_of(links.precision())), call);
  }

  void exchange(GaugeField &links, int parity, int parities, int mu, int directions)
  {
    Communicator &comm = links.lattice().communicator();
    for (int d = 0; d < 4; d++) {
      if (links.R()[d] == 0) continue;
      GaugeBorderCall call {links.view().field, d, false, {}, parity, parities, mu, directions};
      const std::size_t bytes = message_bytes(call);
      const BorderMessages &messages = messages_of(links.lattice(), bytes);
      Request received[2], sent[2];
      for (int side = 0; side < 2; side++) {
        // the border above is filled by data that travel in -d
        received[side] = comm.receive_start(messages.in[side].host(), bytes, d, side ? -1 : +1);
        call.message[side] = messages.out[side].device();
      }
      launch_border(links, call);
      for (int side = 0; side < 2; side++) {
        messages.out[side].to_host();
        sent[side] = comm.send_start(messages.out[side].host(), bytes, d, side ? -1 : +1);
      }
      for (int side = 0; side < 2; side++) {
        comm.wait(received[side]);
        messages.in[side].to_device();
        call.message[side] = messages.in[side].device();
      }
      call.arriving = true;
      launch_border(links, call);
      for (Request &request : sent) comm.wait(request);
    }
  }

} // namespace

void exchange_border(GaugeField &links) { exchange(links, 0, 2, 0, 4); }
void exchange_border(GaugeField &links, int parity, int mu) { exchange(links, parity, 1, mu, 1); }

void exchange_directions(GaugeField &links, std::span<const int> directions)
{
  for (std::size_t i = 0, n; i < directions.size(); i += n) {
    for (n = 1; i + n < directions.size() && directions[i + n] == directions[i] + static_cast<int>(n);) n++;
    exchange(links, 0, 2, directions[i], static_cast<int>(n));
  }
}

GaugeField extended(const GaugeField &links, int depth)
{
  GaugeFieldParam param = links.param();
  for (int d = 0; d < 4; d++) param.R[d] = links.lattice().cut(d) ? depth : 0;
  GaugeField result(param);
  result = links;
  exchange_border(result);
  return result;
}

} // namespace quda
