/// Forces of clover fermions, all of a lattice.
///   hop_gradient(_10)  : of the hop between one pair of quark fields, or ten
///   clover_tensor(_10) : what clover leaves are contracted with, from one pair or ten
///   clover_leaves      : the gradient of leaves: sums at the corners of links, then the staples; 12 of each a site
///   clover_force(_10)  : from one solution or ten on even sites to the momenta: four half hops a field, both gradients,
///                        the determinant. Bytes: each field of each launch once
///   moebius_force      : from one solution of Moebius fermions of eight slices on even sites to the momenta, matrices of
///                        the fifth dimension not counted

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "dirac/make_dirac.h"
#include "dirac/quark_force.h"
#include "ops/clover/clover_set.h"
#include "ops/clover/term.h"
#include "ops/force/link_gradient.h"
#include "ops/force/quark_gradient.h"
#include "ops/links/two_link.h"
#include "reference/force/quark.h"

namespace quda::bench::clover_force
{

namespace
{

  constexpr double kappa = 0.12, coefficient = 0.1;
  constexpr double of_parity[2] = {0.3, -0.4};

  std::vector<double> weights(int fields)
  {
    std::vector<double> all;
    for (int i = 0; i < fields; i++) all.push_back(0.3 - 0.05 * i);
    return all;
  }

  /// Right-hand sides of the host's spinors, to the right and, times minus one half, to the left.
  struct Fields {
    GaugeField links;
    LinkSet set;
    ColorSpinorField right, left;
    std::vector<double> weight;

    Fields(const Setting &s, int fields, int fifth = 1)
        : links(s.host->native_links(s.precision, Reconstruct::none))
        , set(links)
        , right(layered(s, fields, fifth))
        , left(right.param())
        , weight(weights(fields))
    {
      s.host->fill(right);
      left = right;
      left.mark_written();
    }
    QuarkPairs pairs() const { return {left, right, weight}; }

  private:
    static ColorSpinorParam layered(const Setting &s, int fields, int fifth)
    {
      ColorSpinorParam param = s.host->native_spinors(s.precision, fields).param();
      param.fifth = fifth;
      return param;
    }
  };

  class Leaves : public Kernel
  {
  public:
    explicit Leaves(const Setting &s)
        : on_(s, 1)
        , tensor_(clover_tensor_like(on_.links))
        , gradient_(matrices_of(on_.links.param()))
    {
      clover_tensor(tensor_, on_.pairs(), of_parity, false);
      hop_gradient(gradient_, on_.pairs(), on_.links, false);
    }
    void run() override { add_leaves_gradient(gradient_, on_.set, tensor_); }
    static Work work(const Setting &s)
    {
      return {.flops = 12.0 * (348 + 1584) * s.sites(),
              .read = (72 + 54 + 72 + 120 + 72) * s.sites() * s.real(),
              .written = (120 + 72) * s.sites() * s.real()};
    }
    Checksum checksum() override
    {
      hop_gradient(gradient_, on_.pairs(), on_.links, false);
      run();
      return checksum_of(gradient_);
    }

  private:
    Fields on_;
    SiteField tensor_;
    GaugeField gradient_;
  };

  constexpr int moebius_slices = 8;

  /// Right-hand side i is i + 1 times the first.
  std::vector<reference::QuarkPair> plain_pairs(HostData &host, int fields)
  {
    double weight = 0;
    const auto each = weights(fields);
    for (int i = 0; i < fields; i++) weight += each[static_cast<std::size_t>(i)] * (i + 1) * (i + 1);
    return {{host.spinors(), host.spinors(), weight}};
  }

