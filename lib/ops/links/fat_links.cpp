#include "ops/links/fat_links.h"

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

  constexpr int border = 2; // one would do; borders are even

  /// Direction k of those that are not mu.
  int other(int mu, int k) { return k < mu ? k : k + 1; }

  bool has_staples(const FatWeights &w) { return w.three != 0 || w.five != 0 || w.seven != 0 || w.lepage != 0; }
  bool has_levels(const FatWeights &w) { return w.five != 0 || w.seven != 0 || w.lepage != 0; }

  void add(StapleSum &sum, int nu, int parallel)
  {
    sum.nu[sum.pairs] = nu;
    sum.parallel[sum.pairs++] = parallel;
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

    /// Counts of all sums of a site.
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

  /// Of direction k of those that are not mu: S[U].
  Pass first_pass()
  {
    Pass pass("FatLinksInner", 3);
    for_sums(pass, [](StapleSum &sum, int mu, int k) {
      sum.staples = 1;
      add(sum, other(mu, k), 0);
    });
    return pass;
  }

  /// Of direction k: all that its staples, the outermost, are made of. Field 1 + k: those of the first pass.
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

  using Fields = std::vector<GaugeField>;

  void carry_out(Fields &out, const GaugeField &links, const Fields &from, Pass &&pass)
  {
    FatLinksCall &call = pass.call;
    call.fields = 0;
    call.from[call.fields++] = links.view();
    for (const GaugeField &field : from) call.from[call.fields++] = field.view();
    for (int k = 0; k < call.outs; k++) call.out[k] = out[static_cast<std::size_t>(k)].view();
    check_border("fat_links", links, 1);
    launch({.name = pass.name,
            .lattice = links.lattice(),
            .extent = {registers(links), 2},
            .aux = links_text(links, ",pairs=", pass.pairs(), ",links=", pass.links()),
            .flops = pass.flops() * links.lattice().volume(),
            .bytes = (call.fields + call.outs) * link_bytes(links),
            .prefetch = true},
           instance(fat_links_kernels(), "fat_links", links), call);
    for (GaugeField &field : out) field.mark_written();
  }

  Fields three_like(const GaugeField &links)
  {
    Fields fields;
    for (int k = 0; k < 3; k++) fields.emplace_back(links.param());
    return fields;
  }

  void exchange_borders(Fields &fields)
  {
    for (GaugeField &field : fields) exchange_border(field);
  }

} // namespace

GaugeField fat_links(const LinkSet &set, const FatWeights &w)
{
  const GaugeField &links = set.with_border(border);
  Fields middle;
  if (has_levels(w)) {
    Fields inner = three_like(links);
    carry_out(inner, links, {}, first_pass());
    if (w.seven != 0) exchange_borders(inner);
    middle = three_like(links);
    carry_out(middle, links, inner, second_pass(w));
    exchange_borders(middle);
  }
  Fields fat;
  fat.emplace_back(matrices_of(links.param()));
  carry_out(fat, links, middle, last_pass(w));
  return std::move(fat.front());
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

} // namespace quda
