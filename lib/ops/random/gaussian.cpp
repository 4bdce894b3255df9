#include "ops/random/gaussian.h"

#include "ops/instance.h"
#include "ops/random/gaussian_table.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(GaussianTable, gaussian_table)

namespace
{

  class GaussianFill : public TunableKernel3D
  {
  public:
    using Kernel = void (*)(const TuneParam &, void *, const GaussianCall &);

    GaussianFill(const char *name, Kernel kernel, const GaugeField &out, const GaussianCall &call)
        : TunableKernel3D(out.shared_lattice()->shared_communicator(), registers(out), 2, 4,
                          volume_text(out.lattice()).s, name, links_text(out).s)
        , out_(out)
        , call_(call)
        , kernel_(kernel)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override
    {
      return 4 * out_.lattice().volume() * (out_.link_type() == LinkType::momentum ? 100 : 600);
    }
    long long bytes() const override { return 4 * out_.lattice().volume() * out_.reals() * bytes_of(out_.precision()); }

  private:
    const GaugeField &out_;
    GaussianCall call_;
    Kernel kernel_;
  };

  void fill_links(const char *name, GaugeField &links, const GaussianCall &call)
  {
    const auto kernel = instance(gaussian_table().links, name, links.precision(), links.reconstruct());
    links.mark_written(); // before the first launch: tuning does not put back what it overwrites
    GaussianFill(name, kernel, links, call).apply();
  }

} // namespace

void gaussian_momentum(GaugeField &momentum, unsigned long long seed, double sigma)
{
  const auto kernel = instance(gaussian_table().momentum, "gaussian_momentum", momentum.precision());
  momentum.mark_written();
  GaussianFill("GaussianMomentum", kernel, momentum, {momentum.view(), sigma, seed, false, false}).apply();
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
