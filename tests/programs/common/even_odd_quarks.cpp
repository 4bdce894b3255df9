#include "programs/common/even_odd_quarks.h"

#include <string>

#include <quda_ext.h>

namespace program
{

namespace
{

  void check_solved(const char *what, const QudaInvertParam &param)
  {
    if (param.iter >= param.maxiter)
      throw std::runtime_error(std::string("no solution of ") + what + " in " + std::to_string(param.iter) +
                               " iterations");
  }

} // namespace

EvenOddQuarks::EvenOddQuarks(const Process &process, const HostGauge &gauge, const Options &options,
                             const QuarkWish &wish)
    : process_(process)
    , gauge_(gauge)
    , options_(options)
    , wish_(wish)
    , reals_(24 * gauge.part().local.half())
{
  options_.dslash_type = wish.csw == 0 ? QUDA_WILSON_DSLASH : QUDA_CLOVER_WILSON_DSLASH;
  options_.matpc = QUDA_MATPC_EVEN_EVEN_ASYMMETRIC;
  if (wish.twisted) {
    options_.dslash_type = wish.csw == 0 ? QUDA_TWISTED_MASS_DSLASH : QUDA_TWISTED_CLOVER_DSLASH;
    options_.flavor = QUDA_TWIST_SINGLET;
    options_.mu = wish.mu;
    options_.tm_rho = 0;
  } else if (wish.csw == 0) {
    options_.matpc = QUDA_MATPC_EVEN_EVEN; // of Wilson quarks the same
  }
  options_.kappa = wish.kappa;
  options_.clover_csw = wish.csw;
  options_.clover_coeff = wish.kappa * wish.csw;
  options_.compute_clover = true;
  options_.dagger = false;
  options_.normalization = QUDA_KAPPA_NORMALIZATION;
}

double EvenOddQuarks::norm2(const Field &field) const
{
  double sum = 0;
  for (const double number : field) sum += number * number;
  return process_.sum(sum);
}

QudaInvertParam EvenOddQuarks::param(QudaSolutionType solution, double twist) const
{
  QudaInvertParam param = invert_param(options_);
  if (wish_.twisted) (wish_.csw == 0 ? param.mu : param.tm_rho) += twist / (2 * wish_.kappa);
  param.solution_type = solution;
  param.solve_type = solution == QUDA_MATPC_SOLUTION ? QUDA_DIRECT_PC_SOLVE : QUDA_NORMOP_PC_SOLVE;
  param.inv_type = QUDA_CG_INVERTER;
  param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
  param.tol = wish_.tol;
  param.maxiter = wish_.maxiter;
  param.reliable_delta = 0.1;
  param.compute_action = 1;
  return param;
}

void EvenOddQuarks::load()
{
  if (!has_clover_term(options_)) return;
  QudaInvertParam load = param(QUDA_MATPC_SOLUTION);
  load.compute_clover_trlog = 1;
  loadCloverQuda(nullptr, nullptr, &load);
  log_determinant_ = load.trlogA[1] / (wish_.twisted ? 2 : 1);
}

void EvenOddQuarks::apply(Field &out, const Field &in, double mu) const
{
  QudaInvertParam matrix = param(QUDA_MATPC_SOLUTION);
  MatQuda(out.data(), const_cast<double *>(in.data()), &matrix);
  for (std::size_t site = 0; site < out.size(); site += 24) {
    for (std::size_t k = 12; k < 24; k++) out[site + k] = -out[site + k]; // gamma5
    for (std::size_t k = 0; k < 24; k += 2) {
      out[site + k] -= mu * in[site + k + 1];
      out[site + k + 1] += mu * in[site + k];
    }
  }
}

EvenOddQuarks::Field EvenOddQuarks::times(const Field &in, double twist, bool dagger) const
{
  QudaInvertParam matrix = param(QUDA_MATPC_SOLUTION, twist);
  matrix.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
  Field out(in.size());
  MatQuda(out.data(), const_cast<double *>(in.data()), &matrix);
  return out;
}

EvenOddQuarks::Solved EvenOddQuarks::solve(Field &x, const Field &b, double mu, int store, int guesses) const
{
  if (mu != 0 && !wish_.twisted && !has_clover_term(options_)) {
    std::vector<Field> one {std::move(x)};
    const Solved solved = solve(one, b, {mu * mu}, {1});
    x = std::move(one[0]);
    return solved;
  }
  QudaInvertParam system = param(QUDA_MATPCDAG_MATPC_SOLUTION, mu);
  if (mu != 0 && !wish_.twisted) { // M + i mu gamma5
    system.dslash_type = QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH;
    system.mu = mu;
  }
  if (guesses > 0) {
    system.chrono_use_resident = system.chrono_make_resident = 1;
    system.chrono_index = store;
    system.chrono_max_dim = guesses;
    system.chrono_precision = QUDA_DOUBLE_PRECISION;
  }
  invertQuda(x.data(), const_cast<double *>(b.data()), &system);
  check_solved("(Q^2 + mu^2) x = b", system);
  return {system.action[0], system.iter};
}

EvenOddQuarks::Solved EvenOddQuarks::solve(std::vector<Field> &x, const Field &b, const std::vector<double> &shifts,
                                           const std::vector<double> &weights) const
{
  QudaInvertParam system = param(QUDA_MATPCDAG_MATPC_SOLUTION);
  system.num_offset = static_cast<int>(shifts.size());
  std::vector<void *> pointers;
  for (std::size_t i = 0; i < shifts.size(); i++) {
    system.offset[i] = shifts[i];
    system.residue[i] = weights[i];
    system.tol_offset[i] = wish_.tol;
    pointers.push_back(x[i].data());
  }
  system.compute_true_res = 1;
  invertMultiShiftQuda(pointers.data(), const_cast<double *>(b.data()), &system);
  check_solved("(Q^2 + shift) x = b", system);
  return {system.action[0], system.iter};
}

void EvenOddQuarks::add_force(std::vector<Field> &x, const std::vector<double> &weights, double flavours, double t,
                              QudaGaugeParam gauge_param, double twist) const
{
  QudaInvertParam how = param(QUDA_MATPCDAG_MATPC_SOLUTION, twist);
  how.dagger = QUDA_DAG_YES; // x_i^dag M^dag M x_i, not M M^dag
  std::vector<void *> pointers;
  for (Field &one : x) pointers.push_back(one.data());
  std::vector<double> coefficients = weights;
  computeCloverForceQuda(nullptr, t, pointers.data(), nullptr, coefficients.data(), -wish_.kappa * wish_.kappa,
                         -wish_.kappa * wish_.csw / 8, static_cast<int>(x.size()), flavours, nullptr, &gauge_param,
                         &how);
}

void EvenOddQuarks::add_pair_force(Field &left, Field &right, double twist, double t, QudaGaugeParam gauge_param) const
{
  QudaInvertParam how = param(QUDA_MATPC_SOLUTION, twist);
  void *l[] = {left.data()}, *r[] = {right.data()};
  double one = 1;
  computeQuarkPairForceQuda(nullptr, t, l, r, &one, 1, &gauge_param, &how);
}

} // namespace program
