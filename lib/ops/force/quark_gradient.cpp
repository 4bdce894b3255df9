#include "ops/force/quark_gradient.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/force/clover_tensor_call.h"
#include "kernels/force/hop_gradient_call.h"
#include "ops/dirac/hop.h"
#include "ops/halo/boundary.h"
#include "ops/halo/exchange.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"
#include "ops/links/two_link.h"

namespace quda
{

QUDA_KERNELS(HopGradientCall, hop_gradient)
QUDA_KERNELS(CloverTensorCall, clover_tensor)
QUDA_KERNELS(TermTensorCall, term_tensor)
QUDA_KERNELS(CornerSumsCall, corner_sums)
QUDA_KERNELS(LeafGradientCall, leaf_gradient)

static_assert(most_hop_entries == most_tensor_entries);

namespace
{

  constexpr int legs_ahead = 0xaa; // the legs that a site's links lead to
  constexpr HopKind ahead = {
      .function = "hop_gradient", .name = "HopGradient", .flops = 0, .flops_y = 0, .reals = 0, .legs = legs_ahead};
  constexpr int border = 2;

  void check_pairs(const char *function, const QuarkPairs &pairs, const Lattice &lattice, Precision precision)
  {
    const auto fits = [&](const ColorSpinorField &field) {
      return field.native() && field.spins() == 4 && field.colors() == 3 && field.parities() == 2 &&
             field.layers() <= most_hop_entries && field.precision() == precision &&
             same_sites(field.lattice(), lattice);
    };
    if (!fits(pairs.left) || !fits(pairs.right) || pairs.left.rhs() != pairs.right.rhs() ||
        pairs.left.fifth() != pairs.right.fifth() || pairs.left.flavours() != pairs.right.flavours() ||
        pairs.weights.size() != static_cast<std::size_t>(pairs.left.rhs()))
      fail(ErrorKind::internal, text("%s: pairs of native full fields of four spins, of the links' precision and "
                                     "lattice, and a weight each, please",
                                     function));
  }

  void check_matrices(const char *function, const GaugeField &gradient, const GaugeField &links)
  {
    const auto whole = [](const GaugeField &field) {
      return field.native() && field.reconstruct() == Reconstruct::none;
    };
    if (!whole(gradient) || !whole(links) || gradient.extended() || gradient.precision() != links.precision() ||
        !same_sites(gradient.lattice(), links.lattice()) || gradient.data() == links.data())
      fail(ErrorKind::internal, text("%s: native whole matrices of one lattice and precision, the gradient without "
                                     "border, please",
                                     function));
  }

  void check_tensor(const char *function, const SiteField &tensor)
  {
    if (!tensor.native() || tensor.reals() != tensor_reals || tensor.parities() != 2 || tensor.inner() != 1 ||
        (tensor.precision() != Precision::double_ && tensor.precision() != Precision::single))
      fail(ErrorKind::internal, text("%s: a tensor of clover_tensor_like(), please", function));
  }

