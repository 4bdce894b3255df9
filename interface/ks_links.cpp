/// Links of improved staggered fermions, from host to host; nothing becomes resident.
///
///   computeKSLinkQuda : fat links, long links and unitarised fat links, as requested (ops/links/fat_links.h
///                       has the formulas). path_coeff: one link, three straight, staples of 3, 5 and 7 links, Lepage
/// Unitarised links are in U(3), and with staggered_phase_type = QUDA_STAGGERED_PHASE_CHROMA in SU(3), phases aside.
/// Several Naik masses: one call for each further mass, whose links the host adds with the factor epsilon.

#include "quda.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/params/param_table.h"
#include "ops/links/fat_links.h"
#include "ops/links/two_link.h"

#include <optional>

namespace quda
{

namespace
{

  using HostLinks = std::optional<GaugeField>; // absent: not requested

  struct StaggeredLinksJob {
    LinkSource thin;
    FatWeights weights;
    double naik;
    bool special; // unitarised links in SU(3)
    HostLinks fat, straight, unitary;
  };

  StaggeredLinksJob prepare_links(Checks &checks, void *fatlink, void *longlink, void *ulink, void *inlink,
                                  const double *c, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::cuda_prec, &P::gauge_order, &P::cpu_prec);
    check_not_null(function, "path_coeff", c);
    for (int i = 0; i < 6; i++) {
      check_number(function, text("path_coeff[%d]", i).c_str(), c[i]);
      checks.same("path_coeff", c[i]);
    }
    QudaGaugeParam given = *param;
    given.location = QUDA_CPU_FIELD_LOCATION;
    given.use_resident_gauge = given.make_resident_gauge = 0;
    given.reconstruct = QUDA_RECONSTRUCT_NO;
    LinkSource thin = link_source(checks, "inlink", inlink, given, param->cuda_prec, "QudaGaugeParam.cuda_prec");
    const GaugeFieldParam made = matrices_of(thin.field);
    const auto wanted = [&](const char *name, void *array) {
      checks.same(name, array != nullptr);
      HostLinks host;
      if (array) host.emplace(host_links_like(checks, name, array, given, made));
      return host;
    };
    HostLinks fat = wanted("fatlink", fatlink), straight = wanted("longlink", longlink),
              unitary = wanted("ulink", ulink);
    return {std::move(thin),
            {c[0], c[2], c[3], c[4], c[5]},
            c[1],
            param->staggered_phase_type == QUDA_STAGGERED_PHASE_CHROMA,
            std::move(fat),
            std::move(straight),
            std::move(unitary)};
  }

  GaugeField unitarised(const char *function, const GaugeField &fat, bool special)
  {
    GaugeField unitary(fat.param());
    const long long failures = unitary_links(unitary, fat, special);
    if (failures > 0)
      throw FoundTogether(ErrorKind::bad_argument,
                          text("%s: %lld fat links have no unitary part; no array was changed", function, failures));
    return unitary;
  }

  void carry_out(StaggeredLinksJob &job)
  {
    LinkSet thin;
    thin.load(job.thin.load());
    HostLinks fat, straight, unitary;
    {
      const PhaseScope phase(Phase::compute);
      if (job.fat || job.unitary) fat.emplace(fat_links(thin, job.weights));
      if (job.straight) straight.emplace(long_links(thin, job.naik));
      if (job.unitary) unitary.emplace(unitarised(job.thin.function, *fat, job.special));
    }
    const PhaseScope phase(Phase::d2h);
    if (job.fat) *job.fat = *fat;
    if (job.straight) *job.straight = *straight;
    if (job.unitary) *job.unitary = *unitary;
  }

} // namespace

constexpr JobOf<::computeKSLinkQuda> jobs::computeKSLinkQuda {"computeKSLinkQuda", by<prepare_links, carry_out>};

} // namespace quda

extern "C" {

void computeKSLinkQuda(void *fatlink, void *longlink, void *ulink, void *inlink, double *path_coeff,
                       QudaGaugeParam *param)
{
  quda::jobs::computeKSLinkQuda.call(fatlink, longlink, ulink, inlink, path_coeff, param);
}

} // extern "C"
