#include "programs/common/quark_actions.h"

#include <cmath>
#include <cstdio>

namespace program
{

namespace
{

  using Field = EvenOddQuarks::Field;

  /// y += (re + i im) x
  void add(Field &y, double re, double im, const Field &x)
  {
    for (std::size_t k = 0; k < y.size(); k += 2) {
      const double a = x[k], b = x[k + 1];
      y[k] += re * a - im * b;
      y[k + 1] += re * b + im * a;
    }
  }

  /// What actions of det (Q^2 + mu^2), over det (Q^2 + heavier^2) or alone, share.
  class TwoFlavourAction : public QuarkAction
  {
  public:
    void load() override { quarks_.load(); }
    double rest() const override { return rest_ + flavours_ * quarks_.log_determinant(); }
    double expected() const override { return expected_; }

    std::string name() const override
    {
      char text[80];
      if (heavier_ == 0)
        std::snprintf(text, sizeof text, "%s%g", kind_, mu_);
      else
        std::snprintf(text, sizeof text, "%s%g over %g", kind_, mu_, heavier_);
      return text;
    }

  protected:
    TwoFlavourAction(const char *kind, EvenOddQuarks &quarks, double mu, double heavier, int store, int guesses)
        : quarks_(quarks)
        , mu_(mu)
        , heavier_(heavier)
        , flavours_(heavier == 0 ? 2 : 0)
        , store_(store)
        , guesses_(guesses)
        , kind_(kind)
    {
    }

    EvenOddQuarks &quarks_;
    const double mu_, heavier_, flavours_;
    const int store_, guesses_;
    Field phi_;
    double expected_ = 0, rest_ = 0; // rest_: but for ln det

  private:
    const char *const kind_;
  };

  class HasenbuschAction : public TwoFlavourAction
  {
  public:
    HasenbuschAction(EvenOddQuarks &quarks, double mu, double heavier, int store, int guesses)
        : TwoFlavourAction("mu ", quarks, mu, heavier, store, guesses)
        , weight_(heavier == 0 ? 1 : heavier * heavier - mu * mu)
    {
    }

    void refresh(unsigned long long seed) override
    {
      const Field eta = quarks_.noise(seed);
      expected_ = quarks_.norm2(eta);
      phi_ = quarks_.zero();
      if (heavier_ == 0) {
        quarks_.apply(phi_, eta, mu_);
      } else { // (Q + i mu) / (Q + i heavier) eta = eta + i (mu - heavier) (Q - i heavier) / (Q^2 + heavier^2) eta
        Field x = quarks_.zero(), y = quarks_.zero();
        count(quarks_.solve(x, eta, heavier_, 0, 0));
        quarks_.apply(y, x, -heavier_);
        phi_ = eta;
        add(phi_, 0, mu_ - heavier_, y);
      }
      rest_ = heavier_ == 0 ? 0 : quarks_.norm2(phi_);
    }

    double energy() override
    {
      Field x = quarks_.zero();
      const EvenOddQuarks::Solved solved = quarks_.solve(x, phi_, mu_, 0, 0);
      count(solved);
      return weight_ * solved.action - flavours_ * quarks_.log_determinant();
    }

    void add_force(double t, const QudaGaugeParam &gauge_param) override
    {
      std::vector<Field> x {quarks_.zero()};
      count(quarks_.solve(x[0], phi_, mu_, store_, guesses_));
      quarks_.add_force(x, {weight_}, flavours_, t, gauge_param);
    }

  private:
    const double weight_;
  };

  class TwistedAction : public TwoFlavourAction
  {
  public:
    TwistedAction(EvenOddQuarks &quarks, double mu, double heavier, int store, int guesses)
        : TwoFlavourAction("twisted, ", quarks, mu, heavier, store, guesses)
    {
    }

    void refresh(unsigned long long seed) override
    {
      const Field eta = quarks_.noise(seed);
      expected_ = quarks_.norm2(eta);
      phi_ = quarks_.times(eta, mu_, true);
      if (heavier_ == 0) return;
      Field x = quarks_.zero(); // with W the heavier matrix, phi = W^-dag M^dag eta
      count(quarks_.solve(x, phi_, heavier_, 0, 0));
      phi_ = quarks_.times(x, heavier_, false);
    }

    double energy() override
    {
      Field x = quarks_.zero();
      return solve(x, 0, 0) - flavours_ * quarks_.log_determinant();
    }

