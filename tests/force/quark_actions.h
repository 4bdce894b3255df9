#pragma once
/// Actions of pseudofermions by the library's solves, and their forces, as a host program asks for them: on one rank's
/// part of a global lattice.
///   S = sum_i coeff_i phi^dag (M^dag M + s_i)^-1 phi - multiplicity ln det A of the sites that phi is not on

#include "force/force_calls.h"
#include "reference/force/staggered.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace force_test
{

struct Fermions {
  QudaDslashType type = QUDA_CLOVER_WILSON_DSLASH;
  QudaMatPCType matpc = QUDA_MATPC_EVEN_EVEN_ASYMMETRIC;
  bool dagger = false; // M M^dag in the place of M^dag M
  int fields = 1;      // shifts s_i, the first of which is 0
  double multiplicity = 0;
  double mu = 0, epsilon = 0, rho = 0;
  double kappa = 0.12, csw = 1.4;

  bool has_clover() const { return type != QUDA_WILSON_DSLASH && type != QUDA_TWISTED_MASS_DSLASH; }
  bool twisted() const { return type == QUDA_TWISTED_MASS_DSLASH || type == QUDA_TWISTED_CLOVER_DSLASH; }
  bool doublet() const { return twisted() && epsilon != 0; }
  int parity() const { return matpc % 2; }

  std::string name() const
  {
    return "dslash_type " + std::to_string(type) + ", matpc_type " + std::to_string(matpc) +
           (dagger ? ", M M^dag, " : ", M^dag M, ") + std::to_string(fields) + " fields, multiplicity " +
           std::to_string(multiplicity) + ", mu " + std::to_string(mu) + ", epsilon " + std::to_string(epsilon);
  }

  QudaInvertParam param() const
  {
    QudaInvertParam param = test::wilson_param(QUDA_DOUBLE_PRECISION, kappa);
    param.dslash_type = type;
    param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = QUDA_DOUBLE_PRECISION;
    param.inv_type = QUDA_CG_INVERTER;
    param.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
    param.solve_type = QUDA_NORMOP_PC_SOLVE;
    param.matpc_type = matpc;
    param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
    param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
    param.tol = 1e-13;
    param.maxiter = 5000;
    param.reliable_delta = 1e-3;
    param.verbosity = QUDA_SILENT;
    param.clover_cpu_prec = param.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
    param.clover_order = QUDA_PACKED_CLOVER_ORDER;
    param.clover_csw = csw;
    param.clover_coeff = kappa * csw;
    param.compute_clover = param.compute_clover_inverse = param.compute_clover_trlog = 1;
    param.mu = mu;
    param.epsilon = epsilon;
    param.tm_rho = rho;
    param.twist_flavor = doublet() ? QUDA_TWIST_NONDEG_DOUBLET : twisted() ? QUDA_TWIST_SINGLET : QUDA_TWIST_NO;
    param.evmax = 1;
    return param;
  }
};

class Pseudofermion
{
public:
  Pseudofermion(const Fermions &of, const reference::Lattice &lattice, const reference::Part &part, std::uint64_t seed)
      : of_(of)
      , lattice_(lattice)
      , part_(part)
  {
    for (int flavour = 0; flavour < (of.doublet() ? 2 : 1); flavour++) {
      const auto one = reference::to_host<double>(
          reference::random_spinors(lattice, seed + static_cast<std::uint64_t>(flavour)), lattice, part, of.parity());
      phi_.insert(phi_.end(), one.begin(), one.end());
    }
    x_.assign(static_cast<std::size_t>(of.fields), std::vector<double>(phi_.size()));
    for (auto &one : x_) pointers_.push_back(one.data());
    for (int i = 0; i < of.fields; i++) coeff_.push_back(i % 3 == 2 ? -0.2 : 0.6 - 0.05 * i);
  }

  QudaGaugeParam gauge_param() const
  {
    test::Storage storage;
    storage.t_boundary = -1;
    return test::gauge_param(part_.local.X, storage);
  }

  /// Makes links resident, and the clover term of them; twist: of the operator that it is for.
  void load(const reference::GaugeField &links, double twist) const
  {
    test::HostLinks<double> host(links, part_, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = gauge_param();
    loadGaugeQuda(host.pointer(), &param);
    if (!of_.has_clover()) return;
    QudaInvertParam term = of_.param();
    term.mu = twist;
    loadCloverQuda(nullptr, nullptr, &term);
    logs_[0] = term.trlogA[0];
    logs_[1] = term.trlogA[1];
  }

  /// The action on links, of an operator with `twist` and `rho` in the place of those of its parameters; keeps the
  /// solutions.
  double action(const reference::GaugeField &links, double twist, double rho, bool resident = false)
  {
    load(links, twist);
    QudaInvertParam param = of_.param();
    param.mu = twist;
    param.tm_rho = rho;
    param.dagger = of_.dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
    param.num_offset = of_.fields;
    param.compute_action = 1;
    param.make_resident_solution = resident;
    for (int i = 0; i < of_.fields; i++) {
      param.offset[i] = 0.03 * i;
      param.tol_offset[i] = 1e-13;
      param.residue[i] = coeff_[static_cast<std::size_t>(i)];
    }
    invertMultiShiftQuda(pointers_.data(), phi_.data(), &param);
    const double logarithm = logs_[1 - of_.parity()] / (of_.twisted() ? 2 : 1);
    return param.action[0] - (of_.has_clover() ? of_.multiplicity * logarithm : 0);
  }
  double action(const reference::GaugeField &links) { return action(links, of_.mu, of_.rho); }

  /// The change of momenta by computeCloverForceQuda(), step 1. clover: the weight of a clover term, times so much.
  HostMomenta<double> force(double clover = 1)
  {
    QudaGaugeParam gauge = gauge_param();
    gauge.overwrite_mom = 1;
    gauge.return_result_mom = 1;
    QudaInvertParam param = force_param();
    HostMomenta<double> momenta(reference::GaugeField(lattice_), part_, QUDA_QDP_GAUGE_ORDER);
    momenta.fill(7);
    computeCloverForceQuda(momenta.pointer(), 1, pointers_.data(), nullptr, coeff_.data(), -of_.kappa * of_.kappa,
                           -clover * of_.kappa * of_.csw / 8, of_.fields, of_.multiplicity, nullptr, &gauge, &param);
    return momenta;
  }

  /// The same by computeTMCloverForceQuda(), of coefficients that make it minus twice the force.
  HostMomenta<double> twisted_force(bool ratio = false)
  {
    QudaGaugeParam gauge = gauge_param();
    gauge.overwrite_mom = 1;
    gauge.return_result_mom = 1;
    QudaInvertParam param = force_param();
    param.evmax = 2.5;
    std::vector<double> coeff = coeff_;
    for (double &c : coeff) c *= 4 * of_.kappa * of_.kappa * (of_.doublet() ? param.evmax : 1);
    std::vector<double> minus_gamma5_phi = minus_phi_; // gamma5 = diag(1, 1, -1, -1)
    for (std::size_t i = 0; i < minus_gamma5_phi.size(); i++)
      if (i % 24 >= 12) minus_gamma5_phi[i] *= -1;
    void *x_0[] = {minus_gamma5_phi.data()};
    HostMomenta<double> momenta(reference::GaugeField(lattice_), part_, QUDA_QDP_GAUGE_ORDER);
    computeTMCloverForceQuda(momenta.pointer(), pointers_.data(), ratio && !of_.doublet() ? x_0 : nullptr, coeff.data(),
                             of_.fields, &gauge, &param, ratio);
    return momenta;
  }

  /// coeff |M^-dag M_2^dag phi|^2, M_2 the operator of `heavier`, of twists with a sign; keeps the solution.
  double action_of_ratio(const reference::GaugeField &links, const Fermions &heavier, int sign)
  {
    load(links, sign * of_.mu);
    std::vector<double> source(phi_.size());
    const auto operator_of = [&](const Fermions &fermions) {
      QudaInvertParam param = fermions.param();
      param.mu = sign * fermions.mu;
      param.tm_rho = sign * fermions.rho;
      param.solution_type = QUDA_MATPC_SOLUTION;
      return param;
    };
    QudaInvertParam times = operator_of(heavier);
    times.dagger = of_.dagger ? QUDA_DAG_NO : QUDA_DAG_YES;
    MatQuda(source.data(), phi_.data(), &times);
    QudaInvertParam solve = operator_of(of_);
    solve.solution_type = QUDA_MATPCDAG_MATPC_SOLUTION;
    solve.dagger = of_.dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
    invertQuda(x_[0].data(), source.data(), &solve);
    double action = 0;
    for (std::size_t i = 0; i < source.size(); i++) action += coeff_[0] * source[i] * x_[0][i];
    minus_phi_ = phi_;
    for (double &a : minus_phi_) a = -a;
    x_0_ = {minus_phi_.data()};
    return action;
  }
  HostMomenta<double> force_of_ratio()
  {
    QudaGaugeParam gauge = gauge_param();
    gauge.overwrite_mom = 1;
    gauge.return_result_mom = 1;
    QudaInvertParam param = force_param();
    HostMomenta<double> momenta(reference::GaugeField(lattice_), part_, QUDA_QDP_GAUGE_ORDER);
    computeQuarkForceQuda(momenta.pointer(), 1, pointers_.data(), x_0_.data(), coeff_.data(), 1, 0, &gauge, &param);
    return momenta;
  }

  QudaInvertParam force_param() const
  {
    QudaInvertParam param = of_.param();
    param.dagger = of_.dagger ? QUDA_DAG_NO : QUDA_DAG_YES; // which names the operator, and not M^dag M
    return param;
  }

  /// The same, the solutions kept by the library.
  void solve_into_residents(const reference::GaugeField &links) { action(links, of_.mu, of_.rho, true); }

  /// After a copy.
  void point_to_x()
  {
    for (std::size_t i = 0; i < x_.size(); i++) pointers_[i] = x_[i].data();
  }

  std::vector<std::vector<double>> &x() { return x_; }
  std::vector<void *> &pointers() { return pointers_; }
  std::vector<double> &coeff() { return coeff_; }
  const std::vector<double> &phi() const { return phi_; }

private:
  Fermions of_;
  reference::Lattice lattice_;
  reference::Part part_;
  std::vector<double> phi_, coeff_, minus_phi_;
  std::vector<void *> x_0_;
  std::vector<std::vector<double>> x_;
  std::vector<void *> pointers_;
  mutable double logs_[2] = {0, 0};
};

/// Re tr(P A) over this rank's part, and the squares of what is multiplied.
struct Along {
  double product = 0, of_force = 0, of_way = 0;

  Along(const HostMomenta<double> &force, const reference::GaugeField &way, const reference::Part &part)
  {
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
        const reference::Link a = force.matrix(mu, slot), p = way.at(mu, part.global_coords(slot));
        product += (p * a).trace().real();
        of_force += a.squaredNorm();
        of_way += p.squaredNorm();
      }
  }
  /// What the product is for directions of no preference.
  double typical(const reference::Lattice &lattice) const
  {
    return std::sqrt(of_force * of_way / (32.0 * static_cast<double>(lattice.volume())));
  }
};

/// Compares a force with differences of its action in one direction.
template <class Action> void expect_slope(const HostMomenta<double> &force, const reference::GaugeField &links,
                                          const Action &action, std::uint64_t seed, double factor = 1,
                                          double step = 1.5e-3)
{
  const reference::GaugeField way = reference::random_momentum(links.lattice, seed);
  const double expected = factor * reference::slope(
                                       action, [&](double s) { return reference::updated(links, way, s, 20); }, step);
  const Along along(force, way, reference::Part(links.lattice));
  EXPECT_NEAR(along.product, expected, 1e-8 * along.typical(links.lattice));
}

/// The same in three directions.
template <class Action> void expect_derivative(const HostMomenta<double> &force, const reference::GaugeField &links,
                                               const Action &action, double factor = 1, double step = 1.5e-3)
{
  for (const std::uint64_t seed : {201, 202, 203}) expect_slope(force, links, action, seed, factor, step);
}

inline reference::GaugeField links_on(const reference::Coords &extents, std::uint64_t seed)
{
  reference::GaugeField links = reference::random_gauge(reference::Lattice(extents), seed, reference::Kind::weak);
  reference::set_up_links(links, 1, -1);
  return links;
}

} // namespace force_test
