/// MILC's calls for the links of improved staggered fermions: computeKSLinkQuda() of links that carry MILC's phases and
/// the boundary sign, in MILC order.
///
///   qudaLoadKSLink         : fat and long links
///   qudaLoadUnitarizedLink : fat links and their unitary parts
///   qudaHisqParamsInit     : force_filter of later HISQ forces, that of the first call only; the unitarisation needs no
///                            choice of method, what is said of it is checked and otherwise ignored
///   qudaHisqForce          : computeHISQForceQuda(), onto the momentum that qudaMomLoad() has made resident, else the
///                            increment only
/// The first two free the fat and long links that are resident: the host is making others.
/// su3_source and the constants' thresholds of singular values choose between ways to the same links in QUDA; here
/// there is one way, and they are accepted.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/jobs.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

namespace quda
{

namespace
{

  /// Parameters of links that carry MILC's phases and the boundary sign.
  QudaGaugeParam with_phases(QudaGaugeParam param)
  {
    param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
    param.staggered_phase_applied = 1;
    param.t_boundary = QUDA_ANTI_PERIODIC_T;
    return param;
  }

  void compute(const char *function, int precision, const double *path_coeff, void *inlink, void *fatlink,
               void *longlink, void *ulink)
  {
    QudaGaugeParam param;
    guard_agreed_job(
        function,
        [&](Checks &checks) {
          param = with_phases(milc_param(checks, precision));
          param.type = QUDA_ASQTAD_FAT_LINKS; // general matrices, of which nothing is checked
        },
        [&](Checks &checks) {
          return jobs::computeKSLinkQuda(checks, fatlink, longlink, ulink, inlink, const_cast<double *>(path_coeff),
                                         &param)
              .then([&session = checks.session] {
                for (ResidentLinks *const links : {&session.fat, &session.three}) links->free();
              });
        });
  }

} // namespace

} // namespace quda

extern "C" {

void qudaLoadKSLink(int precision, QudaFatLinkArgs_t, const double path_coeff[6], void *inlink, void *fatlink,
                    void *longlink)
{
  quda::compute(__func__, precision, path_coeff, inlink, fatlink, longlink, nullptr);
}

void qudaLoadUnitarizedLink(int precision, QudaFatLinkArgs_t, const double path_coeff[6], void *inlink, void *fatlink,
                            void *ulink)
{
  quda::compute(__func__, precision, path_coeff, inlink, fatlink, nullptr, ulink);
}

void qudaHisqForce(int precision, int num_terms, int num_naik_terms, double dt, double **coeff, void **quark_field,
                   const double level2_coeff[6], const double fat7_coeff[6], const void *const w_link,
                   const void *const v_link, const void *const u_link, void *const milc_momentum)
{
  QudaGaugeParam param;
  quda::guard_agreed_job(
      __func__,
      [&](quda::Checks &checks) {
        param = quda::with_phases(quda::milc_param(checks, precision));
        quda::use_milc_momentum(checks.session, param);
      },
      [&](quda::Checks &checks) {
        return quda::jobs::computeHISQForceQuda(checks, milc_momentum, dt, level2_coeff, fat7_coeff, w_link, v_link,
                                                u_link, quark_field, num_terms, num_naik_terms, coeff, &param);
      });
}

void qudaHisqParamsInit(QudaHisqParams_t params)
{
  using namespace quda;
  const char *function = __func__;
  guard(function, [&](Session &session) {
    check_range(function, "reunit_allow_svd", params.reunit_allow_svd, 0, 1);
    check_range(function, "reunit_svd_only", params.reunit_svd_only, 0, 1);
    check_number(function, "reunit_svd_abs_error", params.reunit_svd_abs_error);
    check_number(function, "reunit_svd_rel_error", params.reunit_svd_rel_error);
    check_number(function, "force_filter", params.force_filter);
    if (params.force_filter < 0) refuse(function, "force_filter", params.force_filter, "0 or more");
    if (!session.hisq_filter) session.hisq_filter = params.force_filter;
  });
}

} // extern "C"
