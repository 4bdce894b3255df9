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

  constexpr FatWeights weights_of(const reference::PathWeights &c) { return {c[0], c[2], c[3], c[4], c[5]}; }
  constexpr FatWeights fat7 = weights_of(reference::fat7_weights), level2 = weights_of(reference::hisq_weights);

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
        .make = runs([](const Setting &s) {
          return [quarks = quarks(s), gradient = GaugeField(matrices(s))]() mutable -> const GaugeField & {
            const OuterProductSum sum {gradient, 1, weights()};
            outer_products(quarks, {&sum, 1}, false);
            return gradient;
          };
        }),
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
        .make = runs([](const Setting &s) {
          const std::shared_ptr<HisqLinks> links(new HisqLinks {{}, GaugeField(matrices(s)), {}});
          links->thin.load(std::make_unique<GaugeField>(s.host->native_links(s.precision, Reconstruct::none)));
          links->fat7 = fat_links(links->thin, fat7);
          auto unitary = std::make_unique<GaugeField>(matrices(s));
          unitary_links(*unitary, links->fat7, false);
          links->unitary.load(std::move(unitary));
          GaugeField fat(matrices(s)), straight(matrices(s));
          const std::vector<OuterProductSum> sums {{fat, 1, weights()}, {straight, 3, weights()}};
          outer_products(quarks(s), sums, false);
          return [links, fat = std::move(fat), straight = std::move(straight),
                  momenta = s.host->native_momenta(s.precision)]() mutable -> const GaugeField & {
            HisqGradients gradients {GaugeField(fat.param()), GaugeField(fat.param())};
            gradients.fat = fat;
            gradients.straight = straight;
            const GaugeField gradient = hisq_gradient(*links, fat7, level2, std::move(gradients));
            add_gradient_force(momenta, links->thin.precise(), gradient, 0.1, true);
            return momenta;
          };
        })}},
  };

} // namespace

} // namespace quda::bench