  /// Calls part(pairs, add) for runs of right-hand sides that fit into a launch.
  template <class Part> void each_run(const QuarkPairs &pairs, bool add, const Part &part)
  {
    const int together = quark_pairs_together(pairs.left.param());
    for (int first = 0; first < pairs.left.rhs(); first += together) {
      const int count = std::min(together, pairs.left.rhs() - first);
      const ColorSpinorField left = pairs.left.columns(first, count), right = pairs.right.columns(first, count);
      part({left, right, pairs.weights.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count))},
           add || first > 0);
    }
  }

  /// A weight for each inner entry, layers and flavours within right-hand sides.
  void enter_weights(double *weight, const QuarkPairs &pairs)
  {
    const int layers = pairs.left.layers();
    for (int i = 0; i < pairs.left.inner(); i++) weight[i] = pairs.weights[static_cast<std::size_t>(i / layers)];
  }

  unsigned registers_of(const FieldView &view) { return view.lattice.volume_cb * view.lattice.parts; }

  void add_hops(GaugeField &gradient, const QuarkPairs &pairs, const GaugeField &links, bool add)
  {
    const ColorSpinorField &left = pairs.left;
    const Lattice &lattice = left.lattice();
    const int bytes = bytes_of(left.precision());
    HopGradientCall call {
        left.view().field, pairs.right.view().field, {}, {}, gradient.view(), nullptr, 0, left.inner(), add, {}};
    enter_weights(call.weight, pairs);
    const LatticeView view = call.left.lattice;
    const auto pass = [&](const char *part, const unsigned *sites, unsigned count) {
      if (!count) return;
      call.sites = sites;
      call.count = count;
      const long long done = static_cast<long long>(count) * 2 * view.width;
      launch({.name = "HopGradient",
              .lattice = lattice,
              .extent = {count, 2},
              .aux = key_text(part, ",prec=", bytes, ",pairs=", rhs_class(call.entries), add ? ",add" : "",
                              ",cut=", !!view.cut[0], !!view.cut[1], !!view.cut[2], !!view.cut[3]),
              .flops = 1440 * call.entries * done,
              .bytes = done * (48LL * call.entries + 72LL * (add ? 2 : 1)) * bytes,
              .prefetch = true,
              .streaming = !add,
              .in_place = add ? memory_of(gradient) : MemorySpan {}},
             hop_gradient_kernels().find(ahead.function, bytes), call);
    };
    if (!crosses_ranks(ahead, view)) {
      pass("whole", nullptr, view.volume_cb * view.parts);
      return;
    }
    // (1 - gamma_mu) r and (1 + gamma_mu) l, which the adjoint's legs read
    const Epilogue none {};
    ColorSpinorField unwritten = left.columns(0, left.rhs());
    const HopFields right_leg {unwritten, pairs.right, links, false, none},
        left_leg {unwritten, left, links, true, none};
    HaloExchange of_right = hop_halo(ahead, right_leg), of_left = hop_halo(ahead, left_leg);
    pack_hop_halo(of_right, ahead, right_leg);
    of_right.send();
    pack_hop_halo(of_left, ahead, left_leg);
    of_left.send();
    const BoundarySites &sites = boundary_sites(lattice, view.width);
    pass("interior", sites.interior, sites.interior_count);
    of_right.finish();
    of_left.finish();
    call.of_right = of_right.slots();
    call.of_left = of_left.slots();
    pass("boundary", sites.boundary, sites.boundary_count);
  }

  void add_tensors(SiteField &tensor, const QuarkPairs &pairs, const double (&of_parity)[2], bool add)
  {
    const ColorSpinorField &left = pairs.left;
    const long long volume = left.lattice().volume();
    const int bytes = bytes_of(left.precision());
    CloverTensorCall call {left.view().field, pairs.right.view().field, tensor.view(), left.inner(), add, {}, {}};
    std::copy_n(of_parity, 2, call.of_parity);
    enter_weights(call.weight, pairs);
    launch({.name = "CloverTensor",
            .lattice = left.lattice(),
            .extent = {registers_of(call.tensor), 2, 2},
            .aux = key_text("prec=", bytes, ",pairs=", rhs_class(call.entries), add ? ",add" : ""),
            .flops = 744 * call.entries * volume,
            .bytes = volume * (48LL * call.entries + tensor_reals * (add ? 2LL : 1LL)) * bytes,
            .in_place = add ? memory_of(tensor) : MemorySpan {}},
           clover_tensor_kernels().find("clover_tensor", bytes), call);
  }

  bool cut(const Lattice &lattice) { return lattice.cut(0) || lattice.cut(1) || lattice.cut(2) || lattice.cut(3); }

  /// Y of clover_leaves_gradient.launch.cpp, with borders not yet filled.
  void corner_sums(GaugeField (&sums)[3], const GaugeField &links, const SiteField &tensor)
  {
    const char *function = "add_leaves_gradient";
    const Lattice &lattice = links.lattice();
    std::optional<HaloExchange> halo;
    CornerSumsCall call {links.view(), tensor.view(), {}, {sums[0].view(), sums[1].view(), sums[2].view()}};
    if (cut(lattice)) {
      HaloShape shape = halo_shape(tensor, 1, tensor.precision());
      for (bool &side : shape.from_below) side = false;
      halo.emplace(function, lattice, std::initializer_list<HaloShape> {shape});
      halo->pack(tensor);
      halo->send();
      halo->finish();
      call.halo = halo->slots();
    }
    launch({.name = "CornerSums",
            .lattice = lattice,
            .extent = {registers_of(call.tensor), 2},
            .aux = links_text(links),
            .flops = 12 * 348 * lattice.volume(),
            .bytes = link_bytes(links) + lattice.volume() * (tensor_reals + 120LL) * bytes_of(links.precision()),
            .prefetch = true,
            .streaming = true,
            .written = memory_of(sums[0])},
           instance(corner_sums_kernels(), function, links), call);
  }

} // namespace

int quark_pairs_together(const ColorSpinorParam &field)
{
  return std::clamp(most_hop_entries / (field.fifth * field.flavours), 1, most_hop_entries / 2);
}

void hop_gradient(GaugeField &gradient, const QuarkPairs &pairs, const GaugeField &links, bool add)
{
  check_matrices(ahead.function, gradient, links);
  check_pairs(ahead.function, pairs, gradient.lattice(), gradient.precision());
  each_run(pairs, add, [&](const QuarkPairs &run, bool onto) { add_hops(gradient, run, links, onto); });
  gradient.mark_written();
}

