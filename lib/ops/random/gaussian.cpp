#include "ops/random/gaussian.h"

#include "kernels/random/gaussian_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(GaussianCall, gaussian_momentum)
QUDA_KERNELS(GaussianCall, gaussian_links)

namespace
{

  void fill(const char *name, GaugeField &out, LaunchFunction<GaussianCall> kernel, const GaussianCall &call)
  {
    out.mark_written(); // before the first launch: tuning does not restore the overwritten numbers
    launch({.name = name,
            .lattice = out.lattice(),
            .extent = {registers(out), 2, 4},
            .aux = links_text(out),
            .flops = 4 * out.lattice().volume() * (out.link_type() == LinkType::momentum ? 100 : 600),
            .bytes = link_bytes(out)},
           kernel, call);
  }

  void fill_links(const char *name, GaugeField &links, const GaussianCall &call)
  {
    fill(name, links, instance(gaussian_links_kernels(), name, links), call);
  }

} // namespace

void gaussian_momentum(GaugeField &momentum, unsigned long long seed, double sigma)
{
  fill("GaussianMomentum", momentum,
       gaussian_momentum_kernels().find("gaussian_momentum", bytes_of(momentum.precision())),
       {momentum.view(), sigma, seed, false, false});
}

void gaussian_links(GaugeField &links, unsigned long long seed, double sigma)
{
  const bool two_rows = links.reconstruct() == Reconstruct::r12;
  fill_links("GaussianLinks", links, {links.view(), sigma, seed, false, two_rows});
}

void cold_start(GaugeField &links) { fill_links("GaussianLinks", links, {links.view(), 0, 0, false, true}); }

void hot_start(GaugeField &links, unsigned long long seed)
{
  fill_links("HotStart", links, {links.view(), 0, seed, true, true});
}

} // namespace quda
