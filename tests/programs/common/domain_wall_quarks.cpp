#include "programs/common/domain_wall_quarks.h"

#include <string>

#include <quda_ext.h>

#include "reference/dirac/one_flavour.h"

namespace program
{

namespace
{

  using Field = std::vector<double>;

  double product(const Process &process, const Field &a, const Field &b)
  {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
    return process.sum(sum);
  }

  /// What both actions ask the library.
  class MoebiusQuarks
  {
  public:
    MoebiusQuarks(const Options &options, const DomainWallWish &wish, QudaDslashType type)
        : options_(options)
        , wish_(wish)
    {
      options_.dslash_type = type;
      options_.Ls = wish.Ls;
      options_.m5 = wish.m5;
      options_.b5 = wish.b;
      options_.c5 = wish.c;
      options_.dagger = false;
      options_.normalization = QUDA_KAPPA_NORMALIZATION;
      options_.matpc = QUDA_MATPC_EVEN_EVEN;
    }

    QudaInvertParam param(QudaSolutionType solution, double mass) const
    {
      QudaInvertParam param = invert_param(options_);
      param.mass = mass;
      param.solution_type = solution;
      param.solve_type = QUDA_NORMOP_PC_SOLVE;
      param.inv_type = QUDA_CG_INVERTER;
      param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
      param.tol = wish_.tol;
      param.maxiter = wish_.maxiter;
      param.reliable_delta = 0.1;
      param.compute_action = 1;
      return param;
    }

    static EvenOddQuarks::Solved solve(Field &x, const Field &b, QudaInvertParam &system)
    {
      invertQuda(x.data(), const_cast<double *>(b.data()), &system);
      if (system.iter >= system.maxiter) throw std::runtime_error("no solution of the Moebius quarks' systems");
      return {system.action[0], system.iter};
    }

  private:
    Options options_;
    const DomainWallWish wish_;
  };

  class TwoFlavours : public QuarkAction
  {
  public:
    TwoFlavours(const Process &process, const HostGauge &gauge, const Options &options, const DomainWallWish &wish)
        : process_(process)
        , gauge_(gauge)
        , wish_(wish)
        , quarks_(options, wish, QUDA_MOBIUS_DWF_DSLASH)
        , reals_(24 * gauge.part().local.half() * static_cast<std::size_t>(wish.Ls))
    {
    }

    void load() override {}

    /// phi = V^-dag M^dag eta
    void refresh(unsigned long long seed) override
    {
      Field eta;
      for (int s = 0; s < wish_.Ls; s++) {
        const Field one = random_share(gauge_, seed + 1000003 * static_cast<unsigned long long>(s), 0);
        eta.insert(eta.end(), one.begin(), one.end());
      }
      expected_ = product(process_, eta, eta);
      Field x(reals_);
      QudaInvertParam heavy = quarks_.param(QUDA_MATPCDAG_MATPC_SOLUTION, 1);
      count(MoebiusQuarks::solve(x, times(eta, wish_.mass, true), heavy));
      phi_ = times(x, 1, false);
    }

    double energy() override
    {
      Field x(reals_);
      return solve(x);
    }
    double rest() const override { return 0; }
    double expected() const override { return expected_; }

    void add_force(double t, const QudaGaugeParam &gauge_param) override
    {
      Field x(reals_);
      solve(x);
      QudaGaugeParam gauge = gauge_param;
      QudaInvertParam light = quarks_.param(QUDA_MATPCDAG_MATPC_SOLUTION, wish_.mass),
                      heavy = quarks_.param(QUDA_MATPC_SOLUTION, 1);
      light.dagger = QUDA_DAG_YES; // x^dag M^dag M x, not M M^dag
      void *solution[] = {x.data()}, *pseudofermion[] = {phi_.data()};
      double one = 1;
      computeQuarkForceQuda(nullptr, t, solution, nullptr, &one, 1, 0, &gauge, &light);
      gauge.overwrite_mom = 0;
      computeQuarkPairForceQuda(nullptr, t, pseudofermion, solution, &one, 1, &gauge, &heavy);
    }

    std::string name() const override { return "Moebius"; }

  private:
    /// M_pc in, or its adjoint.
    Field times(const Field &in, double mass, bool dagger) const
    {
      QudaInvertParam param = quarks_.param(QUDA_MATPC_SOLUTION, mass);
      param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
      Field out(in.size());
      MatQuda(out.data(), const_cast<double *>(in.data()), &param);
      return out;
    }

    /// x = (M^dag M)^-1 V^dag phi; the action.
    double solve(Field &x)
    {
      QudaInvertParam system = quarks_.param(QUDA_MATPCDAG_MATPC_SOLUTION, wish_.mass);
      const EvenOddQuarks::Solved solved = MoebiusQuarks::solve(x, times(phi_, 1, true), system);
      count(solved);
      return solved.action;
    }

    const Process &process_;
    const HostGauge &gauge_;
    const DomainWallWish wish_;
    MoebiusQuarks quarks_;
    std::size_t reals_;
    Field phi_;
    double expected_ = 0;
  };

  class OneFlavour : public QuarkAction
  {
  public:
    OneFlavour(const Process &process, const HostGauge &gauge, const Options &options, const DomainWallWish &wish)
        : process_(process)
        , gauge_(gauge)
        , wish_(wish)
        , quarks_(options, wish, QUDA_MOBIUS_DWF_EOFA_DSLASH)
        , of_(wish.Ls, wish.b, wish.c, wish.one_mass, 1)
        , weight_(of_.weight() / (wish.b * (4 + wish.m5) + 1))
        , heatbath_(reference::best_power_within(-0.5, wish.low, wish.high, wish.error))
    {
    }

