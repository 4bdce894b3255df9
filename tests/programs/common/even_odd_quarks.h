/// Wilson and clover quarks on the even sites, as hybrid Monte Carlo needs them:
///   M = A_e - kappa^2 D A_o^-1 D,   Q = gamma5 M,   Q^2 = M^dag M,   det of all sites = det A_o det M
/// Twisted ones are two flavours with M and M^dag, A + i 2 kappa mu gamma5 in the place of A: Q is not Hermitian, and
/// Q^2 + twist^2 stands for (M + i twist gamma5)^dag (M + i twist gamma5), without a clover term of a twist of all
/// sites.
/// Fields are those of quarks.h, of the even sites.
#pragma once

#include <vector>

#include "programs/common/host_gauge.h"
#include "programs/common/quarks.h"

namespace program
{

struct QuarkWish {
  double kappa = 0.12, csw = 0; // csw = 0: Wilson quarks
  bool twisted = false;
  double mu = 0;      // of twisted ones, in units of 1 / (2 kappa)
  double tol = 1e-12; // of all solves
  int maxiter = 20000;
};

class EvenOddQuarks
{
public:
  using Field = std::vector<double>;

  EvenOddQuarks(const Process &process, const HostGauge &gauge, const Options &options, const QuarkWish &wish);

  /// Normal numbers, |eta|^2 a chi-squared; the same on any process grid.
  Field noise(unsigned long long seed) const { return random_share(gauge_, seed, 0); }
  Field zero() const { return Field(reals_, 0.0); }
  double norm2(const Field &field) const;

  /// The clover term of the resident links; before anything below, whenever they were written. Collective, as all below.
  void load();
  /// ln det A of the odd sites, a flavour's; of twisted quarks without a clover term it is constant and left out.
  double log_determinant() const { return log_determinant_; }

  /// out = (Q + i mu) in; not of twisted quarks.
  void apply(Field &out, const Field &in, double mu) const;
  /// (M + i twist gamma5) in, or the adjoint; of twisted quarks.
  Field times(const Field &in, double twist, bool dagger) const;

  struct Solved {
    double action = 0; // sum of weight x^dag b
    int iterations = 0;
  };
  /// (Q^2 + mu^2) x = b. guesses: a store of earlier solutions of such systems (chrono_index), of so many; none: 0.
  Solved solve(Field &x, const Field &b, double mu, int store, int guesses) const;
  /// (Q^2 + shift_i) x_i = b, in rising order.
  Solved solve(std::vector<Field> &x, const Field &b, const std::vector<double> &shifts,
               const std::vector<double> &weights) const;

  /// Onto momenta as gauge_param says: t times the force of sum weight_i x_i^dag (Q^2 + ..) x_i - flavours ln det A_o,
  /// where (Q^2 + ..) x_i is fixed. twist: of twisted quarks that of Q^2 + twist^2.
  void add_force(std::vector<Field> &x, const std::vector<double> &weights, double flavours, double t,
                 QudaGaugeParam gauge_param, double twist = 0) const;
  /// t times the force of 2 Re left^dag (M + i twist gamma5) right, both fixed; of twisted quarks.
  void add_pair_force(Field &left, Field &right, double twist, double t, QudaGaugeParam gauge_param) const;

private:
  QudaInvertParam param(QudaSolutionType solution, double twist = 0) const;

  const Process &process_;
  const HostGauge &gauge_;
  Options options_;
  const QuarkWish wish_;
  std::size_t reals_;
  double log_determinant_ = 0;
};

} // namespace program
