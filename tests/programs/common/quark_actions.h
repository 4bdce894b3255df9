/// Actions of pseudofermions, whose integral is a determinant of Q^2 + .. (even_odd_quarks.h).
#pragma once

#include <memory>
#include <string>

#include "programs/common/even_odd_quarks.h"
#include "reference/approximation/rational.h"

namespace program
{

class QuarkAction
{
public:
  virtual ~QuarkAction() = default;

  /// For the links that are resident: all below likewise, with what they need loaded.
  virtual void load() = 0;
  /// Pseudofermions of the action's weight.
  virtual void refresh(unsigned long long seed) = 0;
  /// The action, but for what depends on the pseudofermions alone.
  virtual double energy() = 0;
  /// What depends on the pseudofermions alone, and what all of it must be right after refresh().
  virtual double rest() const = 0;
  virtual double expected() const = 0;
  /// t times the force onto momenta as gauge_param says.
  virtual void add_force(double t, const QudaGaugeParam &gauge_param) = 0;
  virtual std::string name() const = 0;

  struct Work {
    int solves = 0, iterations = 0;
  };
  /// Since the last call.
  Work work_done()
  {
    const Work work = work_;
    work_ = {};
    return work;
  }

protected:
  void count(const EvenOddQuarks::Solved &solved)
  {
    work_.solves++;
    work_.iterations += solved.iterations;
  }

private:
  Work work_;
};

/// One of the determinants that det Q^2 is split into (Hasenbusch, hep-lat/0107019), heavier > mu >= 0:
///   det [(Q^2 + mu^2) / (Q^2 + heavier^2)],  S = phi^dag [1 + (heavier^2 - mu^2) / (Q^2 + mu^2)] phi, or
///   det (Q^2 + mu^2) with heavier = 0,       S = phi^dag (Q^2 + mu^2)^-1 phi - 2 ln det A_o
/// guesses: earlier solutions that forces begin with.
std::unique_ptr<QuarkAction> hasenbusch_action(EvenOddQuarks &quarks, double mu, double heavier, int store,
                                               int guesses);

/// The same of twisted quarks: S = |(M + i mu gamma5)^-dag (M + i heavier gamma5)^dag phi|^2, with heavier = 0
/// |(M + i mu gamma5)^-dag phi|^2 - 2 ln det A_o.
std::unique_ptr<QuarkAction> twisted_action(EvenOddQuarks &quarks, double mu, double heavier, int store, int guesses);

/// det M of one flavour, S = phi^dag r(Q^2) phi - ln det A_o, r(x) near 1/sqrt(x) where the spectrum is. The heat bath
/// is that of r itself: with zeros a_i and poles b_i, phi = scale^(-1/2) prod (Q + i sqrt(b_i)) / (Q + i sqrt(a_i)) eta.
std::unique_ptr<QuarkAction> rational_action(EvenOddQuarks &quarks, const reference::Rational &r);

} // namespace program
