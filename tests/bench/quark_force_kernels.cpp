/// Forces of staggered quarks, all of a lattice.
///   outer_products : of ten colour vectors at neighbouring sites
///   hisq_force     : from outer products of one and three steps to the momenta, through fat, long and unitarised
///                    links; flops that are done, eigenvectors aside (hisq_gradient_flops()). 17 launches read 260
///                    links a site and write 128, and the momenta

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/force/hisq_force.h"
#include "ops/force/link_gradient.h"
#include "ops/force/outer_products.h"
#include "ops/links/two_link.h"
#include "reference/force/staggered.h"

namespace quda::bench
{

namespace
{

  constexpr int terms = 10;
  double weight(int term) { return 0.3 - 0.1 * term; }

  /// The first spin of the spinors, times 1, 2, ...
  ColorSpinorField quarks(const Setting &s)
  {
    const reference::Lattice &lattice = s.host->lattice();
    ColorSpinorParam param = s.host->native_spinors(s.precision, terms).param();
    param.spins = 1;
    ColorSpinorField field(param);
    param.order = DiracOrder::dirac;
    param.precision = Precision::double_;
    param.location = Location::host;
    param.create = Create::reference;
    param.rhs = 1;
    auto numbers =
        reference::to_host<double, 1>(reference::spins_of<1>(s.host->spinors()), lattice, reference::Part(lattice), -1);
    param.data = numbers.data();
    const std::vector<double> first = numbers;
    for (int i = 0; i < terms; i++) {
      for (std::size_t k = 0; k < first.size(); k++) numbers[k] = (i + 1) * first[k];
      field.columns(i, 1) = ColorSpinorField(param);
    }
    field.mark_written();
    return field;
  }

  std::vector<double> weights()
  {
    std::vector<double> w;
    for (int i = 0; i < terms; i++) w.push_back(weight(i));
    return w;
  }

  GaugeFieldParam matrices(const Setting &s)
  {
    return matrices_of(s.host->native_links(s.precision, Reconstruct::none).param());
  }

  class OuterProducts : public Kernel
  {
  public:
    explicit OuterProducts(const Setting &s)
        : quarks_(quarks(s))
        , gradient_(matrices(s))
    {
    }
    void run() override
    {
      const OuterProductSum sum {gradient_, 1, weights()};
      outer_products(quarks_, {&sum, 1}, false);
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(gradient_);
    }

  private:
    ColorSpinorField quarks_;
    GaugeField gradient_;
  };

  constexpr FatWeights weights_of(const reference::PathWeights &c) { return {c[0], c[2], c[3], c[4], c[5]}; }
  constexpr FatWeights fat7 = weights_of(reference::fat7_weights), level2 = weights_of(reference::hisq_weights);

  class HisqForce : public Kernel
  {
  public:
    explicit HisqForce(const Setting &s)
        : links_ {{}, GaugeField(matrices(s)), {}}
        , fat_(matrices(s))
        , straight_(matrices(s))
        , momenta_(s.host->native_momenta(s.precision))
    {
      links_.thin.load(std::make_unique<GaugeField>(s.host->native_links(s.precision, Reconstruct::none)));
      links_.fat7 = fat_links(links_.thin, fat7);
      auto unitary = std::make_unique<GaugeField>(matrices(s));
      unitary_links(*unitary, links_.fat7, false);
      links_.unitary.load(std::move(unitary));
      const std::vector<OuterProductSum> sums {{fat_, 1, weights()}, {straight_, 3, weights()}};
      outer_products(quarks(s), sums, false);
    }
    void run() override
    {
      HisqGradients gradients {GaugeField(fat_.param()), GaugeField(fat_.param())};
      gradients.fat = fat_;
      gradients.straight = straight_;
      const GaugeField gradient = hisq_gradient(links_, fat7, level2, std::move(gradients));
      add_gradient_force(momenta_, links_.thin.precise(), gradient, 0.1, true);
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(momenta_);
    }

  private:
    HisqLinks links_;
    GaugeField fat_, straight_, momenta_;
  };

  const Registered kernels[] = {
      {{.name = "outer_products",
        .needs = Needs::own,
        .tables = {"outer_products"},
        .features = "stencil",
        .most_reference = 8 * 8 * 8 * 8,
        .work =
            [](const Setting &s) {
              return Work {.flops = 4 * 78 * terms * s.sites(),
                           .read = 6 * terms * s.sites() * s.real(),
                           .written = 72 * s.sites() * s.real()};
            },
        .make = made<OuterProducts>,
        .reference = plain([](HostData &host) {
          const reference::ColorVectors q = reference::spins_of<1>(host.spinors());
          double sum = 0;
          for (int i = 0; i < terms; i++) sum += weight(i) * (i + 1) * (i + 1);
          return reference::outer_products(host.lattice(), {{q, sum, 0, 0}}, 1,
                                           [](const reference::QuarkTerm &t) { return t.fat; });
        })}},
      {{.name = "hisq_force",
        .needs = Needs::own,
        .tables = {"fat_links", "long_gradient", "unitary_gradient", "gradient_force"},
        .features = "stencil, several launches, loop by data",
        .loose = 100,
        .work =
            [](const Setting &s) {
              const double links = 72 * s.sites() * s.real();
              return Work {.flops = static_cast<double>(hisq_gradient_flops(fat7, level2)) * s.sites(),
                           .read = 65 * links,
                           .written = 32 * links + s.momenta()};
            },
        .make = made<HisqForce>}},
  };

} // namespace

} // namespace quda::bench
