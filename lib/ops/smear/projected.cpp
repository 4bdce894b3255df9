#include "ops/smear/projected.h"

#include <utility>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/smear/projected_staples_call.h"
#include "ops/gauge/project.h"
#include "ops/halo/gauge_border.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(ProjectedStaplesCall, projected_staples)

namespace
{

  constexpr const char *function = "smearing by projection";

  ProjectedSmearing in_directions_but(int ignored)
  {
    ProjectedSmearing smearing;
    if (ignored >= 0 && ignored < 4) smearing.smeared[ignored] = false;
    return smearing;
  }

  /// The smeared directions, and the numbering of a link's staples: the other directions, upwards.
  struct Directions {
    int d[4];
    int count = 0;

    explicit Directions(const ProjectedSmearing &smearing)
    {
      for (int k = 0; k < 4; k++)
        if (smearing.smeared[k]) d[count++] = k;
    }
    /// Direction k of those other than mu.
    int other(int mu, int k) const
    {
      for (int i = 0; i < count; i++)
        if (d[i] != mu && k-- == 0) return d[i];
      return -1;
    }
    /// The inverse.
    int number(int mu, int nu) const
    {
      int k = 0;
      while (other(mu, k) != nu) k++;
      return k;
    }
  };

  ProjectedStaplesCall call_of(const GaugeField &out, const GaugeField &links, double alpha, int pairs)
  {
    ProjectedStaplesCall call {};
    call.links = links.view();
    call.out = out.view();
    call.unity = 1 - alpha;
    call.staples = alpha / (2 * pairs);
    call.along_t = 1;
    call.tolerance = projection_tolerance(links.precision());
    return call;
  }

  void add(ProjectedStaplesCall &call, int mu, StaplePair pair) { call.pairs[mu][call.count[mu]++] = pair; }

  void carry_out(GaugeField &out, const GaugeField &links, ProjectedStaplesCall &call)
  {
    ExactLimbs failures;
    call.sums = &failures;
    int written = 0, pairs = 0;
    for (int mu = 0; mu < 4; mu++) {
      written += call.count[mu] > 0;
      pairs += call.count[mu];
    }
    launch({.name = "ProjectedStaples",
            .lattice = links.lattice(),
            .extent = {registers(links), 2},
            .aux = links_text(links, ",links=", written, ",pairs=", pairs),
            .flops = (828LL * pairs + 416LL * written) * links.lattice().volume(),
            .bytes = link_bytes(links) / 4 * (4 + written),
            .sums = {&failures, 1}},
           instance(projected_staples_kernels(), function, links), call);
    out.mark_written();
    sum_limbs(links.lattice().communicator(), &failures, 1);
    const auto failed = static_cast<long long>(exact_value(failures));
    if (failed > 0)
      throw FoundTogether(ErrorKind::bad_argument,
                          text("%s: %lld sums of links and staples cannot be projected onto SU(3)", function, failed));
  }

} // namespace

ProjectedSmearing ProjectedSmearing::ape(double alpha, int ignored)
{
  ProjectedSmearing smearing = in_directions_but(ignored);
  smearing.alpha[0] = alpha;
  return smearing;
}

ProjectedSmearing ProjectedSmearing::hyp_levels(double alpha1, double alpha2, double alpha3, int ignored)
{
  ProjectedSmearing smearing = in_directions_but(ignored);
  smearing.hyp = true;
  const double alpha[3] = {alpha1, alpha2, alpha3};
  for (int i = 0; i < 3; i++) smearing.alpha[i] = alpha[i];
  return smearing;
}

ProjectedChain::ProjectedChain(GaugeField &&links, const ProjectedSmearing &smearing)
    : SmearChain(std::move(links), smearing.smeared)
    , smearing_(smearing)
{
  if (this->links().reconstruct() != Reconstruct::none)
    fail(ErrorKind::unsupported,
         text("%s: reconstruct = %d; allowed: 18", function, static_cast<int>(this->links().reconstruct())));
  const int levels = !smearing.hyp ? 0 : Directions(smearing).count - 2, fields = Directions(smearing).count - 1;
  for (int i = 0; i < levels * fields; i++) decorated_.emplace_back(this->links().param());
}

void ProjectedChain::step()
{
  const Directions directions(smearing_);
  const int others = directions.count - 1; // of each link
  const auto for_links = [&](auto &&f) {
    for (int i = 0; i < directions.count; i++) f(directions.d[i]);
  };
  const auto exchange_written = [&](GaugeField &field) {
    exchange_directions(field, {directions.d, static_cast<std::size_t>(directions.count)});
  };
  advance([&](GaugeField &out, const GaugeField &in) {
    check_step(function, out, in);
    if (!smearing_.hyp) {
      ProjectedStaplesCall call = call_of(out, in, smearing_.alpha[0], others);
      call.from[0] = in.view();
      call.along_t = smearing_.anisotropy * smearing_.anisotropy;
      for_links([&](int mu) {
        for (int k = 0; k < others; k++) add(call, mu, {directions.other(mu, k), 0, 0});
      });
      return carry_out(out, in, call);
    }

    // field k of the first level: links with the staples only in direction k of the others
    for (int k = 0; k < others; k++) {
      ProjectedStaplesCall call = call_of(decorated_[k], in, smearing_.alpha[2], 1);
      call.from[0] = in.view();
      for_links([&](int mu) { add(call, mu, {directions.other(mu, k), 0, 0}); });
      carry_out(decorated_[k], in, call);
      exchange_written(decorated_[k]);
    }
    // of the second, in four dimensions: with staples in both directions that are not k of the others
    for (int k = 0; k < others && others == 3; k++) {
      ProjectedStaplesCall call = call_of(decorated_[3 + k], in, smearing_.alpha[1], 2);
      for (int i = 0; i < others; i++) call.from[i] = decorated_[i].view();
      for_links([&](int mu) {
        for (int j = 0; j < others; j++)
          if (j != k) {
            const int rho = directions.other(mu, j), sigma = directions.other(mu, 3 - j - k);
            add(call, mu, {rho, directions.number(mu, sigma), directions.number(rho, sigma)});
          }
      });
      carry_out(decorated_[3 + k], in, call);
      exchange_written(decorated_[3 + k]);
    }
    // the last: in all of them, from links with staples in the remaining directions
    const int first = others == 3 ? 3 : 0;
    ProjectedStaplesCall call = call_of(out, in, smearing_.alpha[others == 3 ? 0 : 1], others);
    for (int i = 0; i < others; i++) call.from[i] = decorated_[first + i].view();
    for_links([&](int mu) {
      for (int k = 0; k < others; k++) {
        const int nu = directions.other(mu, k);
        if (others == 3) {
          add(call, mu, {nu, k, directions.number(nu, mu)});
        } else {
          const int rho = directions.other(mu, 1 - k);
          add(call, mu, {nu, 1 - k, directions.number(nu, rho)});
        }
      }
    });
    carry_out(out, in, call);
  });
}

} // namespace quda