SiteField clover_tensor_like(const GaugeField &links)
{
  SiteFieldParam param;
  param.lattice = links.shared_lattice();
  param.precision = links.precision();
  param.reals = tensor_reals;
  return SiteField(param);
}

void clover_tensor(SiteField &tensor, const QuarkPairs &pairs, const double (&of_parity)[2], bool add)
{
  const char *function = "clover_tensor";
  check_tensor(function, tensor);
  check_pairs(function, pairs, tensor.lattice(), tensor.precision());
  each_run(pairs, add, [&](const QuarkPairs &run, bool onto) { add_tensors(tensor, run, of_parity, onto); });
  tensor.mark_written();
}

void add_to_clover_tensor(SiteField &tensor, const CloverField &term, const double (&of_parity)[2])
{
  const char *function = "add_to_clover_tensor";
  check_tensor(function, tensor);
  if (!term.native() || term.parities() != 2 || term.precision() != tensor.precision() ||
      !same_sites(term.lattice(), tensor.lattice()))
    fail(ErrorKind::internal,
         text("%s: a native term on both parities, of the tensor's precision and lattice, please", function));
  TermTensorCall call {term.view(), tensor.view(), {of_parity[0], of_parity[1]}};
  const long long volume = tensor.lattice().volume();
  const int bytes = bytes_of(tensor.precision());
  launch({.name = "TermTensor",
          .lattice = tensor.lattice(),
          .extent = {registers_of(call.tensor), 2, 2},
          .aux = key_text("prec=", bytes, ",parities=", of_parity[0] != 0, of_parity[1] != 0),
          .flops = 132 * volume,
          .bytes = volume * (72LL + 2 * tensor_reals) * bytes,
          .in_place = memory_of(tensor)},
         term_tensor_kernels().find(function, bytes), call);
  tensor.mark_written();
}

void add_leaves_gradient(GaugeField &gradient, const LinkSet &set, const SiteField &tensor)
{
  const char *function = "add_leaves_gradient";
  check_tensor(function, tensor);
  const GaugeField &links = set.with_border(border);
  check_matrices(function, gradient, links);
  if (tensor.precision() != links.precision() || !same_sites(tensor.lattice(), links.lattice()))
    fail(ErrorKind::internal, text("%s: a tensor of the links' precision and lattice, please", function));
  GaugeFieldParam param;
  param.lattice = links.shared_lattice();
  param.precision = links.precision();
  param.link_type = LinkType::momentum;
  param.reconstruct = Reconstruct::r10;
  std::copy_n(links.R(), 4, param.R);
  GaugeField sums[3] = {GaugeField(param), GaugeField(param), GaugeField(param)};
  corner_sums(sums, links, tensor);
  if (links.extended())
    for (GaugeField &sum : sums) exchange_border(sum);
  launch({.name = "LeafGradient",
          .lattice = links.lattice(),
          .extent = {registers(gradient), 2},
          .aux = links_text(links),
          .flops = 12 * 1584 * links.lattice().volume(),
          .bytes = 3 * link_bytes(links) + 120 * links.lattice().volume() * bytes_of(links.precision()),
          .prefetch = true,
          .in_place = memory_of(gradient)},
         instance(leaf_gradient_kernels(), function, links),
         {links.view(), {sums[0].view(), sums[1].view(), sums[2].view()}, gradient.view()});
  gradient.mark_written();
}

// ---- the gradient of an action ----

void QuarkGradient::add(const QuarkPairs &pairs, double hop, const double (&clover)[2])
{
  std::vector<double> weights(pairs.weights.begin(), pairs.weights.end());
  for (double &weight : weights) weight *= hop;
  const GaugeField &links = links_.precise();
  const bool more = gradient_.has_value();
  if (!more) gradient_.emplace(matrices_of(links.param()));
  hop_gradient(*gradient_, {pairs.left, pairs.right, weights}, links, more);
  if (clover[0] == 0 && clover[1] == 0) return;
  const bool onto = tensor_.has_value();
  if (!onto) tensor_.emplace(clover_tensor_like(links));
  clover_tensor(*tensor_, pairs, clover, onto);
}

void QuarkGradient::add(const CloverField &term, const double (&of_parity)[2])
{
  if (!tensor_) {
    SiteFieldParam param = clover_tensor_like(links_.precise()).param();
    param.create = Create::zero;
    tensor_.emplace(param);
  }
  add_to_clover_tensor(*tensor_, term, of_parity);
}

GaugeField QuarkGradient::take()
{
  if (!gradient_) {
    GaugeFieldParam param = matrices_of(links_.precise().param());
    param.create = Create::zero;
    gradient_.emplace(param);
  }
  if (tensor_) add_leaves_gradient(*gradient_, links_, *tensor_);
  tensor_.reset();
  return std::move(*gradient_);
}

} // namespace quda
