#include "ops/halo/gauge_border.h"

#include <algorithm>

#include "ops/halo/gauge_border_table.h"
#include "ops/halo/message_buffer.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(GaugeBorderTable, gauge_border_table)

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
    std::size_t lanes = 0; // from beyond, over all layers
    for (int j = 0; j < lattice.R[d]; j++)
      lanes += std::min(1 + j / lattice.O[d], lattice.S[d]) * (lattice.lanes / lattice.S[d]);
    return call.parities * slab_cb(lattice, d) * lanes * call.directions * call.links.reals * call.links.precision;
  }

  class BorderLaunch : public TunableKernel3D
  {
  public:
    using Kernel = void (*)(const TuneParam &, void *, const GaugeBorderCall &);

    BorderLaunch(const GaugeField &links, const GaugeBorderCall &call, Kernel kernel, const char *name)
        : TunableKernel3D(links.shared_lattice()->shared_communicator(),
                          static_cast<unsigned>(slab_cb(call.links.lattice, call.d)), call.parities,
                          call.links.lattice.R[call.d], volume_text(links.lattice()).s, name,
                          key_text("prec=", bytes_of(links.precision()), ",recon=", call.links.reals, ",d=", call.d,
                                   ",border=", call.links.lattice.R[call.d], ",links=", call.parities * call.directions)
                              .s)
        , kernel_(kernel)
        , call_(call)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override { return 0; }
    long long bytes() const override
    {
      return 2 * call_.parities * slab_cb(call_.links.lattice, call_.d) * call_.links.lattice.R[call_.d] *
             call_.links.lattice.lanes * call_.directions * call_.links.reals * call_.links.precision;
    }

  private:
    Kernel kernel_;
    const GaugeBorderCall &call_;
  };

  void exchange(GaugeField &links, int parity, int parities, int mu, int directions)
  {
    Communicator &comm = links.lattice().communicator();
    const GaugeBorderTable &table = gauge_border_table();
    const auto pack = instance(table.pack, "gauge border", links.precision());
    const auto unpack = instance(table.unpack, "gauge border", links.precision());
    for (int d = 0; d < 4; d++) {
      if (links.R()[d] == 0) continue;
      GaugeBorderCall call {links.view().field, d, 0, nullptr, parity, parities, mu, directions};
      const std::size_t bytes = message_bytes(call);
      MessageBuffer out[2] = {MessageBuffer(bytes), MessageBuffer(bytes)};
      MessageBuffer in[2] = {MessageBuffer(bytes), MessageBuffer(bytes)};
      Request received[2], sent[2];
      for (int s = 0; s < 2; s++) {
        // the border on side +1 is filled by data that travel in -d
        call.side = s ? +1 : -1;
        call.message = out[s].device();
        received[s] = comm.receive_start(in[s].host(), bytes, d, -call.side);
        BorderLaunch(links, call, pack, "GaugeBorderPack").apply();
        out[s].to_host();
        sent[s] = comm.send_start(out[s].host(), bytes, d, -call.side);
      }
      for (int s = 0; s < 2; s++) {
        comm.wait(received[s]);
        in[s].to_device();
        call.side = s ? +1 : -1;
        call.message = in[s].device();
        BorderLaunch(links, call, unpack, "GaugeBorderUnpack").apply();
      }
      for (Request &request : sent) comm.wait(request);
    }
  }

} // namespace

void exchange_border(GaugeField &links) { exchange(links, 0, 2, 0, 4); }
void exchange_border(GaugeField &links, int parity, int mu) { exchange(links, parity, 1, mu, 1); }

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
