#include "programs/common/gauge_dynamics.h"

namespace program
{

namespace
{

  reference::PathTerms force_terms(const GaugeAction &action)
  {
    reference::PathTerms terms;
    for (const reference::Loop &loop : action.loops())
      terms = terms + reference::force_paths({loop}, action.weight(loop));
    return terms;
  }

  struct Pointers {
    void *of_mu[4];
    explicit Pointers(reference::QdpLinks<double> &field)
        : of_mu {field[0].data(), field[1].data(), field[2].data(), field[3].data()}
    {
    }
  };

} // namespace

GaugeDynamics::GaugeDynamics(const HostGauge &gauge, const GaugeAction &action, const Integrator &integrator)
    : gauge_(gauge)
    , action_(action)
    , integrator_(integrator)
    , sites_(static_cast<double>(gauge.global().volume()))
    , loops_(action.loops())
    , paths_(force_terms(action))
    , param_(gauge.param())
{
  for (const reference::Loop &loop : loops_) weights_.push_back(action.weight(loop));
  param_.overwrite_mom = 0;
  param_.use_resident_gauge = param_.make_resident_gauge = 1;
  param_.use_resident_mom = param_.make_resident_mom = 1;
  param_.return_result_gauge = param_.return_result_mom = 0;
  reference::QdpLinks<double> zero;
  for (auto &of_mu : zero) of_mu.assign(10 * gauge.part().local.volume(), 0);
  set_momenta(zero);
}

void GaugeDynamics::move_links(double t) { updateGaugeFieldQuda(nullptr, nullptr, t, 0, 1, &param_); }

void GaugeDynamics::add_force(double t, bool overwrite)
{
  QudaGaugeParam param = param_;
  param.overwrite_mom = overwrite;
  computeGaugeForceQuda(nullptr, nullptr, paths_.buffer(), paths_.length(), paths_.coefficient(), paths_.n(),
                        paths_.longest(), t * action_.beta / 3, &param);
}

void GaugeDynamics::move_momenta(double t, double ahead)
{
  if (ahead == 0) return add_force(t, false);
  const reference::QdpLinks<double> now = links(), velocity = momenta();
  add_force(ahead, true);
  move_links(1);
  set_momenta(velocity);
  add_force(t, false);
  set_links(now);
}

double GaugeDynamics::kinetic() { return momActionQuda(nullptr, &param_) + 16 * sites_; }

double GaugeDynamics::potential() const
{
  double sum = 0;
  for (const double weight : weights_) sum += weight * sites_;
  for (const auto &trace : loop_traces(loops_, weights_, 1)) sum -= trace.real() / 3;
  return action_.beta * sum;
}

double GaugeDynamics::plaquette() const
{
  double plaquette[3];
  plaqQuda(plaquette);
  return plaquette[0];
}

void GaugeDynamics::project_links() { projectSU3Quda(nullptr, 2e-15, &param_); }

void GaugeDynamics::set_links(reference::QdpLinks<double> links)
{
  QudaGaugeParam param = gauge_.param();
  loadGaugeQuda(Pointers(links).of_mu, &param);
}

reference::QdpLinks<double> GaugeDynamics::momenta()
{
  reference::QdpLinks<double> host;
  for (auto &of_mu : host) of_mu.resize(10 * gauge_.part().local.volume());
  QudaGaugeParam param = param_;
  param.make_resident_mom = 0;
  param.return_result_mom = 1;
  momResidentQuda(Pointers(host).of_mu, &param);
  set_momenta(host);
  return host;
}

void GaugeDynamics::set_momenta(reference::QdpLinks<double> momenta)
{
  momResidentQuda(Pointers(momenta).of_mu, &param_);
}

QudaHeatbathParam heatbath_param(const GaugeAction &action, unsigned long seed)
{
  QudaHeatbathParam param = newQudaHeatbathParam();
  param.beta = action.beta;
  param.rectangle = action.rectangle;
  param.anisotropy = action.anisotropy;
  param.seed = seed;
  return param;
}

void check_dynamics_options(Options &options)
{
  if (options.prec != QUDA_DOUBLE_PRECISION) throw UsageError("--prec: double alone is taken");
  if (options.anisotropy != 1)
    throw UsageError("--anisotropy: links are special unitary; that of the action is --action-anisotropy");
  for (int &extent : options.dim)
    if (extent == 0 && options.load_gauge.empty()) extent = 8;
}

} // namespace program