    void add_force(double t, const QudaGaugeParam &gauge_param) override
    {
      std::vector<Field> x {quarks_.zero()};
      solve(x[0], store_, guesses_);
      quarks_.add_force(x, {1}, flavours_, t, gauge_param, mu_);
      if (heavier_ == 0) return;
      QudaGaugeParam more = gauge_param;
      more.overwrite_mom = 0;
      quarks_.add_pair_force(phi_, x[0], heavier_, t, more);
    }

  private:
    /// x = (M^dag M)^-1 W^dag phi; the action of it.
    double solve(Field &x, int store, int guesses)
    {
      const Field b = heavier_ == 0 ? phi_ : quarks_.times(phi_, heavier_, true);
      const EvenOddQuarks::Solved solved = quarks_.solve(x, b, mu_, store, guesses);
      count(solved);
      return solved.action;
    }
  };

  class RationalAction : public QuarkAction
  {
  public:
    RationalAction(EvenOddQuarks &quarks, const reference::Rational &r)
        : quarks_(quarks)
        , r_(r)
        , x_(r.poles.size())
    {
    }

    void load() override { quarks_.load(); }

    void refresh(unsigned long long seed) override
    {
      const Field eta = quarks_.noise(seed);
      expected_ = quarks_.norm2(eta);
      // prod (Q + i sqrt(b)) / (Q + i sqrt(a)) = 1 + sum_j i d_j / (Q + i sqrt(a_j))
      const std::size_t n = r_.zeros.size();
      std::vector<double> zeros, poles, d;
      for (std::size_t i = 0; i < n; i++) {
        zeros.push_back(std::sqrt(r_.zeros[i]));
        poles.push_back(std::sqrt(r_.poles[i]));
      }
      for (std::size_t j = 0; j < n; j++) {
        double residue = poles[j] - zeros[j];
        for (std::size_t i = 0; i < n; i++)
          if (i != j) residue *= (poles[i] - zeros[j]) / (zeros[i] - zeros[j]);
        d.push_back(residue);
      }
      solve(eta, r_.zeros);
      Field sum = quarks_.zero(), turned = sum;
      phi_ = eta;
      for (std::size_t j = 0; j < n; j++) {
        add(phi_, d[j] * zeros[j], 0, x_[j]);
        add(sum, d[j], 0, x_[j]);
      }
      quarks_.apply(turned, sum, 0);
      add(phi_, 0, 1, turned);
      for (double &number : phi_) number /= std::sqrt(r_.scale);
      rest_ = r_.scale * quarks_.norm2(phi_);
    }

    double energy() override { return solve(phi_, r_.poles) - quarks_.log_determinant(); }
    double rest() const override { return rest_ + quarks_.log_determinant(); }
    double expected() const override { return expected_; }

    void add_force(double t, const QudaGaugeParam &gauge_param) override
    {
      solve(phi_, r_.poles);
      quarks_.add_force(x_, r_.residues, 1, t, gauge_param);
    }

    std::string name() const override { return "one flavour, " + std::to_string(r_.poles.size()) + " poles"; }

  private:
    /// x_j = (Q^2 + shift_j)^-1 b
    double solve(const Field &b, const std::vector<double> &shifts)
    {
      for (Field &x : x_) x = quarks_.zero();
      const EvenOddQuarks::Solved solved = quarks_.solve(x_, b, shifts, r_.residues);
      count(solved);
      return solved.action;
    }

    EvenOddQuarks &quarks_;
    const reference::Rational r_;
    std::vector<Field> x_;
    Field phi_;
    double expected_ = 0, rest_ = 0;
  };

} // namespace

std::unique_ptr<QuarkAction> hasenbusch_action(EvenOddQuarks &quarks, double mu, double heavier, int store, int guesses)
{
  return std::make_unique<HasenbuschAction>(quarks, mu, heavier, store, guesses);
}

std::unique_ptr<QuarkAction> twisted_action(EvenOddQuarks &quarks, double mu, double heavier, int store, int guesses)
{
  return std::make_unique<TwistedAction>(quarks, mu, heavier, store, guesses);
}

std::unique_ptr<QuarkAction> rational_action(EvenOddQuarks &quarks, const reference::Rational &r)
{
  return std::make_unique<RationalAction>(quarks, r);
}

} // namespace program
