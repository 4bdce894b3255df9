#include "ops/links/fat_links.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "kernels/links/fat_links_call.h"
#include "ops/gauge/project.h"
#include "ops/gauge/staggered_phase.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"
#include "ops/links/two_link.h"

namespace quda
{

QUDA_KERNELS(FatLinksCall, fat_links)

namespace
{

  constexpr int border = 2; // one would suffice; borders are even

  /// Direction k of those that are not mu.
  int other(int mu, int k) { return k < mu ? k : k + 1; }

  bool has_staples(const FatWeights &w) { return w.three != 0 || w.five != 0 || w.seven != 0 || w.lepage != 0; }
  bool has_levels(const FatWeights &w) { return w.five != 0 || w.seven != 0 || w.lepage != 0; }

  /// The index of direction mu among those that are not nu.
  int among_others(int mu, int nu) { return mu < nu ? mu : mu - 1; }

  /// Staples in direction nu of fields by their numbers; the links are field 0.
  void add(StapleSum &sum, int nu, int parallel, int left = 0, int right = 0)
  {
    const auto byte = [](int i) { return static_cast<unsigned char>(i); };
    sum.pair[sum.pairs++] = {byte(nu), byte(left), byte(parallel), byte(right)};
  }

  /// Staples around the links, with sides from two fields either way: the dependence of sums of staples along nu on
  /// their sides, if those staples are made around one field and contracted with the other.
  void add_sides(StapleSum &sum, int nu, int one, int other)
  {
    add(sum, nu, 0, one, other);
    add(sum, nu, 0, other, one);
  }

  /// The sums of a pass: one for each link, or one for each of its three other directions.
  struct Pass {
    const char *name;
    FatLinksCall call {};

    Pass(const char *name, int outs)
        : name(name)
    {
      call.outs = outs;
    }

    /// Pairs of all sums at a site.
    int pairs() const { return 4 * call.outs * call.sums[0][0].pairs; }
    int links() const
    {
      int n = 0;
      for (const double weight : call.sums[0][0].links) n += weight != 0;
      return 4 * call.outs * n;
    }
    long long flops() const { return 828LL * pairs() + 36LL * (links() + 4 * call.outs); }
  };

  template <class Set> void for_sums(Pass &pass, const Set &set)
  {
    for (int mu = 0; mu < 4; mu++)
      for (int k = 0; k < pass.call.outs; k++) set(pass.call.sums[mu][k], mu, k);
  }

  /// Staples S[F] in direction k, one of those that are not mu; F is a field, the links themselves or another.
  Pass first_pass(int field = 0)
  {
    Pass pass("FatLinksInner", 3);
    for_sums(pass, [&](StapleSum &sum, int mu, int k) {
      sum.staples = 1;
      add(sum, other(mu, k), field);
    });
    return pass;
  }

  /// All operands of the outermost staples, in direction k. Field 1 + k has those of the first pass.
  Pass second_pass(const FatWeights &w)
  {
    Pass pass("FatLinksMiddle", 3);
    for_sums(pass, [&](StapleSum &sum, int mu, int k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      sum.links[0] = w.three;
      sum.links[1 + k] = w.lepage;
      sum.links[1 + i] = sum.links[1 + j] = w.five;
      sum.staples = w.seven;
      if (w.seven == 0) return;
      add(sum, other(mu, i), 1 + j);
      add(sum, other(mu, j), 1 + i);
    });
    return pass;
  }

  /// Links and the outermost staples, around fields 1 + k or around the links.
  Pass last_pass(const FatWeights &w)
  {
    Pass pass("FatLinks", 1);
    for_sums(pass, [&](StapleSum &sum, int mu, int) {
      sum.links[0] = w.one - 6 * w.lepage;
      sum.staples = has_levels(w) ? 1 : w.three;
      if (!has_staples(w)) return;
      for (int k = 0; k < 3; k++) add(sum, other(mu, k), has_levels(w) ? 1 + k : 0);
    });
    return pass;
  }

  // The gradient: the last pass comes first. A sum of staples along nu is its own transpose as a function of
  // the field at its centre, so that the passes above serve it as well; add_sides() has the dependence on its sides.
  // Fields: 0 the links; other numbers in the order of carry_out()'s arguments.

  /// Gradient of the only pass, if there are no levels. Field 1 has the gradient of the fat links.
  Pass only_gradient_pass(const FatWeights &w)
  {
    Pass pass("FatLinksGradient", 1);
    for_sums(pass, [&](StapleSum &sum, int mu, int) {
      sum.links[1] = w.one;
      sum.staples = w.three;
      if (w.three == 0) return;
      for (int k = 0; k < 3; k++) {
        add(sum, other(mu, k), 1);
        add_sides(sum, other(mu, k), 1, 0);
      }
    });
    return pass;
  }

  /// Gradient of the last pass. Field 1 has the gradient of the fat links, 2 + k those of the second pass.
  Pass last_gradient_pass(const FatWeights &w)
  {
    Pass pass("FatLinksGradientOuter", 1);
    for_sums(pass, [&](StapleSum &sum, int mu, int) {
      sum.links[1] = w.one - 6 * w.lepage;
      sum.staples = 1;
      for (int k = 0; k < 3; k++) add_sides(sum, other(mu, k), 1, 2 + among_others(mu, other(mu, k)));
    });
    return pass;
  }

