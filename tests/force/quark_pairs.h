#pragma once
/// Pairs of quark fields of the tests of gradients, of the reference and of the library.

#include "force/quark_fields.h"
#include "ops/force/quark_gradient.h"
#include "reference/force/quark.h"

namespace force_test
{

inline std::vector<reference::QuarkPair> random_pairs(const reference::Lattice &lattice, int count, std::uint64_t seed)
{
  std::vector<reference::QuarkPair> pairs;
  for (int i = 0; i < count; i++) {
    const auto n = seed + 2 * static_cast<std::uint64_t>(i);
    pairs.push_back(
        {reference::random_spinors(lattice, n), reference::random_spinors(lattice, n + 1), 0.7 - 0.2 * (i % 5)});
  }
  return pairs;
}

/// The fields of the library, of one or two flavours.
struct Pairs {
  quda::ColorSpinorField left, right;
  std::vector<double> weights;

  Pairs(const support::Place &place, const std::vector<reference::QuarkPair> &pairs, quda::Precision precision,
        int flavours)
      : left(param(place, pairs.size(), precision, flavours))
      , right(param(place, pairs.size(), precision, flavours))
  {
    for (std::size_t first = 0; first < pairs.size(); first += static_cast<std::size_t>(flavours)) {
      weights.push_back(pairs[first].weight);
      fill(left, place, pairs, first, flavours, &reference::QuarkPair::left);
      fill(right, place, pairs, first, flavours, &reference::QuarkPair::right);
    }
  }
  quda::QuarkPairs view() const { return {left, right, weights}; }

private:
  static quda::ColorSpinorParam param(const support::Place &place, std::size_t count, quda::Precision precision,
                                      int flavours)
  {
    quda::ColorSpinorParam field;
    field.lattice = place.lattice;
    field.precision = precision;
    field.flavours = flavours;
    field.rhs = static_cast<int>(count) / flavours;
    return field;
  }
  static void fill(quda::ColorSpinorField &field, const support::Place &place,
                   const std::vector<reference::QuarkPair> &pairs, std::size_t first, int flavours,
                   reference::Spinors reference::QuarkPair::*member)
  {
    quda::ColorSpinorField one = field.columns(static_cast<int>(first) / flavours, 1);
    std::vector<double> all; // (parity, flavour, x_cb)
    for (int parity = 0; parity < 2; parity++)
      for (int f = 0; f < flavours; f++) {
        const auto part = reference::to_host<double>(pairs[first + static_cast<std::size_t>(f)].*member, place.global,
                                                     place.part, parity);
        all.insert(all.end(), part.begin(), part.end());
      }
    support::set_from_host(one, all);
  }
};

/// Flavours of one field have one weight.
inline std::vector<reference::QuarkPair> with_flavours(std::vector<reference::QuarkPair> pairs, int flavours)
{
  for (std::size_t i = 0; i < pairs.size(); i++) {
    const std::size_t first = i - i % static_cast<std::size_t>(flavours);
    pairs[i].weight = pairs[first].weight;
  }
  return pairs;
}

} // namespace force_test
