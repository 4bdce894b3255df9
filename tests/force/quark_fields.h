#pragma once
/// Fields of the tests of quark forces, of the reference and of the library.

#include "force/force_fields.h"
#include "ops/force/hisq_force.h"
#include "ops/force/link_gradient.h"
#include "ops/force/outer_products.h"
#include "ops/links/two_link.h"
#include "reference/force/staggered.h"
#include "reference/random.h"

namespace force_test
{

using QuarkTerms = std::vector<reference::QuarkTerm>;

/// Weights of both signs; every third single one is zero.
inline QuarkTerms quark_terms(const reference::Lattice &lattice, int count, std::uint64_t seed)
{
  QuarkTerms terms;
  for (int i = 0; i < count; i++)
    terms.push_back({reference::spins_of<1>(reference::random_spinors(lattice, seed + static_cast<std::uint64_t>(i))),
                     0.5 - 0.3 * i, i % 3 == 1 ? 0 : 0.2 + 0.1 * i, -0.04 + 0.03 * i});
  return terms;
}

inline reference::GaugeField outer(const QuarkTerms &terms, const reference::Lattice &lattice, int reach,
                                   double reference::QuarkTerm::*weight)
{
  return reference::outer_products(lattice, terms, reach, [=](const reference::QuarkTerm &t) { return t.*weight; });
}

inline quda::GaugeField native_matrices(const support::Place &place, const reference::GaugeField &m,
                                        quda::Precision precision)
{
  return support::native_links(place, m, {precision, quda::Reconstruct::none, 1, 1, quda::LinkType::general});
}

inline quda::LinkSet links_of(const support::Place &place, const reference::GaugeField &links,
                              quda::Precision precision)
{
  quda::LinkSet set;
  set.load(std::make_unique<quda::GaugeField>(native_matrices(place, links, precision)));
  return set;
}

/// The outer products of all terms.
struct QuarkGradients {
  quda::HisqGradients of;

  QuarkGradients(const support::Place &place, const QuarkTerms &terms, quda::Precision precision)
      : of {quda::GaugeField(param(place, precision)), quda::GaugeField(param(place, precision)),
            std::optional<quda::GaugeField>(param(place, precision))}
  {
    quda::ColorSpinorParam field;
    field.lattice = place.lattice;
    field.spins = 1;
    field.precision = precision;
    field.rhs = static_cast<int>(terms.size());
    quda::ColorSpinorField quarks(field);
    std::vector<double> fat, single, straight;
    for (const auto &term : terms) {
      quda::ColorSpinorField one = quarks.columns(static_cast<int>(fat.size()), 1);
      support::set_from_host(one, reference::to_host<double, 1>(term.q, place.global, place.part, -1));
      fat.push_back(term.fat);
      single.push_back(term.single);
      straight.push_back(term.straight);
    }
    const std::vector<quda::OuterProductSum> sums {
        {of.fat, 1, fat}, {of.straight, 3, straight}, {*of.single, 1, single}};
    quda::outer_products(quarks, sums, false);
  }

  static quda::GaugeFieldParam param(const support::Place &place, quda::Precision precision)
  {
    return quda::matrices_of(param_of(place, precision, false));
  }
};

/// The force onto vanishing momenta, its links made by the library.
inline quda::GaugeField native_hisq_force(const support::Place &place, const reference::GaugeField &thin,
                                          const QuarkTerms &terms, const reference::PathWeights &fat7,
                                          const reference::PathWeights &level2, quda::Precision precision,
                                          bool special = false)
{
  const auto weights = [](const reference::PathWeights &c) { return quda::FatWeights {c[0], c[2], c[3], c[4], c[5]}; };
  quda::LinkSet U = links_of(place, thin, precision);
  quda::GaugeField V = quda::fat_links(U, weights(fat7));
  auto W = std::make_unique<quda::GaugeField>(V.param());
  quda::unitary_links(*W, V, special);
  quda::HisqLinks links {std::move(U), std::move(V), {}, special};
  links.unitary.load(std::move(W));
  QuarkGradients gradients(place, terms, precision);
  const quda::GaugeField gradient = quda::hisq_gradient(links, weights(fat7), weights(level2), std::move(gradients.of));
  quda::GaugeField momentum(param_of(place, precision, true));
  quda::add_gradient_force(momentum, links.thin.precise(), gradient, 1, true);
  return momentum;
}

inline reference::GaugeField hisq_force(const support::Place &place, const reference::GaugeField &thin,
                                        const QuarkTerms &terms, const reference::PathWeights &fat7,
                                        const reference::PathWeights &level2, quda::Precision precision,
                                        bool special = false)
{
  const auto arrays = numbers(place, native_hisq_force(place, thin, terms, fat7, level2, precision, special));
  reference::GaugeField force(thin.lattice);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < thin.lattice.volume(); slot++)
      force.U[mu][slot] = reference::from_ten(&arrays[mu][10 * slot]);
  return force;
}

} // namespace force_test
