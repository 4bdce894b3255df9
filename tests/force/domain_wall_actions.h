#pragma once
/// Actions of domain-wall pseudofermions by the library's solves, and their forces, as a host program asks for them: on
/// one rank's part of a global lattice.
///   two flavours : S = phi^dag (M^dag M)^-1 phi, M = M_pc; ratio : S = |M^-dag V^dag phi|^2, V that of mass 1
///   one flavour  : S = xi^dag H^-1 xi, H = gamma5 R5 M (b + c T)^-1

#include "force/force_calls.h"
#include "force/quark_actions.h"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace force_test
{

struct DomainWallFermions {
  QudaDslashType type = QUDA_MOBIUS_DWF_DSLASH;
  int Ls = 4;
  QudaMatPCType matpc = QUDA_MATPC_EVEN_EVEN_ASYMMETRIC;
  bool dagger = false; // M M^dag in the place of M^dag M
  bool ratio = false;
  bool complex = false; // b and c, one a layer
  bool plus = true;     // of one flavour
  double b = 1.5, c = 0.5, mass = 0.08, m5 = -1.5;

  bool one_flavour() const { return type == QUDA_MOBIUS_DWF_EOFA_DSLASH; }
  int parity() const { return matpc % 2; }
  std::string name() const
  {
    return "dslash_type " + std::to_string(type) + ", Ls " + std::to_string(Ls) + ", matpc_type " +
           std::to_string(matpc) + (dagger ? ", M M^dag" : "") + (ratio ? ", ratio" : "") +
           (complex ? ", complex" : "") + (one_flavour() ? plus ? ", plus" : ", minus" : "") + ", c " +
           std::to_string(c);
  }

  QudaInvertParam param() const
  {
    QudaInvertParam param = test::wilson_param(QUDA_DOUBLE_PRECISION, 0.1);
    param.dslash_type = type;
    param.mass = mass;
    param.m5 = m5;
    param.Ls = Ls;
    for (int s = 0; s < Ls; s++) {
      const double imaginary = complex ? 0.1 - 0.04 * s : 0;
      const double b_s[2] = {b + (complex ? 0.1 * s : 0), imaginary}, c_s[2] = {c, -imaginary};
      std::memcpy(&param.b_5[s], b_s, sizeof b_s);
      std::memcpy(&param.c_5[s], c_s, sizeof c_s);
    }
    param.eofa_pm = plus;
    param.eofa_shift = -0.6;
    param.mq1 = mass;
    param.mq2 = plus ? 0.05 : mass;
    param.mq3 = plus ? mass : 1;
    param.cuda_prec_sloppy = param.cuda_prec_refinement_sloppy = QUDA_DOUBLE_PRECISION;
    param.inv_type = QUDA_CG_INVERTER;
    param.solution_type = one_flavour() ? QUDA_MAT_SOLUTION : QUDA_MATPCDAG_MATPC_SOLUTION;
    param.solve_type = QUDA_NORMOP_PC_SOLVE;
    param.matpc_type = matpc;
    param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
    param.tol = 1e-13;
    param.maxiter = 5000;
    param.reliable_delta = 1e-3;
    param.verbosity = QUDA_SILENT;
    return param;
  }
};

class DomainWallPseudofermion
{
public:
  using Field = std::vector<double>; // (parity, s, x_cb, spin, color, re/im), or of one parity

  /// sum: of a number over all ranks.
  DomainWallPseudofermion(const DomainWallFermions &of, const reference::Lattice &lattice, const reference::Part &part,
                          std::uint64_t seed, std::function<double(double)> sum = {})
      : of_(of)
      , lattice_(lattice)
      , part_(part)
      , sum_(sum ? std::move(sum) : [](double x) { return x; })
  {
    for (int parity = 0; parity < 2; parity++)
      for (int s = 0; s < of.Ls && (of.one_flavour() || parity == of.parity()); s++) {
        const int sites = of.type == QUDA_DOMAIN_WALL_DSLASH ? (parity + s) % 2 : parity;
        const auto one = reference::to_host<double>(
            reference::random_spinors(lattice, seed + static_cast<std::uint64_t>(s)), lattice, part, sites);
        phi_.insert(phi_.end(), one.begin(), one.end());
      }
    x_ = Field(phi_.size());
  }

  void load(const reference::GaugeField &links) const
  {
    test::HostLinks<double> host(links, part_, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = gauge_param();
    loadGaugeQuda(host.pointer(), &param);
  }

  /// The action on links; keeps the solution.
  double action(const reference::GaugeField &links)
  {
    load(links);
    QudaInvertParam param = of_.param();
    if (of_.one_flavour()) {
      Field source = turned(phi_);
      invertQuda(x_.data(), source.data(), &param);
      return sum_(product(phi_, before_hop(x_)));
    }
    Field source = phi_;
    if (of_.ratio) {
      QudaInvertParam heavy = heavier();
      heavy.dagger = of_.dagger ? QUDA_DAG_NO : QUDA_DAG_YES;
      MatQuda(source.data(), phi_.data(), &heavy);
    }
    param.dagger = of_.dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
    invertQuda(x_.data(), source.data(), &param);
    return sum_(product(source, x_));
  }

  /// The change of momenta, step 1.
  HostMomenta<double> force()
  {
    QudaGaugeParam gauge = gauge_param();
    gauge.overwrite_mom = gauge.return_result_mom = 1;
    QudaInvertParam param = of_.param();
    param.dagger = of_.dagger ? QUDA_DAG_NO : QUDA_DAG_YES;
    HostMomenta<double> momenta(reference::GaugeField(lattice_), part_, QUDA_QDP_GAUGE_ORDER);
    momenta.fill(7);
    void *x[] = {x_.data()}, *phi[] = {phi_.data()};
    double one = 1;
    computeQuarkForceQuda(momenta.pointer(), 1, x, nullptr, &one, 1, 0, &gauge, &param);
    if (!of_.ratio) return momenta;
    gauge.overwrite_mom = 0;
    QudaInvertParam heavy = heavier();
    heavy.dagger = of_.dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
    computeQuarkPairForceQuda(momenta.pointer(), 1, phi, x, &one, 1, &gauge, &heavy);
    return momenta;
  }

  QudaGaugeParam gauge_param() const
  {
    test::Storage storage;
    storage.t_boundary = -1;
    return test::gauge_param(part_.local.X, storage);
  }
  Field &x() { return x_; }
  Field &phi() { return phi_; }

private:
  QudaInvertParam heavier() const
  {
    QudaInvertParam heavy = of_.param();
    heavy.mass = 1;
    heavy.solution_type = QUDA_MATPC_SOLUTION;
    return heavy;
  }

  static double product(const Field &a, const Field &b)
  {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
    return sum;
  }

  /// take(to, of s, of another layer or none, of which chirality) of all sites' chiral halves of fields on all sites.
  template <class Take> void each_half(const Take &take) const
  {
    const auto Ls = static_cast<std::size_t>(of_.Ls), half = part_.local.half();
    for (std::size_t p = 0; p < 2; p++)
      for (std::size_t s = 0; s < Ls; s++)
        for (std::size_t x = 0; x < half; x++)
          for (const std::size_t chirality : {0, 1})
            take([=](std::size_t layer) { return 24 * ((p * Ls + layer) * half + x) + 12 * chirality; }, s, chirality);
  }

  /// R5 gamma5 in
  Field turned(const Field &in) const
  {
    Field out(in.size());
    each_half([&](const auto &at, std::size_t s, std::size_t chirality) {
      for (std::size_t k = 0; k < 12; k++)
        out[at(s) + k] = (chirality ? -1 : 1) * in[at(static_cast<std::size_t>(of_.Ls) - 1 - s) + k];
    });
    return out;
  }

  /// (b + c T) in
  Field before_hop(const Field &in) const
  {
    Field out(in.size());
    const auto Ls = static_cast<std::size_t>(of_.Ls);
    each_half([&](const auto &at, std::size_t s, std::size_t chirality) {
      const bool wall = s == (chirality ? Ls - 1 : 0);
      const std::size_t before = (s + (chirality ? 1 : Ls - 1)) % Ls;
      for (std::size_t k = 0; k < 12; k++)
        out[at(s) + k] = of_.b * in[at(s) + k] + of_.c * (wall ? -of_.mass : 1) * in[at(before) + k];
    });
    return out;
  }

  DomainWallFermions of_;
  reference::Lattice lattice_;
  reference::Part part_;
  std::function<double(double)> sum_;
  Field phi_, x_;
};

} // namespace force_test
