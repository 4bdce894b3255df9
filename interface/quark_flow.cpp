/// Gradient flow of quark fields together with the links.
///
///   performGFlowQuda : Wilson and Symanzik flow with d phi/dt = sum over all four directions of the second covariant
///                      difference; without steps the quark fields are returned unchanged. Leaves its links as the
///                      smeared resident ones
///   performAdjGFlowSafe, performAdjGFlowHier
///                    : its adjoint, on the same links; the one keeps the links before every step, the other those
///                      of adj_n_save steps at a time. Leave the links they begin with as the smeared resident ones

#include "quda.h"

#include "core/log.h"
#include "interface/application.h"
#include "interface/flow.h"
#include "interface/params/param_table.h"
#include "interface/quark_job.h"
#include "interface/resident.h"
#include "interface/smear_steps.h"
#include "ops/blas/blas.h"
#include "ops/halo/gauge_border.h"
#include "ops/smear/adjoint_flow.h"
#include "ops/smear/quark.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace quda
{

namespace
{

  struct QuarkFlowJob {
    GradientFlow flow;
    const GaugeField *first;
    QuarkJob quarks;
  };

  QuarkFlowJob flowing_quarks(Checks &checks, void **h_out, void **h_in, const QudaInvertParam *inv_param,
                              const QudaGaugeSmearParam *smear_param, std::size_t n)
  {
    const char *function = checks.function;
    const GradientFlow flow = checked_flow(checks, smear_param);
    const GaugeField &first = first_links(checks, *smear_param);
    check_struct(function, inv_param);
    const bool restart = smear_param->restart == QUDA_BOOLEAN_TRUE;
    QuarkFlowJob flowing {flow, &first,
                          link_job(checks, *inv_param, restart ? checks.session.smeared : checks.session.wilson)};
    if (bytes_of(flowing.quarks.storage.precision) < 4)
      refuse(function, "QudaInvertParam.cuda_prec", inv_param->cuda_prec,
             "QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION", ErrorKind::unsupported);
    checks.same("nSpinors", n);
    if (n == 0) refuse(function, "nSpinors", "0", "1 or more");
    check_not_null(function, "h_out", h_out);
    check_not_null(function, "h_in", h_in);
    for (std::size_t i = 0; i < n; i++)
      add_fields(function, flowing.quarks, *inv_param, {text("h_out[%zu]", i), h_out[i], -1},
                 {text("h_in[%zu]", i), h_in[i], -1});
    return flowing;
  }

  void carry_out_flow(Session &session, const char *function, QuarkFlowJob &job, QudaInvertParam &inv_param,
                      const QudaGaugeSmearParam &param, QudaGaugeObservableParam *observables)
  {
    carry_out(job.quarks, inv_param, [&](const Dirac &, ColorSpinorField &out, const ColorSpinorField &in) {
      blas::copy(out, in);
      QuarkFlow quarks(out);
      FlowChain chain(smeared_copy(*job.first, smear_border), job.flow);
      print(Verbosity::summarize, "flow t, plaquette, norm(f_spinor)\n");
      const auto report = [&](unsigned step, const QudaGaugeObservableParam &now) {
        print(Verbosity::summarize, "%le %.16e %+.16e\n", param.t0 + param.epsilon * step, now.plaquette[0],
              blas::norm2(out));
      };
      run_steps(session, function, param, observables, chain, report, [&] {
        chain.step(param.epsilon,
                   [&](const GaugeField &links, double a, double step) { quarks.stage(links, a, step); });
      });
      return quarks.flops();
    });
  }

  /// Links kept by the hierarchical flow.
  KeptLinks checked_hierarchy(Checks &checks, const QudaGaugeSmearParam &param)
  {
    using P = QudaGaugeSmearParam;
    check(checks, param, &P::adj_n_save, &P::hier_threshold);
    return {param.adj_n_save == 0 ? 5 : param.adj_n_save, std::max(param.hier_threshold, 1U)};
  }

  /// kept_links(checks) are those of the call.
  template <class Kept> void perform_adjoint_flow(const char *function, void **h_out, void **h_in,
                                                  QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                                                  std::size_t n, const Kept &kept_links)
  {
    struct Job {
      QuarkFlowJob flowing;
      KeptLinks keep;
    };
    guard_collective(
        function,
        [&](Checks &checks) {
          return Job {flowing_quarks(checks, h_out, h_in, inv_param, smear_param, n), kept_links(checks)};
        },
        [&](Session &session, Job &job) {
          const auto back = [&](const Dirac &, ColorSpinorField &out, const ColorSpinorField &in) {
            blas::copy(out, in);
            AdjointFlow done = flow_back(out, *job.flowing.first, job.flowing.flow, smear_param->n_steps, job.keep);
            print(Verbosity::summarize, "gauge fields kept: %lld, steps of their flow: %lld\n", done.kept,
                  done.link_steps);
            if (smear_param->restart != QUDA_BOOLEAN_TRUE)
              session.smeared.load(std::make_unique<GaugeField>(std::move(done.first)));
            return done.flops;
          };
          carry_out(job.flowing.quarks, *inv_param, back);
        });
  }

} // namespace

} // namespace quda

extern "C" {

void performGFlowQuda(void **h_out, void **h_in, QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                      QudaGaugeObservableParam *obs_param, size_t nSpinors)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::QuarkFlowJob job = quda::flowing_quarks(checks, h_out, h_in, inv_param, smear_param, nSpinors);
        quda::check_measurements(checks, *smear_param, obs_param, *job.first);
        return job;
      },
      [&](quda::Session &session, quda::QuarkFlowJob &job) {
        quda::carry_out_flow(session, function, job, *inv_param, *smear_param, obs_param);
      });
}

void performAdjGFlowSafe(void **h_out, void **h_in, QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                         size_t nSpinors)
{
  quda::perform_adjoint_flow(__func__, h_out, h_in, inv_param, smear_param, nSpinors,
                             [&](quda::Checks &) { return quda::KeptLinks {smear_param->n_steps}; });
}

void performAdjGFlowHier(void **h_out, void **h_in, QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                         size_t nSpinors)
{
  quda::perform_adjoint_flow(__func__, h_out, h_in, inv_param, smear_param, nSpinors,
                             [&](quda::Checks &checks) { return quda::checked_hierarchy(checks, *smear_param); });
}

} // extern "C"
