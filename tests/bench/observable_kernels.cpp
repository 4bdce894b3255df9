/// What is measured of links beside the plaquette, and their projection.
///   polyakov_loop  198 flops a site and 4 a site of a time slice; time links once
///   charge         topological charge and energy, 11,664 flops a site; each link once
///   project        onto SU(3); flops depend on the data and are not counted; each link once in and once out

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/gauge/field_strength.h"
#include "ops/gauge/polyakov.h"
#include "ops/gauge/project.h"
#include "reference/gauge/field_strength.h"
#include "reference/gauge/polyakov.h"
#include "reference/gauge/project.h"

namespace quda::bench
{

namespace
{

  class Polyakov : public Kernel
  {
  public:
    explicit Polyakov(const Setting &s)
        : links_(s.host->native_links(s.precision, s.reconstruct))
    {
    }
    void run() override { loop_ = polyakov_loop(links_); }
    static Work work(const Setting &s)
    {
      return {.flops = (198 + 4.0 / s.host->lattice().X[3]) * s.sites(), .read = s.links() / 4};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(loop_);
    }

  private:
    GaugeField links_;
    std::complex<double> loop_;
  };

  class Charge : public Kernel
  {
  public:
    explicit Charge(const Setting &s)
        : links_(s.host->native_links(s.precision, s.reconstruct))
    {
    }
    void run() override { found_ = charge_and_energy(links_); }
    static Work work(const Setting &s) { return {.flops = 11664 * s.sites(), .read = s.links()}; }
    Checksum checksum() override
    {
      run();
      return checksum_of(std::vector {found_.charge, found_.spatial_energy, found_.temporal_energy});
    }

  private:
    GaugeField links_;
    ChargeAndEnergy found_ {};
  };

  class Project : public Kernel
  {
  public:
    explicit Project(const Setting &s)
        : links_(s.host->native_links(s.precision, s.reconstruct))
        , out_(links_.param())
    {
    }
    void run() override { project_su3(out_, links_, projection_tolerance(links_.precision())); }
    static Work work(const Setting &s) { return {.read = s.links(), .written = s.links(), .shape = Shape::copy}; }
    Checksum checksum() override
    {
      run();
      return checksum_of(out_);
    }

  private:
    GaugeField links_, out_;
  };

  const Registered
      polyakov({.name = "polyakov_loop",
                .needs = Needs::links,
                .tables = {"polyakov_stretch", "polyakov_trace"},
                .features = "exact sums, several launches",
                .work = Polyakov::work,
                .make = made<Polyakov>,
                .reference = plain([](HostData &host) { return reference::polyakov_loop(host.links()); })});
  const Registered charge({.name = "charge",
                           .needs = Needs::links,
                           .tables = {"charge"},
                           .features = "stencil, exact sums, requests ahead",
                           .loose = 10,
                           .most_reference = 16 * 16 * 16 * 16,
                           .work = Charge::work,
                           .make = made<Charge>,
                           .reference = plain([](HostData &host) {
                             const reference::Charge found = reference::charge(host.links());
                             return std::vector {found.charge, found.spatial_energy, found.temporal_energy};
                           })});
  const Registered project({.name = "project",
                            .needs = Needs::links,
                            .tables = {"project"},
                            .features = "loop by data, exact sums",
                            .work = Project::work,
                            .make = made<Project>,
                            .reference = plain([](HostData &host) { return reference::projected(host.links()); })});

} // namespace

} // namespace quda::bench
