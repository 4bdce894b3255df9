/// Forces of gauge actions, and sums of products of links along paths.
///
///   computeGaugeForceQuda, gaugeForceQuda : A_mu(x) = TA(A_mu(x) - eb3 W_mu(x)), or -eb3 TA(W) with overwrite_mom
///   computeGaugePathQuda                  : M_mu(x) = M_mu(x) + eb3 W_mu(x), or eb3 W with overwrite_gauge
///   W_mu(x) = U_mu(x) sum_i loop_coeff[i] Path_i(x + mu), paths as given, whether they close or not
/// Links are used as stored, except for staggered phases, which are removed first. W is summed in cuda_prec.
/// Sources and destinations of links and momenta: interface/link_source.h. Host links that become resident stay as
/// they came; neither call changes resident links, and use_resident_gauge with make_resident_gauge leaves them
/// unchanged. use_resident_mom with return_result_mom = 1 works here: the new momentum is both returned and kept as
/// the flags say. With the force monitor on (ops/force/force_monitor.h) forces are computed once more, only for the
/// record.

#include "quda.h"
#include "quda_ext.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/params/param_table.h"
#include "interface/path_arguments.h"
#include "interface/without_phases.h"
#include "ops/force/force_monitor.h"
#include "ops/gauge/path_sum.h"

namespace quda
{

namespace
{

  struct PathSumJob {
    const char *function;
    const QudaGaugeParam *param;
    LinkSource links;
    PathSet paths;
    double factor;
    bool overwrite;
    bool recorded = false; // by the force monitor
  };

  PathSumJob prepare(Checks &checks, void *sitelink, const PathArguments &arguments, int ***input, double eb3,
                     const QudaGaugeParam *param)
  {
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &QudaGaugeParam::cuda_prec);
    PathSumJob request {function,
                        param,
                        link_source(checks, "sitelink", sitelink, *param, param->cuda_prec, "QudaGaugeParam.cuda_prec"),
                        arguments.read_set(input),
                        eb3,
                        false};
    if (request.links.field.phases.applied) check_phase_type(function, request.links.field.phases);
    check_number(function, "dt", eb3);
    check_reach(function, *request.links.lattice(), request.paths);
    checks.same("dt", eb3);
    checks.same("the digest of input_path_buf and loop_coeff", digest(request.paths));
    return request;
  }

  /// Adds the sum to result. Returns the host's links if they are to become resident, for the end of the call.
  std::unique_ptr<GaugeField> carry_out(const PathSumJob &request, GaugeField &result)
  {
    LinkSet own;
    if (request.links.host) own.load(request.links.load());
    const LinkSet &links = request.links.host ? own : request.links.wilson.set(request.function);
    const WithoutPhases bare(links);
    const GaugeField &bordered = with_border(bare.links(), reach_of(request.paths));
    const PhaseScope phase(Phase::compute);
    if (request.recorded) {
      GaugeField alone(result.param());
      add_path_sum(alone, bordered, request.paths, 1, true);
      record_force("gauge", alone, request.factor);
    }
    add_path_sum(result, bordered, request.paths, request.factor, request.overwrite);
    return request.param->make_resident_gauge ? own.release() : nullptr;
  }

  struct GaugeForceJob {
    PathSumJob request;
    MomentumSource momentum;
  };

  GaugeForceJob prepare_force(Checks &checks, void *mom, void *sitelink, int ***input, int *length, double *coefficient,
                              int paths, int longest, double eb3, const QudaGaugeParam *param)
  {
    PathSumJob request =
        prepare(checks, sitelink, {checks.function, length, coefficient, paths, longest}, input, eb3, param);
    check(checks, *param, &QudaGaugeParam::overwrite_mom);
    request.overwrite = param->overwrite_mom != 0;
    request.recorded = force_monitor();
    checks.same("QUDA_ENABLE_FORCE_MONITOR", request.recorded);
    return {std::move(request), momentum_source(checks, "mom", mom, *param, param->cuda_prec,
                                                "QudaGaugeParam.cuda_prec", !param->overwrite_mom, true)};
  }