    void load() override {}

    /// phi = A^(-1/2) eta
    void refresh(unsigned long long seed) override
    {
      const Field eta = random_share(gauge_, seed);
      expected_ = product(process_, eta, eta);
      phi_ = eta;
      for (double &number : phi_) number *= heatbath_.scale;
      for (std::size_t i = 0; i < heatbath_.poles.size(); i++) {
        const double p = heatbath_.poles[i];
        for (const bool plus : {false, true}) {
          Field x;
          const Field y = inverse(plus, of_.shift_of_inverse(plus, p), eta, x);
          each_of(plus, [&](std::size_t k) {
            phi_[k] += heatbath_.residues[i] / (1 + p) * (eta[k] - sign(plus) * weight_ / (1 + p) * y[k]);
          });
        }
      }
      rest_ = product(process_, phi_, phi_);
    }

    double energy() override
    {
      double sum = 0;
      for (const bool plus : {false, true}) {
        Field x;
        sum += sign(plus) * weight_ * product(process_, phi_, inverse(plus, of_.shift(plus), phi_, x));
      }
      return sum;
    }
    double rest() const override { return rest_; }
    double expected() const override { return expected_; }

    void add_force(double t, const QudaGaugeParam &gauge_param) override
    {
      QudaGaugeParam gauge = gauge_param;
      for (const bool plus : {false, true}) {
        Field x;
        inverse(plus, of_.shift(plus), phi_, x);
        QudaInvertParam param = param_of(plus, of_.shift(plus));
        void *solution[] = {x.data()};
        double weight = sign(plus) * weight_;
        computeQuarkForceQuda(nullptr, t, solution, nullptr, &weight, 1, 0, &gauge, &param);
        gauge.overwrite_mom = 0;
      }
    }

    std::string name() const override
    {
      return "Moebius, one flavour, " + std::to_string(heatbath_.poles.size()) + " poles";
    }

  private:
    static double sign(bool plus) { return plus ? 1 : -1; }

    QudaInvertParam param_of(bool plus, double shift) const
    {
      QudaInvertParam param = quarks_.param(QUDA_MAT_SOLUTION, of_.mass(plus));
      param.eofa_pm = plus;
      param.eofa_shift = shift;
      param.mq1 = of_.mass(plus);
      param.mq2 = wish_.one_mass;
      param.mq3 = 1;
      return param;
    }

    /// take(k) of each real k of a field in four dimensions that is of the chirality.
    template <class Take> void each_of(bool plus, const Take &take) const
    {
      const std::size_t reals = 24 * gauge_.part().local.volume();
      for (std::size_t site = 0; site < reals; site += 24)
        for (std::size_t k = 0; k < 12; k++) take(site + (plus ? 0 : 12) + k);
    }
    /// Where real k of a field in four dimensions is in slice s.
    std::size_t in_slice(std::size_t k, int s) const
    {
      const std::size_t half = 24 * gauge_.part().local.half(), Ls = static_cast<std::size_t>(wish_.Ls);
      return (k / half * Ls + static_cast<std::size_t>(s)) * half + k % half;
    }

    /// w^T H^-1 w in, or v^T H^-1 v in, H = gamma5 R5 M (b + c T)^-1, on that chirality and 0 on the other; x = M^-1 R5
    /// gamma5 w in.
    Field inverse(bool plus, double shift, const Field &in, Field &x)
    {
      const int Ls = wish_.Ls;
      Field source(in.size() * static_cast<std::size_t>(Ls)), out(in.size());
      for (int s = 0; s < Ls; s++) {
        const double factor = sign(plus) * of_.of_slice(plus, Ls - 1 - s);
        each_of(plus, [&](std::size_t k) { source[in_slice(k, s)] = factor * in[k]; });
      }
      x.assign(source.size(), 0);
      QudaInvertParam param = param_of(plus, shift);
      count(MoebiusQuarks::solve(x, source, param));
      for (int s = 0; s < Ls; s++) {
        const bool wall = s == (plus ? 0 : Ls - 1);
        const int before = (s + (plus ? Ls - 1 : 1)) % Ls;
        const double factor = of_.of_slice(plus, s), beside = wish_.c * (wall ? -of_.mass(plus) : 1);
        each_of(plus, [&](std::size_t k) {
          out[k] += factor * (wish_.b * x[in_slice(k, s)] + beside * x[in_slice(k, before)]);
        });
      }
      return out;
    }

    const Process &process_;
    const HostGauge &gauge_;
    const DomainWallWish wish_;
    MoebiusQuarks quarks_;
    const reference::OneFlavourAction of_;
    const double weight_; // 2 kappa_b k, of H in kappa's normalisation
    const reference::Rational heatbath_;
    Field phi_;
    double expected_ = 0, rest_ = 0;
  };

} // namespace

std::unique_ptr<QuarkAction> domain_wall_action(const Process &process, const HostGauge &gauge, const Options &options,
                                                const DomainWallWish &wish)
{
  return std::make_unique<TwoFlavours>(process, gauge, options, wish);
}

std::unique_ptr<QuarkAction> one_flavour_domain_wall_action(const Process &process, const HostGauge &gauge,
                                                            const Options &options, const DomainWallWish &wish)
{
  return std::make_unique<OneFlavour>(process, gauge, options, wish);
}

} // namespace program