  Entry hop_entry(const char *name, int fields)
  {
    return {.name = name,
            .needs = Needs::own,
            .tables = {"hop_gradient"},
            .features = "stencil",
            .most_reference = 8 * 8 * 8 * 8,
            .work =
                [=](const Setting &s) {
                  return Work {.flops = 1440.0 * fields * s.sites(),
                               .read = 48.0 * fields * s.sites() * s.real(),
                               .written = 72 * s.sites() * s.real()};
                },
            .make = runs([=](const Setting &s) {
              auto on = std::make_unique<Fields>(s, fields);
              return [gradient = GaugeField(matrices_of(on->links.param())),
                      on = std::move(on)]() mutable -> const GaugeField & {
                hop_gradient(gradient, on->pairs(), on->links, false);
                return gradient;
              };
            }),
            .reference = plain(
                [=](HostData &host) { return reference::hop_gradient(host.lattice(), plain_pairs(host, fields)); })};
  }
  Entry tensor_entry(const char *name, int fields)
  {
    return {.name = name,
            .needs = Needs::own,
            .tables = {"clover_tensor"},
            .work =
                [=](const Setting &s) {
                  return Work {.flops = 744.0 * fields * s.sites(),
                               .read = 48.0 * fields * s.sites() * s.real(),
                               .written = 54 * s.sites() * s.real()};
                },
            .make = runs([=](const Setting &s) {
              auto on = std::make_unique<Fields>(s, fields);
              return [tensor = SiteField(clover_tensor_like(on->links)),
                      on = std::move(on)]() mutable -> const SiteField & {
                clover_tensor(tensor, on->pairs(), of_parity, false);
                return tensor;
              };
            })};
  }
  Entry force_entry(const char *name, int fields)
  {
    return {
        .name = name,
        .needs = Needs::own,
        .tables = {"hop_gradient", "clover_tensor", "term_tensor", "corner_sums", "leaf_gradient", "gradient_force"},
        .features = "stencil, several launches",
        .loose = 10,
        .work =
            [=](const Setting &s) {
              const double operators = 4 * (72 + 36) + 60 * fields, gradients = 96 * fields + 36 + 54,
                           leaves = 72 + 54 + 72 + 120 + 72, end = 144;
              return Work {.flops =
                               (fields * (4.0 * (1320 + 504) / 2 + 1440 + 744) + 132 + 12 * (348 + 1584) + 4 * 258) *
                               s.sites(),
                           .read = (operators + gradients + leaves + end) * s.sites() * s.real(),
                           .written = (48 * fields + 72 + 2 * 54 + 120 + 72 + 40) * s.sites() * s.real()};
            },
        .make = runs([=](const Setting &s) {
          auto on = std::make_unique<Fields>(s, fields);
          auto clover = std::make_unique<CloverSet>();
          auto term = std::make_unique<CloverField>(s.host->native_clover(s.precision));
          auto inverse = std::make_unique<CloverField>(s.host->native_clover(s.precision));
          clover_term(*term, on->links, coefficient);
          clover_inverse(inverse.get(), *term);
          clover->load(std::move(term), std::move(inverse));
          auto dirac = make_dirac(CloverFermions {kappa, clover.get()}, on->set, {s.precision, Reconstruct::none});
          return [on = std::move(on), clover = std::move(clover), dirac = std::move(dirac),
                  momenta = s.host->native_momenta(s.precision)]() mutable -> const GaugeField & {
            const double leaves[2] = {-2 * coefficient, -2 * coefficient * kappa * kappa},
                         determinant[2] = {0, -coefficient};
            complete_force_pair(*dirac, MatPC::even_even_asymmetric, false, on->left, on->right);
            QuarkGradient sum(on->set);
            sum.add(on->pairs(), -2 * kappa * kappa, leaves);
            sum.add(clover->inverse(on->links.precision()), determinant);
            add_gradient_force(momenta, on->links, sum.take(), -0.1, true);
            return momenta;
          };
        })};
  }

  const Registered kernels[] = {
      hop_entry("hop_gradient", 1),
      hop_entry("hop_gradient_10", 10),
      tensor_entry("clover_tensor", 1),
      tensor_entry("clover_tensor_10", 10),
      Entry {.name = "clover_leaves",
             .needs = Needs::own,
             .tables = {"corner_sums", "leaf_gradient"},
             .features = "stencil, several launches",
             .loose = 10,
             .most_reference = 8 * 8 * 8 * 8,
             .work = Leaves::work,
             .make = made<Leaves>,
             .reference = plain([](HostData &host) {
               const auto pairs = plain_pairs(host, 1);
               return reference::sum_of(
                   reference::hop_gradient(host.lattice(), pairs),
                   reference::leaves_gradient(
                       host.links(), reference::clover_tensor(host.lattice(), pairs, {of_parity[0], of_parity[1]})));
             })},
      force_entry("clover_force", 1),
      force_entry("clover_force_10", 10),
      Entry {.name = "moebius_force",
             .needs = Needs::own,
             .tables = {"hop_gradient", "gradient_force"},
             .features = "stencil, several launches",
             .loose = 10,
             .work =
                 [](const Setting &s) {
                   return Work {.flops = (moebius_slices * (4.0 * 1320 / 2 + 1440) + 4 * 258) * s.sites(),
                                .read = (4 * 72 + moebius_slices * (4 * 24 + 48) + 72 + 72) * s.sites() * s.real(),
                                .written = (moebius_slices * 4 * 12 + 72 + 40) * s.sites() * s.real()};
                 },
             .make = runs([](const Setting &s) {
               using Numbers = std::vector<std::complex<double>>;
               auto on = std::make_unique<Fields>(s, 1, moebius_slices);
               auto dirac =
                   make_dirac(MoebiusFermions {0.1, -1.5, Numbers(moebius_slices, 1.5), Numbers(moebius_slices, 0.5)},
                              on->set, {s.precision, Reconstruct::none});
               return [on = std::move(on), dirac = std::move(dirac),
                       momenta = s.host->native_momenta(s.precision)]() mutable -> const GaugeField & {
                 const double factor =
                     complete_force_pair(*dirac, MatPC::even_even_asymmetric, false, on->left, on->right);
                 QuarkGradient sum(on->set);
                 sum.add(on->pairs(), 2 * factor, {0, 0});
                 add_gradient_force(momenta, on->links, sum.take(), -0.1, true);
                 return momenta;
               };
             })},
  };

} // namespace

} // namespace quda::bench::clover_force