  /// Gradient of the second pass. Fields 1 + k have gradients of its results, 4 + k those of the first pass.
  Pass second_gradient_pass(const FatWeights &w)
  {
    Pass pass("FatLinksGradientMiddle", 1);
    pass.call.add = true;
    for_sums(pass, [&](StapleSum &sum, int mu, int) {
      for (int k = 0; k < 3; k++) sum.links[1 + k] = w.three;
      sum.staples = w.seven;
      if (w.seven == 0) return;
      for (int k = 0; k < 3; k++) {
        const int nu = other(mu, k), me = among_others(mu, nu), i = (me + 1) % 3, j = (me + 2) % 3;
        add_sides(sum, nu, 1 + i, 4 + j);
        add_sides(sum, nu, 1 + j, 4 + i);
      }
    });
    return pass;
  }

  /// Gradient of the first pass. Fields 1 + k have gradients of its results.
  Pass first_gradient_pass()
  {
    Pass pass("FatLinksGradientInner", 1);
    pass.call.add = true;
    for_sums(pass, [](StapleSum &sum, int mu, int) {
      sum.staples = 1;
      for (int k = 0; k < 3; k++) {
        add(sum, other(mu, k), 1 + k);
        add_sides(sum, other(mu, k), 1 + among_others(mu, other(mu, k)), 0);
      }
    });
    return pass;
  }

  FatWeights without_links(FatWeights w)
  {
    w.three = 0;
    return w;
  }

  using Fields = std::vector<GaugeField>;

  template <class... More>
  void carry_out(std::span<GaugeField> out, const GaugeField &links, Pass &&pass, const More &...from)
  {
    FatLinksCall &call = pass.call;
    call.fields = 0;
    call.from[call.fields++] = links.view();
    [[maybe_unused]] const auto read = [&](const GaugeField &field) { call.from[call.fields++] = field.view(); };
    (std::ranges::for_each(std::span<const GaugeField>(from), read), ...);
    for (int k = 0; k < call.outs; k++) call.out[k] = out[static_cast<std::size_t>(k)].view();
    check_border("fat_links", links, 1);
    launch({.name = pass.name,
            .lattice = links.lattice(),
            .extent = {registers(links), 2},
            .aux = links_text(links, ",pairs=", pass.pairs(), ",links=", pass.links()),
            .flops = pass.flops() * links.lattice().volume(),
            .bytes = (call.fields + (call.add ? 2 : 1) * call.outs) * link_bytes(links),
            .prefetch = true,
            .in_place = call.add ? memory_of(out.front()) : MemorySpan {}},
           instance(fat_links_kernels(), "fat_links", links), call);
    for (GaugeField &field : out) field.mark_written();
  }

  /// The same of three fields, whose borders are then filled.
  template <class... More> Fields three_of(const GaugeField &links, Pass &&pass, const More &...from)
  {
    Fields fields;
    for (int k = 0; k < 3; k++) fields.emplace_back(links.param());
    carry_out(fields, links, std::move(pass), from...);
    for (GaugeField &field : fields) exchange_border(field);
    return fields;
  }

  std::span<GaugeField, 1> alone(GaugeField &field) { return std::span<GaugeField, 1>(&field, 1); }
  std::span<const GaugeField, 1> alone(const GaugeField &field) { return std::span<const GaugeField, 1>(&field, 1); }

} // namespace

GaugeField fat_links(const LinkSet &set, const FatWeights &w)
{
  const GaugeField &links = set.with_border(border);
  Fields middle;
  if (has_levels(w)) {
    const Fields inner = three_of(links, first_pass());
    middle = three_of(links, second_pass(w), inner);
  }
  GaugeField fat(matrices_of(links.param()));
  carry_out(alone(fat), links, last_pass(w), middle);
  return fat;
}

void fat_links_gradient(GaugeField &gradient, const LinkSet &set, const FatWeights &w, const GaugeField &of_fat,
                        bool add)
{
  const GaugeField &links = set.with_border(border);
  const GaugeField given = extended(of_fat, border);
  const auto first = [&](Pass &&pass, const auto &...from) {
    pass.call.add = add;
    carry_out(alone(gradient), links, std::move(pass), alone(given), from...);
  };
  if (!has_levels(w)) return first(only_gradient_pass(w));
  Fields inner = three_of(links, first_pass());
  first(last_gradient_pass(w), three_of(links, second_pass(w), inner));
  Fields of_inner;
  {
    const Fields of_middle = three_of(links, first_pass(1), alone(given));
    carry_out(alone(gradient), links, second_gradient_pass(w), of_middle, inner);
    inner.clear();
    of_inner = three_of(links, second_pass(without_links(w)), of_middle);
  }
  carry_out(alone(gradient), links, first_gradient_pass(), of_inner);
}

GaugeField long_links(const LinkSet &links, double weight) { return links_in_a_row(links, 3, weight); }

long long unitary_links(GaugeField &out, const GaugeField &in, bool special)
{
  const double tolerance = in.precision() == Precision::double_ ? 1e-10 : 1e-6;
  if (!special) return make_unitary(out, in, tolerance);
  if (!in.phases().applied) return project_su3(out, in, tolerance);
  const Phases phases = in.phases();
  out.set_phases({phases.type, false, phases.i_mu});
  const long long failures = project_su3(out, without_staggered_phases(in), tolerance);
  GaugeField with_phases = with_staggered_phases(out);
  swap(out, with_phases);
  return failures;
}

long long fat_links_flops(const FatWeights &w)
{
  return last_pass(w).flops() + (has_levels(w) ? first_pass().flops() + second_pass(w).flops() : 0);
}

long long fat_links_gradient_flops(const FatWeights &w)
{
  if (!has_levels(w)) return only_gradient_pass(w).flops();
  return 2 * first_pass().flops() + second_pass(w).flops() + second_pass(without_links(w)).flops() +
         last_gradient_pass(w).flops() + second_gradient_pass(w).flops() + first_gradient_pass().flops();
}

} // namespace quda
