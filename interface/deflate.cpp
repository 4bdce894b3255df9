#include "interface/deflate.h"

#include "core/log.h"
#include "dirac/identity.h"
#include "interface/eigen_options.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

namespace quda
{

namespace
{

  const EigenMethodRow &check_members(Checks &checks, const QudaInvertParam &param, const QudaEigParam &eigen)
  {
    using P = QudaEigParam;
    const char *function = checks.function;
    const EigenMethodRow &row = check_low_modes(checks, eigen, "QudaInvertParam.eig_param");
    check(checks, eigen, &P::preserve_deflation, &P::preserve_evals);
    check(checks, param, &QudaInvertParam::tol_restart);
    check_if_set(checks, param, &QudaInvertParam::cuda_prec_eigensolver);
    if (param.tol_restart >= 1)
      fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.tol_restart = %g with eig_param; allowed: 0 to below 1",
                                         function, param.tol_restart));
    void *const handle = eigen.preserve_deflation_space;
    checks.same("whether QudaEigParam.preserve_deflation_space is null", handle == nullptr);
    if (handle && !checks.session.low_modes.find(handle))
      refuse(function, "QudaEigParam.preserve_deflation_space", text("%p", handle),
             "null, or what a solve of this session has written there");
    return row;
  }

  /// Of a handle; a null one becomes that of an empty space.
  DeflationSpace &held_or_new(Handles<DeflationSpace> &held, void *&handle)
  {
    if (!handle) handle = held.keep(std::make_shared<DeflationSpace>());
    return *held.find(handle);
  }

} // namespace

void check_low_mode_solve(const char *function, const QudaInvertParam &param, const DiracSolve &how,
                          const std::string &set, const char *otherwise)
{
  const auto unsupported = [&](const std::string &with, const char *allowed) {
    fail(ErrorKind::unsupported, text("%s: QudaInvertParam.%s with %s; allowed: %s, or %s", function, set.c_str(),
                                      with.c_str(), otherwise, allowed));
  };
  if (how.system.weights)
    unsupported(text("distance_pc_alpha0 = %g, distance_pc_t0 = %d", param.distance_pc_alpha0, param.distance_pc_t0),
                "distance_pc_alpha0 = 0");
  if (how.system.normal && how.equations == Equations::direct)
    unsupported("solution_type = " + value_text(param.solution_type) + ", solve_type = " + value_text(param.solve_type),
                "a NORMOP solve, which does not solve two systems one after the other");
}

std::optional<Deflation> prepare_deflation(Checks &checks, const QudaInvertParam &param, const QuarkJob &job,
                                           const DiracSolve &how)
{
  using P = QudaInvertParam;
  const char *function = checks.function;
  checks.same("whether QudaInvertParam.eig_param is null", param.eig_param == nullptr);
  if (!param.eig_param) return std::nullopt;
  auto *const eigen = static_cast<QudaEigParam *>(param.eig_param);
  check_struct(function, eigen);
  const EigenMethodRow &row = check_members(checks, param, *eigen);
  check_low_mode_solve(function, param, how, "eig_param is set", "null");
  const DiracSystemForm form = form_of_method(how);
  QudaInvertParam with = param;
  if (is_unset(param, &P::cuda_prec_eigensolver) && !is_unset(param, &P::cuda_prec_sloppy))
    with.cuda_prec_eigensolver = param.cuda_prec_sloppy;
  const LinkStorage own {job.links->precise().precision(), job.links->precise().reconstruct()};
  Deflation deflation {
      .param = eigen,
      .options =
          eigen_options(function, *eigen, row, eigen_block(checks, *eigen, row), numbers_of(job, form.matpc ? 2 : 1)),
      .search = eigen_storage(checks.session, with, own, false),
      .kept = own.precision,
      .used = used_low_modes(*eigen),
      .of = identity(job.dirac, *job.links, form),
      .known = false,
  };
  if (!is_unset(with, &P::cuda_prec_eigensolver) &&
      bytes_of(static_cast<Precision>(with.cuda_prec_eigensolver)) < bytes_of(own.precision))
    deflation.kept = static_cast<Precision>(with.cuda_prec_eigensolver);
  const DeflationSpace *const space = checks.session.low_modes.find(eigen->preserve_deflation_space);
  deflation.known = space && space->holds(deflation.of, eigen->n_conv);
  checks.same("whether the low modes that were kept are of the operator", deflation.known);
  return deflation;
}

LowModes::LowModes(Session &session, const Deflation &deflation)
    : held_(session.low_modes)
    , deflation_(deflation)
    , space_(held_or_new(held_, deflation.param->preserve_deflation_space))
{
}

LowModes::~LowModes()
{
  QudaEigParam &param = *deflation_.param;
  if (param.preserve_deflation && space_.size() > 0) return;
  held_.free(param.preserve_deflation_space);
  param.preserve_deflation_space = nullptr;
}

double LowModes::provide(const char *function, const Dirac &dirac, DiracSolve &how)
{
  const QudaEigParam &param = *deflation_.param;
  double flops = 0;
  if (!deflation_.known || !param.preserve_evals) {
    const auto H = low_mode_system(dirac, how, dirac.storage());
    if (deflation_.known) {
      space_.project(*H);
    } else {
      if (space_.size() > 0)
        print(Verbosity::summarize, "Deflation: what was kept is of other links or another operator, or too few modes; "
                                    "it is found anew\n");
      space_.clear();
      const bool mixed = deflation_.search.precision != H->precision();
      const auto lower = mixed ? low_mode_system(dirac, how, deflation_.search) : nullptr;
      const EigenReport report =
          space_.find(*H, lower ? *lower : *H, deflation_.options, deflation_.kept, deflation_.of);
      print(Verbosity::summarize,
            "Deflation: %d of %d low modes converged after %d restarts and %lld products, residuals up to %9.6e\n",
            report.good, param.n_conv, report.restarts, report.products, report.worst);
      if (!report.converged && param.require_convergence) space_.clear();
      check_eigen_end(function, report, param);
      if (lower) flops += lower->flops_done();
    }
    flops += H->flops_done();
  }
  space_.use(deflation_.used);
  how.low_modes = &space_;
  return flops;
}

} // namespace quda
