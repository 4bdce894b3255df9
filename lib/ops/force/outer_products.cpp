#include "ops/force/outer_products.h"

#include <algorithm>
#include <optional>

#include "kernels/force/outer_products_call.h"
#include "ops/halo/exchange.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(OuterProductsCall, outer_products)

static_assert(outer_terms_together == most_outer_terms);

namespace
{

  constexpr const char *function = "outer_products";

  void check_fields(const ColorSpinorField &quarks, std::span<const OuterProductSum> sums)
  {
    if (!quarks.native() || quarks.spins() != 1 || quarks.colors() != 3 || quarks.parities() != 2 ||
        quarks.layers() != 1 || sums.empty())
      fail(ErrorKind::internal, text("%s: native full fields of one spin and a sum or more, please", function));
    for (const OuterProductSum &sum : sums)
      if (!sum.gradient.native() || sum.gradient.reconstruct() != Reconstruct::none || sum.gradient.extended() ||
          sum.gradient.precision() != quarks.precision() || !same_sites(sum.gradient.lattice(), quarks.lattice()) ||
          sum.weights.size() != static_cast<std::size_t>(quarks.rhs()) || sum.reach < 1)
        fail(ErrorKind::internal, text("%s: gradients of whole matrices, of the vectors' precision and lattice, and a "
                                       "weight a vector, please",
                                       function));
  }

  int longest(std::span<const OuterProductSum> sums)
  {
    int reach = 0;
    for (const OuterProductSum &sum : sums) reach = std::max(reach, sum.reach);
    return reach;
  }

  bool cut(const Lattice &lattice) { return lattice.cut(0) || lattice.cut(1) || lattice.cut(2) || lattice.cut(3); }

  /// Adds the terms of one launch; first: number of the first of them.
  void add_some(const ColorSpinorField &quarks, std::span<const OuterProductSum> sums, int first, bool add)
  {
    std::optional<HaloExchange> halo;
    if (cut(quarks.lattice())) {
      HaloShape shape = halo_shape(quarks, longest(sums), quarks.precision());
      for (bool &side : shape.from_below) side = false;
      halo.emplace(function, quarks.lattice(), std::initializer_list<HaloShape> {shape});
      halo->pack(quarks);
      halo->send();
      halo->finish();
    }
    const int bytes = bytes_of(quarks.precision());
    for (const OuterProductSum &sum : sums) {
      OuterProductsCall call {quarks.view().field, {}, sum.gradient.view(), sum.reach, quarks.rhs(), add, {}};
      if (halo) call.halo = halo->slots();
      std::copy_n(sum.weights.begin() + first, call.terms, call.weight);
      const auto terms = call.terms - std::count(call.weight, call.weight + call.terms, 0.0);
      launch({.name = "OuterProducts",
              .lattice = quarks.lattice(),
              .extent = {registers(quarks), 8},
              .aux = key_text("prec=", bytes, ",terms=", rhs_class(static_cast<int>(terms)), ",reach=", sum.reach,
                              add ? ",add" : ""),
              .flops = 4 * 78 * terms * quarks.lattice().volume(),
              .bytes = quarks.lattice().volume() * (6LL * terms + 72LL * (add ? 2 : 1)) * bytes,
              .in_place = add ? memory_of(sum.gradient) : MemorySpan {}},
             outer_products_kernels().find(function, bytes), call);
      sum.gradient.mark_written();
    }
  }

} // namespace

void outer_products(const ColorSpinorField &quarks, std::span<const OuterProductSum> sums, bool add)
{
  check_fields(quarks, sums);
  for (int first = 0; first < quarks.rhs(); first += most_outer_terms) {
    const int count = std::min(most_outer_terms, quarks.rhs() - first);
    add_some(quarks.columns(first, count), sums, first, add || first > 0);
  }
}

} // namespace quda