  int add_force(GaugeForceJob &job)
  {
    GaugeField &momentum = job.momentum.open();
    std::unique_ptr<GaugeField> links;
    const auto work = [&] {
      links = carry_out(job.request, momentum);
      job.momentum.close();
    };
    if (job.momentum.resident)
      write_or_free(momentum, job.request.function, work, [&] { job.momentum.there.reset(); });
    else
      work();
    if (links) make_resident(job.request.links.wilson, std::move(links));
    return 0;
  }

  struct PathProductJob {
    PathSumJob request;
    GaugeField host;
    std::unique_ptr<GaugeField> matrices;
  };

  PathProductJob prepare_product(Checks &checks, void *out, void *sitelink, const PathArguments &arguments,
                                 int ***input, double eb3, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    PathSumJob request = prepare(checks, sitelink, arguments, input, eb3, param);
    check(checks, *param, &P::overwrite_gauge, &P::gauge_order, &P::cpu_prec);
    request.overwrite = param->overwrite_gauge != 0;
    QudaGaugeParam matrices = *param;
    matrices.type = QUDA_ASQTAD_FAT_LINKS; // general matrices: no property is checked
    matrices.t_boundary = QUDA_PERIODIC_T;
    matrices.anisotropy = 1;
    matrices.gauge_fix = QUDA_GAUGE_FIXED_NO;
    PathProductJob product {std::move(request), host_links(checks, "out", out, matrices), nullptr};
    if (!product.request.overwrite) check_finite(function, "out", product.host);
    GaugeFieldParam field = gauge_param(checks, matrices);
    field.precision = product.request.links.field.precision;
    product.matrices = std::make_unique<GaugeField>(field);
    return product;
  }

} // namespace

constexpr JobOf<::computeGaugeForceQuda> jobs::computeGaugeForceQuda {"computeGaugeForceQuda",
                                                                      by<prepare_force, add_force>};

} // namespace quda

extern "C" {

int computeGaugeForceQuda(void *mom, void *sitelink, int ***input_path_buf, int *path_length, double *loop_coeff,
                          int num_paths, int max_length, double dt, QudaGaugeParam *qudaGaugeParam)
{
  return quda::jobs::computeGaugeForceQuda.call(mom, sitelink, input_path_buf, path_length, loop_coeff, num_paths,
                                                max_length, dt, qudaGaugeParam);
}

int gaugeForceQuda(void *mom, void *sitelink, int ***input_path_buf, int *path_length, double *loop_coeff,
                   int num_paths, int max_length, double dt, QudaGaugeParam *param)
{
  return quda::guard_job(__func__, quda::by<quda::prepare_force, quda::add_force>, mom, sitelink, input_path_buf,
                         path_length, loop_coeff, num_paths, max_length, dt, param);
}

int computeGaugePathQuda(void *out, void *sitelink, int ***input_path_buf, int *path_length, double *loop_coeff,
                         int num_paths, int max_length, double dt, QudaGaugeParam *qudaGaugeParam)
{
  const char *function = __func__;
  return quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        return quda::prepare_product(checks, out, sitelink, {function, path_length, loop_coeff, num_paths, max_length},
                                     input_path_buf, dt, qudaGaugeParam);
      },
      [](quda::PathProductJob &job) {
        if (!job.request.overwrite) {
          const quda::PhaseScope phase(quda::Phase::h2d);
          *job.matrices = job.host;
        }
        std::unique_ptr<quda::GaugeField> links = quda::carry_out(job.request, *job.matrices);
        {
          const quda::PhaseScope phase(quda::Phase::d2h);
          job.host = *job.matrices;
        }
        if (links) quda::make_resident(job.request.links.wilson, std::move(links));
        return 0;
      });
}

} // extern "C"
